"""docs/measurements/courier.md: how soon a good receiver hears, with hostile ones beside it.

python -m tests.measurements.courier [--deliveries N] [--hostile 0,20,60] [--write]

A real courier over a real server tells one good receiver of its turns, one after the other, while
so many others are tried all the time that are down, slow, endless, or send us elsewhere. Those have
a process of their own, and so has the courier.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from copy import copy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from ledger.log.stores.redis.cluster import connection_to
from services.courier.loop import Courier
from services.matches.club import now_ms
from services.run.children import python
from services.run.settings import ROOT, Settings, read_networks, read_settings
from services.run.stores import told_store
from services.webhooks.retries import Patience
from tests.support.servers import programs, running
from tests.support.services import receivers
from tests.support.services.receivers import Receiver, after, answers, receiving
from tests.support.starting import surroundings
from tests.support.web.seated import Player
from tests.support.web.visitors import Site, Visitor

PAGE: Final = ROOT / "docs" / "measurements" / "courier.md"
# The bounds are those in earnest; but a hostile receiver is tried again at once, for ever.
EAGER: Final = Patience(first=50, most=50)
CONDUCTS: Final = {
    "never answers": receivers.says_nothing,
    "a letter of its headers now and then": receivers.drips_its_headers,
    "answers after 5 s": after(5.0, answers(200)),
    "headers without end": receivers.never_ends_its_headers,
    "a body without end": receivers.never_ends_its_body,
    "sends us elsewhere": receivers.sends_us_elsewhere("http://169.254.169.254/latest/"),
    "hangs up": receivers.hangs_up,
    "down": None,
}
ARRIVES_SECONDS: Final = 60.0
_PLAYERS: Final[dict[str, Player]] = {}
PRINTED: Final = """\
# Webhooks beside hostile receivers

`python -m tests.measurements.courier --write`, {date}, {cores} cores, Python {python}; embedded
Valkey on a unix socket, the courier in a process of its own, receivers on this machine. Load of the
machine before and after: {load}; other work went on beside it.

One good receiver gets its turns, one after the other; the time runs from the answer to the decision
until the whole request has arrived. Beside it there are hostile receivers, each with a waiting
delivery. The courier tries each of them again 50 ms after each failure, for ever; in production it
would wait 5 s, 10 s ... an hour. They behave, by turns, like this:
{kinds}.
The limits of an attempt are those of production (10 s in all).

| hostile | deliveries | median | p99 | longest | the decision, median | attempts on hostile ones |
|---|---|---|---|---|---|---|
{table}

The courier reads the feeds at most 50 ms after an event, and the sender looks every 50 ms; that is
most of the median. A receiver that took its last delivery quickly has a lane of its own, without
hostile receivers. The count has no attempts on receivers that are down, because nothing there could
count them.
"""


class Row(NamedTuple):
    """The figures measured beside a number of hostile receivers."""

    hostile: int
    deliveries: int
    median: float
    p99: float
    longest: float
    decision: float  # the median of the decisions that were told of
    attempts: int  # on hostile receivers in the meantime


# --- processes of their own -----------------------------------------------------------------------


def be_hostile(count: int) -> None:
    """So many hostile receivers; their addresses are said, then their attempts when asked."""
    with ExitStack() as held:
        kept: list[Receiver] = []
        urls = []
        for number in range(count):
            conduct = list(CONDUCTS.values())[number % len(CONDUCTS)]
            if conduct is None:
                with socket.create_server(("127.0.0.1", 0)) as nobody:
                    urls.append(f"http://127.0.0.1:{nobody.getsockname()[1]}/")
                continue
            kept.append(held.enter_context(receiving(conduct)))
            urls.append(kept[-1].url)
        print(json.dumps(urls), flush=True)
        for _ in sys.stdin:
            print(sum(one.connections for one in kept), flush=True)


def be_courier() -> None:
    """A courier that tries whoever fails again at once."""
    settings = read_settings()
    store = told_store(settings)
    assert store is not None, "it is told which server"
    parent = os.getppid()
    courier = Courier(settings, store, patience=EAGER)
    courier.run(lambda: os.getppid() == parent)


@contextmanager
def started(*words: str, **said: str) -> Iterator[subprocess.Popen[str]]:
    """One of the processes above."""
    process = subprocess.Popen(
        python("-m", "tests.measurements.courier", *words),
        cwd=ROOT,
        env=surroundings(**said),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


# --- measuring ------------------------------------------------------------------------------------


def hooked(who: Visitor, url: str) -> str:
    """A webhook of somebody's."""
    answer = who.asks("POST", "/me/webhooks", {"url": url, "kinds": ["turn"]})
    assert answer.status_code == 201, answer.text
    return str(answer.json["id"])


def seated(who: Visitor, match: str, seat: int) -> Player:
    """Returns a player at a table; each person has one token."""
    if who.id not in _PLAYERS:
        _PLAYERS[who.id] = Player(who, match, seat)
    player = copy(_PLAYERS[who.id])
    player.match, player.seat = match, seat
    return player


def match_of(host: Visitor, guest: Visitor) -> list[Player]:
    """A match of two that has started; it is the host's turn."""
    match = host.asks("POST", "/matches", {"ruleset": "tictactoe", "seats": 2}).json["id"]
    players = [seated(who, match, seat) for seat, who in enumerate((host, guest))]
    for player in players:
        assert player.put(f"/seats/{player.seat}", {}).status_code == 200
    assert players[0].post("/start").status_code == 200
    return players


