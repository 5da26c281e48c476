"""A request that cannot be read is refused like any other, before an application exists."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.live.served import ANSWER_SECONDS, Gunicorn
from tests.support.servers import AnyLedger, programs

TOP = b"GET /api/v1/matches HTTP/1.1\r\nHost: x\r\n"
MANY = b"".join(b"X%d: a\r\n" % one for one in range(200))
CHUNKED = b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
# What is sent, the status and the code.
UNREAD = {
    "an address without end": (b"GET /" + b"a" * 9_000 + b" HTTP/1.1\r\n", 414, "too_large"),
    "a header without end": (TOP + b"X: " + b"a" * 9_000 + b"\r\n", 431, "too_large"),
    "headers without end": (TOP + MANY, 431, "too_large"),
    "a header that cannot be one": (TOP + b"Idempotency-Key: \x01\r\n", 400, "bad_request"),
    "no version of HTTP": (b"GET / HTTP/9.1\r\n", 400, "bad_request"),
    "no HTTP": (b"/welcome/hgm_l_secret\r\n", 400, "bad_request"),
    "a length that is none": (TOP + b"Content-Length: -5\r\n", 400, "bad_request"),
}
TORN = b"POST /api/v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + CHUNKED + b"\r\nZZ\r\n"


@pytest.fixture
def web(any_ledger: AnyLedger, tmp_path: Path) -> Iterator[Gunicorn]:
    web = Gunicorn(tmp_path, any_ledger(next(iter(programs()))).url, HEGEMON_LOG="json").start()
    yield web
    web.kill()


def answered(web: Gunicorn, sent: bytes) -> tuple[int, bytes, bytes]:
    """The status, the headers and the body of what comes back for these bytes."""
    with socket.create_connection(("127.0.0.1", web.port), timeout=ANSWER_SECONDS) as line:
        line.sendall(sent)
        found = b"".join(iter(lambda: line.recv(65_536), b""))
    head, _, body = found.partition(b"\r\n\r\n")
    return int(head.split()[1]), head, body


def test_what_cannot_be_read_is_a_problem_and_who_sent_it_is_not_logged(web: Gunicorn) -> None:
    for sent, status, code in UNREAD.values():
        found, head, body = answered(web, sent + b"\r\n")
        assert (found, json.loads(body)["code"]) == (status, code), sent[:40]
        assert json.loads(body)["status"] == status
        assert b"Content-Type: application/problem+json" in head
    # A body is read while the application looks at it: that is no fault of ours, either.
    status, _, body = answered(web, TORN)
    assert (status, json.loads(body)["code"]) == (400, "bad_request")
    assert web.answers()
    said = web.output.read_text()
    assert all(json.loads(line)["level"] for line in said.splitlines())
    assert said.count("could not be read") == len(UNREAD)
    assert "127.0.0.1" not in said
    assert "Traceback" not in said
    assert "secret" not in said
