"""The rulebook's conflicts as audit reports; and that a recount finds what a fact says wrongly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from ledger.games.hegemonic import RULES
from ledger.games.hegemonic.conflicts.committing import CommitTechnology
from ledger.games.hegemonic.conflicts.moving import MoveUnit
from ledger.games.hegemonic.conflicts.sequence import StartConflict
from ledger.games.hegemonic.conflicts.starting_power import ChooseDraw
from ledger.games.hegemonic.conflicts.support import DeclineSupport, LendSupport
from ledger.games.hegemonic.recount.claims import RECOUNTS
from ledger.games.hegemonic.recount.map import RecountedGalaxy
from ledger.kernel.fold import fold
from ledger.kernel.records import Fact, Seat, tag_of
from ledger.log.read.history import Moment
from ledger.parts.battle import Contribution
from replays.audit.document import ConflictAudit
from replays.audit.recounts import Recounts
from replays.audit.report import conflict_group
from tests.support.hegemonic.conflicts import (
    INVADE,
    LEVERAGE,
    SABOTAGE,
    SIEGE,
    invasion,
    leverage,
    sabotage,
    siege,
)
from tests.support.hegemonic.houses import any_table
from tests.support.hegemonic.positions import Position, position
from tests.support.laws.play import played
from tests.support.replays.gathered import flagship

RED, BLUE, YELLOW = 0, 1, 2
CARDS = ("I1a-3", "P1a-3")  # 3 of each type of power


def recounts_of(seats: int) -> Recounts:
    """Returns the recounts of a match that has so many seats and no log."""
    found = Recounts()
    history = SimpleNamespace(created=SimpleNamespace(seats=seats))
    found.begin(history)  # type: ignore[arg-type]
    return found


def test_more_bases_than_a_track_has_spaces_are_an_error_and_not_a_covered_track():
    galaxy = position(2).galaxy
    book, house = RecountedGalaxy(galaxy, galaxy.lookup), galaxy.houses[RED]
    house.complexes.clear()
    assert book.space(RED, "industrial") is None
    house.complexes["S1d"] = 16
    with pytest.raises(KeyError, match="industrial-16"):
        book.space(RED, "industrial")


def audited(
    spot: Position, decisions: Sequence[tuple[Seat, Any]]
) -> tuple[ConflictAudit, Recounts]:
    """The report on a conflict that begins from a position."""
    match = spot.given().match
    recounts = recounts_of(len(spot.galaxy.houses))
    recounts.stand(match, match.version)
    for seat, decision in decisions:
        facts = fold(match, seat, decision)
        recounts.take(Moment(match.version, None, seat, decision, facts, match))  # type: ignore[arg-type]
    recounts.finish(match)
    [conflict] = recounts.conflicts
    return conflict, recounts


def lines(conflict: ConflictAudit, about: str) -> list[str]:
    """The contributions of one sum, as the report words them."""
    said = conflict_group(1, conflict).lines
    start = next(n for n, line in enumerate(said) if about in line)
    found = []
    for line in said[start + 1 :]:
        if not line.startswith(" " * 9):
            break
        found.append(line.strip())
    return found


def play(spot: Position, example: Any, *between: tuple[Seat, Any]) -> ConflictAudit:
    """An example, with cards that are worth the same; nothing is found wrong in it."""
    pattern, declare = example
    seat = spot.galaxy.turn.seat  # type: ignore[union-attr]
    attack, defense = spot.hand(seat, *CARDS), declare.defender
    attack.hand(defense, *("M1a-3", "P1b-3"))
    cards = [(seat, CommitTechnology("I1a-3")), (defense, CommitTechnology("M1a-3"))]
    begun = [(seat, StartConflict(pattern)), (seat, declare), *between, *cards]
    conflict, recounts = audited(spot, begun)
    assert recounts.findings == {}
    assert all(claim.right for claim in conflict.claims)
    return conflict


@pytest.mark.rule("step1.complex", "step1.embassy", "cost.takeover")
def test_v14_leverage_as_a_report():
    conflict = play(leverage(), LEVERAGE)
    assert lines(conflict, "price") == ["+4 embassy at S4a [cost.takeover]"]
    assert lines(conflict, "starting power of seat 2: 7") == [
        "+3 3 x complex at S2b [step1.complex]",
        "+1 complex at S4a, 1 away [step1.complex]",
        "+2 2 x complex at S2a, 1 away [step1.complex]",
        "+1 complex at S2d, 1 away [step1.complex]",
    ]
    assert lines(conflict, "starting power of seat 1: 5") == [
        "+2 embassy at S4a [step1.embassy]",
        "+2 embassy at S5d [step1.embassy]",
        "+1 agent at S4a [step1.embassy]",
    ]


@pytest.mark.rule("step1.agent", "step1.outpost", "cost.destroy")
def test_v15_sabotage_as_a_report():
    conflict = play(sabotage(), SABOTAGE, (BLUE, ChooseDraw(("orange",))))
    assert lines(conflict, "price") == ["+3 3 x outpost at S3d [cost.destroy]"]
    assert lines(conflict, "starting power of seat 1: 8") == [
        "+1 agent at S3d [step1.agent]",
        "+3 embassy at S5d [step1.agent]",
        "+2 embassy at S6d [step1.agent]",
        "+2 embassy at S2d [step1.agent]",
    ]
    assert lines(conflict, "starting power of seat 0: 8") == [
        "+3 3 x outpost at S3d [step1.outpost]",
        "+2 2 x outpost at S3b, 1 away [step1.outpost]",
        "+1 outpost at S4a, 2 away [step1.outpost]",
        "+2 fleet at S3d [step1.outpost]",
    ]


@pytest.mark.rule("step1.fleet", "step1.complex")
def test_v16_invasion_as_a_report():
    moved = [(RED, MoveUnit("fleet", 0, ("S5d",)))]
    spot, (pattern, declare) = invasion(), INVADE
    spot.hand(RED, "I1a-3", "P1a-3").hand(YELLOW, "M1a-3", "P1b-3")
    conflict, recounts = audited(
        spot,
        [
            (RED, StartConflict(pattern)),
            *moved,
            (RED, declare),
            (RED, ChooseDraw(("S6a",))),
            (RED, CommitTechnology("I1a-3")),
            (YELLOW, CommitTechnology("M1a-3")),
        ],
    )
    assert recounts.findings == {}
    assert sum(claim.value for claim in conflict.claims if "power of seat 0" in claim.about) == 11
    assert sum(claim.value for claim in conflict.claims if "power of seat 2" in claim.about) == 8
    assert lines(conflict, "starting power of seat 0")[0] == "+2 fleet at S5d [step1.fleet]"


def audited_siege(support: LendSupport | DeclineSupport) -> tuple[ConflictAudit, Recounts]:
    """Returns the report on the siege, in which Yellow decides so about its support."""
    spot, (pattern, declare) = siege(), SIEGE
    spot.hand(RED, "I1a-3", "P1a-3").hand(BLUE, "M1a-3", "P1b-3")
    return audited(
        spot,
        [
            (RED, StartConflict(pattern)),
            (RED, MoveUnit("fleet", 0, ("S4e",))),
            (RED, declare),
            (RED, ChooseDraw(("S4b",))),
            (BLUE, ChooseDraw(("orange",))),
            (YELLOW, support),
            (RED, CommitTechnology("I1a-3")),
            (BLUE, CommitTechnology("M1a-3")),
        ],
    )


@pytest.mark.rule("step2.value", "step2.faction")
def test_v17_siege_as_a_report_with_what_others_lend():
    conflict, recounts = audited_siege(LendSupport(BLUE, 2))
    assert recounts.findings == {}
    assert lines(conflict, "support of seat 2 for seat 1: 2") == [
        "+1 embassy at S5d [step2.value]",
        "+1 embassy at S5a [step2.value]",
    ]
    totals = {one.about: one.value for one in conflict.claims if one.about.startswith("total")}
    assert totals == {"total of seat 0": 8 + 3, "total of seat 1": 6 + 2 + 3}


# --- what is wrong is found -----------------------------------------------------------------------


def wrongly(fact: Fact) -> Fact | None:
    """The same fact with a number in it that is one too high."""
    plain = msgspec.msgpack.decode(msgspec.msgpack.encode(fact))
    if not _raised(plain):
        return None
    return msgspec.msgpack.decode(msgspec.msgpack.encode(plain), type=type(fact))


def _raised(value: Any) -> bool:
    """Raise the first power, price or point."""
    names = ("cost", "attack", "points", "amount")
    if isinstance(value, dict):
        for name in names:
            if isinstance(value.get(name), int):
                value[name] += 1
                return True
        return any(_raised(one) for one in value.values())
    if isinstance(value, list):
        if len(value) == 6 and isinstance(value[0], str) and isinstance(value[5], int):
            value[5] += 1  # a contribution
            return True
        if len(value) == 3 and isinstance(value[1], str) and isinstance(value[2], int):
            value[2] += 1  # an award
            return True
        return any(_raised(one) for one in value)
    return False


def stories() -> Iterator[tuple[Any, list[list[Fact]]]]:
    """Matches as facts: random ones, and the sample, in which people fight for something."""
    history = flagship()
    state = RULES.setup(history.created.seats)
    state.__dict__["lookup"] = history.terms(history.created.edition).silent
    yield state, [moment.facts for moment in history.replay()]
    for seed in range(12):
        party = any_table(seed)
        state = RULES.setup(party.seats)
        state.__dict__["lookup"] = party.terms.silent
        yield state, [event.facts for _, event in played(party, seed)]


def found_wrong(state: Any, facts: list[Fact], place: int) -> bool:
    """Whether a recount notices that a fact has a number too high."""
    wrong, recount = wrongly(facts[place]), RECOUNTS[tag_of(facts[place])]
    if wrong is None:
        return False
    said = [*facts[:place], wrong, *facts[place + 1 :]]
    return any(not claim.right for claim in recount(state, said, place, state.lookup))


@pytest.mark.long
def test_every_fact_that_is_counted_again_is_found_where_it_says_something_else():
    found: set[str] = set()
    for state, events in stories():
        for facts in events:
            for place, fact in enumerate(facts):
                tag = tag_of(fact)
                if tag in RECOUNTS and tag not in found and found_wrong(state, facts, place):
                    found.add(tag)
                fact.apply(state)
    seldom = {"conflict.card-exchanged", "conflict.top-card-turned", "leader.support-raised"}
    without_a_figure = {"deal.accepted", "end.winners"}
    assert set(RECOUNTS) - found <= seldom | without_a_figure | {"conflict.power-added"}


LANDING, FULL = 4, 400


@pytest.mark.parametrize(
    "seeds",
    [
        range(LANDING),
        pytest.param(range(LANDING, FULL), marks=[pytest.mark.full, pytest.mark.timeout(3_600)]),
    ],
    ids=str,
)
def test_no_table_whatever_its_readings_is_counted_otherwise(seeds: range):
    counted = 0
    for seed in seeds:
        party = any_table(seed)
        recounts = recounts_of(party.seats)
        for number, (match, event) in enumerate(played(party, seed), 1):
            facts = event.facts
            recounts.take(Moment(number, None, None, None, facts, match))  # type: ignore[arg-type]
        recounts.finish(match)
        assert recounts.findings == {}, seed
        counted += sum(recounts.counted.values())
    assert counted > 20 * len(seeds)


def test_a_contribution_out_of_place_is_as_wrong_as_one_too_many():
    conflict = play(leverage(), LEVERAGE)
    claim = next(one for one in conflict.claims if "starting power of seat 2" in one.about)
    assert {line.rule for line in claim.lines} == {"step1.complex"}
    moved = Contribution("step1.complex", "complex", 1, "S4b", 1, 1)
    assert moved.sector not in {line.sector for line in claim.lines}


def test_support_that_is_declined_adds_nothing():
    conflict, _ = audited_siege(DeclineSupport())
    assert not [one for one in conflict.claims if "support" in one.about]
