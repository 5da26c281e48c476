"""Collection and expansion: income, tiles, drawing, discarding, advancing."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic.actions.advancing import (
    Advance,
    Discard,
    DiscardOrAdvance,
    DrawAndFinish,
    Keep,
    TechnologyAdvanced,
)
from ledger.games.hegemonic.actions.piles import (
    AdvancedDiscarded,
    AdvancedTaken,
    CardDrawn,
    DiscardAdvanced,
    DiscardTaken,
    DrawCard,
    DrawTechnology,
    NothingDrawn,
    PilesReshuffled,
)
from ledger.games.hegemonic.map.tiles import PlaceTile, StackEmpty, TilePlaced, TileTurned
from ledger.games.hegemonic.rounds.sequence import (
    Collection,
    Expansion,
    ExpansionSkipped,
    ExpansionTurn,
    IncomeCollected,
    LeaderRose,
)
from ledger.kernel.audience import view
from tests.support.hegemonic.positions import falling, house, position, set_up, told

HANDS = ("I1a-1", "I1a-2", "I1b-1", "P1a-1", "M1a-1")


@pytest.mark.rule("collection.income", "collection.leaders", "leader.advance", "leader.hold")
def test_every_player_gains_the_sum_of_its_three_incomes():
    spot = position(2).home(0, "S1d").has(0, complexes={"S1d": 1}, embassies=["S1d"])
    spot.galaxy.houses[1].leader, spot.galaxy.houses[1].level = "LD02", 2
    sentence = spot.doing(Collection(), DiscardOrAdvance(0, "x", optional=True)).given()
    assert told(sentence, IncomeCollected)[0] == IncomeCollected(0, 2, 2, 0)
    assert told(sentence, LeaderRose) == [LeaderRose(1, 3)]
    sentence.holds("caps", seat_0=4, seat_1=0)


@pytest.mark.rule("expansion.order", "expansion.flip", "expansion.place", "expansion.hex")
def test_a_tile_is_turned_and_any_tile_of_the_pool_is_placed_anywhere():
    sentence = set_up(3)
    sentence.asks(0, key="r1/p2/s0/place")
    assert len(sentence.state.pool) == 4
    tile = sentence.state.pool[0]
    sentence.when(0, PlaceTile(tile, "S1d")).refused("sector_taken", "expansion.hex")
    sentence.when(0, PlaceTile(tile, "K7")).refused("no_such_sector", "expansion.hex")
    sentence.when(0, PlaceTile("T99", "K4")).refused("not_in_pool", "expansion.place")
    sentence.when(0, PlaceTile(tile, "K4"))
    assert told(sentence, TilePlaced) == [TilePlaced(0, tile, "K4")]
    falling(sentence).asks(0, key="r1/p2/s0/finish")


@pytest.mark.rule("expansion.flip-empty")
def test_with_an_empty_stack_only_the_turning_is_left_out():
    spot = position(2).at(1).doing(Expansion())
    spot.galaxy.stack, spot.galaxy.pool = 0, ["T01", "T02"]
    sentence = spot.given().asks(0, key="r2/p2/s0/place")
    assert told(sentence, StackEmpty, TileTurned) == [StackEmpty()]


@pytest.mark.rule("expansion.flip-empty")
def test_by_a_reading_the_whole_turn_is_left_out():
    spot = position(2, overlay=house(expansion__empty="skip-turn")).at(1)
    spot.galaxy.stack, spot.galaxy.pool = 0, ["T01", "T02"]
    sentence = spot.doing(Expansion(), DiscardOrAdvance(0, "x", optional=True)).given()
    assert told(sentence, ExpansionSkipped) == [ExpansionSkipped(0), ExpansionSkipped(1)]


# --- drawing --------------------------------------------------------------------------------------


def drawing(spot, *, research: bool = False):
    after = DiscardOrAdvance(0, "x")
    return spot.doing(DrawTechnology(0, "x", research=research), after).given()


@pytest.mark.rule("draw.sources", "draw.always-any")
def test_a_card_is_drawn_from_the_pile_the_discards_or_the_own_slots():
    spot = position(2).hand(0, *HANDS).discarded("M3a-1", "M3b-1").advanced(0, "P1b-1")
    sentence = drawing(spot)
    sentence.offers(0, DrawCard("deck"), DrawCard("discard"), DrawCard("advanced", "P1b-1"))
    sentence.when(0, DrawCard("advanced", "P2a-1")).refused("no_such_source", "draw.sources")
    sentence.when(0, DrawCard("discard")).then(DiscardTaken(0, "M3b-1", "all"))


@pytest.mark.rule("draw.sources")
def test_an_advanced_technology_can_be_drawn_back_and_its_slot_is_free():
    sentence = drawing(position(2).hand(0, *HANDS).advanced(0, "P1b-1"))
    sentence.when(0, DrawCard("advanced", "P1b-1")).then(AdvancedTaken(0, "P1b-1"))
    assert sentence.state.houses[0].advanced == []


@pytest.mark.rule("draw.sources")
def test_only_who_draws_sees_the_card():
    sentence = falling(drawing(position(2)))
    (fact,) = told(sentence, CardDrawn)
    assert view(fact, 1)["card"] == {"hidden": True}


@pytest.mark.rule("discover.research-sources")
def test_research_does_not_draw_from_the_discards():
    spot = position(2).discarded("M3a-1").advanced(0, "P1b-1")
    sentence = drawing(spot, research=True)
    sentence.when(0, DrawCard("discard")).refused("no_such_source", "discover.research-sources")
    read = position(2, overlay=house(research__discard_pile=True)).discarded("M3a-1")
    drawing(read, research=True).offers(0, DrawCard("deck"), DrawCard("discard"))


def last_card(**terms):
    """The draw pile holds one card, the discards two."""
    spot = position(2, **terms).discarded("M3a-1", "M3b-1")
    spot.hand(1, *(card for card in list(spot.galaxy.cards.unseen) if card != "I1a-1"))
    return spot


@pytest.mark.rule("draw.reshuffle")
def test_the_discards_are_shuffled_when_a_card_must_come_from_an_empty_pile():
    sentence = falling(drawing(last_card()).when(0, DrawCard("deck")))
    assert told(sentence, PilesReshuffled) == []
    empty = last_card().hand(1, "I1a-1")
    sentence = drawing(empty).when(0, DrawCard("deck"))
    assert told(sentence, PilesReshuffled) == [PilesReshuffled(2)]
    assert sentence.state.discards == {"all": []}


@pytest.mark.rule("draw.reshuffle")
def test_by_a_reading_they_are_shuffled_as_soon_as_it_has_run_out():
    spot = last_card(overlay=house(draw__reshuffle="when-emptied"))
    sentence = falling(drawing(spot).when(0, DrawCard("deck")))
    assert told(sentence, PilesReshuffled) == [PilesReshuffled(2)]


@pytest.mark.rule("draw.nothing-left")
def test_with_nothing_to_draw_nothing_need_be_discarded():
    spot = position(2)
    spot.hand(0, *HANDS).hand(1, *list(spot.galaxy.cards.unseen))
    sentence = spot.doing(DrawAndFinish(0, "x")).given()
    assert told(sentence, NothingDrawn) == [NothingDrawn(0)]
    sentence.when(0, Keep())
    sentence = position(2).hand(0, *HANDS).doing(DiscardOrAdvance(0, "x")).given()
    sentence.when(0, Keep()).refused("not_allowed", "expansion.finish")


# --- advancing ------------------------------------------------------------------------------------


def finishing(spot):
    return spot.doing(DiscardOrAdvance(0, "x")).given()


@pytest.mark.rule("advance.tier-by-tech", "advance.cost")
def test_v05_technology_advancement():
    spot = position(2).hand(0, "I3b-1").advanced(0, "I2b-1").caps(6)
    sentence = finishing(spot).when(0, Advance("I3b-1"))
    assert told(sentence, TechnologyAdvanced) == [TechnologyAdvanced(0, "I3b-1")]
    sentence.holds("caps", seat_0=0)
    spot = position(2).hand(0, "I3b-1").advanced(0, "I1a-1").caps(6)
    finishing(spot).when(0, Advance("I3b-1")).refused("tier_too_low", "advance.tier-by-base")


@pytest.mark.rule("advance.swap", "advance.slot")
def test_v05_the_technology_that_meets_the_requirement_may_make_room():
    full = ("I2b-1", "P1a-1", "M1a-1")
    sentence = finishing(position(2).hand(0, "I3b-1").advanced(0, *full).caps(6))
    sentence.when(0, Advance("I3b-1")).refused("no_slot", "advance.slot")
    sentence.when(0, Advance("I3b-1", ("I2c-1",))).refused("not_advanced", "advance.swap")
    sentence.when(0, Advance("I3b-1", ("I2b-1",)))
    assert told(sentence, AdvancedDiscarded) == [AdvancedDiscarded(0, "I2b-1", "all")]
    assert sentence.state.houses[0].advanced == ["P1a-1", "M1a-1", "I3b-1"]


@pytest.mark.rule("advance.tier-by-base", "advance.unique", "advance.cost", "advance.when")
def test_what_advancing_asks_for():
    spot = position(2).hand(0, "I1a-1", "P1a-1").advanced(0, "I1a-2").caps(1)
    sentence = finishing(spot.has(0, complexes={"S1a": 1}))
    sentence.when(0, Advance("P1a-1")).refused("tier_too_low")
    sentence.when(0, Advance("I1a-1")).refused("already_advanced", "advance.unique")
    sentence.when(0, Advance("I1a-1", ("I1a-2",))).refused("unaffordable", "advance.cost")
    sentence.when(0, Advance("I1b-1")).refused("card_not_in_hand", "advance.when")
    sentence.offers(0, Discard("I1a-1"), Discard("P1a-1"))


@pytest.mark.rule("inactive.locked")
def test_an_inactive_card_can_neither_be_discarded_nor_advanced():
    spot = position(2).hand(0, "I1a-1").inactive(0, "I1b-1").caps(9)
    sentence = finishing(spot.has(0, complexes={"S1a": 1}))
    sentence.when(0, Discard("I1b-1")).refused("card_not_in_hand")
    sentence.when(0, Advance("I1b-1")).refused("card_not_in_hand")


@pytest.mark.rule("draw.discard", "opt.piles-discard", "opt.piles-draw")
def test_with_three_piles_a_card_goes_to_the_pile_of_its_type():
    spot = position(2, options={"opt.piles": True}).hand(0, "I1a-1")
    spot.galaxy.discards = {"industrial": [], "political": [], "martial": []}
    sentence = finishing(spot).when(0, Discard("I1a-1"))
    assert sentence.state.discards["industrial"] == ["I1a-1"]


@pytest.mark.rule("advance.discard-anytime")
def test_an_advanced_technology_may_be_discarded_at_any_time():
    sentence = finishing(position(2).hand(0, "I1a-1").advanced(1, "P1b-1", "P1b-2"))
    sentence.when(1, DiscardAdvanced("P1b-1")).asks(0)
    assert sentence.state.discards == {"all": ["P1b-1"]}
    sentence.when(1, DiscardAdvanced("P1b-1")).refused("not_advanced", "advance.discard-anytime")
    keys = [one.key(sentence.state, 1) for one in sentence.match.standing(1)]
    assert "discard/s1/2" in keys


@pytest.mark.rule("expansion.no-center")
def test_the_centre_takes_no_tile():
    sentence = set_up(2)
    places = {one.sector for one in sentence.match.options(0)}
    assert {"K1", "K2", "K3", "K4", "K5", "K6"} < places
    assert places == set(sentence.state.empty_sectors())
    assert (0, 0) not in {(one.q, one.r) for one in sentence.state.sectors.values()}
    for centre in ("K", "K0", "center", ""):
        tile = sentence.state.pool[0]
        sentence.when(0, PlaceTile(tile, centre)).refused("no_such_sector", "expansion.hex")


@pytest.mark.rule("expansion.draw", "expansion.finish")
def test_a_card_is_drawn_before_one_is_discarded_and_neither_is_left_out():
    spot = position(2).home(0, "S1d").home(1, "S3d").hand(0, *HANDS[:4]).discarded("M1a-1")
    spot.galaxy.pool, spot.galaxy.stack = [], 1
    sentence = falling(spot.doing(ExpansionTurn(0), DiscardOrAdvance(1, "x")).given())
    places = [PlaceTile(sentence.state.pool[0], one) for one in sentence.state.empty_sectors()]
    falling(sentence.offers(0, *places).when(0, places[0]))
    sentence.offers(0, DrawCard("deck"), DrawCard("discard"))
    sentence.when(0, Keep()).refused("wrong_answer", "draw.sources")
    sentence.when(0, Discard("I1a-1")).refused("wrong_answer", "draw.sources")
    sentence.when(0, DrawCard("discard")).then(DiscardTaken(0, "M1a-1", "all"))
    sentence.asks(0).when(0, Keep()).refused("not_allowed", "expansion.finish")
    sentence.when(0, Discard("M1a-1")).asks(1)
    assert sentence.state.houses[0].hand == [*HANDS[:4]]
