"""Reactions: gates that are saved, units and outposts that come back, agents that slip away."""

from __future__ import annotations

import itertools

import pytest

from ledger.games.hegemonic.actions.advancing import DiscardOrAdvance, Keep
from ledger.games.hegemonic.actions.piles import DiscardAdvanced
from ledger.games.hegemonic.conflicts.reactions import Decline, React, ReactionsDeclined, SaveGates
from ledger.games.hegemonic.conflicts.rescues import (
    BioAdaptiveHulls,
    PhasedTeleportation,
    PredictiveAlgorithms,
    Reacted,
    StealthFieldEmitter,
    SubliminalTelepathy,
)
from ledger.games.hegemonic.map.placing import BasePlaced, GatePlaced, UnitMoved, UnitPlaced
from ledger.games.hegemonic.state.contest import Contest, Side
from ledger.kernel.accounts import Transferred
from ledger.parts.battle import Lost
from tests.support.hegemonic.positions import Position, allowed, house, position, told

OWNER, OTHER = 1, 0
AFTER = DiscardOrAdvance(0, "after", optional=True)  # the question that comes when none reacts
HIDDEN_CAPS = house(info__caps="hidden")


def contested(
    spot: Position,
    *losses: Lost,
    sector: str = "S2a",
    type_: str = "martial",
    units: tuple[int, ...] = (),
    winner: int | None = OTHER,
    attacker: int = OTHER,
) -> Position:
    """A conflict that has been decided; this was destroyed in it."""
    attacking = Side(attacker, type_, sector, units=units)
    defending = Side(1 - attacker, type_, sector)
    contest = Contest("r2/p3/s0/a1", "assault-raze", "destroy", sector, attacking, defending)
    contest.losses, contest.winner, contest.drawn = list(losses), winner, winner is None
    spot.galaxy.contest = contest
    return spot


def reacting(spot: Position, seat: int = OWNER):
    return spot.doing(React(seat), AFTER).given()


def nobody_is_asked(sentence) -> None:
    sentence.asks(0, key="after/finish").when(0, Keep())


# --- Subliminal Telepathy, Phased Teleportation ---------------------------------------------------


def agents_lost(*numbers: int, cards: tuple[str, ...] = ("P1a-1",), **terms) -> Position:
    spot = position(2, **terms).home(OWNER, "S1d").advanced(OWNER, *cards)
    losses = [Lost(OWNER, "agent", "S2a", 1, number) for number in numbers]
    return contested(spot, *losses)


@pytest.mark.rule("tech.subliminal-telepathy")
def test_an_agent_is_built_at_home_for_one_that_was_destroyed():
    sentence = reacting(agents_lost(0).caps(0, 2)).asks(OWNER, key="r2/p3/s0/a1/react/s1/1")
    sentence.offers(OWNER, *map(SubliminalTelepathy, range(3)), Decline())
    sentence.when(OWNER, SubliminalTelepathy(3)).refused("no_such_unit")
    sentence.when(OWNER, SubliminalTelepathy(2)).then(
        Reacted(OWNER, "subliminal-telepathy", 1),
        Transferred("caps", "seat.1", "bank", 1, "tech.subliminal-telepathy"),
        UnitPlaced(OWNER, "agent", 2, "S1d"),
    )
    nobody_is_asked(sentence)


@pytest.mark.rule("tech.subliminal-telepathy", "step4.reaction-order")
def test_one_for_each_agent_lost_and_declining_ends_them_all():
    sentence = reacting(agents_lost(0, 1, 2).caps(0, 9)).when(OWNER, SubliminalTelepathy(1))
    sentence.asks(OWNER, key="r2/p3/s0/a1/react/s1/2")
    sentence.when(OWNER, SubliminalTelepathy(1)).refused("unit_placed", left=2)
    sentence.when(OWNER, SubliminalTelepathy(0))
    sentence.when(OWNER, Decline()).then(ReactionsDeclined(OWNER))
    nobody_is_asked(sentence)


@pytest.mark.rule("tech.subliminal-telepathy", "general.pay-first")
def test_without_the_technology_the_loss_or_the_caps_nobody_is_asked():
    nobody_is_asked(reacting(agents_lost(0, cards=()).caps(0, 9)))
    nobody_is_asked(reacting(agents_lost().caps(0, 9)))
    nobody_is_asked(reacting(agents_lost(0)))
    nobody_is_asked(reacting(agents_lost(0).caps(9, 9), OTHER))


