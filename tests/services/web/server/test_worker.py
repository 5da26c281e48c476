"""When a request is complete; a slow or unreadable one is refused and holds up no other."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from services.web import BODY_MAX
from services.web.server.worker import CHUNKS_MAX, HEAD_MAX, UNREAD_MAX, Arriving
from tests.support.live.served import ANSWER_SECONDS, Gunicorn, asks
from tests.support.servers import AnyLedger, programs

Start = Callable[..., Gunicorn]

ME = b"POST /api/v1/me HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
SAID = b'{"link": "hgm_l_none"}'
LONG = ME + b"Content-Length: %d\r\n\r\n" % len(SAID)
CHUNKS = ME + b"Transfer-Encoding: chunked\r\n\r\n"
HEALTH = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
LAST = HEALTH.replace(b"Host", b"Connection: close\r\nHost")
WHOLE = {
    "nothing but a line": b"GET / HTTP/1.1\r\n\r\n",
    "headers": HEALTH,
    "an empty line before": b"\r\n" + HEALTH,
    "a body": LONG + SAID,
    "chunks": CHUNKS + b"3\r\n\r\n0\r\n5;a=b\r\n\r\n\r\n0\r\n0\r\n\r\n",
    "chunks and a trailer": CHUNKS + b"1\r\na\r\n0\r\nX: y\r\n\r\n",
}
HOPELESS = {
    "a line that ends in half": b"GET / HTTP/1.1\n",
    "a head without end": b"GET / HTTP/1.1\r\nX: " + b"a" * HEAD_MAX,
    "a body that is too long": ME + b"Content-Length: %d\r\n\r\n" % (BODY_MAX + 1),
    "a chunk of no size": CHUNKS + b"ZZ\r\n",
    "chunks without end": CHUNKS + b"1\r\na\r\n" * (CHUNKS_MAX // 6 + 1),
}
UNFINISHED = {
    "a byte": b"G",
    "half a head": b"GET / HTTP/1.1\r\nHost: x\r\n",
    "a byte of a body": LONG + b"{",
    "a byte of a chunk": CHUNKS + b"100\r\n{",
    "no last chunk": CHUNKS + b"2\r\n{}\r\n",
}


@pytest.mark.parametrize("sent", WHOLE.values(), ids=WHOLE)
def test_a_request_is_whole_with_its_last_byte(sent: bytes) -> None:
    arriving = Arriving(0.0)
    for at in range(len(sent)):
        assert not arriving.is_whole(), sent[:at]
        arriving.found += sent[at : at + 1]
    assert arriving.is_whole()
    at_once = Arriving(0.0, sent + HEALTH)
    assert at_once.is_whole()
    assert at_once.held().end is arriving.held().end is None


@pytest.mark.parametrize("sent", HOPELESS.values(), ids=HOPELESS)
def test_what_will_be_refused_is_not_waited_for(sent: bytes) -> None:
    arriving = Arriving(0.0, sent)
    assert arriving.is_whole()
    assert arriving.held().end is not None or b"ZZ" in sent


@pytest.fixture
def start(any_ledger: AnyLedger, tmp_path: Path) -> Iterator[Start]:
    url = any_ledger(next(iter(programs()))).url
    started: list[Gunicorn] = []

    def begin(seconds: int) -> Gunicorn:
        said = {"HEGEMON_LIVE_PLACES": "0", "HEGEMON_REQUEST_SECONDS": str(seconds)}
        started.append(Gunicorn(tmp_path, url, **said))
        return started[-1].start()

    yield begin
    for one in started:
        one.kill()


def sending(web: Gunicorn, sent: bytes, held: ExitStack) -> socket.socket:
    """A connection on which this was sent; it stays open."""
    address = ("127.0.0.1", web.port)
    line = held.enter_context(socket.create_connection(address, timeout=ANSWER_SECONDS))
    line.sendall(sent)
    return line


def answer_on(line: socket.socket) -> tuple[int, bytes]:
    """The first answer on this connection, and its body."""
    answer = http.client.HTTPResponse(line)
    answer.begin()
    return answer.status, answer.read()


def rest_of(line: socket.socket) -> bytes:
    """All that comes until the other side ends."""
    return b"".join(iter(lambda: line.recv(65_536), b""))


def test_unfinished_requests_hold_up_nobody(start: Start) -> None:
    web = start(seconds=600)  # which is longer than anybody waits here
    with ExitStack() as held:
        for sent in UNFINISHED.values():
            for _ in range(40):  # more than there are threads
                sending(web, sent, held)
            assert asks(web.port, "GET", "/health")[0] == 200, sent
        lines = [sending(web, b"G", held) for _ in range(2 * UNREAD_MAX)]
        assert asks(web.port, "GET", "/health")[0] == 200
        # There was no more room: those that had waited longest were let go.
        assert json.loads(answer_on(lines[0])[1])["code"] == "too_slow"
        assert asks(web.port, "POST", "/api/v1/me", body={"link": "hgm_l_none"})[0] != 408


def test_what_does_not_come_whole_in_time_is_408_however_it_drips(start: Start) -> None:
    web = start(seconds=1)
    with ExitStack() as held:
        lines = [sending(web, sent, held) for sent in UNFINISHED.values()]
        second = sending(web, HEALTH, held)
        assert answer_on(second)[0] == 200
        second.sendall(b"GET")
        silent = sending(web, b"", held)
        dripping = sending(web, ME + b"Content-Length: 60000\r\n\r\n", held)
        over = threading.Event()

        def drip() -> None:
            with suppress(OSError):
                while not over.wait(0.05):
                    dripping.sendall(b" ")

        thread = threading.Thread(target=drip)
        thread.start()
        try:
            found = [answer_on(line) for line in (*lines, second, dripping)]
        finally:
            over.set()
            thread.join()
        assert [status for status, _ in found] == [408] * len(found)
        assert {json.loads(body)["code"] for _, body in found} == {"too_slow"}
        assert rest_of(silent) == b""
        assert [rest_of(line) for line in lines] == [b""] * len(lines)
    assert web.answers()


def test_clients_that_stay_after_the_answer_hold_up_nobody(start: Start) -> None:
    web = start(seconds=600)
    with ExitStack() as held:
        lines = [sending(web, LAST, held) for _ in range(20)]
        assert asks(web.port, "GET", "/health")[0] == 200
        assert [answer_on(line)[0] for line in lines] == [200] * len(lines)


def test_requests_in_pieces_and_in_a_row_are_answered_as_others(start: Start) -> None:
    web = start(seconds=600)
    with ExitStack() as held:
        expected = answer_on(sending(web, LONG + SAID, held))[0]
        assert expected != 400
        chunks = CHUNKS + b"%x\r\n%b\r\n0\r\n\r\n" % (len(SAID), SAID)
        for sent in (LONG + SAID, chunks):
            line = sending(web, b"", held)
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for at in range(len(sent)):
                line.sendall(sent[at : at + 1])
            assert answer_on(line)[0] == expected
        row = sending(web, HEALTH + LONG + SAID + LAST, held)
        found = rest_of(row)
        statuses = [int(part[:3]) for part in found.split(b"HTTP/1.1 ")[1:]]
        assert statuses == [200, expected, 200]
        asking = sending(web, LONG.replace(b"Host", b"Expect: 100-continue\r\nHost"), held)
        assert asking.recv(65_536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        asking.sendall(SAID)
        assert answer_on(asking)[0] == expected
        large = sending(web, HOPELESS["a body that is too long"], held)
        assert answer_on(large)[0] == 413
        assert rest_of(large) == b""


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
