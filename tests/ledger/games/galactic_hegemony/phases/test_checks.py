"""Phase 3, Morale checks."""

from __future__ import annotations

import pytest

from ledger.games.galactic_hegemony.phases.checks import (
    MODIFIERS,
    BonusPutOff,
    ChecksBegun,
    MoraleChecks,
    MoraleRolled,
    MoraleTable,
    RevoltNearby,
)
from ledger.games.galactic_hegemony.phases.revolt import RevoltEnded
from ledger.games.galactic_hegemony.phases.tracks import ExcessLost, PhaseBegun
from ledger.kernel.chance import Roll
from ledger.kernel.records import CHANCE
from tests.support.galactic_hegemony.positions import (
    HOME,
    NEUTRAL,
    board_of,
    colony,
    house,
    shown,
    table,
    told,
)
from tests.support.given import Given, given

NEAR = {2: (3, 5), 3: (3, 6), 5: (4, 5), 1: (6, 10)}


def checking(*colonies, **rest) -> Given:
    rest.setdefault("overlay", NEUTRAL)
    return given(table(*colonies, agenda=[MoraleChecks()], **rest))


@pytest.mark.rule("morale.who", "morale.order")
def test_every_colony_checks_in_ascending_order_in_revolt_or_not():
    sentence = checking(colony(10), colony(2, -2), colony(9, 0))
    sentence.then(PhaseBegun(3), ChecksBegun((2,)))
    for planet in (2, 9, 10):
        sentence.asks(CHANCE, key=f"morale/2/{planet}").rolled(4, 3)
    sentence.asks()


@pytest.mark.rule("morale.roll")
def test_two_dice_are_rolled():
    sentence = checking(colony(1))
    assert sentence.match.chance().wish(sentence.state) == Roll(sides=6, count=2)


@pytest.mark.rule(
    "morale.table-minus2", "morale.table-minus1", "morale.table-zero", "morale.table-plus1"
)
@pytest.mark.parametrize("edition", ["printed", "e4"])
def test_v13_table_edges(edition: str):
    board = board_of(table(colony(1, 0), edition=edition))
    shifts = [MoraleTable.shift(board, total) for total in (4, 5, 6, 7, 10, 11, -1, 16)]
    assert shifts == [-2, -1, -1, 0, 0 if edition == "printed" else 1, 1, -2, 1]


@pytest.mark.rule("morale.roll", "morale.table-minus1", "morale.table-plus1")
@pytest.mark.parametrize(("dice", "after"), [((1, 3), -2), ((2, 3), -1), ((5, 5), 0), ((6, 5), 1)])
def test_the_total_moves_the_token(dice: tuple[int, int], after: int):
    assert shown(checking(colony(2, 0)).rolled(*dice), 2)[0] == after


@pytest.mark.rule("morale.sequential", "morale.order", "morale.enter-revolt")
def test_v14_sequence_of_checks():
    sentence = checking(colony(2, 0), colony(3, 0), colony(5, 0), at=NEAR)
    sentence.rolled(4, 4).then(MoraleRolled(2, (4, 4), 0, 0))
    sentence.rolled(3, 3)
    assert (shown(sentence, 3)[0], sentence.state.size()) == (-1, 2)
    sentence.rolled(4, 3)
    assert told(sentence, MoraleRolled) == [MoraleRolled(5, (4, 3), -1, -1)]
    assert shown(sentence, 5)[0] == -1


@pytest.mark.rule("morale.sequential")
def test_read_as_simultaneous_the_revolts_at_the_beginning_count_for_all():
    overlay = {**NEUTRAL, **house(morale_sequential="simultaneous")}
    sentence = checking(colony(2, 0), colony(3, 0), colony(5, 0), at=NEAR, overlay=overlay)
    sentence.rolled(4, 4).rolled(3, 3).rolled(4, 3).then(MoraleRolled(5, (4, 3), 0, 0))
    assert shown(sentence, 5)[0] == 0


