"""A tournament's book: what may be written, in which order, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from ledger.club.tournament import commands, results
from ledger.club.tournament import terms as founding
from ledger.club.tournament.audit import audit
from ledger.club.tournament.entries import (
    PLAYERS_MAX,
    TOURNAMENT_REFUSALS,
    AnyEntry,
    PlayerEntered,
    RoundPaired,
)
from ledger.club.tournament.standings import standings
from ledger.kernel.refusals import Refused
from tests.support.club.tournaments_played import Book, hashed, made, result


def refused(code: str, act: Callable[[], Any]) -> dict[str, Any]:
    with pytest.raises(Refused) as raised:
        act()
    assert (raised.value.code, raised.value.message) == (code, TOURNAMENT_REFUSALS[code])
    return dict(raised.value.evidence)


def test_players_enter_until_the_first_round_is_paired():
    book = Book(4)
    assert [one.number for one in book.state.active] == [1, 2, 3, 4]
    refused("entered_already", lambda: book.enter("person1"))
    book.draw(1)
    said = refused("entry_closed", lambda: book.enter("late"))
    assert said == {"round": 2, "last": 1}
    refused("entry_closed", lambda: book.enter("late", late=True))


def test_who_runs_it_lets_late_ones_in_as_long_as_the_terms_say():
    book = Book(4, late_until=2).draw(1)
    refused("entry_closed", lambda: book.enter("late"))
    book.enter("late", late=True)
    book.result(1, 1, (4, 3, 2, 1)).close(1).draw(2)
    refused("entry_closed", lambda: book.enter("later", late=True))
    assert sorted(book.state.round(2).players) == [1, 2, 3, 4, 5]


def test_who_left_is_in_no_later_round_and_may_come_back():
    book = Book(5, late_until=9, late_points=2).by_hand(1, (1, 2, 3, 4), byes=(5,))
    book.add(commands.drop(book.state, 4, "a train"))
    refused("dropped_already", lambda: commands.drop(book.state, 4, ""))
    refused("no_such_player", lambda: commands.drop(book.state, 9, ""))
    book.result(1, 1, (4, 3, 2, 1)).close(1).draw(2)
    assert 4 not in book.state.round(2).players
    book.result(2, 1, (4, 3, 2, 1)).close(2)
    book.enter("person4", late=True)
    assert book.state.player(4).granted == ((2, 2),)
    assert 4 in book.draw(3).state.round(3).players


def test_a_tournament_takes_so_many_players_and_no_more():
    book = Book()
    book.add(
        [PlayerEntered(player=one, person=f"p{one}", name="x") for one in range(1, PLAYERS_MAX + 1)]
    )
    refused("too_many_players", lambda: book.enter("more"))
    with pytest.raises(Refused, match="bad_name"):
        Book().enter("p", " x")


def test_rounds_are_paired_one_after_the_other():
    book = Book(4, rounds=2)
    refused("no_such_round", lambda: book.draw(2))
    book.draw(1)
    refused("round_open", lambda: book.draw(2))
    refused("not_settled", lambda: book.add(results.close_round(book.state, 1)))
    book.result(1, 1, (4, 3, 2, 1)).close(1)
    refused("round_closed", lambda: book.draw(1))
    refused("round_closed", lambda: commands.make_match(book.state, 1, 1, "m", ()))
    book.draw(2).result(2, 1, (4, 3, 2, 1)).close(2)
    refused("rounds_over", lambda: book.draw(3))
    book.add(commands.end(book.state, "done"))
    for act in (
        lambda: commands.end(book.state, ""),
        lambda: book.enter("x"),
        lambda: commands.drop(book.state, 1, ""),
    ):
        refused("tournament_over", act)
    assert standings(book.state).final


def test_too_few_players_make_no_round():
    assert refused("too_few_players", lambda: Book(3).draw(1)) == {"players": 3, "sizes": [4]}


def test_a_draw_is_made_anew_until_a_table_has_begun():
    book = Book(8).draw(1, seed=1)
    first = book.state.round(1)
    book.draw(1, seed=2)
    assert book.state.round(1).tables != first.tables
    stale = first.table(2).players
    refused("paired_anew", lambda: commands.make_match(book.state, 1, 2, "m", stale))
    players = book.state.round(1).table(2).players
    book.add(commands.make_match(book.state, 1, 2, "m", players))
    assert refused("round_begun", lambda: book.draw(1)) == {"tables": [2]}
    refused("table_begun", lambda: commands.make_match(book.state, 1, 2, "n", players))
    refused("no_such_table", lambda: commands.make_match(book.state, 1, 3, "n", players))


def test_tables_that_have_begun_stay_when_others_are_paired_by_hand():
    book = Book(9).by_hand(1, (1, 2, 3, 4), (5, 6, 7, 8), byes=(9,))
    book.add(commands.make_match(book.state, 1, 1, "m", (1, 2, 3, 4)))
    refused("round_begun", lambda: book.by_hand(1, (5, 6, 7, 8), (1, 2, 3, 4), byes=(9,)))
    refused("round_begun", lambda: book.by_hand(1, (5, 6, 7, 8), byes=(1, 2, 3, 4, 9)))
    book.by_hand(1, (1, 2, 3, 4), (5, 6, 7, 9), byes=(8,))
    assert book.state.round(1).table(1).match == "m"
    assert book.state.round(1).byes == (8,)


@pytest.mark.parametrize(
    ("tables", "byes", "evidence"),
    [
        ([(1, 2, 3, 4)], (), {"missing": [5]}),
        ([(1, 2, 3, 4)], (5, 1), {"twice": [1]}),
        ([(1, 2, 3, 4)], (5, 6), {"not in the tournament": [6]}),
        ([(1, 2, 3)], (4, 5), {"sizes": [4], "tables": [[1, 2, 3]]}),
        ([], (1, 2, 3, 4, 5), {"tables": []}),
    ],
)
def test_by_hand_too_everybody_sits_once_at_a_legal_table(tables, byes, evidence):
    book = Book(5)
    said = refused("bad_pairing", lambda: book.by_hand(1, *tables, byes=byes))
    assert evidence.items() <= said.items()


def test_results_are_approved_and_corrected_with_a_reason():
    book = Book(4).draw(1)
    refused("no_result", lambda: results.approve(book.state, 1, 1, ""))
    refused("no_result", lambda: results.correct(book.state, 1, 1, "x", (), (), ()))
    book.result(1, 1, (4, 3, 2, 1))
    again = result(1, 1, "m1-1", (4, 3, 2, 1), None)
    assert results.read_result(book.state, again) == []
    other = result(1, 1, "another", (4, 3, 2, 1), None)
    refused("no_match", lambda: results.read_result(book.state, other))
    for winners, scores in (((4,), (1, 2, 3, 4)), ((0,), (1,)), ((0, 0), (1,) * 4), ((0,), ())):
        refused(
            "bad_result",
            lambda w=winners, s=scores: results.correct(book.state, 1, 1, "x", w, s, ()),
        )
    refused("no_such_player", lambda: results.correct(book.state, 1, 1, "x", (), (), (9,)))
    book.close(1)
    assert results.correct(book.state, 1, 1, "x", (3,), (1, 2, 3, 4), ())


def test_a_clock_that_nobody_saw_run_down_forfeits_nothing():
    book = Book(4).draw(1)
    refused("no_match", lambda: book.forfeit(1, 1, 1, why="clock"))
    refused("no_such_player", lambda: book.forfeit(1, 1, 9))
    book.forfeit(1, 1, 1)
    assert results.forfeit(book.state, 1, 1, (1,), "no show", "", None) == []


def test_who_is_reminded_stands_in_the_book_and_nobody_is_no_entry():
    book = Book(4).draw(1)
    assert commands.remind(book.state, 1, []) == []
    assert len(commands.remind(book.state, 1, [1, 2])) == 1


@pytest.mark.parametrize("sizes", [(4, (5,)), (7, ()), (4, (1,)), (1, ())])
def test_tables_have_sizes_that_the_ruleset_is_played_by(sizes):
    said = refused("bad_sizes", lambda: founding.check_sizes(*sizes, range(2, 7)))
    assert (said["from"], said["to"]) == (2, 6)


@pytest.mark.parametrize("points", [(1, 2, 3, 4), (4, 3, 2), (4, 3, 2, -1), (10**7, 3, 2, 1)])
def test_places_are_worth_less_and_less(points):
    refused("bad_points", lambda: made(places={4: points}))


def test_points_that_are_said_for_one_size_set_the_top_of_the_others():
    terms = made(sizes=(3,), places={4: (10, 6, 3, 1)})
    assert [terms.points_at(size) for size in (4, 3)] == [(10, 6, 3, 1), (10, 5, 0)]
    assert made().bye == 6
    assert made(places={4: (10, 6, 3, 1)}).bye == 5


# --- made again -----------------------------------------------------------------------------------


def numbered(entries: list[AnyEntry]) -> list[tuple[int, int, str, AnyEntry]]:
    return [(number, 0, "", entry) for number, entry in enumerate(entries, 1)]


def nobodys(match: str) -> Any:
    raise AssertionError(f"no log of {match} is asked for")


def test_a_draw_that_was_touched_up_comes_out_otherwise():
    book = Book(8).draw(1, seed=3)
    found = audit(numbered(book.entries), nobodys)
    assert (found.draws, found.troubles) == (1, ())
    drawn = book.entries[-1]
    assert isinstance(drawn, RoundPaired)
    a, b = drawn.tables
    better = (b[0], *a[1:]), (a[0], *b[1:])
    forged = [*book.entries[:-1], msgspec.structs.replace(drawn, tables=better)]
    (trouble,) = audit(numbered(forged), nobodys).troubles
    assert (trouble.entry, trouble.evidence["tables"]) == (10, drawn.tables)
    forged = [*book.entries[:-1], msgspec.structs.replace(drawn, seed=hashed(4))]
    assert len(audit(numbered(forged), nobodys).troubles) == 1
