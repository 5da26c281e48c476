"""Deals over HTTP: what became of them for each viewer, and how people keep their word."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.club.table import MatchTable, SeatTaken, TableEntry, TableLaid, book_of
from ledger.games.hegemonic.deals.agreement import Promise, Terms
from ledger.games.hegemonic.deals.negotiation import Propose
from ledger.games.hegemonic.deals.transfers import Transfer
from ledger.kernel.audience import ALL_SEATS
from ledger.log.books import Book
from ledger.log.write.journal import Journal
from ledger.parts.deals.answers import Accept
from replays.deals.statements import deals_of, pack_deals_report
from services.matches.play import surroundings
from services.run.children import python
from services.run.settings import ROOT
from services.web.app import waiting
from tests.ledger.games.hegemonic.test_in_the_log import until
from tests.support import starting
from tests.support.replays.bargaining import ORANGE, PURPLE, SECRET, YELLOW, Bargained, bargained
from tests.support.servers import Server
from tests.support.services.processes import wait_until
from tests.support.services.workers import Working
from tests.support.web.organizing import tournament
from tests.support.web.seated import Player, table
from tests.support.web.visitors import Site, is_problem


def seated(site: Site) -> tuple[Bargained, list[Player]]:
    """The match with all kinds of deals, with four people at it; the host is none of them."""
    match = bargained(150, site.club.store)
    host, name = site.founder(), match.history.match
    people = [site.person(f"Player {seat}") for seat in range(4)]
    book: Book[MatchTable] = Book(
        site.club.store, book_of(name), TableEntry, MatchTable, site.clock
    )
    taken = [SeatTaken(seat=seat, person=one.id) for seat, one in enumerate(people)]
    book.write(host.id, lambda _: [TableLaid(host=host.id), *taken])
    return match, [Player(one, name, seat) for seat, one in enumerate(people)]


# --- of a match -----------------------------------------------------------------------------------


def test_everybody_gets_the_deals_as_they_may_know_them(site: Site):
    match, players = seated(site)
    for player in players:
        answer = player.get("/deals")
        assert answer.status_code == 200
        assert answer.mimetype == "application/json"
        assert answer.data == pack_deals_report(deals_of(match.history, player.seat))
        assert (SECRET in answer.text) == (player.seat in (ORANGE, YELLOW))
        watched = player.get("/deals?as=spectator")
        assert watched.data == pack_deals_report(deals_of(match.history, None))
        assert SECRET not in watched.text


def test_who_does_not_sit_there_sees_what_spectators_see(site: Site):
    match, _ = seated(site)
    answer = site.program().get(f"/api/v1/matches/{match.history.match}/deals")
    assert answer.data == pack_deals_report(deals_of(match.history, None))


def test_through_the_eyes_of_others_nobody_looks(site: Site):
    match, players = seated(site)
    assert is_problem(players[PURPLE].get("/deals?as=0"), 403, "not_your_seat")
    assert is_problem(players[PURPLE].get("/deals?as=all"), 403, "not_your_seat")
    assert is_problem(players[PURPLE].get("/deals?as=9"), 404, "no_such_seat")
    nobody = site.program().get(f"/api/v1/matches/{match.history.match}/deals?as=0")
    assert nobody.status_code == 401
    assert players[PURPLE].get("/deals?at=3").status_code == 422


def test_an_organizer_who_sits_nowhere_sees_all_and_that_is_written_down(site: Site):
    match, _ = seated(site)
    organizer = site.person("Olga", ("player", "organizer"))
    address = f"/api/v1/matches/{match.history.match}/deals?as=all"
    answer = site.program().get(address, headers=organizer.token())
    assert answer.data == pack_deals_report(deals_of(match.history, ALL_SEATS))
    book: Book[MatchTable] = Book(
        site.club.store, book_of(match.history.match), TableEntry, MatchTable, site.clock
    )
    assert organizer.id in book.read().looked


def test_what_one_has_got_already_is_not_sent_again(site: Site):
    match, players = seated(site)
    answer = players[ORANGE].get("/deals")
    tag = answer.headers["ETag"]
    assert players[ORANGE].get("/deals", **{"If-None-Match": tag}).status_code == 304
    match.play(151)
    assert players[ORANGE].get("/deals", **{"If-None-Match": tag}).status_code == 200


def test_a_verdict_is_in_the_log_for_who_may_know_it(site: Site):
    match, players = seated(site)
    broken = match.at[106]
    said = {player.seat: player.get(f"/facts?since={broken - 1}").json for player in players}
    told = {seat: " ".join(one["events"][0]["sentences"]) for seat, one in said.items()}
    sentence = "A promise is broken: Yellow will spare Orange (S6a)"
    assert {seat for seat in told if sentence in told[seat]} == {ORANGE, YELLOW}


@pytest.mark.parametrize(
    ("said", "code", "rule"),
    [
        ({"to": 9, "amount": 1}, "no_such_player", "deal.caps"),
        ({"to": 1, "amount": 1, "deal": "s9/9"}, "no_such_deal", "deal.audit"),
    ],
)
def test_what_a_game_refuses_is_no_missing_page(
    site: Site, said: dict[str, Any], code: str, rule: str
):
    ann, _ = table(site, "hegemonic", 2)
    answer = ann.decide({"type": "caps.transfer", **said})
    assert is_problem(answer, 422, code)
    assert answer.json["rule"] == rule


# --- inline, by a worker, on the command line -----------------------------------------------------


@pytest.fixture
def worked(
    a_site: Callable[..., Site],
    jobs_server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Site]:
    """A site whose worker is at work; nobody waits for it within a request."""
    monkeypatch.setattr(waiting, "AWAITED_SECONDS", 0.0)
    site = a_site(jobs_url=jobs_server.url)
    assert site.settings.ledger_url is not None
    worker = Working(tmp_path, site.settings.ledger_url, jobs_server.url, "services.worker")
    yield site
    worker.kill()


def test_a_worker_and_the_command_line_give_the_same_bytes(worked: Site):
    match, players = seated(worked)
    first = players[ORANGE].get("/deals?as=0")
    assert first.status_code == 202
    assert wait_until(lambda: players[ORANGE].get("/deals?as=0").status_code == 200, 60)
    by_worker = players[ORANGE].get("/deals?as=0").data
    assert by_worker == pack_deals_report(deals_of(match.history, ORANGE))
    settings = worked.settings
    done = subprocess.run(
        [*python("-m", "services.cli"), "deals", match.history.match, "--as", "0", "--json"],
        cwd=ROOT,
        env=starting.surroundings(
            HEGEMON_LEDGER_URL=str(settings.ledger_url), HEGEMON_DATA=str(settings.data)
        ),
        capture_output=True,
        check=False,
    )
    assert done.stderr == b""
    assert done.stdout == by_worker + b"\n"


# --- of a tournament ------------------------------------------------------------------------------


def promised(giver: int, to: int, due: tuple[int, int]) -> Terms:
    return Terms(promises=(Promise(seat=giver, to=to, what="pay", amount=1, due=due),))


def bargain(journal: Journal, decision: Propose, giver: int, other: int) -> str:
    journal.decide(giver, decision)
    deal = str(journal.match().state.deals[-1].id)
    journal.decide(other, Accept(deal))
    return deal


def test_a_record_says_how_each_player_has_kept_their_word(site: Site):
    host, people = tournament(site, 4, ruleset="hegemonic", seats=4, rounds=1)
    host.post("/rounds/1/draw", {"reason": ""})
    host.post("/rounds/1/start")
    (found,) = host.get("/rounds/1")["tables"]
    journal = until(Journal(surroundings(site.club.store), found["match"]), 1, 3)
    kept = bargain(journal, Propose((0, 1), promised(0, 1, (1, 6))), 0, 1)
    bargain(journal, Propose((2, 3), promised(2, 3, (1, 3))), 2, 3)
    bargain(journal, Propose((1, 3), private=promised(3, 1, (1, 3))), 1, 3)
    journal.decide(0, Transfer(1, 1, kept))
    until(journal, 1, 4)

    def asked(number: int | None) -> dict[int, Any]:
        headers = {} if number is None else people[number - 1].token("read")
        answer = site.program().get(f"/api/v1/tournaments/{host.id}/deals", headers=headers)
        assert answer.status_code == 200, answer.text
        assert (answer.json["matches"], answer.json["unseen"]) == (1, 0)
        return {one["player"]: one for one in answer.json["records"]}

    players = [seat["player"] for seat in found["seats"]]
    anybody = asked(None)
    assert {player: one["given"]["kept"] for player, one in anybody.items()} == {
        players[0]: 1, players[1]: 0, players[2]: 0, players[3]: 0,
    }  # fmt: skip
    assert [anybody[one]["given"]["broken"] for one in players] == [0, 0, 1, 0]
    assert [anybody[one]["got"]["broken"] for one in players] == [0, 0, 0, 1]
    assert [anybody[one]["deals"] for one in players] == [1, 2, 1, 2]
    (breach,) = anybody[players[2]]["breaches"]
    assert (breach["match"], breach["to"]) == (found["match"], 3)
    assert breach["at"] <= journal.history.tip.version
    for seat, knows in enumerate((0, 1, 0, 1)):  # the parties know of the private one
        mine = asked(players[seat])
        assert mine[players[3]]["given"]["broken"] == knows
        assert len(mine[players[3]]["breaches"]) == knows


def test_a_tournament_for_members_shows_strangers_no_records(site: Site):
    host, _ = tournament(site, 2, ruleset="tictactoe", seats=2, rounds=1, looking="members")
    answer = site.program().get(f"/api/v1/tournaments/{host.id}/deals")
    assert answer.status_code == 401
    assert host.get("/deals") == {
        "tournament": host.id, "matches": 0, "unseen": 0, "records": [],
    }  # fmt: skip
