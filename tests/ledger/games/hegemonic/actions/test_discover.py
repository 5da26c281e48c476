"""DISCOVER: CAPITALIZE by its readings, SURVEY of an empty stack, RESEARCH."""

from __future__ import annotations

import itertools

import pytest

from ledger.games.hegemonic.actions.discover import (
    Capitalize,
    Capitalized,
    CapitalizeFrom,
    Research,
    Survey,
)
from ledger.games.hegemonic.actions.piles import (
    AdvancedTaken,
    CardDiscarded,
    CardDrawn,
    DiscardTaken,
    DrawCard,
    PilesReshuffled,
)
from ledger.games.hegemonic.actions.research import DiscardForResearch
from ledger.games.hegemonic.actions.resolving import EndTurn
from ledger.games.hegemonic.actions.turn import ActionUsed
from ledger.games.hegemonic.conflicts.inactive import InactiveReturned
from ledger.games.hegemonic.map.tiles import PlaceTile, StackEmpty, TilePlaced
from ledger.kernel.audience import view
from tests.support.hegemonic.positions import Position, allowed, falling, house, position, told

HAND = ("I1a-1", "P1a-1", "M1a-1")


def discover(spot: Position):
    return spot.turn(0, "discover").given()


# --- CAPITALIZE -----------------------------------------------------------------------------------


def incomes(**terms) -> Position:
    """Incomes of 4 from complexes, 2 from the embassy, 0 from outposts."""
    return position(2, **terms).has(0, complexes={"S1a": 3}, embassies=["S1b"])


@pytest.mark.rule("discover.capitalize")
def test_capitalize_takes_the_smallest_income_or_by_a_reading_the_largest():
    sentence = discover(incomes()).when(0, Capitalize())
    assert told(sentence, Capitalized) == [Capitalized(0, "martial", 0)]
    sentence.holds("caps", seat_0=0)
    sentence = discover(incomes(overlay=house(discover__capitalize="max")))
    sentence.when(0, Capitalize())
    assert told(sentence, Capitalized) == [Capitalized(0, "industrial", 4)]
    sentence.holds("caps", seat_0=4)


@pytest.mark.rule("discover.capitalize")
def test_by_a_reading_the_player_chooses_which_income():
    sentence = discover(incomes(overlay=house(discover__capitalize="choice")))
    sentence.when(0, Capitalize()).asks(0, key="r2/p3/s0/a1/income")
    sentence.offers(0, *(CapitalizeFrom(one) for one in ("industrial", "political", "martial")))
    sentence.when(0, CapitalizeFrom("luck")).refused("not_allowed", "discover.capitalize")
    sentence.when(0, CapitalizeFrom("political")).holds("caps", seat_0=2)
    assert told(sentence, Capitalized) == [Capitalized(0, "political", 2)]


@pytest.mark.rule("discover.capitalize")
def test_where_all_incomes_are_equal_there_is_nothing_to_choose():
    spot = position(2, overlay=house(discover__capitalize="choice")).home(0, "S1d")
    spot.has(0, complexes={"S1d": 1}, embassies=["S1d"], outposts={"S1d": 1})
    discover(spot).when(0, Capitalize()).holds("caps", seat_0=2).asks(0, key="r2/p3/s0/a2")


# --- SURVEY ---------------------------------------------------------------------------------------


@pytest.mark.rule("discover.survey", "expansion.flip-empty")
def test_with_an_empty_stack_a_survey_only_places():
    spot = position(2)
    spot.galaxy.stack, spot.galaxy.pool = 0, ["T01", "T02"]
    sentence = discover(spot).when(0, Survey())
    assert told(sentence, StackEmpty) == [StackEmpty()]
    sentence.when(0, PlaceTile("T02", "K1"))
    assert told(sentence, TilePlaced) == [TilePlaced(0, "T02", "K1")]


@pytest.mark.rule("discover.survey", "expansion.hex")
def test_with_no_hex_left_there_is_no_survey():
    spot = position(2)
    for sector in spot.galaxy.sectors.values():
        sector.tile = "T48"
    spot.galaxy.pool = ["T01"]
    discover(spot).when(0, Survey()).refused("nothing_to_survey", "discover.survey")


# --- RESEARCH -------------------------------------------------------------------------------------


def researching(**terms) -> Position:
    """Three cards in hand, two inactive, one advanced, one on the discards."""
    spot = position(2, **terms).hand(0, *HAND).inactive(0, "I2a-1", "P2a-1")
    return spot.advanced(0, "M2a-1").discarded("I3a-1")


@pytest.mark.rule("discover.research", "inactive.return-research", "inactive.locked")
def test_research_returns_the_inactive_pile_before_anything_is_discarded():
    sentence = discover(researching()).when(0, Research())
    assert told(sentence, InactiveReturned) == [
        InactiveReturned(0, ("I2a-1", "P2a-1"), "inactive.return-research")
    ]
    sentence.asks(0, key="r2/p3/s0/a1/discards")
    assert sentence.state.houses[0].hand == [*HAND, "I2a-1", "P2a-1"]
    dropped = ("I2a-1", "P2a-1", "P1a-1")
    sentence.when(0, DiscardForResearch(dropped)).offers(
        0, DrawCard("deck"), DrawCard("advanced", "M2a-1")
    )
    assert sentence.state.houses[0].inactive == []


