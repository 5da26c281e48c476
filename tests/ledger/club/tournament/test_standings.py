"""Standings: what each figure is the sum of, and that only what was played counts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.club.tournament import results, terms
from ledger.club.tournament.entries import Forfeited, MatchMade, ResultApproved, ResultRead
from ledger.club.tournament.standings import POINTS, Standings, pack_standings, standings
from tests.support.club.tournaments_played import Book, points, state_of


def value(found: Standings, player: int, by: str = POINTS) -> int:
    return next(row.value(by) for row in found.rows if row.player == player)


def parts(found: Standings, player: int, by: str) -> list[tuple[Any, ...]]:
    row = next(row for row in found.rows if row.player == player)
    figure = next(one for one in row.figures if one.by == by)
    return [(one.what, one.round, one.player, one.value) for one in figure.items]


@st.composite
def played(draw: st.DrawFn) -> Book:
    """A tournament after some rounds, with whatever happens in one."""
    sizes = draw(st.sampled_from([(4, ()), (4, (3,)), (3, (2,)), (2, ())]))
    book = Book(
        draw(st.integers(4, 11)),
        seats=sizes[0],
        sizes=sizes[1],
        late_until=9,
        late_points=draw(st.integers(0, 3)),
        tiebreaks=tuple(draw(st.permutations(["opponents", "scores", "wins", "met", "lot"]))),
    )
    for number in range(1, draw(st.integers(1, 4)) + 1):
        book.draw(number, draw(st.integers(0, 99)))
        for table in book.state.round(number).tables:
            seats = len(table.players)
            out = draw(st.lists(st.sampled_from(table.players), max_size=2, unique=True))
            came = not out or draw(st.booleans())  # else there is no match at all
            if came:
                scores = st.lists(st.integers(-3, 5), min_size=seats, max_size=seats)
                book.result(number, table.number, draw(scores))
            if out:
                why = draw(st.sampled_from(["no show", "ruling"]))
                book.forfeit(number, table.number, *out, why=why)
        book.close(number)
        if draw(st.booleans()):
            book.enter(f"late{number}", late=True)
    return book


@given(played())
@settings(max_examples=80, deadline=None)
def test_every_figure_is_the_sum_of_its_parts_and_everybody_is_there_once(book: Book):
    found = standings(book.state)
    assert sorted(row.player for row in found.rows) == sorted(book.state.players)
    for row in found.rows:
        for figure in row.figures:
            assert figure.value == sum(item.value for item in figure.items)
    order = [[figure.value for figure in row.figures] for row in found.rows]
    assert order == sorted(order, reverse=True)
    assert [row.rank for row in found.rows] == list(range(1, len(found.rows) + 1))


@given(played(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_in_which_order_the_tables_of_a_round_were_decided_says_nothing(book: Book, random: Any):
    """Entries about different tables of a round change places; those about one do not."""
    kinds = (MatchMade, ResultRead, ResultApproved, Forfeited)
    mixed, run = [], list[Any]()

    def shuffled() -> list[Any]:
        tables = list({one.table: None for one in run})
        random.shuffle(tables)
        return [one for table in tables for one in run if one.table == table]

    for entry in book.entries:
        if isinstance(entry, kinds):
            run.append(entry)
        else:
            mixed += [*shuffled(), entry]
            run.clear()
    assert pack_standings(standings(state_of([*mixed, *shuffled()]))) == pack_standings(
        standings(book.state)
    )


@given(played())
@settings(max_examples=60, deadline=None)
def test_what_a_table_gives_is_what_its_places_are_worth(book: Book):
    for found in book.state.rounds:
        for table in found.tables:
            short = book.state.__class__(
                made=book.state.made, made_at=0, players=book.state.players, rounds=(found,)
            )
            there = points(short)
            worth = book.state.made.points_at(len(table.players))
            best = worth[: len(table.players) - len(table.forfeiting)]
            assert sum(there[player] for player in table.players) == sum(best)


@given(st.integers(2, 12), st.integers(2, 12))
def test_places_that_are_shared_leave_nothing_over(full: int, seats: int):
    worth = terms.usual_points(min(full, seats), terms.usual_top(full))
    for first in range(len(worth)):
        for last in range(first + 1, len(worth) + 1):
            assert sum(worth[first:last]) % (last - first) == 0
    assert worth[-1] == 0


@pytest.mark.parametrize(
    ("scores", "winners", "expected"),
    [
        ((9, 7, 5, 3), None, [12, 8, 4, 0]),
        ((9, 7, 7, 3), None, [12, 6, 6, 0]),
        ((9, 9, 7, 3), None, [10, 10, 4, 0]),
        ((9, 9, 7, 3), (1,), [8, 12, 4, 0]),  # the match itself broke the tie
        ((5, 5, 5, 5), None, [6, 6, 6, 6]),
        ((-5, -1, -9, 0), None, [4, 8, 0, 12]),
    ],
)
def test_winners_come_first_then_scores_and_the_equal_share(scores, winners, expected):
    book = Book(4).by_hand(1, (1, 2, 3, 4)).result(1, 1, scores, winners)
    assert list(points(book.state).values()) == expected


def test_who_forfeits_comes_last_whatever_the_log_says():
    book = Book(4).by_hand(1, (1, 2, 3, 4)).result(1, 1, (9, 7, 5, 3))
    book.forfeit(1, 1, 1, why="ruling")
    assert points(book.state) == {1: 0, 2: 12, 3: 8, 4: 4}
    found = standings(book.state)
    assert parts(found, 1, POINTS) == [("forfeit", 1, 0, 0)]
    assert parts(found, 1, "scores") == []


def test_where_nobody_came_nobody_gets_anything_and_nobody_has_met():
    book = Book(4).by_hand(1, (1, 2, 3, 4))
    book.forfeit(1, 1, 1, 2, 3, 4)
    assert set(points(book.state).values()) == {0}
    assert parts(standings(book.state), 1, "opponents") == []


def test_opponents_are_counted_with_all_their_points_and_a_bye_with_ones_own():
    book = Book(5, bye=5).by_hand(1, (1, 2, 3, 4), byes=(5,)).result(1, 1, (4, 3, 2, 1)).close(1)
    book.by_hand(2, (5, 1, 2, 3), byes=(4,)).result(2, 1, (1, 2, 3, 4)).close(2)
    found = standings(book.state)
    totals = {player: value(found, player) for player in range(1, 6)}
    assert totals == {1: 16, 2: 16, 3: 16, 4: 5, 5: 5}
    assert parts(found, 5, "opponents") == [
        *(("opponent", 2, 1, 16), ("opponent", 2, 2, 16), ("opponent", 2, 3, 16)),
        ("bye", 1, 0, 15),
    ]
    assert value(found, 1, "opponents") == 16 + 16 + 5 + 16 + 16 + 5


def test_who_was_placed_better_in_a_meeting_goes_first_among_equals():
    book = Book(4, seats=2, tiebreaks=("met", "lot"))
    book.by_hand(1, (1, 2), (3, 4)).result(1, 1, (1, 0)).result(1, 2, (0, 1)).close(1)
    book.by_hand(2, (1, 3), (2, 4)).result(2, 1, (0, 1)).result(2, 2, (1, 0)).close(2)
    found = standings(book.state)
    assert {row.player: row.value(POINTS) for row in found.rows} == {1: 2, 2: 2, 3: 2, 4: 2}
    assert parts(found, 1, "met") == [("met", 1, 2, 1), ("met", 2, 3, -1)]
    assert sum(row.value("met") for row in found.rows) == 0


def test_who_has_other_points_is_not_counted_among_equals():
    book = Book(2, seats=2, tiebreaks=("met",)).by_hand(1, (1, 2)).result(1, 1, (1, 0))
    assert parts(standings(book.state), 1, "met") == []


def test_without_a_lot_equals_share_a_rank():
    book = Book(4, seats=2, tiebreaks=())
    book.by_hand(1, (1, 2), (3, 4)).result(1, 1, (1, 0)).result(1, 2, (1, 0))
    assert [(row.rank, row.player) for row in standings(book.state).rows] == [
        (1, 1), (1, 3), (3, 2), (3, 4),
    ]  # fmt: skip


def test_a_corrected_result_counts_and_a_new_reading_of_the_log_ends_it():
    book = Book(4).by_hand(1, (1, 2, 3, 4)).result(1, 1, (4, 3, 2, 1))
    book.add(results.correct(book.state, 1, 1, "counted wrong", (3,), (1, 2, 3, 4), ()))
    assert points(book.state) == {1: 0, 2: 4, 3: 8, 4: 12}
    table = book.state.round(1).table(1)
    assert [one.scores for one in table.readings] == [(4, 3, 2, 1)]
    assert table.approved
    book.result(1, 1, (2, 1, 0, 5))
    table = book.state.round(1).table(1)
    assert points(book.state) == {1: 8, 2: 4, 3: 0, 4: 12}
    assert (len(table.readings), len(table.corrections), table.approved) == (2, 1, False)


def test_standings_of_earlier_rounds_are_what_they_were():
    book = Book(4).by_hand(1, (1, 2, 3, 4)).result(1, 1, (4, 3, 2, 1)).close(1)
    then = pack_standings(standings(book.state))
    book.by_hand(2, (1, 2, 3, 4)).result(2, 1, (1, 2, 3, 4)).close(2)
    assert pack_standings(standings(book.state, 1)) == then
    assert pack_standings(standings(book.state)) != then


def test_rounds_missed_before_entering_and_after_leaving_have_their_points():
    book = Book(4, late_until=4, late_points=3)
    for number in (1, 2):
        book.by_hand(number, (1, 2, 3, 4)).result(number, 1, (4, 3, 2, 1)).close(number)
    book.enter("late", late=True)
    assert parts(standings(book.state), 5, POINTS) == [("missed", 1, 0, 3), ("missed", 2, 0, 3)]


def test_who_forfeits_after_a_correction_forfeits_all_the_same():
    book = Book(4).by_hand(1, (1, 2, 3, 4)).result(1, 1, (4, 3, 2, 1))
    book.add(results.correct(book.state, 1, 1, "counted wrong", (3,), (1, 2, 3, 4), (2,)))
    book.forfeit(1, 1, 4, why="ruling")
    assert points(book.state) == {1: 8, 2: 0, 3: 12, 4: 0}
