"""One attempt, at receivers on real sockets: whatever they do, it ends within bounds."""

from __future__ import annotations

import asyncio
import ipaddress
import resource
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from services.courier.attempt import AttemptOutcome, Bounds, Names, Poster
from services.webhooks.addresses import Network, target_of
from tests.support.services import receivers
from tests.support.services.receivers import Conduct, Raw, answers, receiving

HERE: tuple[Network, ...] = (ipaddress.ip_network("127.0.0.0/8"),)
BOUNDS = Bounds(seconds=0.8, look_up_seconds=0.3, connect_seconds=0.4, body_seconds=0.2)
BODY = b'{"kind":"ping"}'


def finds(*numbers: str) -> Names:
    return Names(lambda *_: numbers, 4)


def posted(
    url: str,
    *,
    networks: Sequence[Network] = HERE,
    names: Names | None = None,
    tls: ssl.SSLContext | None = None,
) -> AttemptOutcome:
    given = {} if tls is None else {"tls": tls}
    poster = Poster(names or finds("127.0.0.1"), networks, BOUNDS, **given)
    target = target_of(url, plain=True)
    return asyncio.run(poster.post(target, {"webhook-id": "d1"}, BODY))


def test_an_honest_receiver_gets_the_request_whole_and_is_believed():
    with receiving() as one:
        outcome = posted(one.url)
        assert (outcome.status, outcome.why, outcome.delivered) == (200, "", True)
        [found] = one.received
    assert found.headers[":first"] == "POST /hook?of=mine HTTP/1.1"
    assert found.headers["host"] == f"127.0.0.1:{one.port}"
    assert found.headers["content-type"] == "application/json"
    assert found.headers["webhook-id"] == "d1"
    assert found.body == BODY


@pytest.mark.parametrize(
    ("conduct", "why"),
    [
        (receivers.says_nothing, "it took too long"),
        (receivers.drips_its_headers, "it took too long"),
        (receivers.never_ends_its_headers, "its headers do not end"),
        (receivers.speaks_something_else, "it does not speak HTTP/1.1"),
        (receivers.only_continues, "it sends no final answer"),
        (receivers.hangs_up, "the connection failed or ended early"),
        (receivers.resets, "the connection failed or ended early"),
        (answers(500), "it answered 500"),
        (answers(404), "it answered 404"),
    ],
)
def test_a_receiver_that_does_not_answer_as_one_does_has_failed_in_time(conduct: Conduct, why: str):
    with receiving(conduct) as one:
        began = time.monotonic()
        outcome = posted(one.url)
        took = time.monotonic() - began
    assert (outcome.why, outcome.delivered) == (why, False)
    assert took < BOUNDS.seconds + 0.7


@pytest.mark.parametrize("conduct", [receivers.drips_its_body, receivers.never_ends_its_body])
def test_a_body_that_does_not_end_is_thrown_away_and_the_status_counts(conduct: Conduct):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with receiving(conduct) as one:
        began = time.monotonic()
        outcome = posted(one.url)
        assert time.monotonic() - began < BOUNDS.seconds
    assert outcome.delivered
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 16 * 1024  # KiB


def test_where_nobody_listens_or_nobody_accepts_it_ends_in_time():
    assert posted(receivers.closed_port()).why == "the connection failed or ended early"
    with receivers.nobody_accepts() as url:
        began = time.monotonic()
        assert posted(url).why == "it took too long"
        assert time.monotonic() - began < BOUNDS.connect_seconds + 0.5


def test_nobody_is_followed_elsewhere():
    with receiving() as inside, receiving(receivers.sends_us_elsewhere(inside.url)) as one:
        outcome = posted(one.url)
        assert outcome.why == "it answered 307; we do not follow redirects"
        assert (one.connections, inside.connections) == (1, 0)


def test_it_says_when_to_come_again():
    with receiving(answers(429, b"Retry-After: 90\r\n")) as one:
        assert posted(one.url).retry_after == 90


