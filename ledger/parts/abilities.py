"""Abilities of a player's card: used at any time, or in a window that the rules open.

Activate (standing) ─┐
Offer ─▶ Ask ────────┴▶ the ability begins ─▶ `carry` ─▶ the game's own end of it

The game's classes cite the rules and name their ids, facts and questions; `Uses` ties them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Happenings, Seat, Step
from ledger.kernel.refusals import Refused

from .refusals import passes
from .seats import SeatQuestion, StandingQuestion


class Use(NamedTuple):
    """An ability in use: by which player, how, in which window, and its questions' key prefix."""

    seat: Seat
    said: Any  # the game's decision to use it, with its `level` first
    moment: Any  # the game's own, with a `name`
    occasion: str


class Ability:
    """One of the abilities of a card."""

    rule: ClassVar[str]  # by which abilities act
    timing: ClassVar[str]  # by which they have their time
    activate: ClassVar[type[Any]]  # the decision to use one
    moments: ClassVar[tuple[str, ...]] = ()  # the windows it is for
    at_any_time: ClassVar[bool] = True  # or only in those windows
    needs: ClassVar[tuple[str, ...]] = ()  # what has to be said
    counts: ClassVar[bool] = False  # whether it amounts to a number
    kind: ClassVar[str] = "card"  # what its owner is called in the evidence of refusals

    def __init__(self, owner: str, level: int) -> None:
        self.owner = owner
        self.level = level

    # --- when -----------------------------------------------------------------------------------

    def check_time(self, state: Any, seat: Seat, moment: Any) -> None:
        """Refuses an ability outside its windows, unless it is for any time and open now."""
        if moment is not None and moment.name in self.moments:
            if not self.fits(state, seat, moment):
                raise self.untimely("The ability cannot be used in this case.")
            return
        if not self.at_any_time or not self.open(state, seat):
            raise self.untimely("The ability is for another moment.")
        self.check_pending(state)

    def check_pending(self, state: Any) -> None:
        """Refuses an ability that has to wait for something else, whatever its windows."""

    def untimely(self, message: str) -> Refused:
        evidence = {self.kind: self.owner, "level": self.level}
        return Refused("not_the_moment", self.timing, message, evidence)

    def fits(self, state: Any, seat: Seat, moment: Any) -> bool:
        """Returns whether the player can use it in one of its windows."""
        return True

    def open(self, state: Any, seat: Seat) -> bool:
        """Returns whether the player can use it outside its windows."""
        return True

    # --- how ------------------------------------------------------------------------------------

    def check(self, state: Any, use: Use) -> None:
        """Refuses details that are wrong, beyond the level and the moment."""

    def check_needed(self, said: Any) -> None:
        """Refuses fields that the ability does not need, so that each use has only one form."""
        plain = type(said)(said.level)
        for name in said.__struct_fields__:
            if name == "level" or name in self.needs:
                continue
            if getattr(said, name) != getattr(plain, name):
                evidence = {self.kind: self.owner, "field": name}
                message = "The ability does not use this part of the decision."
                raise Refused("not_needed", self.rule, message, evidence)

    def ways(self, state: Any, seat: Seat, moment: Any) -> Iterator[Any]:
        """Yields every way to use it that could be legal."""
        yield self.activate(self.level)

    def carry(self, state: Any, use: Use) -> Happenings:
        """Yields the effects of the ability. `check` has passed."""
        raise NotImplementedError

    def other(self, state: Any, use: Use) -> Seat:
        """Returns the other player that was named, or refuses it."""
        named: Seat | None = use.said.seat
        if named is None or named not in state.seats or named == use.seat:
            raise self.untargeted("There is no such other player.", seat=named)
        return named

    def untargeted(self, message: str, **evidence: object) -> Refused:
        return Refused("no_such_target", self.rule, message, {self.kind: self.owner, **evidence})