@pytest.mark.rule("tech.subliminal-telepathy", "general.information")
def test_where_caps_are_hidden_the_question_does_not_tell_how_many_there_are():
    sentence = reacting(agents_lost(0, overlay=HIDDEN_CAPS)).offers(OWNER, Decline())
    sentence.when(OWNER, SubliminalTelepathy(0))
    sentence.refused("unaffordable", "tech.subliminal-telepathy", needed=1, has=0)


@pytest.mark.rule("tech.phased-teleportation", "tech.subliminal-telepathy")
def test_a_fleet_is_built_at_home_for_one_that_was_destroyed():
    spot = position(2).home(OWNER, "S1d").advanced(OWNER, "M1a-1", "P1a-1").caps(0, 1)
    sentence = reacting(contested(spot, Lost(OWNER, "fleet", "S2a", 1, 0)))
    sentence.when(OWNER, SubliminalTelepathy(0))
    sentence.refused("nothing_to_answer", "tech.subliminal-telepathy")
    sentence.when(OWNER, PhasedTeleportation(0))
    assert told(sentence, UnitPlaced) == [UnitPlaced(OWNER, "fleet", 0, "S1d")]
    nobody_is_asked(sentence.holds("caps", seat_1=0))


@pytest.mark.rule("tech.phased-teleportation", "advance.effect")
def test_a_technology_discarded_meanwhile_does_not_act_any_more():
    spot = position(2).home(OWNER, "S1d").advanced(OWNER, "M1a-1", "P1a-1").caps(0, 5)
    lost = (Lost(OWNER, "fleet", "S2a", 1, 0), Lost(OWNER, "agent", "S2a", 1, 0))
    sentence = reacting(contested(spot, *lost)).when(OWNER, DiscardAdvanced("M1a-1"))
    sentence.when(OWNER, PhasedTeleportation(0))
    sentence.refused("not_advanced", "tech.phased-teleportation")
    sentence.offers(OWNER, *map(SubliminalTelepathy, range(3)), Decline())


@pytest.mark.rule("tech.subliminal-telepathy")
def test_the_price_of_a_reaction_is_content():
    cells = {"figures": {"tech.telepathy": {"value": 3}}}
    sentence = reacting(agents_lost(0, overlay=cells).caps(0, 3))
    sentence.when(OWNER, SubliminalTelepathy(0)).holds("caps", seat_1=0)


# --- Bio-Adaptive Hulls ---------------------------------------------------------------------------


def stack_lost(count: int = 3, *, cards: tuple[str, ...] = ("M2c-1",), **terms) -> Position:
    """A stack was destroyed at S2a; room at S2e and K2 nearby, at S1c beside an own outpost."""
    spot = position(4, **terms).home(OWNER, "S1d").home(OTHER, "S3d").advanced(OWNER, *cards)
    spot.tile("S2a", "S2e", "K2", "S1c", "S4b", martial=1).tile("S2b", martial=0)
    spot.has(OTHER, outposts={"S2d": 1}).has(OWNER, outposts={"S1d": 2})
    taken = Lost(OWNER, "outpost", "S2a", count, taken_over=True)
    return contested(spot, taken).caps(0, 2)


@pytest.mark.rule("tech.bio-adaptive-hulls")
def test_one_outpost_of_a_stack_goes_to_another_location_in_range():
    sentence = reacting(stack_lost())
    sentence.when(OWNER, BioAdaptiveHulls("S2a")).refused("same_place")
    sentence.when(OWNER, BioAdaptiveHulls("S3d")).refused("foreign_home", "build.foreign-home")
    sentence.when(OWNER, BioAdaptiveHulls("S2b")).refused("no_location", "build.location")
    sentence.when(OWNER, BioAdaptiveHulls("S2d")).refused("foreign_outposts")
    sentence.when(OWNER, BioAdaptiveHulls("S1d")).refused("location_taken")
    sentence.when(OWNER, BioAdaptiveHulls("S4b"))
    sentence.refused("out_of_range", "tech.bio-adaptive-hulls")
    places = {one.sector for one in sentence.match.options(OWNER)[:-1]}
    assert places == {"S2e", "K2", "S1c"}
    sentence.when(OWNER, BioAdaptiveHulls("S2e")).then(
        Reacted(OWNER, "bio-adaptive-hulls", 1),
        Transferred("caps", "seat.1", "bank", 1, "tech.bio-adaptive-hulls"),
        BasePlaced(OWNER, "outpost", "S2e"),
    )
    nobody_is_asked(sentence)  # only one of them


@pytest.mark.rule("tech.bio-adaptive-hulls")
def test_the_range_is_what_the_stack_had_or_that_of_other_outposts_and_fleets():
    sentence = reacting(stack_lost(2))
    assert not allowed(sentence, OWNER, BioAdaptiveHulls("S2e"))  # two away from S2a
    assert allowed(sentence, OWNER, BioAdaptiveHulls("S1c"))
    sentence = reacting(stack_lost(2).has(OWNER, fleets=["S4b"]))
    assert allowed(sentence, OWNER, BioAdaptiveHulls("S4b"))