@pytest.mark.rule("discover.research", "draw.discard")
def test_any_number_of_cards_is_discarded_and_the_hand_filled_up():
    sentence = discover(researching()).when(0, Research())
    sentence.when(0, DiscardForResearch(("P2a-1", "I1a-1")))
    assert told(sentence, CardDiscarded) == [
        CardDiscarded(0, "P2a-1", "all"),
        CardDiscarded(0, "I1a-1", "all"),
    ]
    assert sentence.state.discards["all"][-1] == "I1a-1"
    sentence.asks(0, key="r2/p3/s0/a1/research/1/draw").when(0, DrawCard("advanced", "M2a-1"))
    assert told(sentence, AdvancedTaken) == [AdvancedTaken(0, "M2a-1")]
    falling(sentence)  # one source is left, so nothing is asked for the second card
    (drawn,) = told(sentence, CardDrawn)
    assert view(drawn, 1)["card"] == {"hidden": True}
    assert told(sentence, ActionUsed) == [ActionUsed(0)]
    assert len(sentence.state.houses[0].hand) == 5


@pytest.mark.rule("discover.research")
def test_with_nothing_discarded_and_a_full_hand_nothing_is_drawn():
    sentence = discover(researching()).when(0, Research()).when(0, DiscardForResearch(()))
    assert told(sentence, CardDrawn) == []
    sentence.asks(0, key="r2/p3/s0/a2")


@pytest.mark.rule("discover.research")
def test_a_card_is_discarded_once_and_only_from_the_hand():
    sentence = discover(researching()).when(0, Research())
    for cards in (("M2a-1",), ("I1a-1", "I1a-1"), ("T01",), ("I1a-1", "I3a-1")):
        sentence.when(0, DiscardForResearch(cards))
        sentence.refused("card_not_in_hand", "discover.research", cards=cards)


@pytest.mark.rule("discover.research")
def test_every_choice_of_cards_is_offered_and_every_order_of_them_allowed():
    sentence = discover(researching()).when(0, Research())
    hand = sentence.state.houses[0].hand
    every = [
        DiscardForResearch(cards) for n in range(6) for cards in itertools.permutations(hand, n)
    ]
    assert all(allowed(sentence, 0, one) for one in every)
    offered = sentence.match.options(0)
    assert len(offered) == 2**5
    assert {frozenset(one.cards) for one in offered} == {frozenset(one.cards) for one in every}


@pytest.mark.rule("discover.research-sources", "draw.always-any")
def test_research_does_not_draw_from_the_discards_but_by_a_reading():
    def drawing(**terms):
        sentence = discover(researching(**terms)).when(0, Research())
        return sentence.when(0, DiscardForResearch(("P2a-1",)))

    sentence = drawing().offers(0, DrawCard("deck"), DrawCard("advanced", "M2a-1"))
    sentence.when(0, DrawCard("discard"))
    sentence.refused("no_such_source", "discover.research-sources")
    sentence = drawing(overlay=house(research__discard_pile=True)).when(0, DrawCard("discard"))
    assert told(sentence, DiscardTaken) == [DiscardTaken(0, "P2a-1", "all")]


@pytest.mark.rule("discover.research", "draw.reshuffle")
def test_what_was_discarded_is_shuffled_when_the_pile_runs_out():
    spot = position(2).hand(0, *HAND)
    spot.hand(1, *(card for card in list(spot.galaxy.cards.unseen) if card != "I2a-1"))
    sentence = discover(spot).when(0, Research()).when(0, DiscardForResearch(HAND[:2]))
    falling(sentence)  # one is drawn from the pile, then the discards are shuffled
    assert told(sentence, ActionUsed) == [ActionUsed(0)]
    assert sorted(sentence.state.houses[0].hand) == sorted((*HAND, "I2a-1"))


@pytest.mark.rule("discover.research", "draw.nothing-left")
def test_research_draws_as_far_as_there_is_something_to_draw():
    spot = position(2).hand(0, *HAND)
    spot.hand(1, *list(spot.galaxy.cards.unseen))
    sentence = discover(spot).when(0, Research()).when(0, DiscardForResearch(()))
    assert told(sentence, PilesReshuffled, CardDrawn) == []
    sentence.asks(0, key="r2/p3/s0/a2").when(0, EndTurn())


@pytest.mark.rule("learn.draws")
def test_there_is_no_research_in_the_learning_game_but_by_a_reading():
    spot = position(2, options={"learning": True})
    sentence = discover(spot)
    sentence.when(0, Research()).refused("no_research", "learn.draws")
    assert Research() not in sentence.match.options(0)
    spot = position(2, options={"learning": True}, overlay=house(learn__research="on"))
    sentence = falling(discover(spot).when(0, Research()))
    assert len(sentence.state.houses[0].hand) == 5