class Uses:
    """The checks before an ability is used, and every way to use one."""

    @classmethod
    def ability(cls, state: Any, seat: Seat, level: int) -> Any:
        """Returns the ability of a level, or refuses one that the player cannot use."""
        raise NotImplementedError

    @classmethod
    def highest(cls, state: Any, seat: Seat) -> int:
        """Returns the highest level that the card shows."""
        raise NotImplementedError

    @classmethod
    def occasion(cls, state: Any, seat: Seat) -> str:
        """Returns the key of the player's next use at any time."""
        raise NotImplementedError

    @classmethod
    def carried(cls, state: Any, ability: Any, use: Use) -> Happenings:
        """Yields what happens before the ability, the ability, and what happens after it."""
        raise NotImplementedError

    @classmethod
    def check(cls, state: Any, seat: Seat, said: Any, moment: Any) -> None:
        """Refuses a use that the card, the moment or the ability does not allow."""
        ability = cls.ability(state, seat, said.level)
        ability.check_time(state, seat, moment)
        ability.check_needed(said)
        ability.check(state, Use(seat, said, moment, cls.occasion(state, seat)))

    @classmethod
    def ways(cls, state: Any, seat: Seat, moment: Any) -> Iterator[Any]:
        """Yields every way in which the player can use its card now."""
        for level in range(1, cls.highest(state, seat) + 1):
            yield from cls.ways_of(state, seat, level, moment)

    @classmethod
    def ways_of(cls, state: Any, seat: Seat, level: int, moment: Any) -> Iterator[Any]:
        """Yields every way in which the player can use one ability now."""
        try:
            ability = cls.ability(state, seat, level)
            ability.check_time(state, seat, moment)
        except Refused:
            return
        for said in ability.ways(state, seat, moment):
            if passes(ability.check, state, Use(seat, said, moment, cls.occasion(state, seat))):
                yield said

    @classmethod
    def use(cls, state: Any, seat: Seat, said: Any, moment: Any) -> Happenings:
        use = Use(seat, said, moment, cls.occasion(state, seat))
        yield from cls.carried(state, cls.ability(state, seat, said.level), use)


# --- the questions --------------------------------------------------------------------------------


class ActivateAtAnyTime(StandingQuestion):
    """A standing question: a player uses its card at any time, whatever is going on."""

    uses: ClassVar[type[Uses]]

    def key(self, state: Any, seat: Seat) -> str:
        return self.uses.occasion(state, seat)

    def allows(self, state: Any, seat: Seat, decision: Any) -> bool:
        self.uses.check(state, seat, decision, None)
        return True

    def options(self, state: Any, seat: Seat) -> list[Any]:
        return list(self.uses.ways(state, seat, None))

    def decide(self, state: Any, seat: Seat, decision: Any) -> Happenings:
        """Resolves the ability at once, before the interrupted play."""
        yield from self.uses.use(state, seat, decision, None)


class AbilityOffer(Step):
    """Asks a player in a window only where its card can do something."""

    uses: ClassVar[type[Uses]]
    asked: ClassVar[type[Any]]  # the question
    if TYPE_CHECKING:
        # The game's step declares both, and the moment as its own type.
        seat: Open[Seat]
        moment: Open[Any]

    def silent(self, state: Any) -> bool:
        """Returns whether the player is not to be asked at this moment."""
        return False

    def run(self, state: Any) -> Happenings:
        if self.silent(state):
            return
        for level in range(1, self.uses.highest(state, self.seat) + 1):
            ability = self.uses.ability(state, self.seat, level)
            ways = self.uses.ways_of(state, self.seat, level, self.moment)
            if self.moment.name in ability.moments and any(ways):
                yield self.asked(self.seat, self.moment)
                return


class Ask(SeatQuestion):
    """Asks a player in a window: it uses its card, or answers with one of the `passes`."""

    uses: ClassVar[type[Uses]]
    passes: ClassVar[tuple[Decision, ...]]  # the first is the default
    if TYPE_CHECKING:
        moment: Open[Any]

    def allows(self, state: Any, seat: Seat, decision: Any) -> bool:
        """Accepts an ability for this moment, one for any time, or a pass."""
        if not isinstance(decision, type(self.passes[0])):
            self.uses.check(state, seat, decision, self.moment)
        return True

    def options(self, state: Any, seat: Seat) -> list[Decision]:
        return [*self.uses.ways(state, seat, self.moment), *self.passes]

    def default(self, state: Any, seat: Seat) -> Decision:
        """Passes: a player who does not answer keeps its ability for later."""
        return self.passes[0]

    def decide(self, state: Any, seat: Seat, decision: Any) -> Happenings:
        if isinstance(decision, type(self.passes[0])):
            yield from self.passed(seat, decision)
        else:
            yield from self.uses.use(state, seat, decision, self.moment)

    def passed(self, seat: Seat, decision: Any) -> Happenings:
        """Yields what follows a pass."""
        raise NotImplementedError