def turns(host: Visitor, guest: Visitor) -> Iterator[tuple[Player, Player]]:
    """Matches without end: each time it is the host's turn, and the guest's after it."""
    while True:
        first, second = match_of(host, guest)
        for _ in range(2):  # after a third somebody may have won
            yield first, second


def heard(good: Receiver, match: str, count: int) -> float:
    """When the good receiver has heard of so many turns of a match."""
    until = time.monotonic() + ARRIVES_SECONDS
    while time.monotonic() < until:
        of_it = [one for one in good.received if one.said.get("match") == match]
        if len(of_it) >= count:
            return time.monotonic()
        time.sleep(0.001)
    raise AssertionError("the good receiver hears nothing")


def measured(hostile: int, deliveries: int) -> Row:
    """Tell the good one so often, beside so many hostile ones."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as held:
        server = held.enter_context(
            running(next(iter(programs().values())), Path(folder) / "ledger")
        )
        said = {"HEGEMON_DATA": folder, "HEGEMON_LEDGER_URL": server.url}
        said |= {"HEGEMON_WEBHOOK_NETWORKS": "127.0.0.0/8"}
        networks = read_networks("127.0.0.0/8", "here")
        site = Site(
            Settings(
                data=Path(folder),
                ledger_url=server.url,
                limits=0,
                log="quiet",
                webhook_networks=networks,
            )
        )
        held.callback(site.close)
        site.club.clock = site.club.book._clock = now_ms
        connection = connection_to(server.url)
        held.callback(connection.close)
        host, guest = site.founder(), site.person("Good")
        good = held.enter_context(receiving())
        hooked(guest, good.url)
        hall = held.enter_context(started("--be-hostile", str(hostile)))
        assert hall.stdin is not None
        assert hall.stdout is not None
        for number, url in enumerate(json.loads(hall.stdout.readline())):
            other = site.person(f"Hostile {number}")
            hooked(other, url)
            first, _ = match_of(host, other)
            assert first.decide_first().status_code == 201
        held.enter_context(started("--be-courier", **said))
        delays, decisions = told_of(host, guest, good, deliveries)
        hall.stdin.write("how many?\n")
        hall.stdin.flush()
        attempts = int(hall.stdout.readline())
    ordered = sorted(delays)
    return Row(
        hostile=hostile,
        deliveries=len(delays),
        median=statistics.median(delays),
        p99=ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))],
        longest=ordered[-1],
        decision=statistics.median(decisions),
        attempts=attempts,
    )


def told_of(
    host: Visitor, guest: Visitor, good: Receiver, deliveries: int
) -> tuple[list[float], list[float]]:
    """One decision after the other, each of which the good receiver is told of."""
    delays: list[float] = []
    decisions: list[float] = []
    counts: dict[str, int] = {}
    going = turns(host, guest)
    for number in range(deliveries + 1):
        first, second = next(going)
        counts[first.match] = counts.get(first.match, 0) + 1
        began = time.monotonic()
        assert first.decide_first().status_code == 201
        done = time.monotonic()
        arrived = heard(good, first.match, counts[first.match])
        if number:  # the first one is how the courier comes to know the receiver
            delays.append(arrived - done)
            decisions.append(done - began)
        assert second.decide_first().status_code == 201
    return delays, decisions


# --- the page -------------------------------------------------------------------------------------


def page(rows: list[Row], load: str) -> str:
    """Returns the page."""
    kinds = "; ".join(CONDUCTS)
    table = "\n".join(row_of(row) for row in rows)
    return PRINTED.format(
        date=f"{datetime.now(UTC):%Y-%m-%d}",
        cores=os.cpu_count(),
        python=sys.version.split()[0],
        load=load,
        kinds=kinds,
        table=table,
    )


def row_of(row: Row) -> str:
    """A line of the table."""
    times = (row.median, row.p99, row.longest, row.decision)
    cells = [str(row.hostile), str(row.deliveries), *(ms(one) for one in times)]
    return f"| {' | '.join(cells)} | {row.attempts:,} |"


def ms(seconds: float) -> str:
    """In milliseconds."""
    return f"{seconds * 1_000:,.0f} ms"


def main() -> int:
    """Measure; write the page where that is asked for."""
    said = argparse.ArgumentParser(description=__doc__)
    said.add_argument("--deliveries", type=int, default=200)
    said.add_argument("--hostile", default="0,20,60")
    said.add_argument("--write", action="store_true")
    said.add_argument("--be-hostile", type=int, default=-1, help=argparse.SUPPRESS)
    said.add_argument("--be-courier", action="store_true", help=argparse.SUPPRESS)
    asked: Any = said.parse_args()
    if asked.be_hostile >= 0:
        be_hostile(asked.be_hostile)
        return 0
    if asked.be_courier:
        be_courier()
        return 0
    before = os.getloadavg()[0]
    rows = [measured(int(count), asked.deliveries) for count in asked.hostile.split(",")]
    found = page(rows, f"{before:.1f} and {os.getloadavg()[0]:.1f}")
    print(found)
    if asked.write:
        PAGE.write_text(found, encoding="utf-8")
    return 0


if __name__ == "__main__":
    threading.stack_size(256 * 1024)
    sys.exit(main())
