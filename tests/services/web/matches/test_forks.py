"""Playing on from an event of a finished match, in a match of one's own."""

from __future__ import annotations

import pytest

from ledger.games import ruleset
from ledger.log.read.history import History
from ledger.log.write.journal import Journal
from replays.story.moments import fork_words
from services.matches.forks import fork_of
from services.matches.play import surroundings
from services.matches.samples import ensure_flagship
from services.web.app.identity import csrf_of
from tests.support.web.organizing import SMALL, tournament
from tests.support.web.seated import Player, made, table
from tests.support.web.visitors import Site, is_problem

MARKS = ((0, 4), (1, 0), (0, 3), (1, 8), (0, 5))  # the decisions are events 5 to 9


def finished(site: Site, **said: object) -> list[Player]:
    players = table(site, **said)
    for seat, cell in MARKS:
        assert players[seat].decide({"type": "play.mark", "cell": cell}).status_code == 201
    assert players[0].post("/close").status_code == 200
    return players


def history_of(site: Site, match: str) -> History:
    return History.of(site.club.store, match, ruleset)


def test_a_fork_goes_on_from_the_event_and_says_so_everywhere(site: Site):
    ann, _ = finished(site)
    answer = ann.post("/forks", {"at": 7})
    assert answer.status_code == 201, answer.text
    forked = answer.json
    origin = forked["origin"]
    source = history_of(site, ann.match)
    assert origin == {"match": ann.match, "version": 7, "head": source.events[6].head.hex()}
    assert "Fork of" in forked["title"]
    assert "event 7" in forked["title"]
    created = history_of(site, forked["id"]).created
    found = fork_of(created)
    assert found is not None
    assert fork_words(created) == f"Fork of {ann.match} from event 7"
    assert found.head == origin["head"]
    assert fork_of(source.created) is None


def test_who_forks_sits_where_they_say_and_bots_on_the_other_seats(site: Site):
    _, bob = finished(site)
    other = site.person("Cem")
    answer = other.asks("POST", f"/matches/{bob.match}/forks", {"at": 6, "seat": 1})
    forked = answer.json
    assert forked["yours"] == [1]
    assert [one["who"] for one in forked["seats"]] == ["bot", "person"]
    assert forked["asked"] == [0]
    mine = Player(other, forked["id"], 1)
    assert mine.get("/view?as=1").status_code == 200
    assert bob.post("/forks", {"at": 6}).json["yours"] == [1]  # the old seat


def test_one_sits_where_it_is_ones_turn_if_one_had_no_seat(site: Site):
    ann, _ = finished(site)
    for at in (5, 6):
        answer = site.person(f"Dan {at}").asks("POST", f"/matches/{ann.match}/forks", {"at": at})
        assert answer.json["yours"] == answer.json["asked"]


def test_a_fork_is_played_on_like_any_match(site: Site):
    ann, _ = finished(site)
    forked = Player(ann.who, ann.post("/forks", {"at": 6}).json["id"], 0)
    assert forked.decide({"type": "play.mark", "cell": 2}).status_code == 201
    assert forked.get().json["asked"] == [1]
    assert ann.get().json["version"] == 10  # the match itself is as it was


def test_a_match_that_runs_is_not_forked(site: Site):
    ann, _ = table(site)
    ann.decide({"type": "play.mark", "cell": 4})
    assert is_problem(ann.post("/forks", {"at": 5}), 409, "fork_running")


def test_what_was_never_disclosed_cannot_be_forked(site: Site):
    ann = site.founder()
    match = made(ann, "hegemonic", 3, discloses=["outcomes"])
    for seat in range(3):
        assert ann.asks("PUT", f"/matches/{match}/seats/{seat}/bot", {"bot": "random"}).json
    assert ann.asks("POST", f"/matches/{match}/start").status_code == 200
    journal = Journal(surroundings(site.club.store), match)
    while journal.history.tip.version < 60:
        seat = journal.match().asked()[0]
        journal.decide(seat, journal.match().options(seat)[0])
    last = journal.history.tip.version
    assert ann.asks("POST", f"/matches/{match}/abandon", {"reason": "late"}).status_code == 200
    before = len(list(site.club.store.matches()))
    # What is in the hands of its seats has been disclosed to nobody.
    answer = ann.asks("POST", f"/matches/{match}/forks", {"at": last})
    assert is_problem(answer, 409, "not_disclosed")
    assert len(list(site.club.store.matches())) == before


