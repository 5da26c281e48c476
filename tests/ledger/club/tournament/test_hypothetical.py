"""Standings as they would be: what a log said is put otherwise, what an organizer said stays."""

from __future__ import annotations

from typing import Any

from ledger.club.tournament.hypothetical import compute_hypothetical
from ledger.club.tournament.standings import POINTS, standings
from ledger.kernel.ruleset import Result
from tests.support.club.tournaments_played import Book


def played() -> tuple[Book, dict[str, Any]]:
    book = Book(4, seats=2)
    book.draw(1, 7)
    for table in book.state.round(1).tables:
        book.result(1, table.number, [3, 1])
    return book, {table.match: table for table in book.state.round(1).tables}


def swapped() -> Result:
    return Result(winners=(1,), scores=(1, 3), reason="otherwise")


def test_another_result_gives_other_points_and_ranks():
    book, tables = played()
    (match, table), *_ = tables.items()
    found = compute_hypothetical(book.state, {match: swapped()})
    assert (found.changed, found.kept, found.decided) == ((match,), (), ())
    rows = {row.player: row for row in found.rows}
    first, second = table.players
    assert rows[first].points == rows[second].points_then
    assert rows[second].points == rows[first].points_then
    assert rows[first].points != rows[first].points_then
    before = {row.player: row.value(POINTS) for row in standings(book.state).rows}
    assert {player: row.points for player, row in rows.items()} == before


def test_a_match_without_another_result_keeps_its_own():
    book, tables = played()
    match = next(iter(tables))
    found = compute_hypothetical(book.state, {match: None})
    assert (found.changed, found.kept) == ((), (match,))
    assert all(row.points == row.points_then for row in found.rows)
