"""Phase 2, Revolt actions: planets in revolt lose what has been built on them."""

from __future__ import annotations

import pytest

from ledger.games.galactic_hegemony.phases.unrest import InfrastructureLost, RevoltActions
from tests.support.galactic_hegemony.positions import colony, house, shown, table, told
from tests.support.given import given


def losses(*colonies, phases: int = 1, **rest):
    return given(table(*colonies, turn=5, agenda=[RevoltActions()] * phases, **rest))


@pytest.mark.rule(
    "revolt.infrastructure-loss", "revolt.infrastructure-order", "revolt.infrastructure-none"
)
@pytest.mark.parametrize(
    ("edition", "order"),
    [("printed", ["shipyard", "factory", "civil"]), ("e2", ["factory", "shipyard", "civil"])],
)
def test_v11_loss_order(edition: str, order: list[str]):
    sentence = losses(colony(1, -1, "CFS"), phases=4, edition=edition)
    assert told(sentence, InfrastructureLost) == [InfrastructureLost(1, kind) for kind in order]
    assert shown(sentence, 1) == (-1, "")


@pytest.mark.rule("revolt.infrastructure-loss")
def test_every_planet_in_revolt_loses_one_and_no_other_does():
    sentence = losses(colony(1, -1, "CF"), colony(2, 0, "CFS"), colony(3, -3, "C"))
    lost = [InfrastructureLost(1, "factory"), InfrastructureLost(3, "civil")]
    assert told(sentence, InfrastructureLost) == lost
    assert shown(sentence, 2) == (0, "CFS")


@pytest.mark.rule("revolt.infrastructure-same-turn")
def test_a_planet_that_fell_this_turn_loses_its_first_piece_this_turn():
    sentence = losses(colony(1, -1, "S", fell=5))
    assert shown(sentence, 1) == (-1, "")


@pytest.mark.rule("revolt.infrastructure-same-turn")
@pytest.mark.parametrize(("fell", "left"), [(5, "S"), (4, "")])
def test_read_otherwise_only_from_the_next_turn_on(fell: int, left: str):
    sentence = losses(colony(1, -1, "S", fell=fell), overlay=house(loss_same_turn=False))
    assert shown(sentence, 1) == (-1, left)
