"""The smoke of a whole service: a match over HTTP, and kill -9 in the middle of it."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.support.browser.sites import Person, Site
from tests.support.browser.tabling import asked, decided
from tests.support.services.processes import alive, family, wait_until

MOVES = 3  # before the service is killed


def play(people: list[Person], match: str, most: int = 20) -> int:
    """Take the first option of whoever is asked; gives the number of decisions."""
    for number in range(most):
        seats = people[0].asks("GET", f"/matches/{match}")["asked"]
        if not seats:
            return number
        question = asked(people[seats[0]], match, seats[0])
        assert question is not None
        decided(people[seats[0]], match, seats[0], question["options"][0], question["question"])
    return most


def events(person: Person, match: str) -> list[dict[str, object]]:
    return list(person.asks("GET", f"/matches/{match}/events")["events"])


@pytest.mark.smoke
def test_a_match_over_http_goes_on_after_kill_9_with_every_event(tmp_path: Path) -> None:
    site = Site(tmp_path)
    try:
        people = [site.person("Ann"), site.person("Bea")]
        match = people[0].match("tictactoe", people)
        assert play(people, match, MOVES) == MOVES
        acknowledged = events(people[0], match)
        running = [site.process.pid, *family(site.process.pid)]
        os.kill(site.process.pid, signal.SIGKILL)
        assert wait_until(lambda: not alive(running))
        site.process.wait()
        site.start()
        assert events(people[0], match) == acknowledged
        play(people, match)
        assert people[0].asks("GET", f"/matches/{match}")["result"] is not None
    finally:
        site.close()
