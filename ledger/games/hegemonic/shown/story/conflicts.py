"""The course of a conflict, piece by piece, as its facts show it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ledger.games.hegemonic.shown.phrases import Seen, part_words, who
from ledger.games.hegemonic.shown.scene.galaxy import base_id
from ledger.games.hegemonic.state.components import BASES
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import (
    ConflictBegun,
    ConflictDecided,
    ConflictEnded,
    ConflictStep,
    Fought,
    PartsAdded,
    Share,
    SupportTaken,
)

from .fights import SENTENCES, force_words
from .headings import conflict_label

Begun = ConflictBegun | None


def _begun(fact: Seen, _: Lookup, __: Begun) -> Sequence[ConflictStep]:
    forces = (fact["attacker"], fact["defender"])
    sides = tuple((force["seat"], force_words(fact, force)) for force in forces)
    return [ConflictBegun(conflict_label(fact), fact["sector"], sides)]


def _given(
    fact: Seen, door: Lookup, begun: Begun, to: int, parts: Iterable[Seen]
) -> list[ConflictStep]:
    """Returns the parts that a fact adds to a side."""
    sides = [] if begun is None else [seat for seat, _ in begun.sides]
    if to not in sides:
        return []
    return [PartsAdded(sides.index(to), tuple(_part(fact, door, part) for part in parts))]


def _part(fact: Seen, door: Lookup, part: Seen) -> Share:
    piece, sector, seat = part["piece"], part["sector"] or None, fact["seat"]
    return Share(
        name=part_words(part, door),
        value=part["amount"],
        rule=part["rule"],
        seat=seat,
        cell=sector,
        piece=base_id(seat, piece, sector) if piece in BASES and sector else None,
    )


def _own(fact: Seen, door: Lookup, begun: Begun) -> Sequence[ConflictStep]:
    return _given(fact, door, begun, fact["seat"], fact["contributions"])


def _own_one(fact: Seen, door: Lookup, begun: Begun) -> Sequence[ConflictStep]:
    return _given(fact, door, begun, fact["seat"], [fact["contribution"]])


def _lent(fact: Seen, door: Lookup, begun: Begun) -> Sequence[ConflictStep]:
    return _given(fact, door, begun, fact["side"], fact["contributions"])


def _lent_one(fact: Seen, door: Lookup, begun: Begun) -> Sequence[ConflictStep]:
    return _given(fact, door, begun, fact["side"], [fact["contribution"]])


def _canceled(fact: Seen, _: Lookup, __: Begun) -> Sequence[ConflictStep]:
    return [SupportTaken(fact["seat"], f"{who(fact)}'s support is canceled")]


def _compared(fact: Seen, door: Lookup, _: Begun) -> Sequence[ConflictStep]:
    return [ConflictDecided(SENTENCES["conflict.compared"](fact, door))]


def _ended(_: Seen, __: Lookup, ___: Begun) -> Sequence[ConflictStep]:
    return [ConflictEnded()]


CONFLICTS: Final[Mapping[str, Fought]] = {
    "conflict.begun": _begun,
    "conflict.starting-power": _own,
    "conflict.supported": _lent,
    "leader.support-raised": _lent_one,
    "conflict.support-canceled": _canceled,
    "conflict.power-added": _own_one,
    "conflict.card-revealed": _own_one,
    "conflict.top-card-turned": _own_one,
    "conflict.card-exchanged": _own,
    "conflict.compared": _compared,
    "conflict.ended": _ended,
}
