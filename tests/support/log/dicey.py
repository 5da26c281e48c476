"""A ruleset for the tests of the pen: it asks for chance more often than a batch holds."""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.audience import Open
from ledger.kernel.chance import ChanceQuestion, Roll, Rolled
from ledger.kernel.records import Decision, Fact, Happenings, Question, Seat, State, Step
from ledger.kernel.ruleset import KERNEL_DECISIONS, Result, Ruleset, Shown
from ledger.kernel.story import Beat, Story

ROLLS_AT_START = 70


class Cup(State):
    rolls: Open[list[int]]
    asked: Open[int] = 0


class Fell(Fact, tag="dicey.fell"):
    value: Open[int]

    def apply(self, cup: Cup) -> None:
        cup.rolls.append(self.value)


class Asked(Fact, tag="dicey.asked"):
    def apply(self, cup: Cup) -> None:
        cup.asked += 1


class Shake(Decision, tag="dicey.shake"):
    what: Open[str]


class Begin(Step):
    """`dicey.begin`: more dice than a batch holds."""

    def run(self, cup: Cup) -> Happenings:
        for place in range(ROLLS_AT_START):
            yield Die(f"start/{place}")
        yield Shaking()


class Die(ChanceQuestion):
    """`dicey.die`: one of six, from a domain that is listed or not, once or for ever."""

    place: Open[str]
    domain: Open[str] = "dice"
    again: Open[bool] = False

    def address(self, cup: Cup) -> str:
        return f"{self.place}/{len(cup.rolls)}" if self.again else self.place

    def wish(self, cup: Cup) -> Roll:
        return Roll(6, domain=self.domain)

    def fallen(self, cup: Cup, answer: Rolled) -> Happenings:
        yield Fell(answer.values[0])
        if self.again:
            yield self


class Shaking(Question):
    """`dicey.shake`: what goes wrong is for the seat to say."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Shake,)

    def asks(self, cup: Cup) -> tuple[Seat, ...]:
        return (0,)

    def key(self, cup: Cup, seat: Seat) -> str:
        return f"shake/{cup.asked}"

    def allows(self, cup: Cup, seat: Seat, shake: Shake) -> bool:
        return True

    def options(self, cup: Cup, seat: Seat) -> list[Shake]:
        return [Shake("once")]

    def decide(self, cup: Cup, seat: Seat, shake: Shake) -> Happenings:
        if shake.what != "under one key":
            yield Asked()
        if shake.what == "another domain":
            yield Die(f"shake/{cup.asked}", domain="marbles")
        elif shake.what == "for ever":
            yield Die(f"shake/{cup.asked}", again=True)
        elif shake.what == "many":
            for place in range(40):
                yield Die(f"shake/{cup.asked}/{place}")
        elif shake.what == "end":
            return
        yield Shaking()


RULES = Ruleset(
    name="dicey",
    title="Dicey",
    seats=range(1, 2),
    state=Cup,
    setup=lambda _: Cup(rolls=[]),
    first=Begin(),
    result=lambda cup: Result(winners=(0,), scores=(sum(cup.rolls),), reason="dice"),
    agenda=(Begin, Die, Shaking),
    decisions=(Shake, *KERNEL_DECISIONS),
    facts=(Fell, Asked),
    source="dicey",
    shown=Shown(
        story=Story(
            beats=(
                Beat(Fell, lambda fact, _: f"A {fact['value']}."),
                Beat(Asked, lambda _, __: "A shake."),
            )
        )
    ),
)
