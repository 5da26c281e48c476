"""The worked examples of the book, V01 to V23, in their own numbers.

Each is shown by the tests whose names begin with its number: most of them stand with the chapter
that they are about, the rest here. The examples number no V18. V14a, V14b, V15a, V15b, V16b and
V17a are ends of V14 to V17 that the corrections speak of without writing them out; their cards are
ours. X04, an agent that crosses one border and two, is in test_moving.py.
"""

from __future__ import annotations

import pytest

from ledger.games.hegemonic.actions.advancing import Advance, DiscardOrAdvance
from ledger.games.hegemonic.actions.building import FinishBuild, PlaceEmbassy, StartBuild
from ledger.games.hegemonic.actions.choosing import CommitCard
from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.facts import ContestBegun
from ledger.games.hegemonic.conflicts.moving import MoveUnit
from ledger.games.hegemonic.conflicts.power import base_power, of_fleets
from ledger.games.hegemonic.conflicts.sequence import StartConflict
from ledger.games.hegemonic.conflicts.starting_power import StartingPowerCounted
from ledger.games.hegemonic.map.reach import Distance
from ledger.games.hegemonic.rounds.ending import DeclareWinners, WinnersDeclared
from ledger.games.hegemonic.setup.homes import PlaceFirstTile
from ledger.games.hegemonic.state.components import MARTIAL
from ledger.games.hegemonic.state.tracks import Cost, Income, Retention, Tier
from ledger.parts.battle import total
from services.run.settings import ROOT
from tests.ledger.games.hegemonic.rounds.test_tracks import TYPES, board
from tests.support.given import Given
from tests.support.hegemonic.conflicts import (
    BLUE,
    INVADE,
    LEVERAGE,
    RED,
    SABOTAGE,
    SIEGE,
    YELLOW,
    draws,
    fight,
    invasion,
    leverage,
    powers,
    sabotage,
    siege,
    the,
)
from tests.support.hegemonic.positions import expanded, position, set_up, settled, told
from tests.support.rulebook.paragraphs import Game

WRITTEN_OUT = (*range(1, 18), *range(19, 24))
ENDS = ("v14a", "v14b", "v15a", "v15b", "v16b", "v17a")


def test_each_example_is_shown_by_a_test_that_names_its_rules():
    tests = {test.partition("::")[2] for each in Game(ROOT, "hegemonic").marked().values()
             for test in each}  # fmt: skip
    shown = {name.split("_")[1] for name in tests}
    assert [number for number in WRITTEN_OUT if f"v{number:02}" not in shown] == []
    assert [name for name in ENDS if name not in shown] == []


# --- boards, cards, tiles -------------------------------------------------------------------------


@pytest.mark.rule("board.retention")
def test_v01_the_limit_comes_from_the_outposts():
    alone = [board(3, 0, 0), board(0, 4, 0), board(0, 0, 8)]
    assert [Retention.limit(spot.galaxy, 0) for spot in alone] == [11, 9, 4]


@pytest.mark.rule("setup.home-bases", "collection.income")
def test_v02_after_the_setup():
    sentence = set_up(4)
    for seat in range(4):
        galaxy = sentence.holds("caps", **{f"seat_{seat}": 6}).state
        assert [galaxy.houses[seat].built(type_) for type_ in TYPES] == [1, 1, 1]
        assert [Income.of(galaxy, seat, type_) for type_ in TYPES] == [2, 2, 2]
        assert Retention.limit(galaxy, seat) == 12
        assert [Tier.of(galaxy, seat, type_) for type_ in TYPES] == [1, 1, 1]
        assert [Cost.of_next(galaxy, seat, type_) for type_ in TYPES] == [2, 3, 2]


@pytest.mark.rule("setup.tech-deck", "action.choose")
def test_v04_three_players_hold_five_technology_cards_and_six_action_cards():
    sentence = expanded(3)
    assert [len(one.hand) for one in sentence.state.houses] == [5, 5, 5]
    for seat in range(3):
        cards = [one.card for one in sentence.match.options(seat) if isinstance(one, CommitCard)]
        assert sorted(cards) == [
            "assault", "discover", "industrialize", "martialize", "politicize", "subvert",
        ]  # fmt: skip


@pytest.mark.rule("tech.emergent-economics", "advance.tier-by-tech")
def test_v05_the_limit_rises_by_six():
    spot = position(2).hand(0, "I3b-1").advanced(0, "I2b-1").caps(6)
    spot.has(0, complexes={"S1a": 1})
    before = Retention.limit(spot.galaxy, 0)
    sentence = spot.doing(DiscardOrAdvance(0, "x")).given().when(0, Advance("I3b-1"))
    assert Retention.limit(sentence.state, 0) == before + 6 == 18
    sentence.holds("caps", seat_0=0)


