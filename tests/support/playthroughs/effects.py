"""Which technologies have had an effect in a match of Hegemonic: found by doing without them.

An advanced technology has an effect on a decision where the same decision, with the card out of its
slot, is refused, brings other facts, or leaves another question.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any, Final

from ledger.games.hegemonic.state.components import CARDS
from ledger.kernel.fold import fold
from ledger.kernel.match import Match
from ledger.kernel.records import Decision, Seat, tag_of
from ledger.kernel.refusals import Refused
from ledger.kernel.terms import Terms

from .rounds import folds_of

# Facts that are about the card itself and would differ whatever it does.
ABOUT_CARDS: Final = frozenset({
    "tech.advanced", "tech.advanced-discarded", "tech.advanced-taken", "score.final", "end.winners",
})  # fmt: skip


class Anything:
    """Contains any name."""

    def __contains__(self, _: object) -> bool:
        return True


ANY: Final = Anything()


def effects_in(script: Path) -> Iterator[tuple[int, str]]:
    """The decisions of a script's match, by number, with the technologies that had an effect."""
    before: bytes | None = None
    for number, one in enumerate(folds_of(script)):
        if before is not None and one.seat is not None and one.decision is not None:
            terms = one.match.terms
            yield from ((number, name) for name in effects(terms, before, one.seat, one.decision))
        before = one.match.terms.snapshot(one.match)


def effects(
    terms: Terms, before: bytes, decider: Seat, decision: Decision, wanted: Container[str] = ANY
) -> list[str]:
    """The technologies, of those that are wanted, without which a decision would come to less."""
    held = [one for one in _advanced(terms.restore(before)) if one[0] in wanted]
    # To give a card up is no effect of it.
    held = [one for one in held if one[2] not in _named(decision)]
    if not held:
        return []
    brought = _brought(terms, before, decider, decision)
    return [
        technology
        for technology, seat, card in held
        if _brought(terms, before, decider, decision, without=(seat, card)) != brought
    ]


def _advanced(match: Match) -> list[tuple[str, Seat, str]]:
    """The technologies that players have advanced, with the card."""
    state: Any = match.state
    rows = CARDS.behind(match.terms.silent)
    return [
        (rows[card].technology, house.seat, card)
        for house in state.houses
        for card in house.advanced
    ]


def _brought(
    terms: Terms, before: bytes, decider: Seat, decision: Decision, without: Any = None
) -> Any:
    """Returns a decision's effects and the next question; nothing if it is refused."""
    beside = terms.restore(before)
    if without is not None:
        seat, card = without
        state: Any = beside.state
        state.houses[seat].advanced.remove(card)
    try:
        facts = fold(beside, decider, decision)
    except Refused:
        return None
    return [fact for fact in facts if tag_of(fact) not in ABOUT_CARDS], beside.agenda[-1:]


def _named(decision: Decision) -> tuple[Any, ...]:
    return tuple(getattr(decision, name) for name in decision.__struct_fields__)
