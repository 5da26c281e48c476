"""Promises: the meaning of each deal template.

No rule makes a deal binding (`deal.non-binding`); the record shows who kept it (`deal.audit`).
A machine can judge a promise that names a sector, a board or a moment. People judge a promise
that says more, or something else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ledger.games.hegemonic.rounds.clock import (
    ARBITRATION,
    COLLECTION,
    FIRST_ACTIONS,
)
from ledger.games.hegemonic.shown.story.deals import WORDS
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.pacts import (
    BY,
    Condition,
    Pacts,
    Pattern,
    PromiseMeaning,
    Template,
    Window,
    having,
    lacking,
)
from ledger.parts.deals.pacts import Clock, never, pays, reads_with

from .agreement import Promise
from .transfers import CapsGiven, Transfer

CLOCK: Final = Clock(ARBITRATION)
SIDES: Final = ("attacker.seat", "defender.seat")

TEMPLATES: Final = (
    Template("spare", "not to attack them", "nothing, a sector or a board"),
    Template("hold-fire", "to attack nobody", "a sector or a board"),
    Template("leave", "to put nothing more of their own", "a sector or a board"),
    Template("support", "to support them in the next conflict", "nothing, or its sector"),
    Template("choose-arbiter", "to choose them as the next arbiter"),
    Template("choose-starter", "to let them go first of equal numbers"),
    Template("pay-at-collection", "to pay CAPs after the next collection"),
    Template("pay", "to pay CAPs later"),
    Template("attack", "to attack for them", "a sector or a board"),
    Template("other", "something else, in words", "words", judged=False),
)


def meaning_of(galaxy: Galaxy, deal: str, promise: Promise) -> PromiseMeaning | None:
    """Returns the meaning of a promise made at this moment; None if it is in words only."""
    found = MEANINGS.get(promise.what)
    return None if found is None else found(galaxy, deal, promise)


# --- places and times -----------------------------------------------------------------------------


def _condition_of_place(galaxy: Galaxy, subject: str) -> tuple[Condition, ...] | None:
    """Returns the condition for a place; `()` for anywhere, None for an unknown place."""
    if not subject:
        return ()
    sectors = galaxy.place(subject)
    return None if sectors is None else (having("sector", *sectors),)


def _phase(phase: int) -> Pattern:
    return Pattern(facts=("round.phase-begun",), where=(having("phase", phase),))


# --- the meaning of each --------------------------------------------------------------------------


def _attacks(galaxy: Galaxy, promise: Promise, *whom: Condition) -> Pattern | None:
    where = _condition_of_place(galaxy, promise.subject)
    if where is None:
        return None
    return Pattern(
        facts=("conflict.begun",), where=(having("attacker.seat", promise.seat), *whom, *where)
    )


def _spare(galaxy: Galaxy, _: str, promise: Promise) -> PromiseMeaning | None:
    """Reads a promise not to attack the other party, anywhere or in a place."""
    pattern = _attacks(galaxy, promise, having("defender.seat", promise.to))
    return never(pattern, CLOCK.after(promise.due))


def _hold_fire(galaxy: Galaxy, _: str, promise: Promise) -> PromiseMeaning | None:
    """Reads a promise not to attack anybody in a place."""
    return never(_attacks(galaxy, promise) if promise.subject else None, CLOCK.after(promise.due))


def _attack(galaxy: Galaxy, _: str, promise: Promise) -> PromiseMeaning | None:
    """Reads a promise to attack anyone in a place except the party it is made to."""
    pattern = _attacks(galaxy, promise, lacking("defender.seat", promise.to))
    if pattern is None or not promise.subject:
        return None
    return PromiseMeaning(
        how="at-least", pattern=pattern, window=Window(until=CLOCK.after(promise.due))
    )


def _leave(galaxy: Galaxy, _: str, promise: Promise) -> PromiseMeaning | None:
    """Reads a promise to put nothing in a place, from the player board or from elsewhere."""
    sectors = galaxy.place(promise.subject)
    if sectors is None:
        return None
    pattern = Pattern(
        facts=(
            "piece.base-placed", "piece.base-moved", "piece.unit-placed", "piece.unit-moved",
            "piece.gate-placed",
        ),
        where=(
            having("seat", promise.seat),
            having(("sector", "path.-1", "first", "second"), *sectors),
        ),
    )  # fmt: skip
    return never(pattern, CLOCK.after(promise.due))


def _support(galaxy: Galaxy, _: str, promise: Promise) -> PromiseMeaning | None:
    """Reads a promise to lend embassies in their next conflict, or in the current one if theirs.

    A player who has nothing to lend has not broken its word.
    """
    where = _condition_of_place(galaxy, promise.subject)
    if where is None:
        return None
    seat, friend, count = promise.seat, promise.to, max(promise.amount, 1)
    begins = Pattern(
        facts=("conflict.begun",), where=(having(SIDES, friend), lacking(SIDES, seat), *where)
    )
    enough = Condition(paths=("count",), test="least", values=(count,))
    offered = Pattern(
        facts=("conflict.support", "conflict.support-sealed"),
        where=(having("side", friend), enough),
    )
    lends = having("seat", seat), having("side", friend)
    return PromiseMeaning(
        how="at-least",
        count=count,
        summed="contributions",
        pattern=Pattern(facts=("conflict.supported",), where=lends),
        window=Window(
            opens=() if _is_on(galaxy, promise) else (begins,),
            closes=(Pattern(facts=("conflict.ended",)),),
            until=CLOCK.after(promise.due),
        ),
        chances=(offered,),
    )


def _is_on(galaxy: Galaxy, promise: Promise) -> bool:
    """Returns whether the promise means the conflict in progress."""
    contest = galaxy.contest
    if contest is None or promise.subject not in ("", contest.sector, _board(galaxy, contest)):
        return False
    sides = {side.seat for side in contest.sides}
    return promise.to in sides and promise.seat not in sides


def _board(galaxy: Galaxy, contest: Any) -> str:
    return galaxy.sectors[contest.sector].board


def _choose_arbiter(_: Galaxy, __: str, promise: Promise) -> PromiseMeaning:
    """Reads a promise to choose them as arbiter; without such a choice nothing was promised."""
    found = Pattern(facts=("arbitration.arbiter-found",))
    tied = Pattern(facts=found.facts, where=(having("rule", "arb.tie"),))
    return _choice(promise, tied, "arbitration.choose-arbiter", closes=found)


def _choose_starter(_: Galaxy, __: str, promise: Promise) -> PromiseMeaning:
    """Reads a promise to name them when the arbiter decides who goes first of equal numbers."""
    named = Pattern(facts=("action.starter-named",))
    return _choice(promise, named, "action.choose-tie-starter", closes=_phase(ARBITRATION))


def _choice(promise: Promise, made: Pattern, decision: str, closes: Pattern) -> PromiseMeaning:
    """Requires the choice of the other party, by a decision that must have been open to make it."""
    until, chosen = CLOCK.after(promise.due), having("seat", promise.to)
    return PromiseMeaning(
        how="at-least",
        pattern=Pattern(facts=made.facts, where=(*made.where, having(BY, promise.seat), chosen)),
        window=Window(closes=() if until else (closes,), until=until),
        chances=(Pattern(facts=(decision,), where=(chosen,)),),
    )


def _pay(_: Galaxy, deal: str, promise: Promise) -> PromiseMeaning:
    """Reads a promise to pay by a moment, or before the match is over."""
    return pays(CapsGiven, deal, promise, Window(until=CLOCK.after(promise.due)))


def _pay_at_collection(galaxy: Galaxy, deal: str, promise: Promise) -> PromiseMeaning:
    """Reads a promise to pay after the next income, before any action; sooner is as good.

    The phases show whether there was an income at all. The clock shows which of two debts is due
    first.
    """
    next_one = max(galaxy.round + (galaxy.phase >= COLLECTION), 1)
    in_time = Window(
        closes=(_phase(COLLECTION), _phase(FIRST_ACTIONS)),
        until=CLOCK.at(next_one, FIRST_ACTIONS),
    )
    return pays(CapsGiven, deal, promise, in_time)


MEANINGS: Final[Mapping[str, Callable[[Galaxy, str, Promise], PromiseMeaning | None]]] = {
    "spare": _spare,
    "hold-fire": _hold_fire,
    "leave": _leave,
    "support": _support,
    "attack": _attack,
    "choose-arbiter": _choose_arbiter,
    "choose-starter": _choose_starter,
    "pay": _pay,
    "pay-at-collection": _pay_at_collection,
}


PACTS: Final = Pacts(
    binding=False,
    rule="deal.non-binding",
    templates=TEMPLATES,
    reads=reads_with(CapsGiven),
    meaning=meaning_of,
    words=WORDS.promise,
    clock=CLOCK.hands,
    pays=Transfer,
)
