"""Planet actions: building infrastructure and spacecraft."""

from __future__ import annotations

import pytest

from ledger.games.galactic_hegemony.actions.building import (
    Build,
    InfrastructureBuilt,
    Launch,
    SpacecraftBuilt,
)
from ledger.games.galactic_hegemony.actions.spacecraft import Move
from ledger.kernel.accounts import Transferred
from tests.support.galactic_hegemony.positions import HOME, acting, colony, house, shown

KINDS = ("civil", "factory", "shipyard")


@pytest.mark.rule("infra.cost", "infra.kinds", "planet.not-revolt")
@pytest.mark.parametrize("kind", KINDS)
def test_any_kind_is_built_for_two_without_a_spacecraft_there(kind: str):
    sentence = acting(colony(2), stock=2).when(0, Build(2, kind))
    payment = Transferred("resources", "stockpile", "bank", 2, "infra.cost")
    sentence.then(payment, InfrastructureBuilt(2, kind))
    assert shown(sentence, 2)[1] == kind[0].upper()


@pytest.mark.rule("infra.kinds", "card.infrastructure")
def test_one_of_each_kind_in_any_order():
    sentence = acting(colony(2), stock=6)
    for kind in reversed(KINDS):
        sentence.when(0, Build(2, kind)).when(0, Build(2, kind))
        sentence.refused("already_built", "infra.kinds", planet=2, kind=kind)
    assert shown(sentence, 2)[1] == "CFS"


@pytest.mark.rule("infra.kinds", "card.infrastructure")
def test_read_otherwise_more_than_one_of_a_kind_stands_on_a_planet():
    sentence = acting(colony(2, 1, "C"), overlay=house(infra_once=False))
    sentence.when(0, Build(2, "civil"))
    assert shown(sentence, 2)[1] == "CC"


@pytest.mark.rule("infra.shipyard-limit")
def test_at_most_four_shipyards_stand_at_one_time():
    colonies = [colony(planet, 1, "S") for planet in (1, 2, 3, 4)]
    sentence = acting(*colonies, colony(5), stock=9)
    sentence.when(0, Build(5, "shipyard"))
    sentence.refused("no_token_left", "infra.shipyard-limit", kind="shipyard", standing=4)
    sentence.when(0, Build(5, "factory"))
    more = acting(*colonies, colony(5), stock=9, overlay=house(shipyard_limit="none"))
    more.when(0, Build(5, "shipyard"))
    assert shown(more, 5)[1] == "S"


@pytest.mark.rule("planet.not-revolt", "infra.cost", "ship.cost")
def test_nothing_is_built_on_a_planet_in_revolt_or_without_a_colony():
    sentence = acting(colony(1, -1, "S"), explored=[2], ships=[HOME, (1, 1)], stock=9)
    for decision in (Build(1, "civil"), Launch(1)):
        sentence.when(0, decision).refused("in_revolt", "planet.not-revolt", planet=1, morale=-1)
    for decision in (Build(2, "civil"), Launch(2)):
        sentence.when(0, decision).refused("not_colonised", "planet.not-revolt", planet=2)
    assert sentence.state.stock == 9, "and nothing is paid"


@pytest.mark.rule("infra.rebuild")
def test_what_was_lost_in_revolt_is_built_again_at_full_price():
    sentence = acting(colony(1, 0, "CF"), stock=4).when(0, Build(1, "shipyard"))
    assert (shown(sentence, 1)[1], sentence.state.stock) == ("CFS", 2)


@pytest.mark.rule("ship.where", "ship.cost", "ship.place")
def test_a_spacecraft_is_built_where_there_is_a_shipyard_and_may_act_at_once():
    sentence = acting(colony(1, 0, "S"), colony(2), stock=4)
    sentence.when(0, Launch(2)).refused("no_shipyard", "ship.where", planet=2)
    payment = Transferred("resources", "stockpile", "bank", 3, "ship.cost")
    sentence.when(0, Launch(1)).then(payment, SpacecraftBuilt(1))
    assert sentence.state.spacecraft == [HOME]
    sentence.when(0, Move(HOME, (3, 6)))
    assert sentence.state.spacecraft == [(3, 6)]


@pytest.mark.rule("ship.limit")
def test_never_more_than_four_are_in_play():
    sentence = acting(colony(1, 1, "S"), ships=[HOME] * 3, stock=9).when(0, Launch(1))
    sentence.when(0, Launch(1)).refused("too_many_spacecraft", "ship.limit", spacecraft=4, most=4)
