"""Places of viewers: nobody takes so many that others find none, and a club behind one address can
still watch.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from services.feeds.hub import stop_all
from services.run.settings import BadSetting, Settings, read_settings
from services.web.live.places import NoPlace, ViewerPlaces, places_of
from tests.support.servers import AnyLedger, programs
from tests.support.web.seated import table
from tests.support.web.visitors import Site, is_problem


def here() -> str:
    return "here"


def taken(places: ViewerPlaces, person: str = "", address: Callable[[], str] = here) -> int:
    """How many places somebody gets."""
    count = 0
    while True:
        try:
            places.take(person, address)
        except NoPlace:
            return count
        count += 1


def test_each_gets_so_many_and_all_together_no_more_than_there_are():
    places = ViewerPlaces(10, 3, 4)
    assert [taken(places, "ann"), taken(places, "bob")] == [3, 3]
    assert taken(places) == 4
    with pytest.raises(NoPlace) as why:
        places.take("cid", here)
    assert why.value.at_all


def test_a_place_that_is_given_back_is_there_for_who_had_it_and_for_all():
    places = ViewerPlaces(2, 1, 1)
    leave = places.take("ann", here)
    with pytest.raises(NoPlace, match="1 places are taken by you") as why:
        places.take("ann", here)
    assert not why.value.at_all
    leave()
    places.take("ann", here)
    places.take("", here)
    assert taken(places, "bob") == 0


def test_members_are_counted_by_name_wherever_they_come_from():
    places = ViewerPlaces(100, 2, 3)
    assert taken(places) == 3
    assert [taken(places, f"member {number}") for number in range(40)] == [2] * 40


@pytest.mark.parametrize(
    ("settings", "person", "address"),
    [
        ({}, 12, 100),
        ({"live_places": 16}, 8, 8),
        ({"live_places": 1}, 1, 1),
        ({"live_person": 3, "live_address": 7}, 3, 7),
        ({"live_person": 3, "live_address": 7, "limits": 5}, 15, 35),
        ({"limits": 0}, 400, 400),
    ],
)
def test_the_operator_says_how_many_and_nobody_has_more_than_half_unless_they_want_it(
    settings: dict[str, Any], person: int, address: int
):
    found = Settings(data=Path("/"), **settings)
    assert taken(places_of(found), "ann") == person
    assert taken(places_of(found)) == address


def test_the_numbers_are_settings():
    said = {"HEGEMON_LIVE_PERSON": "4", "HEGEMON_LIVE_ADDRESS": "5"}
    assert (read_settings(said).live_person, read_settings(said).live_address) == (4, 5)
    with pytest.raises(BadSetting, match="HEGEMON_LIVE_PERSON must be a number"):
        read_settings({"HEGEMON_LIVE_PERSON": "many"})


@pytest.fixture
def site(any_ledger: AnyLedger, tmp_path: Path) -> Iterator[Site]:
    server = any_ledger(next(iter(programs())))
    found = Site(
        Settings(
            data=tmp_path,
            ledger_url=server.url,
            live_places=8,
            live_person=2,
            live_address=1,
            log="quiet",
        )
    )
    yield found
    stop_all()
    found.close()


class Watching:
    """A stream that was asked for by a thread of its own, as gunicorn has it."""

    def __init__(self, site: Site, path: str, address: str = "192.0.2.1", **headers: str) -> None:
        self.answer: Any = None
        self._begun, self._over = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, args=(site, path, address, headers))
        self._thread.start()
        assert self._begun.wait(10)

    def _run(self, site: Site, path: str, address: str, headers: dict[str, str]) -> None:
        where = {"REMOTE_ADDR": address}
        client = site.program()
        with client.get(path, headers=headers, environ_overrides=where, buffered=False) as answer:
            self.answer = answer
            if answer.status_code == 200:
                assert next(iter(answer.response)).startswith(b"retry: ")
                self._begun.set()
                self._over.wait(30)
        self._begun.set()

    def close(self) -> None:
        self._over.set()
        self._thread.join()


def test_who_watches_too_much_is_told_so_and_takes_no_place_from_anybody(site: Site):
    ann, bob = table(site)
    path, elsewhere = f"/live/matches/{ann.match}", "198.51.100.7"
    two = [Watching(site, path, **ann.headers) for _ in range(2)]
    late = Watching(site, path, elsewhere, **ann.who.token("read")).answer
    assert is_problem(late, 429, "too_many_places")
    assert late.headers["Retry-After"] == "5"
    others = [Watching(site, path, **bob.headers), Watching(site, path)]
    assert is_problem(Watching(site, path).answer, 429, "too_many_places")
    others.append(Watching(site, path, elsewhere))
    assert [one.answer.status_code for one in (*two, *others)] == [200] * 5
    two.pop().close()
    two.append(Watching(site, path, **ann.headers))
    assert two[-1].answer.status_code == 200
    for one in (*two, *others):
        one.close()