@pytest.mark.rule("power.complex", "power.embassy", "power.home-embassy", "power.outpost")
@pytest.mark.rule("power.fleet", "power.gate")
def test_v08_every_figure_of_the_example():
    spot = position(4).home(RED, "S1d").tile("S2a", "S2b", "S2c", industrial=3)
    for figure, sector in enumerate(("S3a", "S3b", "S3c"), 1):
        spot.tile(sector, faction="orange", political=figure).has(RED, embassies=[sector])
    spot.has(RED, complexes={"S2a": 1, "S2b": 2, "S2c": 3}, embassies=["S1d"])
    spot.has(RED, outposts={"S4a": 1, "S4b": 2, "S4c": 3}, fleets=["S1d"])
    spot.has(BLUE, complexes={"S2b": 1}, gates=[("S2a", "S2d")])

    def power(seat: int, type_: str, *sectors: str) -> list[int]:
        return [base_power(spot.galaxy, seat, type_, sector) for sector in sectors]

    assert power(RED, "industrial", "S2a", "S2b", "S2c") == [1, 2, 3]
    assert power(BLUE, "industrial", "S2b") == [1], "those of two players do not add up"
    assert power(RED, "political", "S3a", "S3b", "S3c", "S1d") == [1, 2, 3, 0]
    assert power(RED, "martial", "S4a", "S4b", "S4c") == [1, 2, 3]
    assert power(BLUE, "industrial", "S2a", "S2d") == [0, 0], "gates"
    assert Tier.of(spot.galaxy, RED, MARTIAL) == 2
    assert total(of_fleets(spot.galaxy, RED, (0,), "S1d", "")) == 2


@pytest.mark.rule("setup.first-tile")
def test_v09_no_sector_of_the_core_is_next_to_that_home():
    sentence = settled(4)
    (tile, _) = sentence.state.houses[0].tiles
    for sector in ("K1", "K2", "K3", "K4", "K5", "K6"):
        sentence.when(0, PlaceFirstTile(tile, sector)).refused("not_beside_home", sector=sector)


# --- distances ------------------------------------------------------------------------------------


@pytest.mark.rule("range.metric")
@pytest.mark.parametrize(
    "way",
    [
        # V10 A, B, C, D
        ("S1d", "S2a", 2), ("S2a", "S2b", 1), ("S2a", "S2d", 1),
        # V11 A-B, B-C, C-D, B-D
        ("S4d", "S4b", 1), ("S4b", "K6", 2), ("K6", "S6a", 1), ("S4b", "S6a", 3),
        # V12 A-B, B-C, C-D, B-D
        ("S1d", "S1b", 1), ("S1b", "K3", 2), ("K3", "K4", 1), ("S1b", "K4", 3),
        # V14 without the gate
        ("S2b", "S4a", 3),
        # V15 from A
        ("S3d", "S3b", 1), ("S3d", "S4a", 2), ("S3d", "S1d", 5),
        # V16 A-B, and each at distance 1 of B
        ("S5d", "S6a", 2), ("S6a", "S6b", 1), ("S6a", "S6d", 1), ("S6a", "K6", 1),
        # V17 A-B, B-C, A-C, B-D
        ("S4e", "S4b", 1), ("S4b", "S3b", 2), ("S4e", "S3b", 3), ("S4b", "K4", 1),
    ],
    ids=str,
)  # fmt: skip
def test_v10_to_v17_lie_as_the_examples_say(way: tuple[str, str, int]):
    start, end, distance = way
    assert Distance.of(position(4).galaxy, start, end) == distance


# --- actions --------------------------------------------------------------------------------------


@pytest.mark.rule("build.any-quantity", "build.chain", "move.agent-cost")
def test_v10_in_one_action_for_fourteen_and_the_move_for_two():
    spot = position(4).home(BLUE, "S1d").tile("S2a", "S2b", "S2d", faction="green", political=1)
    spot.has(BLUE, embassies=["S1d"], agents=["S1d"]).caps(0, 16).turn(BLUE, "politicize")
    sentence = spot.given()
    sentence.when(BLUE, StartBuild()).when(BLUE, PlaceEmbassy("S2a"))
    sentence.refused("out_of_range", "build.range", sector="S2a")
    sentence = spot.turn(BLUE, "politicize").given()
    sentence.when(BLUE, StartConflict("politicize.infiltrate"))
    sentence.when(BLUE, MoveUnit("agent", 0, ("S2a",))).holds("caps", seat_1=14)
    assert sentence.state.turn.used == 1
    sentence.when(BLUE, StartBuild())
    left = []
    for sector in ("S2a", "S2b", "S2d"):
        sentence.when(BLUE, PlaceEmbassy(sector))
        left.append(sentence.state.accounts.balance("caps", "seat.1"))
    assert left == [11, 7, 3]
    sentence.when(BLUE, FinishBuild())
    assert sentence.state.houses[BLUE].built("political") == 4