@pytest.mark.parametrize(
    ("said", "status", "code"),
    [
        ({"at": 3}, 404, "no_such_event"),
        ({"at": 999}, 404, "no_such_event"),
        ({"at": 9}, 409, "match_over"),
        ({"at": 6, "seat": 7}, 404, "no_such_seat"),
        ({"at": 6, "bot": "oracle"}, 422, "invalid"),
        ({}, 422, "invalid"),
    ],
)
def test_what_cannot_be_forked_is_refused_by_a_code(site: Site, said, status, code):
    ann, _ = finished(site)
    assert is_problem(ann.post("/forks", said), status, code)


def test_nobody_in_particular_forks_nothing_and_who_may_not_watch_neither(site: Site):
    ann, _ = finished(site, looking="nobody")
    nobody = site.nobody().post(f"/api/v1/matches/{ann.match}/forks", json={"at": 6})
    assert is_problem(nobody, 401, "not_signed_in")
    other = site.person("Cem").asks("POST", f"/matches/{ann.match}/forks", {"at": 6})
    assert is_problem(other, 403, "not_to_be_watched")
    mine = ann.post("/forks", {"at": 6}).json
    assert mine["looking"] == "nobody"  # as the match it comes from


def test_a_fork_counts_in_no_tournament(site: Site):
    host, people = tournament(site, 2, **SMALL)
    assert host.post("/rounds/1/draw") is not None
    host.play_round(1)
    host.asks("POST", "/rounds/1/close", {"reason": "done"})
    number = host.get("/rounds/1")["tables"][0]
    standings = host.get("/standings")
    match = number["match"]
    assert history_of(site, match).created.tournament == host.id
    answer = people[0].asks("POST", f"/matches/{match}/forks", {"at": 5})
    forked = answer.json["id"]
    assert history_of(site, forked).created.tournament is None
    # A table's match is the one that the tournament made: no request can name another.
    assert host.get("/rounds/1")["tables"][0]["match"] == match
    assert host.get("/standings") == standings


def test_the_flagships_sample_is_forked_and_its_dice_fall_anew(site: Site):
    sample = ensure_flagship(site.club.store)
    ann = site.founder()
    answer = ann.asks("POST", f"/matches/{sample}/forks", {"at": 300, "seat": 2})
    assert answer.status_code == 201, answer.text
    assert answer.json["yours"] == [2]
    forked = history_of(site, answer.json["id"])
    source = history_of(site, sample)
    assert forked.created.domains != source.created.domains
    assert forked.at(forked.life.started) is not None
    assert made(ann) != sample


def test_the_form_of_a_page_makes_a_fork_and_leads_there(site: Site):
    ann, bob = finished(site)
    browser, word = bob.who.browser(), csrf_of(bob.who.session.words)
    page = browser.get(f"/matches/{ann.match}/fork?at=6")
    assert page.status_code == 200
    assert word in page.text
    assert "Play on against bots" in page.text
    there = f"/matches/{ann.match}/fork"
    answer = browser.post(there, data={"csrf": word, "at": "6", "seat": "0"})
    assert answer.status_code == 303, answer.text
    made_at = answer.headers["Location"].rpartition("/")[2]
    assert fork_of(history_of(site, made_at).created) is not None
    refused = browser.post(there, data={"csrf": word, "at": "9", "seat": "0"})
    assert refused.status_code == 409
    assert 'role="alert"' in refused.text
    foreign = browser.post(there, data={"at": "6", "seat": "0"})
    assert foreign.status_code == 403
