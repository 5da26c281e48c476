"""The published corrections: what each changes, in the numbers of its vectors."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ledger.games.hegemonic import RULES
from ledger.games.hegemonic.actions.choosing import ActionPhase, order_number
from ledger.games.hegemonic.actions.resolving import EndTurn
from ledger.games.hegemonic.conflicts.committing import CommitTechnology
from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.moving import MoveUnit
from ledger.games.hegemonic.conflicts.outcome import Compared
from ledger.games.hegemonic.conflicts.sequence import StartConflict
from ledger.games.hegemonic.conflicts.starting_power import ChooseDraw
from ledger.games.hegemonic.conflicts.support import LendSupport
from ledger.games.hegemonic.map.placing import UnitReturned
from ledger.games.hegemonic.state.components import FATES, figure
from ledger.kernel.terms import Terms
from tests.ledger.games.hegemonic.actions.test_choosing import EXAMPLE
from tests.ledger.games.hegemonic.conflicts.test_power import leverage
from tests.ledger.games.hegemonic.rounds.test_scoring import (
    BLUE,
    RED,
    YELLOW,
    holding,
    homely,
    points,
    scored,
)
from tests.support.given import Given
from tests.support.hegemonic.positions import Position, committed, position, told

EDITIONS = ("printed", *(f"err.0{number}" for number in range(1, 9)))


def alone(erratum: str) -> dict[str, object]:
    """An overlay that changes what this correction changes, and nothing else."""
    found = next(one for one in RULES.errata if one.id == erratum)
    return {**found.content, "readings": {"values": dict(found.readings)}}


def edition(name: str, seats: int = 4) -> Position:
    """A position under all corrections up to one."""
    return Position(seats, Terms(RULES, name))


def changed(before: str, after: str) -> list[tuple[str, ...]]:
    """Returns the differences of two editions, in the words of the rule-use index."""
    return sorted(Terms(RULES, before).differences(Terms(RULES, after)))


def test_the_editions_are_as_printed_and_one_after_each_erratum():
    assert RULES.editions == EDITIONS


def test_each_changes_what_it_says_and_nothing_else():
    steps = [changed(*pair) for pair in pairwise(EDITIONS)]
    assert steps == [
        [("cell", "fates", "draw.defending-units", "fate")],
        [("cell", "figures", "score.tie-first", "value")],
        [("reading", "support.value")],
        [("cell", "orders", card, "number") for card in ("discover", "martialize", "subvert")],
        [("cell", "figures", "cost.takeover", "value")],
        [("cell", "figures", "move.agent-border", "value")],
        [("reading", "score.core-who")],
        [("cell", "figures", "score.home-embassy", "value")],
    ]


# --- figures only ---------------------------------------------------------------------------------


@pytest.mark.rule("err.02", "score.tie-first")
def test_err_02_ties_for_first_get_four():
    for powers, expected in (((5, 5, 2), (4, 4, 1)), ((3, 3, 3), (4, 4, 4))):
        spot = holding(dict(enumerate(powers)), overlay=alone("err.02"))
        assert points(scored(spot), "S2") == dict(enumerate(expected))


@pytest.mark.rule("err.07", "score.core")
@pytest.mark.parametrize(
    ("powers", "expected"),
    [((3, 2, 1), (7, 3, 1)), ((3,), (9,)), ((5, 5, 2), (3, 3, 1)), ((5, 3, 3), (7, 1, 1))],
)
def test_err_07_the_core_bonus_is_for_who_controls_it(powers, expected):
    spot = holding(dict(enumerate(powers)), "K", overlay=alone("err.07"))
    assert points(scored(spot), "K") == dict(enumerate(expected))


@pytest.mark.rule("score.core", "score.tie-first")
def test_an_edition_has_all_earlier_corrections_too():
    spot = edition("err.07").has(0, outposts={"K1": 3}).has(1, outposts={"K2": 3})
    assert points(scored(spot.has(2, outposts={"K3": 2})), "K") == {0: 4, 1: 4, 2: 1}


@pytest.mark.rule("err.08", "score.home-embassy")
def test_err_08_home_embassies_do_not_score():
    assert points(scored(homely()), "S1") == {RED: 6, BLUE: 3}
    assert points(scored(homely(overlay=alone("err.08"))), "S1") == {RED: 3, BLUE: 3}


# --- outcomes -------------------------------------------------------------------------------------


def raze(**terms) -> Given:
    """V17: Red's fleet against Blue's agent at S4e; Blue draws on Orange, Yellow supports it."""
    spot = position(4, **terms).home(RED, "S1d").tile("S3b", martial=3).caps(5, 5, 5, 5)
    spot.tile("S6d", faction="orange", political=3)
    spot.tile("S2d", "S5d", faction="orange", political=2)
    spot.tile("S5a", faction="orange", political=1)
    spot.has(RED, outposts={"S4b": 2, "S3b": 3, "K4": 1, "S1d": 1}, fleets=["S4e", "S3b"])
    spot.has(RED, complexes={"S1d": 1}).has(BLUE, embassies=["S6d", "S2d"], agents=["S4e"])
    spot.has(YELLOW, embassies=["S5d", "S5a"])
    spot.hand(RED, "I1a-2", "M1a-1").hand(BLUE, "I1a-1", "P1a-1")  # M 3 against P 3
    sentence = spot.turn(RED, "assault").given()
    sentence.when(RED, StartConflict("assault.raze-political"))
    sentence.when(RED, Declare(BLUE, "S4e", units=(0,)))
    sentence.when(RED, ChooseDraw(("S4b",))).when(BLUE, ChooseDraw(("orange",)))
    sentence.when(YELLOW, LendSupport(BLUE, 2))
    return sentence.when(RED, CommitTechnology("I1a-2")).when(BLUE, CommitTechnology("I1a-1"))


def units_lost(sentence: Given) -> list[tuple[int, str]]:
    """The units that went back to the player boards, and whose they are."""
    return [(fact.seat, fact.unit) for fact in told(sentence, UnitReturned)]


@pytest.mark.rule("err.01", "err.03", "step4.draw-defenders", "step2.value")
@pytest.mark.parametrize(
    ("erratum", "totals", "lost"),
    [
        ("", (11, 11), [(RED, "fleet"), (BLUE, "agent")]),
        ("err.01", (11, 11), [(RED, "fleet")]),
        ("err.03", (11, 12), [(RED, "fleet")]),
    ],
)
def test_v17a_a_draw_under_err_01_and_a_victory_under_err_03(erratum, totals, lost):
    sentence = raze(**({"overlay": alone(erratum)} if erratum else {}))
    compared = told(sentence, Compared)[0]
    assert (compared.attack, compared.defense) == totals
    assert compared.winner == (BLUE if erratum == "err.03" else None)
    assert units_lost(sentence) == lost


@pytest.mark.rule("err.01", "err.05", "step4.draw-defenders", "cost.takeover")
@pytest.mark.parametrize(
    ("overlay", "cost", "agents"), [(None, 4, [""]), ("err.01", 4, ["S4a"]), ("err.05", 6, [""])]
)
def test_v14b_leverage_ends_in_a_draw(overlay, cost, agents):
    spot = leverage(**({"overlay": alone(overlay)} if overlay else {})).caps(9, 9, 9, 9)
    spot.hand(YELLOW, "I1a-3").hand(BLUE, "P1a-1")  # 7 + I 3 against 5 + P 5
    sentence = spot.turn(YELLOW, "subvert").given()
    sentence.when(YELLOW, StartConflict("subvert.industrial-political"))
    sentence.when(YELLOW, Declare(BLUE, "S4a", origin="S2b"))
    assert sentence.state.contest.cost == cost
    sentence.holds("caps", seat_2=9 - cost)
    while not told(sentence, Compared):
        sentence.when(*committing(sentence))
    compared = told(sentence, Compared)[0]
    assert (compared.attack, compared.defense, compared.winner) == (10, 10, None)
    assert sentence.state.houses[BLUE].agents[:1] == agents
    assert sentence.state.houses[BLUE].embassies == ["S4a", "S5d", "S4d"]


def committing(sentence: Given) -> tuple[int, CommitTechnology]:
    """The next of both sides commits its only card."""
    seat = sentence.match.asked()[0]
    return seat, CommitTechnology(sentence.state.houses[seat].hand[0])


# --- prices and order -----------------------------------------------------------------------------


@pytest.mark.rule("err.06", "move.agent-cost")
@pytest.mark.parametrize(("overlay", "cost"), [(None, 2), ("err.06", 1)])
def test_v10_an_agent_that_crosses_a_border_pays(overlay, cost):
    spot = position(4, **({"overlay": alone(overlay)} if overlay else {})).home(BLUE, "S1d")
    spot.tile("S2a", political=1, faction="orange").has(BLUE, agents=["S1d"], embassies=["S1d"])
    sentence = spot.caps(0, 9).turn(BLUE, "politicize").given()
    sentence.when(BLUE, StartConflict("politicize.infiltrate"))
    sentence.when(BLUE, MoveUnit("agent", 0, ("S2a",))).holds("caps", seat_1=9 - cost)


@pytest.mark.rule("err.04", "card.martialize", "card.subvert", "card.discover", "action.order")
def test_err_04_the_order_of_three_cards_moves_and_v06_stays():
    cards = ("discover", "martialize", "subvert", "assault")
    orders = []
    for name in ("err.03", "err.04"):
        spot = edition(name).at(2).doing(ActionPhase(3))
        committed(spot.given(), *cards)
        orders.append([order_number(spot.galaxy, seat) for seat in range(4)])
    assert orders == [[4, 2, 3, 1], [5, 3, 4, 1]]
    example = Position(5, Terms(RULES, "err.04")).at(2).doing(ActionPhase(3)).given()
    committed(example, *EXAMPLE).asks(1).when(1, EndTurn()).asks(0, key="r2/p3/tie/2")


@pytest.mark.rule("step4.draw-defenders", "cost.takeover", "move.agent-cost")
def test_an_edition_says_what_its_correction_says():
    names = ("cost.takeover", "move.agent-border")
    found = {
        one: [figure(edition(one).galaxy, name) for name in names]
        for one in ("err.04", "err.05", "err.06")
    }
    assert found == {"err.04": [2, 2], "err.05": [3, 2], "err.06": [3, 1]}
    assert FATES.of(edition("err.01").galaxy)["draw.defending-units"].fate == "survive"