@pytest.mark.rule("target.bases-and-units", "target.units-only", "target.never-attack")
def test_v13_the_sets_of_targets_that_are_legal():
    def targets(pattern: str, *, embassy: bool = True) -> tuple[str, int, tuple[int, ...]]:
        spot = position(4).home(RED, "S1d").home(BLUE, "S3d").tile("S2a", political=2)
        spot.has(RED, agents=["S2a"], fleets=["S2a"])
        spot.has(BLUE, embassies=["S2a"] if embassy else [], agents=["S2a"], fleets=["S2a"])
        sentence = spot.caps(9).turn(RED, "assault").given().when(RED, StartConflict(pattern))
        for some in ((0,), (1,), (0, 1)):
            alone = Declare(BLUE, "S2a", units=(0,), targets=some)
            sentence.when(RED, alone).refused("whole_group")
        sentence.when(RED, Declare(BLUE, "S2a", units=(0,)))
        side = the(sentence, ContestBegun).defender
        return side.type, side.bases, side.units

    assert targets("assault.sabotage-martial") == ("martial", 0, (0,))
    assert targets("assault.raze-political") == ("political", 1, (0,))
    assert targets("assault.raze-political", embassy=False) == ("political", 0, (0,))


# --- conflicts ------------------------------------------------------------------------------------


def counted(sentence: Given, seat: int) -> list[tuple[str, int, int]]:
    """Where a side's power comes from, how far away that is, and how much it is."""
    (fact,) = (one for one in told(sentence, StartingPowerCounted) if one.seat == seat)
    return [(one.sector, one.distance, one.amount) for one in fact.contributions]


@pytest.mark.rule("step1.complex", "step1.embassy", "cost.takeover")
def test_v14_in_all_its_figures():
    sentence = fight(leverage().hand(YELLOW, "I1a-1", "I1b-1"), LEVERAGE)
    assert Distance.of(sentence.state, "S2b", "S4a") == 1
    assert powers(sentence) == (3 + 4, 4 + 1)
    assert counted(sentence, YELLOW) == [
        ("S2b", 0, 3), ("S4a", 1, 1), ("S2a", 1, 2), ("S2d", 1, 1),
    ]  # fmt: skip
    assert counted(sentence, BLUE) == [("S4a", 0, 2), ("S5d", 0, 2), ("S4a", 0, 1)]
    sentence.holds("caps", seat_2=9 - 2 * 2)


@pytest.mark.rule("step1.agent", "step1.outpost", "cost.destroy")
def test_v15_in_all_its_figures():
    spot = sabotage().hand(BLUE, "P1a-1", "P1b-1")
    assert spot.galaxy.houses[RED].built(MARTIAL) == 7
    assert Tier.of(spot.galaxy, RED, MARTIAL) == 2
    sentence = draws(fight(spot, SABOTAGE), BLUE, "orange")
    assert powers(sentence) == (1 + 7, 3 + 2 + 1 + 2)
    sentence.holds("caps", seat_1=9 - 3)


@pytest.mark.rule("step1.fleet", "step1.complex", "cost.takeover", "cost.plus-movement")
def test_v16_in_all_its_figures():
    spot = invasion().hand(RED, "M1a-1", "M1b-1")
    assert spot.galaxy.houses[RED].built(MARTIAL) == 8
    assert Tier.of(spot.galaxy, RED, MARTIAL) == 2
    sentence = draws(fight(spot, INVADE, "S5d"), RED, "S6a")
    assert powers(sentence) == (2 + 9, 2 + 6)
    assert counted(sentence, RED) == [
        ("S5d", 0, 2), ("S6a", 0, 3), ("S6b", 1, 2), ("S6d", 1, 1), ("K6", 1, 1), ("S6a", 0, 2),
    ]  # fmt: skip
    assert counted(sentence, YELLOW) == [
        ("S5d", 0, 2), ("S5b", 1, 3), ("S5a", 1, 2), ("S5e", 1, 1),
    ]  # fmt: skip
    sentence.holds("caps", seat_0=9 - 4 - 1)


@pytest.mark.rule("step1.fleet", "step1.agent", "step2.value", "cost.units-free")
def test_v17_in_all_its_figures():
    spot = siege().hand(RED, "M1a-1", "M1b-1")
    assert Tier.of(spot.galaxy, RED, MARTIAL) == 2
    sentence = draws(fight(spot, SIEGE, "S4e"), RED, "S4b")
    assert powers(sentence)[0] == 2 + (2 + 3 + 1)
    draws(sentence, BLUE, "orange").holds("caps", seat_0=9 - 1)
    assert powers(sentence)[1] == 1 + 5


# --- the end --------------------------------------------------------------------------------------


@pytest.mark.rule("end.tiebreak", "end.winner")
def test_v22_two_players_with_equal_points_and_incomes_of_16_and_15():
    spot = position(2)
    for seat, figures in enumerate(((3, 4, 8), (3, 3, 8))):
        one = spot.galaxy.houses[seat]
        one.complexes["S1a"], one.outposts["S2a"] = figures[0], figures[2]
        one.embassies += ["S3a", "S3b", "S3c", "S3d"][: figures[1]]
        one.score = 30
    assert [Income.total(spot.galaxy, seat) for seat in (0, 1)] == [16, 15]
    sentence = spot.at(6).doing(DeclareWinners()).given()
    (declared,) = sentence.facts
    assert isinstance(declared, WinnersDeclared)
    assert (declared.winners, declared.scores, declared.incomes) == ((0,), (30, 30), (16, 15))
