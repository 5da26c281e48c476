"""A pair of matches has a tournament, and replays that were made before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ledger.club.tournament.entries import (
    AnyEntry,
    MatchMade,
    PlayerEntered,
    PointsByPlace,
    RoundSet,
    TournamentMade,
)
from ledger.club.tournament.entries import book_of as cup_of
from ledger.club.tournament.state import Tournament
from ledger.log.books import Book
from ledger.log.read.history import History
from ledger.log.stores.redis import RedisStore
from replays.document.builder import build
from replays.document.structs import Replay

SEATS: Final = 4


def put_tournament(
    store: RedisStore, match: str, ids: dict[str, str], clock: Callable[[], int]
) -> None:
    """A tournament whose only table has this match."""
    book: Book[Tournament] = Book(store, cup_of(match), AnyEntry, Tournament, clock)
    terms = TournamentMade(
        title="Cup", host=ids["host"], ruleset="hegemonic", seats=SEATS, sizes=(SEATS,),
        rounds=3, method="fixed", places=(PointsByPlace(seats=SEATS, points=(12, 8, 4, 0)),),
        bye=6, forfeit=0, tiebreaks=("lot",), seed=bytes(32),
    )  # fmt: skip
    players = [
        PlayerEntered(player=seat + 1, person=ids[str(seat)], name=f"Called {seat}")
        for seat in range(SEATS)
    ]
    tables = (tuple(range(1, SEATS + 1)),)
    paired = RoundSet(round=1, tables=tables, reason="as they sit")
    entries = [terms, *players, paired, MatchMade(round=1, table=1, match=match)]
    book.write(ids["host"], lambda _: entries)


def kept_builds() -> Callable[..., Replay]:
    """Replays, each made once for all its forms and for all who may see the same.

    What it is cut by stands in the key, so nobody is given what is cut for others.
    """
    made: dict[Any, Replay] = {}

    def build_once(history: History, viewer: Any, edition: str | None, **cut: Any) -> Replay:
        cut.pop("progress", None)
        key = (history.tip, viewer, edition, tuple(cut.items()))
        if key not in made:
            made[key] = build(history, viewer, edition, **cut)
        return made[key]

    return build_once
