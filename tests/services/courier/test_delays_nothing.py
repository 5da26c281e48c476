"""Receivers that are down, slow or hostile delay neither play nor other receivers."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from services.courier.attempt import Bounds
from services.webhooks.retries import Patience
from tests.services.courier.conftest import Town, hooked
from tests.support.services import receivers
from tests.support.services.processes import wait_until
from tests.support.services.receivers import Receiver, after, answers, receiving
from tests.support.web.seated import Player
from tests.support.web.visitors import Visitor

HOSTILE = (
    receivers.says_nothing,
    receivers.drips_its_headers,
    receivers.never_ends_its_headers,
    receivers.drips_its_body,
    receivers.never_ends_its_body,
    receivers.only_continues,
    receivers.hangs_up,
    receivers.resets,
    after(0.5, answers(200)),
    answers(500),
)
# As in earnest, but that a hostile receiver is tried all the time.
EAGER = Patience(first=50, most=50, at_once=(("sound", 8), ("doubtful", 8)))


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as held:
        yield held


def many(town: Town, host: Visitor, count: int) -> list[Player]:
    """A match of host and guest for each of so many guests; the guests."""
    found = []
    for number in range(count):
        guest = town.site.person(f"Guest {number}")
        match = host.asks("POST", "/matches", {"ruleset": "tictactoe", "seats": 2}).json["id"]
        players = [Player(who, match, seat) for seat, who in enumerate((host, guest))]
        for player in players:
            assert player.put(f"/seats/{player.seat}", {}).status_code == 200
        assert players[0].post("/start").status_code == 200
        found.append(players[1])
    return found


def test_hostile_receivers_delay_no_honest_one(town: Town, stack: ExitStack):
    host = town.site.founder()
    guests = many(town, host, len(HOSTILE) + 2)
    honest: list[Receiver] = []
    hostile: list[Receiver] = []
    for guest, conduct in zip(guests, (*HOSTILE, None, None), strict=True):
        one = stack.enter_context(receiving(conduct))
        shown = hooked(guest.who, one.url)
        if conduct is not None:
            hostile.append(one)
        else:
            honest.append(one)
            assert guest.who.asks("POST", f"/me/webhooks/{shown['id']}/ping").status_code == 202
    # The honest ones have been heard of before.
    assert town.deliver(lambda: all(one.received for one in honest), patience=EAGER)
    arrivals: dict[str, float] = {}
    decided: dict[str, float] = {}
    waits: list[float] = []

    def play() -> None:
        """The host decides in every match, where the honest ones wait once all others hang."""
        for guest in guests:
            if guest is guests[len(HOSTILE)]:
                assert wait_until(lambda: all(one.connections for one in hostile))
            player = Player(host, guest.match, 0)
            began = time.monotonic()
            assert player.decide_first().status_code == 201
            decided[guest.match] = time.monotonic()
            waits.append(time.monotonic() - began)

    def heard() -> bool:
        for one in honest:
            for found in one.received:
                if found.said["kind"] == "turn":
                    arrivals.setdefault(found.said["match"], time.monotonic())
        return len(arrivals) == len(honest)

    playing = threading.Timer(0.4, play)
    playing.start()
    assert town.deliver(heard, patience=EAGER)
    playing.join()
    late = [arrivals[match] - decided[match] for match in arrivals]
    assert max(late) < 1.5
    assert all(one.connections for one in hostile)
    assert statistics.median(waits) < 0.25


def test_a_hostile_receiver_has_one_connection_at_a_time_and_its_owner_two(
    town: Town, stack: ExitStack
):
    host = town.site.founder()
    [guest] = many(town, host, 1)
    conduct = receivers.waits_until_we_leave
    hostile = [stack.enter_context(receiving(conduct)) for _ in range(5)]
    for one in hostile:
        hooked(guest.who, one.url)
        hooked(guest.who, one.url)
    for player in (Player(host, guest.match, 0), guest, Player(host, guest.match, 0)):
        assert player.decide_first().status_code == 201
    most = 0

    def looked() -> bool:
        nonlocal most
        most = max(most, sum(one.at_once for one in hostile))
        return sum(one.connections for one in hostile) >= 6

    assert town.deliver(looked, patience=EAGER, seconds=12)
    assert most == 2


def test_names_that_are_never_found_delay_no_honest_receiver(town: Town, stack: ExitStack):
    host = town.site.founder()
    guests = many(town, host, 5)
    over = threading.Event()
    stack.callback(over.set)

    def look(name: str, port: int) -> list[str]:
        del port
        if name.startswith("silent"):
            over.wait(30)
        return ["127.0.0.1"]

    honest = stack.enter_context(receiving())
    for number, guest in enumerate(guests[1:]):
        hooked(guest.who, f"https://silent-{number}.example/")
    hooked(guests[0].who, honest.url.replace("127.0.0.1", "honest.example"))
    for guest in guests:
        assert Player(host, guest.match, 0).decide_first().status_code == 201
    began = time.monotonic()
    assert town.deliver(lambda: bool(honest.received), patience=EAGER, look=look)
    assert time.monotonic() - began < 2.0


def test_what_is_under_way_does_not_hold_up_the_end_and_waits_in_the_mailbox(
    town: Town, stack: ExitStack
):
    host = town.site.founder()
    [guest] = many(town, host, 1)
    one = stack.enter_context(receiving(receivers.says_nothing))
    hooked(guest.who, one.url)
    assert Player(host, guest.match, 0).decide_first().status_code == 201
    connected: list[float] = []

    def is_connected() -> bool:
        connected.extend([time.monotonic()] * one.connections)
        return bool(connected)

    assert town.deliver(is_connected, bounds=Bounds())
    assert time.monotonic() - connected[0] < 2.5  # of the ten seconds that it could take
    [left] = town.mailbox.waiting()
    assert (left.kind, left.attempts) == ("turn", 0)