@pytest.mark.rule("tech.bio-adaptive-hulls")
def test_a_single_outpost_is_no_stack():
    nobody_is_asked(reacting(stack_lost(1)))
    nobody_is_asked(reacting(stack_lost(cards=())))


# --- Stealth Field Emitter ------------------------------------------------------------------------


def attacked(winner: int | None, *lost: Lost, units=(0,), cards=("P1b-1",), **terms) -> Position:
    spot = position(2, **terms).home(OWNER, "S1d").advanced(OWNER, *cards)
    spot.tile("S1a", "S2a", "S1c", faction="green")
    spot.has(OWNER, embassies=["S1d", "S1a", "S2a"], agents=["S2a"] * len(units))
    return contested(spot, *lost, type_="political", units=units, winner=winner, attacker=OWNER)


@pytest.mark.rule("tech.stealth-field-emitter")
def test_an_agent_that_survived_its_attack_goes_where_an_own_embassy_is_for_nothing():
    sentence = reacting(attacked(OWNER))
    sentence.offers(OWNER, StealthFieldEmitter("S1d"), StealthFieldEmitter("S1a"), Decline())
    rule = "tech.stealth-field-emitter"
    sentence.when(OWNER, StealthFieldEmitter("S1c")).refused("no_own_base", rule)
    sentence.when(OWNER, StealthFieldEmitter("S2a")).refused("same_place", rule)
    sentence.when(OWNER, StealthFieldEmitter("S1a")).then(
        Reacted(OWNER, "stealth-field-emitter", 0),
        UnitMoved(OWNER, "agent", 0, ("S2a", "S1a")),
    )
    nobody_is_asked(sentence)


@pytest.mark.rule("tech.stealth-field-emitter")
def test_not_after_a_lost_attack_nor_a_defence_nor_without_the_technology():
    fallen = Lost(OWNER, "agent", "S2a", 1, 0)
    nobody_is_asked(reacting(attacked(OTHER, fallen)))
    nobody_is_asked(reacting(attacked(None, fallen)))
    nobody_is_asked(reacting(attacked(OWNER, cards=())))
    spot = attacked(OWNER)
    spot.galaxy.contest.attacker.seat, spot.galaxy.contest.defender.seat = OTHER, OWNER
    nobody_is_asked(reacting(spot))


@pytest.mark.rule("tech.stealth-field-emitter")
def test_where_several_agents_have_attacked_each_may_go():
    sentence = reacting(attacked(OWNER, units=(0, 1)))
    sentence.when(OWNER, StealthFieldEmitter("S1a", 1)).when(OWNER, StealthFieldEmitter("S1d", 1))
    sentence.refused("nothing_to_answer", "tech.stealth-field-emitter")
    sentence.when(OWNER, StealthFieldEmitter("S1a"))
    assert sentence.state.houses[OWNER].agents[:2] == ["S1a", "S1a"]


@pytest.mark.rule("step4.reaction-order")
def test_a_player_reacts_in_the_order_that_it_likes():
    spot = stack_lost(cards=("M2c-1", "M1a-1")).caps(0, 9)
    spot.galaxy.contest.losses.append(Lost(OWNER, "fleet", "S2a", 1, 0))
    sentence = reacting(spot).when(OWNER, BioAdaptiveHulls("S2e"))
    sentence.when(OWNER, PhasedTeleportation(0))
    nobody_is_asked(sentence)
    spot = stack_lost(cards=("M2c-1", "M1a-1")).caps(0, 9)
    spot.galaxy.contest.losses.append(Lost(OWNER, "fleet", "S2a", 1, 0))
    sentence = reacting(spot).when(OWNER, PhasedTeleportation(0))
    nobody_is_asked(sentence.when(OWNER, Decline()))


# --- Predictive Algorithms ------------------------------------------------------------------------


def gates_doomed(*cards: str, gates: int = 1, **terms) -> Position:
    """Gates between K6 and S4b, where an own complex stands; the fight is at K6."""
    spot = position(4, **terms).home(OTHER, "S5e").advanced(OWNER, *cards)
    spot.tile("S4b", "S4d", "S6a", "K6", "S3b", "S3a", industrial=1)
    spot.has(OWNER, complexes={"S4b": 1, "S3b": 1}, gates=[("S4b", "K6")] * gates)
    return contested(spot, sector="K6", type_="industrial").caps(0, 3)


