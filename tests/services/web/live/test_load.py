"""Many viewers and many matches at once: each viewer gets each event once, in order, and soon."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from services.run.children import python
from services.run.settings import ROOT
from tests.support.live.served import Bots, Gunicorn, Tokens, asks, list_deliveries, percentile
from tests.support.live.watching import Report
from tests.support.starting import surroundings

FULL = {"viewers": 400, "matches": 50, "seconds": 60.0, "pause": 0.8, "watchers": 2}
SMALL = {"viewers": 20, "matches": 4, "seconds": 3.0, "pause": 0.1, "watchers": 1}


class Found(NamedTuple):
    """The measured figures."""

    events: int
    decisions: int
    delivered: int
    delivery: tuple[float, float, float]  # seconds: the median, p99, the longest
    decision: tuple[float, float, float]
    page: tuple[float, float, float]


def test_every_viewer_of_a_few_matches_gets_every_event_once_and_in_order(
    serve: Callable[..., Gunicorn], club: Tokens
):
    found = _load(serve, club, **SMALL)
    assert found.decisions > 20
    assert found.delivery[1] < 5
    assert found.page[1] < 5


@pytest.mark.full
@pytest.mark.timeout(300)
def test_four_hundred_viewers_and_fifty_matches_for_a_minute(
    serve: Callable[..., Gunicorn], club: Tokens
):
    found = _load(serve, club, **FULL)
    print(json.dumps(found._asdict()))
    assert found.decisions > 1_000
    assert found.delivery[1] < 2
    assert found.page[1] < 2


def _load(
    serve: Callable[..., Gunicorn],
    club: Tokens,
    *,
    viewers: int,
    matches: int,
    seconds: float,
    pause: float,
    watchers: int,
) -> Found:
    """Play and watch; what was sent when is compared with what came when, on one clock."""
    web, live = serve(HEGEMON_LIVE_PLACES="0"), serve("services.web.live:create_app()")
    tables = [club.table(web.port, "hegemonic") for _ in range(matches)]
    watched = [tables[number % matches] for number in range(viewers)]
    reports = [Watchers(live.port, watched[part::watchers]) for part in range(watchers)]
    for report in reports:
        report.wait_until_connected()
    players = [Bots(club, lambda: web.port, pause) for _ in tables]
    threads = [
        threading.Thread(target=_play, args=(player, match))
        for player, match in zip(players, tables, strict=True)
    ]
    for thread in threads:
        thread.start()
    pages, until = [], time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.monotonic()
        assert asks(web.port, "GET", "/api/v1/matches")[0] == 200
        pages.append(time.monotonic() - began)
        time.sleep(0.1)
    for player in players:
        player.going = False
    for thread in threads:
        thread.join(60)
    ends = {match: club.store.tip(match).version for match in tables}
    seen = [one for report in reports for one in report.ends_with(ends)]
    assert len(seen) == viewers
    for viewer in seen:
        assert viewer.events == list(range(1, ends[viewer.match] + 1)), viewer.match
    delays = [delay for _, delay in list_deliveries(players, seen)]
    decided = [done.seconds for player in players for done in player.decided]
    return Found(
        events=sum(ends.values()),
        decisions=len(decided),
        delivered=len(delays),
        delivery=_figures(delays),
        decision=_figures(decided),
        page=_figures(pages),
    )


def _play(player: Bots, match: str) -> None:
    while player.going and player.step(match):
        pass
    player.close()


def _figures(found: list[float]) -> tuple[float, float, float]:
    return (
        round(percentile(found, 0.5), 4),
        round(percentile(found, 0.99), 4),
        round(max(found), 4),
    )


class Watchers:
    """A process of viewers: so many threads beside the players' would only measure each other."""

    def __init__(self, port: int, matches: list[str], *options: str) -> None:
        command = python("-m", "tests.support.live.watching", *options, str(port), *matches)
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=surroundings(),
        )

    def wait_until_connected(self) -> None:
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "connected\n"

    def ends_with(self, ends: dict[str, int]) -> list[Report]:
        said, _ = self._process.communicate(json.dumps(ends) + "\n", timeout=60)
        found: list[dict[str, Any]] = json.loads(said)
        return [Report(**one) for one in found]