@pytest.mark.parametrize(
    "number",
    ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "::ffff:127.0.0.1", "fe80::1%1", "0.0.0.1"],
)
def test_a_name_behind_which_there_is_one_of_ours_is_not_spoken_to(number: str):
    with receiving() as one:
        url = f"http://example.org:{one.port}/"
        for numbers in ((number,), ("93.184.215.14", number), (number, "93.184.215.14")):
            outcome = posted(url, networks=(), names=finds(*numbers))
            assert outcome.why == "this address is not allowed"
        assert one.connections == 0


def test_the_number_that_was_looked_at_is_the_one_that_is_spoken_to():
    """A name that says something else each time gains nothing: it is looked up once an attempt."""
    asked = []

    def rebinding(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["127.0.0.2"]

    with receiving() as one:
        outcome = posted(f"http://rebinding.example:{one.port}/", names=Names(rebinding, 4))
        assert outcome.delivered
    assert asked == ["rebinding.example"]


def test_what_is_public_is_spoken_to_by_tls_alone():
    outcome = posted("http://example.org/", names=finds("93.184.215.14"))
    assert outcome.why == "this address is not allowed"


def test_a_name_server_that_says_nothing_holds_up_so_many_and_no_more():
    over = threading.Event()

    def silent(host: str, port: int) -> list[str]:
        over.wait(20)
        return []

    names = Names(silent, 2)

    async def three() -> list[AttemptOutcome]:
        poster = Poster(names, HERE, BOUNDS)
        target = target_of("http://slow.example/", plain=True)
        return await asyncio.gather(*(poster.post(target, {}, BODY) for _ in range(3)))

    began = time.monotonic()
    try:
        assert [one.why for one in asyncio.run(three())] == ["it took too long"] * 3
        assert time.monotonic() - began < BOUNDS.seconds + 0.3
        held = [one for one in threading.enumerate() if one.name == "name slow.example"]
        assert len(held) == 2
    finally:
        over.set()


def test_a_name_that_is_nobody_s():
    assert posted("http://nobody.example/", names=finds()).why == ("the host name is unknown")


# --- TLS ------------------------------------------------------------------------------------------


NO_OPENSSL = shutil.which("openssl") is None
needs_openssl = pytest.mark.skipif(NO_OPENSSL, reason="openssl makes the certificates")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("certificate")
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj"
    files = ["-keyout", str(folder / "key"), "-out", str(folder / "certificate")]
    names = ["-addext", "subjectAltName=DNS:hooks.example"]
    subprocess.run(
        ["openssl", *words.split(), "/CN=hooks.example", *names, *files],
        check=True,
        capture_output=True,
    )
    return folder / "certificate", folder / "key"


@needs_openssl
def test_a_certificate_must_hold_and_be_for_the_host(certificate: tuple[Path, Path]):
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(*certificate)
    trusting = ssl.create_default_context(cafile=str(certificate[0]))

    def speaks_tls(line: socket.socket, over: threading.Event) -> None:
        with server.wrap_socket(line, server_side=True) as wrapped:
            receivers.request_on(wrapped)
            answers(200)(wrapped, over)

    with receiving(speaks_tls, Raw) as one:
        url = f"https://hooks.example:{one.port}/"
        assert posted(url, tls=trusting).delivered
        assert posted(url).why.startswith("its certificate is not valid")
        other = f"https://other.example:{one.port}/"
        assert "is not valid" in posted(other, tls=trusting).why


def test_a_server_that_speaks_no_tls_or_never_shakes_hands():
    with receiving(answers(200), Raw) as one:
        assert posted(f"https://hooks.example:{one.port}/").why == "TLS failed"
    with receiving(receivers.says_nothing, Raw) as one:
        began = time.monotonic()
        assert posted(f"https://hooks.example:{one.port}/").why == "it took too long"
        assert time.monotonic() - began < BOUNDS.seconds + 0.3
