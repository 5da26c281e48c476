"""Notes: what the next page says of what was just done, and words that are shown once.

Who sends a form is led on to a page (so that reading it again sends nothing twice), and the note
waits for them in a cookie of their own browser. It is sealed with the words of their session, so
nobody else can put one there; the page that says it takes it away.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Sequence
from typing import Any, Final, Literal, TypeAlias

import msgspec
from flask import Flask, Response, g, request

from .identity import cookie_name, is_https

COOKIE: Final = "hegemon-note"
SECONDS: Final = 120
TEXT_MAX: Final = 1_200  # bytes, of the four thousand that a cookie may have

Kind: TypeAlias = Literal["done", "trouble"]


class Words(msgspec.Struct, frozen=True, array_like=True):
    """Words that are shown once, and what they are for."""

    label: str
    words: str


class Note(msgspec.Struct, frozen=True, array_like=True):
    """What a page says before anything else."""

    kind: Kind
    text: str
    shown: tuple[Words, ...] = ()


def add_notes(app: Flask) -> None:
    """Let pages read the note, and take it away once it is read."""

    @app.context_processor
    def note() -> dict[str, Any]:
        return {"note": read_note}

    @app.after_request
    def taken(response: Response) -> Response:
        if g.get("note_read"):
            response.delete_cookie(
                COOKIE, path="/", secure=is_https(), httponly=True, samesite="Strict"
            )
            response.headers["Cache-Control"] = "no-store"
        return response


def led_on(
    address: str, text: str = "", shown: Sequence[tuple[str, str]] = (), kind: Kind = "done"
) -> Response:
    """On to a page, which says what was done."""
    response = Response(status=303, headers={"Location": address})
    key = request.cookies.get(cookie_name(), "")
    if text and key:
        words = tuple(Words(label, words) for label, words in shown)
        cut = text.encode()[:TEXT_MAX].decode(errors="ignore")
        packed = msgspec.json.encode(Note(kind, cut, words))
        response.set_cookie(
            COOKIE,
            f"{_text(packed)}.{_text(_seal(key, packed))}",
            max_age=SECONDS,
            secure=is_https(),
            httponly=True,
            samesite="Strict",
            path="/",
        )
    return response


def read_note() -> Note | None:
    """The note that waits for this browser, if one does."""
    found, key = request.cookies.get(COOKIE, ""), request.cookies.get(cookie_name(), "")
    if not found or not key:
        return None
    g.note_read = True
    text, _, seal = found.partition(".")
    try:
        packed = base64.urlsafe_b64decode(text.encode())
        sealed = base64.urlsafe_b64decode(seal.encode())
        if not hmac.compare_digest(sealed, _seal(key, packed)):
            return None
        return msgspec.json.decode(packed, type=Note)
    except (binascii.Error, ValueError, msgspec.MsgspecError):
        return None


def _seal(key: str, packed: bytes) -> bytes:
    return hmac.digest(key.encode(), b"hegemon/note/1" + packed, "sha256")


def _text(packed: bytes) -> str:
    return base64.urlsafe_b64encode(packed).decode()
