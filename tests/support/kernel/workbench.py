"""A ruleset for the tests of the kernel: its one question does what a script says.

SCRIPTS["count"] = a generator of happenings;   given(bench()).when(0, Do("count"))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from ledger.kernel.accounts import Accounts, Transferred
from ledger.kernel.audience import Open, Own
from ledger.kernel.chance import ChanceQuestion, Roll, Rolled
from ledger.kernel.content import Row, Table, read_rows
from ledger.kernel.match import Match
from ledger.kernel.readings import read_readings
from ledger.kernel.records import Decision, Fact, Happenings, Question, Seat, State, Step
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import KERNEL_DECISIONS, Result, Ruleset
from ledger.kernel.terms import Terms


class Tool(Row):
    weight: int
    name: str = ""


TOOLS = Table("tools", Tool)
ROWS: Mapping[str, Any] = read_rows(
    "saw = { weight = 3 }\nplane = { weight = 2 }\nawl = { weight = 1, name = 'pricker' }", TOOLS
)
READINGS = read_readings(
    """
    [loud]
    value = false
    also = [true]
    option = true
    rule = "bench.loud"
    why = ""

    [speed]
    value = 3
    range = [0, 9]
    option = true
    rule = "bench.speed"
    why = ""

    [wood]
    value = "oak"
    also = ["ash", "elm"]
    rule = "bench.wood"
    why = "No option: only an erratum or an overlay changes it."
    """
)


class Bench(State):
    notes: Open[list[str]]
    accounts: Open[Accounts]
    waiting: Open[bool] = True  # whether anybody is asked


class Noted(Fact, tag="bench.noted"):
    text: Open[str]

    def apply(self, bench: Bench) -> None:
        bench.notes.append(self.text)


class Muddled(Fact, tag="bench.muddled"):
    def apply(self, bench: Bench) -> None:
        bench.notes.append("half done")
        raise ZeroDivisionError("a bug in a fact")


class LeftAlone(Fact, tag="bench.left-alone"):
    def apply(self, bench: Bench) -> None:
        bench.waiting = False


class Do(Decision, tag="bench.do"):
    script: Open[str]


class Hide(Decision, tag="bench.hide"):
    number: Own[int]


class Knock(Decision, tag="bench.knock"):
    script: Open[str] = "nothing"


class Tell(Step):
    """`bench.tell`: one note."""

    text: Open[str]

    def run(self, bench: Bench) -> Happenings:
        yield Noted(self.text)


class Scripted(Step):
    """`bench.scripted`: what a script says."""

    script: Open[str]

    def run(self, bench: Bench) -> Happenings:
        return SCRIPTS[self.script](bench)


class CountDown(Step):
    """`bench.count`: so many steps, one after the other."""

    left: Open[int]

    def run(self, bench: Bench) -> Happenings:
        if self.left > 1:
            yield CountDown(self.left - 1)


class Again(Step):
    """`bench.again`: never ends and never asks."""

    def run(self, bench: Bench) -> Happenings:
        yield Again()


class Work(Question):
    """`bench.work`: seat 0, or both, say what is done."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Do,)
    seats: Open[tuple[Seat, ...]] = (0,)

    def asks(self, bench: Bench) -> tuple[Seat, ...]:
        return self.seats if bench.waiting else ()

    def key(self, bench: Bench, seat: Seat) -> str:
        return f"work/{len(bench.notes)}"

    def allows(self, bench: Bench, seat: Seat, do: Do) -> bool:
        if do.script == "refuse in allows":
            assert bench.reads("speed") >= 0
            assert TOOLS.of(bench)["saw"].weight
            raise Refused("blunt", "bench.work", "The saw is blunt.")
        return do.script in SCRIPTS

    def options(self, bench: Bench, seat: Seat) -> list[Do]:
        return [Do("nothing")]

    def decide(self, bench: Bench, seat: Seat, do: Do) -> Happenings:
        return SCRIPTS[do.script](bench)


class Hiding(Question):
    """`bench.hide`: both hide a number; a planted fault may close it too early."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Hide,)
    sealed: ClassVar[bool] = True
    seats: Open[tuple[Seat, ...]] = (0, 1)
    fault: Open[str] = ""

    def asks(self, bench: Bench) -> tuple[Seat, ...]:
        return self.seats

    def key(self, bench: Bench, seat: Seat) -> str:
        return "hide"

    def allows(self, bench: Bench, seat: Seat, hide: Hide) -> bool:
        return hide.number > 0

    def options(self, bench: Bench, seat: Seat) -> list[Hide]:
        return [Hide(1), Hide(2)]

    def decide(self, bench: Bench, seat: Seat, hide: Hide) -> Happenings:
        yield Noted(f"hidden by {seat}")
        still = tuple(other for other in self.seats if other != seat)
        if self.fault == "another question":
            yield Work()
        elif self.fault == "asks again":
            yield Hiding(self.seats)
        elif still and self.fault != "closes":
            yield Hiding(still)
        else:
            yield Work()


class Toss(ChanceQuestion):
    """`bench.toss`: a die of six."""

    def address(self, bench: Bench) -> str:
        return f"toss/{len(bench.notes)}"

    def wish(self, bench: Bench) -> Roll:
        return Roll(6)

    def fallen(self, bench: Bench, answer: Rolled) -> Happenings:
        yield Noted(f"fell {answer.values[0]}")


class Knocking(Question):
    """`bench.knock`: at any time, unless the shop is closed."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Knock,)

    def asks(self, bench: Bench) -> tuple[Seat, ...]:
        return (0, 1)

    def key(self, bench: Bench, seat: Seat) -> str:
        return f"knock/s{seat}/{len(bench.notes)}"

    def standing_open(self, bench: Bench) -> bool:
        return "closed" not in bench.notes

    def allows(self, bench: Bench, seat: Seat, knock: Knock) -> bool:
        return knock.script in SCRIPTS

    def options(self, bench: Bench, seat: Seat) -> list[Knock]:
        return [Knock()]

    def decide(self, bench: Bench, seat: Seat, knock: Knock) -> Happenings:
        return SCRIPTS[knock.script](bench)


Script = Callable[[Bench], Iterator[Any]]
SCRIPTS: dict[str, Script] = {}


def script(name: str) -> Callable[[Script], Script]:
    """Give a generator of happenings a name."""

    def named(rule: Script) -> Script:
        assert name not in SCRIPTS, f"{name} is a script already"
        SCRIPTS[name] = rule
        return rule

    return named


@script("nothing")
def _nothing(bench: Bench) -> Iterator[Any]:
    yield Noted("nothing")
    yield Work()


BENCH = Ruleset(
    name="bench",
    title="Bench",
    seats=range(2, 3),
    state=Bench,
    setup=lambda _: Bench(notes=[], accounts=Accounts.opened("nails")),
    first=Work(),
    result=lambda _: Result(winners=(), scores=(0, 0), reason="done"),
    agenda=(Tell, Scripted, CountDown, Again, Work, Hiding, Toss, Knocking),
    decisions=(Do, Hide, Knock, *KERNEL_DECISIONS),
    facts=(Noted, Muddled, LeftAlone, Transferred),
    standing=(Knocking(),),
    readings=READINGS,
    tables=(TOOLS,),
    content={"tools": ROWS},
)


def bench(first: Step | Question | None = None, **terms: Any) -> Match:
    """A match on the bench that has not begun."""
    rules = BENCH if first is None else replace(BENCH, first=first)
    return Terms(rules, **terms).open_match(2)
