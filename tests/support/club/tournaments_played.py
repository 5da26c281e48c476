"""Tournaments for tests of the book: made, entered and played without any match's log."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from ledger.club.tournament import commands, results
from ledger.club.tournament import terms as founding
from ledger.club.tournament.entries import AnyEntry, ResultRead, TournamentMade
from ledger.club.tournament.standings import placing
from ledger.club.tournament.state import Tournament, TournamentState, after


def state_of(entries: Iterable[AnyEntry]) -> TournamentState:
    """Returns the state of a tournament after these entries."""
    tournament = Tournament()
    for number, entry in enumerate(entries, 1):
        tournament.take(number, 0, "", entry)
    assert tournament.state is not None, "a tournament is made before anything else"
    return tournament.state


class Book:
    """A tournament's book: entries, and what they come to."""

    def __init__(self, players: int = 0, **terms: Any) -> None:
        self.entries: list[AnyEntry] = [made(**terms)]
        self.state = state_of(self.entries)
        for number in range(1, players + 1):
            self.enter(f"person{number}", f"Player {number}")

    def add(self, entries: Sequence[AnyEntry]) -> Book:
        for entry in entries:
            self.entries.append(entry)
            self.state = after(self.state, entry)
        return self

    def enter(self, person: str, name: str = "Somebody", *, late: bool = False) -> Book:
        return self.add(commands.enter(self.state, person, name, late=late))

    def draw(self, number: int, seed: int = 0) -> Book:
        return self.add(commands.draw_round(self.state, number, hashed(seed)))

    def by_hand(self, number: int, *tables: tuple[int, ...], byes: tuple[int, ...] = ()) -> Book:
        return self.add(commands.set_round(self.state, number, tables, byes, "by hand"))

    def result(
        self, number: int, table: int, scores: Sequence[int], winners: Sequence[int] | None = None
    ) -> Book:
        """The result of a match that is played now, if it is not there yet."""
        match = f"m{number}-{table}"
        found = self.state.round(number).table(table)
        if not found.match:
            self.add(commands.make_match(self.state, number, table, match, found.players))
        return self.add(
            results.read_result(self.state, result(number, table, match, scores, winners))
        )

    def close(self, number: int) -> Book:
        for table in self.state.round(number).tables:
            self.add(results.approve(self.state, number, table.number, ""))
        return self.add(results.close_round(self.state, number))

    def forfeit(self, number: int, table: int, *players: int, why: Any = "no show") -> Book:
        return self.add(results.forfeit(self.state, number, table, players, why, "", None))


def made(**terms: Any) -> TournamentMade:
    """A tournament's terms, for tables of four unless something else is said."""
    seats = terms.pop("seats", 4)
    sizes = founding.check_sizes(seats, terms.pop("sizes", ()), range(2, 7))
    places = founding.check_places(sizes, terms.pop("places", {}))
    said: dict[str, Any] = {
        "title": "Spring Open",
        "host": "ann",
        "ruleset": "hegemonic",
        "rounds": 9,
        "method": "swiss",
        "bye": founding.usual_bye(places),
        "forfeit": 0,
        "tiebreaks": ("opponents", "scores", "wins", "met", "lot"),
        "seed": hashed(1),
    }
    return TournamentMade(**{**said, "seats": seats, "sizes": sizes, "places": places, **terms})


def hashed(number: int) -> bytes:
    return hashlib.sha256(str(number).encode()).digest()


def result(
    number: int, table: int, match: str, scores: Sequence[int], winners: Sequence[int] | None
) -> ResultRead:
    best = [seat for seat, score in enumerate(scores) if score == max(scores)]
    return ResultRead(
        round=number,
        table=table,
        match=match,
        version=7,
        head=hashed(number * 100 + table),
        winners=tuple(best if winners is None else winners),
        scores=tuple(scores),
    )


def points(state: TournamentState) -> dict[int, int]:
    """Everybody's points at the tables of the last round."""
    return {
        one.player: one.points
        for table in state.rounds[-1].tables
        for one in placing(table, state.made.points_at(len(table.players)), state.made.forfeit)
    }