@pytest.mark.rule("morale.leave-revolt", "revolt.leave-hegemony")
def test_v16_out_by_a_check():
    # The planet itself is in revolt: 12 with its own -1 is a total of 11.
    sentence = checking(colony(2, -1), colony(1), colony(3), stock=4)
    sentence.rolled(4, 4).rolled(6, 6)
    assert told(sentence, RevoltEnded) == [RevoltEnded(2)]
    assert shown(sentence, 2)[0] == 0
    assert (sentence.state.size(), sentence.state.stock) == (3, 4)


@pytest.mark.rule("morale.clamp", "morale.bonus")
def test_v17_clamps():
    fallen = checking(colony(2, -2)).rolled(2, 2)
    assert told(fallen, MoraleRolled) == [MoraleRolled(2, (2, 2), -1, -2)]
    assert shown(fallen, 2)[0] == -3
    risen = checking(colony(2, 0), stock=2).rolled(6, 5)
    assert shown(risen, 2)[0] == 1
    assert risen.state.stock == 2


@pytest.mark.rule("morale.bonus")
def test_a_rise_at_the_highest_morale_is_a_resource():
    sentence = checking(colony(2), stock=2).rolled(6, 5)
    assert (shown(sentence, 2)[0], sentence.state.stock) == (1, 3)


@pytest.mark.rule("morale.bonus-cap")
def test_v44_a_fall_in_the_check_trims():
    sentence = checking(colony(2, 0), colony(3), stock=6)
    sentence.rolled(3, 3)
    assert (shown(sentence, 2)[0], sentence.state.size(), sentence.state.stock) == (-1, 1, 4)
    sentence.rolled(6, 6)
    assert told(sentence, ExcessLost) == [ExcessLost(1, 4)]
    assert sentence.state.stock == 4


@pytest.mark.rule("morale.bonus-cap")
def test_read_as_given_after_the_checks_the_limit_of_then_counts():
    overlay = {**NEUTRAL, **house(bonus_timing="after-checks")}
    sentence = checking(colony(2), colony(3, -1), stock=4, overlay=overlay)
    sentence.rolled(6, 5)
    assert told(sentence, BonusPutOff) == [BonusPutOff(2)]
    assert sentence.state.stock == 4
    sentence.rolled(6, 6)  # it comes out of revolt: size 2, limit 6
    assert (sentence.state.stock, sentence.state.bonus_due) == (5, 0)
    at_once = checking(colony(2), colony(3, -1), stock=4).rolled(6, 5).rolled(6, 6)
    assert at_once.state.stock == 4


# --- modifiers ------------------------------------------------------------------------------------


def modifiers(planet: int, *colonies, **rest) -> list[int]:
    board = board_of(table(*colonies, **rest))
    return [kind.of(board, planet) for kind in MODIFIERS]


@pytest.mark.rule("morale.mod-special", "card.special-modifier")
@pytest.mark.parametrize(("planet", "special"), [(1, 1), (6, -2), (8, 2), (3, 0)])
def test_the_card_s_own_modifier(planet: int, special: int):
    assert modifiers(planet, colony(planet)) == [special, 0, 0, 0]


@pytest.mark.rule("morale.mod-civil")
def test_civil_counts_in_revolt_too():
    assert modifiers(3, colony(3, 1, "C")) == [0, 0, 1, 0]
    assert modifiers(3, colony(3, -1, "C")) == [0, -1, 1, 0]


@pytest.mark.rule("morale.mod-spacecraft")
def test_each_spacecraft_in_orbit_counts():
    assert modifiers(3, colony(3), ships=[(1, 4), (1, 4), (1, 5)]) == [0, 0, 0, 2]


@pytest.mark.rule("morale.mod-revolt", "map.distance")
def test_each_planet_in_revolt_within_two_hexes_counts_itself_included():
    colonies = (colony(1, -1), colony(2, -1), colony(3, -1), colony(4, -1))
    where = {1: HOME, 2: (3, 7), 3: (3, 8), 4: (4, 5)}
    board = board_of(table(*colonies, at={**where, 12: (1, 1)}))
    board.uneasy = (1, 2, 3, 4)
    felt = {planet: RevoltNearby.of(board, planet) for planet in where}
    assert felt == {1: -3, 2: -4, 3: -2, 4: -3}
