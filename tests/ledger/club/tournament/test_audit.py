"""Results are what the logs say: read from them, and read from them again."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.club.tournament import results
from ledger.club.tournament.audit import BookAudit, audit
from ledger.club.tournament.entries import AnyEntry, Forfeited, MatchMade, ResultRead
from ledger.club.tournament.standings import pack_standings, standings
from ledger.games import ruleset
from ledger.kernel.refusals import Refused
from ledger.log.format.acts import SeatGiven
from ledger.log.format.bodies import Submitter
from ledger.log.read.history import History
from ledger.log.stores.memory import MemoryStore
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from services.matches.play import bots_for, make_seeded_surroundings, play_on
from tests.support.club.tournaments_played import Book, hashed

STAFF = Submitter(role="organizer", name="ann")


class Played:
    """A tournament of two, and the log of their match."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        around = make_seeded_surroundings(self.store, 5)
        self.journal = Journal.create(around, Plan(ruleset="tictactoe", seats=2, tournament="t"))
        for seat in (0, 1):
            self.journal.join(seat, f"Player {seat + 1}", STAFF)
        self.journal.start(STAFF)
        self.book = Book(2, seats=2).by_hand(1, (2, 1))
        self.book.add([MatchMade(round=1, table=1, match=self.journal.match_id)])

    @property
    def history(self) -> History:
        return History.of(self.store, self.journal.match_id, ruleset)

    def play(self) -> Played:
        play_on(self.journal, bots_for(["random"], 2))
        return self

    def read(self, version: int | None = None) -> ResultRead:
        return results.reading(self.history, 1, 1, version)

    def audit(self, *more: AnyEntry) -> BookAudit:
        entries = [*self.book.entries, *more]
        numbered = [(number, 0, "", entry) for number, entry in enumerate(entries, 1)]
        return audit(numbered, lambda match: History.of(self.store, match, ruleset))


def test_the_log_says_which_tournament_its_match_is_a_part_of():
    assert Played().history.created.tournament == "t"


def test_a_result_is_read_from_the_end_of_its_log_and_says_where():
    played = Played()
    with pytest.raises(Refused, match="no_result"):
        played.read()
    played.play()
    found, history = played.read(), played.history
    match = history.at()
    assert match is not None
    assert (found.winners, found.scores) == (match.result().winners, match.result().scores)
    assert (found.version, found.head) == (history.tip.version, history.tip.head)
    played.journal.close(STAFF)
    assert results.says_the_same(played.read(), found)
    assert played.read(found.version) == found


def test_an_abandoned_match_has_no_scores():
    played = Played()
    played.journal.abandon(STAFF, "rain")
    found = played.read()
    assert (found.reason, found.winners, found.scores) == ("abandoned", (), ())


def test_the_standings_come_out_again_from_the_log():
    played = Played().play()
    found = played.read()
    state = played.book.add([found]).state
    made_again = played.audit()
    assert (made_again.results, made_again.troubles) == (1, ())
    assert made_again.standings is not None
    assert pack_standings(made_again.standings) == pack_standings(standings(state))


@pytest.mark.parametrize(
    ("forged", "what"),
    [
        ({"scores": (5, 9)}, "the log has another result"),
        ({"head": hashed(3)}, "the log has another head at this event"),
        ({"version": 999}, "the log is shorter"),
    ],
)
def test_a_result_that_the_log_does_not_say_is_found(forged: dict[str, Any], what: str):
    played = Played().play()
    found = played.audit(msgspec.structs.replace(played.read(), **forged))
    (trouble,) = found.troubles
    assert (trouble.what, trouble.evidence["round"]) == (what, 1)


def test_a_result_of_before_the_end_is_found_and_the_logs_own_result_counts():
    played = Played().play()
    true, early = played.read(), played.history.events[4]
    forged = msgspec.structs.replace(true, version=early.version, head=early.head)
    (trouble,) = played.audit(forged).troubles
    assert trouble.what == "the log has no result at this event"
    forged = msgspec.structs.replace(true, scores=(-7, 7), winners=())
    made_again = played.audit(forged)
    right = played.book.add([true]).state
    assert made_again.standings == standings(right)
    assert made_again.standings is not None
    assert {row.value("scores") for row in made_again.standings.rows} == set(true.scores)


def clocked(played: Played, seat: int) -> list[AnyEntry]:
    """Returns the entries that declare a seat out of time."""
    state = played.book.state
    late = state.round(1).table(1).players[seat]
    return results.forfeit(state, 1, 1, (late,), "clock", "", played.history)


def test_a_forfeit_by_clock_names_the_event_in_which_the_clock_decided():
    played = Played()
    match = played.journal.match()
    seat = match.asked()[0]
    played.journal.decide(seat, match.options(seat)[0], Submitter(role="clock"))
    played.book.add(clocked(played, seat))
    (found,) = played.book.state.round(1).table(1).forfeits
    assert (found.version, found.head) == (played.history.tip.version, played.history.tip.head)
    with pytest.raises(Refused, match="no_time_out"):
        clocked(played, 1 - seat)


def test_what_a_seat_decides_itself_is_no_time_out_and_neither_is_one_that_was_undone():
    played = Played()
    match, start = played.journal.match(), played.history.tip.version
    seat = match.asked()[0]
    for role in ("clock", "seat"):
        if role == "seat":
            played.journal.rewind(start, STAFF, "the clock was wrong")
        options = played.journal.match().options(seat)
        played.journal.decide(seat, options[0], Submitter(role=role))  # type: ignore[arg-type]
    with pytest.raises(Refused, match="no_time_out"):
        clocked(played, seat)


@pytest.mark.parametrize(
    ("to", "by", "is_one"),
    [
        ("bot", Submitter(role="service", name="clock"), True),
        ("bot", Submitter(role="service", name="ann", seat=0), False),  # who resigns
        ("bot", Submitter(role="service"), False),  # who was never there to resign
        ("bot", STAFF, False),
        ("player", Submitter(role="service"), False),
    ],
)
def test_a_seat_that_the_service_gave_to_a_bot_has_run_out_of_time(to: Any, by: Any, is_one: bool):
    played = Played()
    played.journal.record(SeatGiven(seat=0, to=to, name="greedy"), by)
    if is_one:
        (found,) = clocked(played, 0)
        assert isinstance(found, Forfeited)
        assert found.version == played.history.tip.version
        return
    with pytest.raises(Refused, match="no_time_out"):
        clocked(played, 0)
