"""The proxy itself: each fault is what it is called, seen from the client and from the server."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest

from ledger.log.stores.redis.connection import Connection
from tests.support.durability.proxy import (
    AFTER,
    BEFORE,
    Fault,
    Faults,
    Frames,
    Proxy,
    Torn,
    connected,
)
from tests.support.servers import Server

INCR = b"*2\r\n$4\r\nINCR\r\n$1\r\nn\r\n"


@pytest.fixture(params=["tcp", "unix"])
def through(request: pytest.FixtureRequest, ledger: Server) -> Iterator[Proxy]:
    with Proxy(ledger.url, Faults(1, {}, delay=0.02), unix=request.param == "unix") as proxy:
        yield proxy


def counted(server: Server) -> int:
    return int(Connection(server.url).call("GET", "n") or 0)


def asked(proxy: Proxy, request: bytes = INCR) -> bytes:
    """Returns the bytes received until the other side ends or has answered completely."""
    with connected(proxy.url) as line:
        line.settimeout(5)
        line.sendall(request)
        found = b""
        while not found.endswith(b"\r\n"):
            new = line.recv(100)
            if not new:
                return found + b"|"
            found += new
        return found


def test_what_meets_no_fault_passes_both_ways(through: Proxy, ledger: Server):
    assert asked(through) == b":1\r\n"
    assert counted(ledger) == 1


@pytest.mark.parametrize("fault", BEFORE)
def test_a_request_cut_before_is_not_carried_out(through: Proxy, ledger: Server, fault: Fault):
    for part in range(1, 6):
        through.faults = Faults(part, {fault: 1.0})
        try:
            assert asked(through) == b"|"
        except ConnectionResetError:
            assert fault is Fault.RESET_BEFORE
    assert through.met == {fault: 5}
    through.faults.stop()
    assert asked(through) == b":1\r\n"
    assert counted(ledger) == 1


@pytest.mark.parametrize("fault", AFTER)
def test_a_request_cut_after_is_carried_out_and_not_answered(
    through: Proxy, ledger: Server, fault: Fault
):
    for part in range(1, 6):
        through.faults = Faults(part, {fault: 1.0})
        try:
            answer = asked(through)
        except ConnectionResetError:
            assert fault is Fault.RESET_AFTER
        else:
            whole = b":%d\r\n" % part
            assert answer.endswith(b"|")
            assert whole.startswith(answer[:-1])
            assert (len(answer) > 1) == (fault is Fault.HALF_REPLY)
        assert counted(ledger) == part  # the proxy has read the reply before it cuts
    assert through.met == {fault: 5}


def test_a_reset_is_an_error_on_tcp(ledger: Server):
    with (
        Proxy(ledger.url, Faults(1, {Fault.RESET_AFTER: 1.0})) as proxy,
        pytest.raises(ConnectionResetError),
    ):
        asked(proxy)
    assert counted(ledger) == 1


@pytest.mark.parametrize("fault", [Fault.DELAY_BEFORE, Fault.DELAY_AFTER])
def test_what_is_delayed_comes_all_the_same(through: Proxy, ledger: Server, fault: Fault):
    through.faults = Faults(1, {fault: 1.0}, delay=0.02)
    assert asked(through) == b":1\r\n"
    assert through.met == {fault: 1}


def test_requests_in_one_go_are_taken_one_by_one(through: Proxy, ledger: Server):
    """Three at once, of which the second is cut after it was carried out."""
    faults = iter([Fault.NONE, Fault.CUT_AFTER, Fault.NONE])
    through.faults.draw = lambda _request: (next(faults), 0.0)  # type: ignore[method-assign]
    with connected(through.url) as line:
        line.settimeout(5)
        line.sendall(INCR * 3)
        assert Frames(line).next() == b":1\r\n"
        with suppress(ConnectionResetError):  # the third request was left unread
            assert line.recv(100) == b""
    assert counted(ledger) == 2


def test_only_named_commands_meet_faults(ledger: Server):
    faults = Faults(1, {Fault.CUT_BEFORE: 1.0}, commands=(b"FCALL",))
    with Proxy(ledger.url, faults) as proxy:
        assert asked(proxy) == b":1\r\n"
        assert asked(proxy, b"*2\r\n$5\r\nfcall\r\n$1\r\nn\r\n") == b"|"


def test_the_same_seed_draws_the_same_faults():
    shares = {Fault.CUT_AFTER: 0.4, Fault.HALF_REPLY: 0.3}
    one, two, other = (Faults(seed, shares) for seed in (5, 5, 6))
    drawn = [one.draw(INCR) for _ in range(200)]
    assert drawn == [two.draw(INCR) for _ in range(200)]
    assert drawn != [other.draw(INCR) for _ in range(200)]
    assert {fault for fault, _ in drawn} == {Fault.NONE, *shares}


def test_frames_end_where_they_end():
    nested = b"*3\r\n$5\r\nab\r\nc\r\n*2\r\n:1\r\n$-1\r\n+OK\r\n"
    whole = [nested, b"*-1\r\n", b"$0\r\n\r\n", b"-ERR no\r\n", b"PING\r\n", INCR]
    ours, theirs = socket.socketpair()
    with ours, theirs:
        for byte in b"".join(whole):
            ours.sendall(bytes((byte,)))
        ours.sendall(nested[:-1])
        ours.shutdown(socket.SHUT_WR)
        frames = Frames(theirs)
        assert [frames.next() for _ in whole] == whole
        with pytest.raises(Torn):
            frames.next()


def test_a_server_that_is_gone_ends_the_connection(through: Proxy, ledger: Server):
    through.upstream = "unix:///tmp/there/is/no/server"
    with suppress(ConnectionResetError, BrokenPipeError):  # it was closed before we had written
        assert asked(through) == b"|"
    assert counted(ledger) == 0
