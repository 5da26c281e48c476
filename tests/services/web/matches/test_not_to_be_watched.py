"""A match that may not be watched: a stranger sees it at no address, opened or not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.services.web.audits.test_api import finish
from tests.support.web.seated import Player, table
from tests.support.web.visitors import Site, is_problem

API = "/api/v1/matches/{match}"
LOOKS = ("view", "scene", "events", "facts", "bundle", "replay", "audit", "deals", "choices")
SEEN = (
    *(f"{API}/{look}?as=0" for look in LOOKS),
    f"{API}/replay.ndjson?as=0",
    f"{API}/replay.txt?as=0",
    f"{API}/replay.csv?as=0",
    f"{API}/digest?as=0&since=1",
    f"{API}/compare?as=0",
    f"{API}/compare?as=all",
    f"{API}/bundle?as=all",
    f"{API}/talk?as=0",
    "/live/matches/{match}?as=0",
    "/matches/{match}/audit?as=0",
    "/matches/{match}/audit.html?as=0",
    "/matches/{match}/compare?as=0",
    "/matches/{match}/table?as=0",
    "/matches/{match}/replay?as=0",
    "/matches/{match}/replay.json?as=0",
    "/matches/{match}/replay.html?as=0",
    "/matches/{match}/moment.png?as=0&at=5",
)
# Of an address: through whose eyes. What knows no eyes takes no notice of them.
EYES = (None, "0", "1", "spectator", "all")


def played(site: Site, looking: str) -> list[Player]:
    """A match that was played, and closed as matches are: everything is open then."""
    players = table(site, looking=looking)
    finish(players)
    return players


def addresses(site: Site, match: str) -> Iterator[str]:
    """Every address below a match that only looks, through all eyes."""
    named = {"match": match, "dispute": "d1", "run": "0" * 32}
    adapter = site.app.url_map.bind("localhost")
    for rule in site.app.url_map.iter_rules():
        if "match" in rule.arguments and "GET" in (rule.methods or ()):
            path = adapter.build(rule.endpoint, {name: named[name] for name in rule.arguments})
            for eyes in EYES:
                yield path if eyes is None else f"{path}?as={eyes}"


@pytest.mark.parametrize("looking", ["nobody", "members"])
def test_an_opened_match_is_seen_by_nobody_who_may_not_watch_through_whatever_eyes(
    site: Site, looking: str
):
    ann, _ = played(site, looking)
    strangers = [site.program()]
    if looking == "nobody":
        strangers.append(site.person("Cid").browser())
    for stranger in strangers:
        for path in SEEN:
            answer = stranger.get(path.format(match=ann.match))
            assert answer.status_code == 403, path
            assert "may not be watched" in answer.text, path
        answered = {path: stranger.get(path).status_code for path in addresses(site, ann.match)}
        assert {one.partition("?")[0] for one in answered} > {
            path.format(match=ann.match).partition("?")[0] for path in SEEN
        }
        assert {path: status for path, status in answered.items() if status < 400} == {}


@pytest.mark.parametrize("looking", ["nobody", "members", "everybody"])
def test_an_opened_match_is_seen_through_all_eyes_by_its_people_and_who_may_watch(
    site: Site, looking: str
):
    ann, bob = played(site, looking)
    askers = [ann.who.browser(), bob.who.browser()]
    if looking != "nobody":
        askers.append(site.person("Cid").browser())
    if looking == "everybody":
        askers.append(site.program())
    for asker in askers:
        for path in SEEN:
            answer = asker.get(path.format(match=ann.match))
            assert answer.status_code == 200, (path, answer.text)
            answer.close()


@pytest.mark.parametrize("looking", ["nobody", "members", "everybody"])
def test_what_a_seat_sees_of_a_match_that_goes_on_is_for_it_alone(site: Site, looking: str):
    ann, _ = table(site, looking=looking)
    path = f"/api/v1/matches/{ann.match}/view?as=0"
    cid = Player(site.person("Cid"), ann.match, 0)
    assert ann.get("/view?as=0").status_code == 200
    assert is_problem(cid.get("/view?as=0"), 403, "not_your_seat")
    assert site.program().get(path).status_code == 401