def saving(spot: Position, *gates: int):
    return spot.doing(SaveGates(OWNER, gates or (0,)), AFTER).given()


@pytest.mark.rule("tech.predictive-algorithms", "step4.reaction-order")
def test_a_gate_that_is_about_to_fall_is_put_elsewhere_for_1_cap_a_half():
    sentence = saving(gates_doomed("I1a-1")).asks(OWNER, key="r2/p3/s0/a1/react/s1/gates/1")
    rule = "tech.predictive-algorithms"
    stays = PredictiveAlgorithms(0, "S4b", "K6")
    sentence.when(OWNER, stays).refused("stays_in_conflict", rule)
    sentence.when(OWNER, PredictiveAlgorithms(1, "S4b", "S4d")).refused("not_threatened", rule)
    far = PredictiveAlgorithms(0, "S4b", "S6a")
    sentence.when(OWNER, far).refused("too_far_apart", "gate.distance")
    home = PredictiveAlgorithms(0, "S4b", "S5e")
    sentence.when(OWNER, home).refused("foreign_home", "gate.foreign-home")
    wrong = PredictiveAlgorithms(0, "S4d", "S4b")
    sentence.when(OWNER, wrong).refused("no_own_complex", "gate.first-half")
    sentence.when(OWNER, PredictiveAlgorithms(0, "S4b", "S4d")).then(
        Reacted(OWNER, "predictive-algorithms", 1),
        Transferred("caps", "seat.1", "bank", 1, rule),
        GatePlaced(OWNER, 0, "S4b", "S4d"),
    )
    nobody_is_asked(sentence)


@pytest.mark.rule("tech.predictive-algorithms")
def test_both_halves_may_go_and_each_is_paid():
    sentence = saving(gates_doomed("I1a-1")).when(OWNER, PredictiveAlgorithms(0, "S3b", "S3a"))
    sentence.holds("caps", seat_1=1)
    assert sentence.state.houses[OWNER].gates[0].sectors == ("S3b", "S3a")
    cells = {"figures": {"tech.predictive": {"value": 2}}}
    sentence = saving(gates_doomed("I1a-1", overlay=cells))
    sentence.when(OWNER, PredictiveAlgorithms(0, "S3b", "S3a"))
    sentence.refused("unaffordable", "tech.predictive-algorithms", needed=4, has=3)


@pytest.mark.rule("tech.predictive-algorithms")
def test_gates_are_saved_one_by_one_until_their_owner_declines():
    sentence = saving(gates_doomed("I1a-1", gates=3), 0, 1, 2)
    sentence.when(OWNER, PredictiveAlgorithms(1, "S4b", "S4d"))
    sentence.asks(OWNER, key="r2/p3/s0/a1/react/s1/gates/2")
    again = PredictiveAlgorithms(1, "S3b", "S3a")
    sentence.when(OWNER, again).refused("not_threatened", "tech.predictive-algorithms")
    sentence.when(OWNER, Decline()).then(ReactionsDeclined(OWNER))
    nobody_is_asked(sentence)


@pytest.mark.rule("tech.predictive-algorithms")
def test_without_the_technology_or_the_caps_no_gate_is_saved():
    nobody_is_asked(saving(gates_doomed()))
    spot = gates_doomed("I1a-1")
    spot.galaxy.accounts.move("caps", "seat.1", "bank", 3)
    nobody_is_asked(saving(spot))


# --- options --------------------------------------------------------------------------------------


@pytest.mark.rule("tech.predictive-algorithms", "step4.reaction-order")
def test_the_options_are_all_that_is_allowed():
    sentence = saving(gates_doomed("I1a-1", gates=2), 0, 1)
    pairs = list(itertools.product(sentence.state.sectors, repeat=2))
    every = [PredictiveAlgorithms(gate, *pair) for gate in range(3) for pair in pairs]
    same(sentence, [*every, Decline()])
    spot = stack_lost(cards=("M2c-1", "M1a-1", "P1a-1")).caps(0, 9)
    spot.galaxy.contest.losses.append(Lost(OWNER, "fleet", "S2a", 1, 0))
    sentence = reacting(spot)
    kinds = (SubliminalTelepathy, PhasedTeleportation)
    every = [kind(number) for kind in kinds for number in range(-1, 4)]
    for sector in sentence.state.sectors:
        every += [BioAdaptiveHulls(sector), StealthFieldEmitter(sector)]
    same(sentence, [*every, Decline()])


def same(sentence, every) -> None:
    expected = [one for one in every if allowed(sentence, OWNER, one)]
    options = sentence.match.options(OWNER)
    assert len(options) == len(expected) > 3
    assert set(map(repr, options)) == set(map(repr, expected))
