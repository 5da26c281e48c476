"""Notes: a message for the next page about what was done, and secrets shown once.

A form redirects to a page, so that a reload sends nothing twice. The note waits in a cookie of
that browser. It is sealed with the words of the session, so nobody else can set one. The page
that shows the note deletes the cookie.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import msgspec
from flask import Response, after_this_request, request

from .identity import cookie_name, guards

COOKIE: Final = "hegemon-note"
SECONDS: Final = 120
TEXT_MAX: Final = 1_200  # bytes, of the four thousand that a cookie may have

Kind: TypeAlias = Literal["done", "trouble"]


class Words(msgspec.Struct, frozen=True, array_like=True):
    """A secret that is shown once, with its label."""

    label: str
    words: str


class Flash(msgspec.Struct, frozen=True, array_like=True):
    """A message at the top of a page."""

    kind: Kind
    text: str
    shown: tuple[Words, ...] = ()


def led_on(
    address: str, text: str = "", shown: Sequence[tuple[str, str]] = (), kind: Kind = "done"
) -> Response:
    """Redirects to a page that shows a note."""
    response = Response(status=303, headers={"Location": address})
    key = request.cookies.get(cookie_name(), "")
    if text and key:
        words = tuple(Words(label, words) for label, words in shown)
        cut = text.encode()[:TEXT_MAX].decode(errors="ignore")
        packed = msgspec.json.encode(Flash(kind, cut, words))
        sealed = f"{_text(packed)}.{_text(_seal(key, packed))}"
        response.set_cookie(COOKIE, sealed, max_age=SECONDS, **guards("Strict"))
    return response


def read_note() -> Flash | None:
    """Returns the note for this browser, if there is a valid one. The answer deletes it."""
    found, key = request.cookies.get(COOKIE, ""), request.cookies.get(cookie_name(), "")
    if not found or not key:
        return None
    after_this_request(_delete_note)
    text, _, seal = found.partition(".")
    try:
        packed = base64.urlsafe_b64decode(text.encode())
        sealed = base64.urlsafe_b64decode(seal.encode())
        if not hmac.compare_digest(sealed, _seal(key, packed)):
            return None
        return msgspec.json.decode(packed, type=Flash)
    except (binascii.Error, ValueError, msgspec.MsgspecError):
        return None


def _delete_note(response: Response) -> Response:
    response.delete_cookie(COOKIE, **guards("Strict"))
    response.headers["Cache-Control"] = "no-store"
    return response


def _seal(key: str, packed: bytes) -> bytes:
    return hmac.digest(key.encode(), b"hegemon/note/1" + packed, "sha256")


def _text(packed: bytes) -> str:
    return base64.urlsafe_b64encode(packed).decode()
