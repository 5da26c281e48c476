"""Combat: in general, against saboteurs, and against a revolt."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from ledger.games.galactic_hegemony.actions.building import Launch
from ledger.games.galactic_hegemony.actions.combat import AttackRolled, DefenceRolled
from ledger.games.galactic_hegemony.actions.fights import (
    Attack,
    AttackBegun,
    ReserveCalled,
    SaboteurDestroyed,
    SaboteurFight,
    SpacecraftDestroyed,
    Suppress,
)
from ledger.games.galactic_hegemony.actions.spacecraft import Move
from ledger.games.galactic_hegemony.phases.revolt import MoraleSet, RevoltEnded
from ledger.games.galactic_hegemony.state.board import Fight
from ledger.kernel.accounts import Transferred
from ledger.kernel.chance import Roll
from ledger.kernel.records import CHANCE
from tests.support.galactic_hegemony.positions import (
    HOME,
    acting,
    colony,
    house,
    shown,
    table,
    told,
)
from tests.support.given import Given, given

WHERE = (2, 2)  # no planet lies there


def fighting(ships: int, *saboteurs: int, **rest) -> Given:
    there = dict.fromkeys(saboteurs, WHERE)
    return acting(colony(1, 1, "S"), ships=[WHERE] * ships, saboteurs=there, **rest)


@pytest.mark.rule(
    "combat.compare", "combat.win", "combat.tie-loses", "combat.stop-pairs", "combat.again",
    "sabfight.cost", "sabfight.continue", "sabfight.win", "sabfight.lose",
)  # fmt: skip
def test_v01_text_example_saboteurs():
    sentence = fighting(2, 1, 2, stock=3).when(0, Attack(WHERE, 2))
    sentence.then(AttackBegun(WHERE, 2, 2)).asks(CHANCE, key="fight/2/2,2/1/A")
    sentence.rolled(6, 4, 2).then(AttackRolled((6, 4, 2))).asks(CHANCE, key="fight/2/2,2/1/D")
    sentence.rolled(5, 4).then(
        DefenceRolled((5, 4)), SaboteurDestroyed(1), SpacecraftDestroyed(WHERE)
    )
    sentence.when(0, Attack(WHERE, 2)).refused("bad_commitment", "sabfight.commit", spacecraft=1)
    sentence.when(0, Attack(WHERE, 1)).rolled(6, 2).rolled(2)
    sentence.then(DefenceRolled((2,)), SaboteurDestroyed(2))
    assert (sentence.state.spacecraft, sentence.state.active()) == ([WHERE], [])
    assert sentence.state.stock == 3


@pytest.mark.rule("combat.roll", "combat.compare")
def test_dice_are_ranked_before_they_are_compared():
    sentence = fighting(2, 1, 2).when(0, Attack(WHERE, 2)).rolled(2, 6, 4).rolled(3, 5)
    sentence.then(DefenceRolled((5, 3)), SaboteurDestroyed(1), SaboteurDestroyed(2))


@pytest.mark.rule("sabfight.attack-dice", "sabfight.defence-dice")
@pytest.mark.parametrize(("ships", "commit", "saboteurs"), [(1, 1, 1), (4, 4, 3), (4, 2, 2)])
def test_a_die_for_each_spacecraft_committed_and_one_more_against_one_for_each_saboteur(
    ships: int, commit: int, saboteurs: int
):
    sentence = fighting(ships, *range(1, saboteurs + 1)).when(0, Attack(WHERE, commit))
    assert sentence.match.chance().wish(sentence.state) == Roll(sides=6, count=commit + 1)
    sentence.rolled(*[1] * (commit + 1))
    assert sentence.match.chance().wish(sentence.state) == Roll(sides=6, count=saboteurs)


@pytest.mark.rule("sabfight.where")
def test_an_attack_needs_a_saboteur_and_spacecraft_on_one_hex_planet_or_not():
    sentence = acting(colony(1), ships=[HOME, WHERE], saboteurs={1: HOME, 2: (5, 5)})
    sentence.when(0, Attack(WHERE, 1)).refused("no_saboteur", "sabfight.where", hex=WHERE)
    sentence.when(0, Attack((5, 5), 1)).refused("bad_commitment", "sabfight.commit", spacecraft=0)
    sentence.when(0, Attack(HOME, 1)).asks(CHANCE)


@pytest.mark.rule("sabfight.commit")
@pytest.mark.parametrize("commit", [-1, 0, 3])
def test_at_least_one_is_committed_and_no_more_than_are_there(commit: int):
    fighting(2, 1).when(0, Attack(WHERE, commit)).refused(
        "bad_commitment", "sabfight.commit", commit=commit, spacecraft=2
    )


@pytest.mark.rule("sabfight.commit", "sabfight.lose", "combat.tie-loses")
def test_v25_holding_back():
    sentence = fighting(3, 1).when(0, Attack(WHERE, 1)).rolled(2, 1).rolled(5)
    assert sentence.state.spacecraft == [WHERE, WHERE]
    assert len(sentence.state.active()) == 1


@pytest.mark.rule("combat.stop-ships")
def test_the_fight_stops_when_all_that_were_committed_are_destroyed():
    sentence = fighting(3, 1, 2).when(0, Attack(WHERE, 1)).rolled(2, 1).rolled(5, 4)
    sentence.then(DefenceRolled((5, 4)), SpacecraftDestroyed(WHERE))
    overlay = house(stop_committed="all-on-hex")
    on = fighting(3, 1, 2, overlay=overlay).when(0, Attack(WHERE, 1)).rolled(2, 1).rolled(5, 4)
    assert told(on, SpacecraftDestroyed) == [SpacecraftDestroyed(WHERE)] * 2


@pytest.mark.rule("combat.stop-defenders", "combat.stop-pairs")
def test_the_fight_stops_when_no_defender_is_left_and_surplus_dice_do_nothing():
    sentence = fighting(4, 1).when(0, Attack(WHERE, 4)).rolled(6, 1, 1, 1, 1).rolled(5)
    sentence.then(DefenceRolled((5,)), SaboteurDestroyed(1))
    assert len(sentence.state.spacecraft) == 4


@pytest.mark.rule("sabfight.commit", "combat.again")
def test_how_many_are_committed_is_chosen_afresh_each_round():
    sentence = fighting(3, 1).when(0, Attack(WHERE, 1)).rolled(1, 1).rolled(6)
    sentence.when(0, Attack(WHERE, 2)).asks(CHANCE)


@pytest.mark.rule("sabfight.commit")
def test_read_as_fixed_what_is_left_of_the_attack_goes_on():
    overlay = house(commit_per_round="fixed")
    sentence = fighting(3, 1, 2, overlay=overlay).when(0, Attack(WHERE, 2))
    sentence.rolled(6, 1, 1).rolled(5, 5)  # one of each is lost, one of the attackers is left
    sentence.when(0, Attack(WHERE, 2)).refused("commitment_fixed", "sabfight.commit", left=1)
    options = [one for one in sentence.match.options(0) if isinstance(one, Attack)]
    assert options == [Attack(WHERE, 1)]
    sentence.when(0, Move(WHERE, (2, 3))).when(0, Move((2, 3), WHERE))
    sentence.when(0, Attack(WHERE, 2)).asks(CHANCE)


@pytest.mark.rule("sabfight.win")
def test_of_several_the_lowest_number_is_destroyed_or_the_highest():
    lowest = fighting(1, 2, 3).when(0, Attack(WHERE, 1)).rolled(6, 1).rolled(2, 1)
    assert told(lowest, SaboteurDestroyed) == [SaboteurDestroyed(2)]
    overlay = house(saboteur_identity="highest")
    highest = fighting(1, 1, 2, 3, overlay=overlay).when(0, Attack(WHERE, 1))
    highest.rolled(6, 1).rolled(2, 1, 1)
    assert told(highest, SaboteurDestroyed) == [SaboteurDestroyed(3)]


@pytest.mark.rule("sabfight.ship-back", "ship.limit")
def test_v26_spacecraft_limit():
    sentence = fighting(4, 1, stock=9)
    sentence.when(0, Launch(1)).refused("too_many_spacecraft", "ship.limit", spacecraft=4, most=4)
    sentence.when(0, Attack(WHERE, 1)).rolled(1, 1).rolled(6)
    sentence.when(0, Launch(1))
    assert (len(sentence.state.spacecraft), sentence.state.stock) == (4, 6)


@pytest.mark.rule("setup.saboteurs-aside")
def test_the_fourth_token_stays_aside_unless_it_is_read_as_a_reserve():
    sentence = fighting(1, 1, 2, 3).when(0, Attack(WHERE, 1)).rolled(6, 5).rolled(1, 1, 1)
    assert told(sentence, ReserveCalled) == []
    overlay = house(fourth_token="reserve")
    called = fighting(1, 1, 2, 3, overlay=overlay).when(0, Attack(WHERE, 1)).rolled(6, 5)
    called.rolled(1, 1, 1)
    assert told(called, ReserveCalled) == [ReserveCalled(4)], "there is one in reserve, not two"
    assert [one.number for one in called.state.active()] == [3, 4]


# --- the odds -------------------------------------------------------------------------------------


def outcomes(ships: int, saboteurs: int) -> Counter[tuple[int, int]]:
    """How all rolls of one round end: (spacecraft lost, saboteurs lost)."""
    found: Counter[tuple[int, int]] = Counter()
    attacks = Counter(tuple(sorted(dice)) for dice in product(range(1, 7), repeat=ships + 1))
    defences = Counter(tuple(sorted(dice)) for dice in product(range(1, 7), repeat=saboteurs))
    for (attack, times), (defence, others) in product(attacks.items(), defences.items()):
        there = dict.fromkeys(range(1, saboteurs + 1), WHERE)
        agenda = [SaboteurFight(attack, defence, WHERE)]
        match = table(colony(1), ships=[WHERE] * ships, saboteurs=there, agenda=agenda)
        match.state.fight = Fight(WHERE, ships)
        board = given(match).state
        found[ships - len(board.spacecraft), saboteurs - len(board.active())] += times * others
    return found


@pytest.mark.rule("combat.win", "combat.compare")
def test_v40_odds_saboteurs():
    one = outcomes(1, 1)
    assert (one[0, 1], one.total()) == (125, 216)
    two = outcomes(2, 2)
    assert two.total() == 6**5
    shares = {ended: round(times / two.total(), 3) for ended, times in two.items()}
    assert shares == {(0, 2): 0.372, (1, 1): 0.336, (2, 0): 0.293}


# --- military action ------------------------------------------------------------------------------


def revolting(morale: int, **rest) -> Given:
    rest.setdefault("ships", [HOME])
    return acting(colony(1, morale), colony(2), **rest)


def paid() -> Transferred:
    return Transferred("resources", "stockpile", "bank", 1, "military.cost")


@pytest.mark.rule(
    "military.cost", "military.win", "military.lose", "military.success", "military.again",
    "military.revolt-dice", "combat.tie-loses", "revolt.leave-token",
)  # fmt: skip
def test_v02_text_example_military():
    sentence = revolting(-2, stock=5)
    size = sentence.state.size()
    sentence.when(0, Suppress(1)).rolled(6, 4, 2).rolled(5, 4)
    assert told(sentence, MoraleSet) == [MoraleSet(1, -1)]
    sentence.when(0, Suppress(1)).rolled(5, 4, 2).rolled(2)
    sentence.then(DefenceRolled((2,)), MoraleSet(1, 0), RevoltEnded(1))
    assert (sentence.state.size(), sentence.state.stock) == (size + 1, 3)
    sentence.when(0, Suppress(1)).refused("not_in_revolt", "military.where", planet=1)


@pytest.mark.rule("military.win", "military.success")
def test_v22_two_wins():
    sentence = revolting(-2, stock=2).when(0, Suppress(1)).rolled(6, 6, 1).rolled(5, 5)
    sentence.then(DefenceRolled((5, 5)), MoraleSet(1, -1), MoraleSet(1, 0), RevoltEnded(1))
    assert sentence.state.stock == 1


@pytest.mark.rule("military.revolt-dice", "military.again")
def test_v23_from_minus_3():
    sentence = revolting(-3, stock=2).when(0, Suppress(1)).rolled(6, 6, 1).rolled(5, 5)
    assert shown(sentence, 1)[0] == -1
    sentence.when(0, Suppress(1)).rolled(4, 3, 1)
    assert sentence.match.chance().wish(sentence.state) == Roll(sides=6, count=1)
    sentence.rolled(4).then(DefenceRolled((4,)))
    assert (shown(sentence, 1)[0], sentence.state.stock) == (-1, 0)


@pytest.mark.rule("military.attack-dice")
@pytest.mark.parametrize("ships", [1, 4])
def test_three_dice_attack_however_many_spacecraft_there_are(ships: int):
    sentence = revolting(-1, ships=[HOME] * ships).when(0, Suppress(1))
    assert sentence.match.chance().wish(sentence.state) == Roll(sides=6, count=3)


@pytest.mark.rule("military.revolt-dice")
@pytest.mark.parametrize(("morale", "dice"), [(-1, 1), (-2, 2), (-3, 2)])
def test_a_revolt_has_one_die_at_minus_1_and_else_two(morale: int, dice: int):
    sentence = revolting(morale).when(0, Suppress(1)).rolled(1, 1, 1)
    assert sentence.match.chance().wish(sentence.state) == Roll(sides=6, count=dice)


@pytest.mark.rule("military.where", "action.orbit")
def test_military_action_needs_a_revolt_and_a_spacecraft_in_orbit():
    sentence = revolting(-1, ships=[(3, 6)])
    sentence.when(0, Suppress(1)).refused("not_in_orbit", "action.orbit", planet=1)
    sentence.when(0, Suppress(2)).refused("not_in_revolt", "military.where", planet=2)
    sentence.when(0, Suppress(7)).refused("not_in_revolt", "military.where", planet=7)


@pytest.mark.rule("military.saboteur-bar")
def test_a_saboteur_there_must_be_destroyed_first():
    sentence = revolting(-1, saboteurs={1: HOME})
    sentence.when(0, Suppress(1)).refused("saboteur_in_orbit", "military.saboteur-bar", planet=1)
    sentence.when(0, Attack(HOME, 1)).rolled(6, 6).rolled(1).when(0, Suppress(1)).asks(CHANCE)


@pytest.mark.rule("military.lose")
def test_a_lost_pair_costs_no_spacecraft_unless_it_is_read_so():
    safe = revolting(-2).when(0, Suppress(1)).rolled(1, 1, 1).rolled(6, 6)
    assert safe.state.spacecraft == [HOME]
    overlay = house(military_spacecraft="lost")
    lost = revolting(-2, overlay=overlay).when(0, Suppress(1)).rolled(1, 1, 1).rolled(6, 6)
    lost.then(DefenceRolled((6, 6)), SpacecraftDestroyed(HOME))
    assert lost.state.spacecraft == [], "with none left the second pair is not compared"


@pytest.mark.rule("military.revolt-dice")
def test_read_as_the_dice_fall_the_second_drops_out_at_minus_1():
    overlay = house(military_dice_fixed="as-it-falls")
    sentence = revolting(-2, overlay=overlay).when(0, Suppress(1)).rolled(6, 6, 1).rolled(5, 5)
    assert shown(sentence, 1)[0] == -1
    from_below = revolting(-3, overlay=overlay).when(0, Suppress(1)).rolled(6, 6, 1).rolled(5, 5)
    assert shown(from_below, 1)[0] == -1


def test_a_fight_is_counted_by_whom_it_is_against():
    """A fight that an erratum makes impossible moves only the dice of the same foe."""
    sentence = revolting(-1, ships=[HOME, WHERE], saboteurs={1: WHERE}, stock=4)
    sentence.when(0, Suppress(1)).asks(CHANCE, key="fight/2/p1/1/A").rolled(1, 1, 1).rolled(6)
    sentence.when(0, Attack(WHERE, 1)).asks(CHANCE, key="fight/2/2,2/1/A").rolled(1, 1).rolled(6)
    sentence.when(0, Suppress(1)).asks(CHANCE, key="fight/2/p1/2/A")
