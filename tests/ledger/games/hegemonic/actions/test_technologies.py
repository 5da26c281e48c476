"""Technology cards: what advancing asks for, case by case, and how long a technology acts."""

from __future__ import annotations

import itertools

import pytest

from ledger.games.hegemonic.actions.advancing import (
    Advance,
    Discard,
    DiscardOrAdvance,
    DrawAndFinish,
    TechnologyAdvanced,
)
from ledger.games.hegemonic.actions.basic import BasicDraw
from ledger.games.hegemonic.actions.building import PlaceComplex, StartBuild
from ledger.games.hegemonic.actions.piles import (
    AdvancedDiscarded,
    AdvancedTaken,
    CardDiscarded,
    DiscardAdvanced,
    DiscardTaken,
    DrawCard,
    PilesReshuffled,
)
from tests.support.hegemonic.positions import Position, allowed, falling, position, told

HAND = ("I1a-1", "I2a-1", "I3a-1", "P1a-1", "M1a-1")
THREE_PILES = {"opt.piles": True}


def finishing(spot: Position):
    return spot.doing(DiscardOrAdvance(0, "x")).given()


def complexes(count: int) -> dict[str, int]:
    sectors = ("S1a", "S1b", "S2a", "S2b", "S3a", "S3b")
    return dict.fromkeys(sectors[: count // 2], 2) | ({"S3c": 1} if count % 2 else {})


# --- what advancing asks for ----------------------------------------------------------------------


@pytest.mark.rule("advance.tier-by-base", "board.tier")
@pytest.mark.parametrize(("built", "tier"), [(0, 0), (1, 1), (5, 1), (6, 2), (10, 2), (11, 3)])
def test_the_tier_that_the_bases_have_reached(built: int, tier: int):
    spot = position(4).hand(0, *HAND).caps(20).has(0, complexes=complexes(built))
    sentence = finishing(spot)
    for needed, card in ((1, "I1a-1"), (2, "I2a-1"), (3, "I3a-1")):
        assert allowed(sentence, 0, Advance(card)) == (needed <= tier)
    for card in ("P1a-1", "M1a-1"):  # there is no base of their types
        sentence.when(0, Advance(card)).refused("tier_too_low", "advance.tier-by-base")


@pytest.mark.rule("advance.tier-by-tech")
@pytest.mark.parametrize(
    ("held", "possible"),
    [
        ("I1b-1", {"I1a-1", "I2a-1"}),
        ("I2b-1", {"I1a-1", "I2a-1", "I3a-1"}),
        ("I3b-1", {"I1a-1", "I2a-1", "I3a-1"}),
        ("P2a-1", {"P1a-1"}),
    ],
)
def test_or_a_technology_of_the_type_one_tier_lower_equal_or_above(held: str, possible: set[str]):
    sentence = finishing(position(4).hand(0, *HAND).caps(20).advanced(0, held))
    assert {card for card in HAND if allowed(sentence, 0, Advance(card))} == possible


@pytest.mark.rule("advance.stays", "advance.effect")
def test_losing_bases_and_tiers_leaves_advanced_technologies_in_force():
    """No complex is left on the map, and the relay and the lattice act all the same."""
    spot = position(4).advanced(0, "I1b-1", "I3c-1").tile("S3b", industrial=1)
    sentence = spot.has(0, fleets=["S3b"]).caps(9).turn(0, "industrialize").given()
    sentence.when(0, StartBuild()).when(0, PlaceComplex("S3b"))
    assert sentence.state.houses[0].advanced == ["I1b-1", "I3c-1"]
    bare = finishing(position(4).hand(0, *HAND).caps(20))
    bare.when(0, Advance("I2a-1")).refused("tier_too_low", "advance.tier-by-base")
    kept = finishing(position(4).hand(0, *HAND).caps(20).advanced(0, "I1b-1"))
    kept.when(0, Advance("I2a-1"))
    assert kept.state.houses[0].advanced == ["I1b-1", "I2a-1"]


@pytest.mark.rule("advance.effect", "general.card-beats-rule")
def test_a_technology_acts_from_its_advancing_until_it_leaves_its_slot():
    spot = position(4).hand(0, "I3c-1").advanced(0, "I2b-1").tile("S3b", industrial=1).caps(20)
    sentence = spot.has(0, fleets=["S3b"]).turn(0, "industrialize").given()
    sentence.when(0, BasicDraw()).when(0, DrawCard("deck"))
    falling(sentence).when(0, Advance("I3c-1")).when(0, StartBuild())
    complex_ = PlaceComplex("S3b")  # out of industrial range, but the card says otherwise
    assert allowed(sentence, 0, complex_)
    sentence.when(0, DiscardAdvanced("I3c-1"))
    sentence.when(0, complex_).refused("out_of_range", "build.range")


@pytest.mark.rule("board.tech-slots", "advance.slot")
def test_three_slots_and_room_is_made_by_discarding_any_of_them():
    full = ("I1b-1", "P1b-1", "M1b-1")
    sentence = finishing(position(4).hand(0, *HAND).caps(9).advanced(0, *full))
    sentence.when(0, Advance("I1a-1")).refused("no_slot", "advance.slot")
    sentence.when(0, Advance("I1a-1", ("I1b-1", "I1b-1"))).refused("not_advanced", "advance.swap")
    sentence.when(0, Advance("I1a-1", ("M1b-1", "P1b-1"))).holds("caps", seat_0=7)
    assert told(sentence, AdvancedDiscarded, TechnologyAdvanced) == [
        AdvancedDiscarded(0, "M1b-1", "all"),
        AdvancedDiscarded(0, "P1b-1", "all"),
        TechnologyAdvanced(0, "I1a-1"),
    ]
    two = {"figures": {"advance.slots": {"value": 2}}}
    spot = position(4, overlay=two).hand(0, *HAND).caps(9).advanced(0, "I1b-1", "P1b-1")
    finishing(spot).when(0, Advance("I1a-1")).refused("no_slot", "advance.slot")


@pytest.mark.rule("advance.unique", "advance.swap")
def test_a_copy_makes_room_for_its_twin_and_without_the_rule_both_may_lie():
    spot = position(4).hand(0, "I1a-1").advanced(0, "I1a-2").caps(9)
    sentence = finishing(spot).when(0, Advance("I1a-1", ("I1a-2",)))
    assert sentence.state.houses[0].advanced == ["I1a-1"]
    both = {"switches": {"advance.unique": {"on": False}}}
    spot = position(4, overlay=both).hand(0, "I1a-1").advanced(0, "I1a-2").caps(9)
    sentence = finishing(spot).when(0, Advance("I1a-1"))
    assert sentence.state.houses[0].advanced == ["I1a-2", "I1a-1"]


@pytest.mark.rule("advance.cost")
def test_what_a_technology_costs_is_content():
    cells = {"technologies": {"dyson-sphere-assembly": {"cost": 1}}}
    for overlay, left in ((None, 5), (cells, 8)):
        spot = position(4, overlay=overlay).hand(0, "I2a-1").advanced(0, "I1a-1").caps(9)
        finishing(spot).when(0, Advance("I2a-1")).holds("caps", seat_0=left)


@pytest.mark.rule("advance.when", "expansion.finish")
def test_the_options_are_all_that_can_be_discarded_or_advanced():
    spot = position(4).hand(0, *HAND).advanced(0, "I1b-1", "P1a-2", "M1b-1").caps(4)
    sentence = finishing(spot)
    subsets = [
        cards for n in range(4) for cards in itertools.combinations(["I1b-1", "P1a-2", "M1b-1"], n)
    ]
    every = [Discard(card) for card in (*HAND, "I1b-1", "T01")]
    every += [Advance(card, cards) for card in (*HAND, "I1b-1") for cards in subsets]
    expected = [one for one in every if allowed(sentence, 0, one)]
    assert set(sentence.match.options(0)) == set(expected)
    assert len(expected) > len(HAND) + 3


# --- drawing --------------------------------------------------------------------------------------


@pytest.mark.rule("draw.hand-invariant", "draw.sources")
def test_every_draw_is_paired_with_a_discard_or_an_advance():
    for source, answer in (
        (DrawCard("deck"), Discard("P1a-1")),
        (DrawCard("discard"), Discard("M3a-1")),  # the card just drawn may be the one
        (DrawCard("advanced", "I1b-1"), Discard("I1b-1")),
        (DrawCard("deck"), Advance("I1a-1")),
    ):
        spot = position(4).hand(0, *HAND).advanced(0, "I1b-1").caps(9).discarded("M3a-1")
        sentence = spot.doing(DrawAndFinish(0, "x")).given().when(0, source)
        falling(sentence).asks(0, key="x/finish")
        assert len(sentence.state.houses[0].hand) == 6
        sentence.when(0, answer)
        assert len(sentence.state.houses[0].hand) == 5


@pytest.mark.rule("draw.sources", "advance.slot")
def test_a_technology_drawn_back_can_be_advanced_again_and_is_paid_again():
    spot = position(4).hand(0, *HAND).advanced(0, "I1b-1", "I1b-2").caps(9)
    sentence = spot.doing(DrawAndFinish(0, "x")).given().when(0, DrawCard("advanced", "I1b-2"))
    assert told(sentence, AdvancedTaken) == [AdvancedTaken(0, "I1b-2")]
    sentence.when(0, Advance("I1b-2", ("I1b-1",))).holds("caps", seat_0=7)
    assert sentence.state.houses[0].advanced == ["I1b-2"]


# --- three discard piles --------------------------------------------------------------------------


def three_piles(*cards: str) -> Position:
    spot = position(4, options=THREE_PILES).hand(0, *HAND)
    spot.discarded(*cards)
    piles = {"industrial": "I", "political": "P", "martial": "M"}
    found = {pile: [card for card in cards if card[0] == first] for pile, first in piles.items()}
    spot.galaxy.discards = found
    return spot


@pytest.mark.rule("opt.piles", "opt.piles-draw", "draw.always-any")
def test_the_top_card_of_any_of_the_three_piles_may_be_drawn():
    spot = three_piles("I3a-2", "I3b-1", "M3b-1")
    sentence = spot.doing(DrawAndFinish(0, "x")).given()
    sentence.offers(
        0, DrawCard("deck"), DrawCard("discard", pile="industrial"),
        DrawCard("discard", pile="martial"),
    )  # fmt: skip
    sentence.when(0, DrawCard("discard", pile="political")).refused("no_such_source")
    sentence.when(0, DrawCard("discard", pile="industrial"))
    sentence.then(DiscardTaken(0, "I3b-1", "industrial"))
    sentence.when(0, Discard("P1a-1")).then(CardDiscarded(0, "P1a-1", "political"))
    assert sentence.state.discards["political"] == ["P1a-1"]


@pytest.mark.rule("opt.piles-reshuffle", "draw.reshuffle")
def test_all_three_piles_are_shuffled_together():
    spot = three_piles("I3a-2", "I3b-1", "M3b-1")
    spot.hand(1, *list(spot.galaxy.cards.unseen))
    sentence = spot.doing(DrawAndFinish(0, "x")).given().when(0, DrawCard("deck"))
    assert told(sentence, PilesReshuffled) == [PilesReshuffled(3)]
    assert sentence.state.discards == {"industrial": [], "political": [], "martial": []}
    falling(sentence).asks(0, key="x/finish")
