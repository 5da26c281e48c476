"""Answers to what is asked about a match, as they come and without what may differ.

In an answer every commitment, salt and head gives way to a placeholder of the same length, which
says only whose it is. All else stays, headers and length too.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from typing import Any, Final, NamedTuple

from flask.testing import FlaskClient

from tests.support.web.askers import Asker, Wanted
from tests.support.web.masks import Masks

# What is packed into a page, and the hashes that seal its events there.
PACKED: Final = re.compile(rb'(<script type="application/gzip" id="[a-z-]+">)([A-Za-z0-9+/=]+)')
# What a dossier is called, on its page: the hash of a document that heads stand in.
NAMED: Final = re.compile(rb"((?<=<dt>Name</dt><dd>)|(?<=\?dossier=))[0-9a-f]{64}")
SEALS: Final = re.compile(rb'(?<=")[0-9a-f]{16}(?=")')
# The hash of a match's audit, which holds its head.
AUDITED: Final = re.compile(rb'(?<="sha256":")[0-9a-f]{64}(?=")')


class Answered(NamedTuple):
    """An answer; as it came, or without what may differ."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


def ask(client: FlaskClient, asker: Asker, wanted: Wanted, last: int) -> Answered:
    """Ask; of a live stream, what it says up to an event."""
    headers = {**asker.headers, **wanted.headers}
    path = wanted.path.replace("{match}", asker.match)
    given = {} if wanted.body is None else {"json": wanted.body}
    given |= {} if wanted.form is None else {"data": wanted.form}
    with client.open(
        path, method=wanted.method, headers=headers, buffered=False, **given
    ) as answer:
        body = _live_until(answer, last) if _is_live(answer) else answer.get_data()
    found = sorted((name, value) for name, value in answer.headers if name != "Date")
    return Answered(answer.status_code, tuple(found), body)


def without_what_may_differ(answer: Answered, path: str, masks: Masks) -> Answered:
    """The answer with placeholders; the path is as it was wanted."""
    found, body = dict(answer.headers), answer.body
    if found.get("ETag") == f'"{hashlib.sha1(body).hexdigest()}"':  # noqa: S324 - as it is made
        found["ETag"] = "of what stands below"
    if found.get("Dossier") == hashlib.sha256(body).hexdigest():
        found["Dossier"] = "of what stands below"
    body = NAMED.sub(b"?" * 64, body)
    text = masks.masked(PACKED.sub(b"", body))
    if path.endswith("/audit/report"):
        text = AUDITED.sub(b"?" * 64, text)
        found["ETag"] = "of the book, and the heads of its matches"
    if path.partition("?")[0].endswith((".png", ".html")):
        found["ETag"] = "of the head, and who looks"
    if parts := PACKED.findall(body):
        # How small hashes can be packed depends on them: what is in the parts counts.
        unpacked = [gzip.decompress(base64.b64decode(part)) for _, part in parts]
        text += b"".join(SEALS.sub(b"?" * 16, masks.masked(part)) for part in unpacked)
        found["Content-Length"] = "as long as it is"
    return Answered(answer.status, tuple(sorted(found.items())), text)


def _is_live(answer: Any) -> bool:
    return bool(answer.mimetype == "text/event-stream")


def _live_until(answer: Any, last: int) -> bytes:
    """Returns a stream up to an event; it would go on for ever."""
    said = b""
    for chunk in answer.response:
        said += chunk
        if f"id: {last}\n".encode() in said:
            break
    return said
