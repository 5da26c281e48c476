"""Leaders with hands, piles and CAPs, outside of conflicts: LD01, LD02, LD04, LD11."""

from __future__ import annotations

from itertools import permutations

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
    CardDiscarded,
    CardDrawn,
    DrawCard,
    DrawTechnology,
    PilesReshuffled,
    TopCardDrawn,
)
from ledger.games.hegemonic.actions.research import DiscardForResearch
from ledger.games.hegemonic.leaders.activation import Activate
from ledger.games.hegemonic.leaders.minds import DeckOrdered, HandSeen, OrderDeck, TopSeen
from ledger.kernel.audience import view, view_decision
from ledger.kernel.refusals import Refused
from tests.support.hegemonic.leading import led
from tests.support.hegemonic.positions import falling, house, position, told


def waiting(name: str = "x"):
    return DiscardOrAdvance(0, name, optional=True)


def acting(leader: str, level: int, seats: int = 2, **terms):
    """Player 1 has the leader; player 0 is asked something between two phases of actions."""
    return led(position(seats, **terms).at(2), {1: (leader, level)}).doing(waiting())


# --- LD01 The Envoy, LD02 Thor's Will -------------------------------------------------------------


@pytest.mark.rule("LD01", "leader.anytime")
def test_ld01_level_1_looks_at_one_other_hand_and_nobody_else_sees_it():
    sentence = acting("LD01", 1, seats=3).hand(0, "I1a-1", "P1a-1").given()
    sentence.when(1, Activate(1, seat=1)).refused("no_such_target", "leader.choose", seat=1)
    sentence.when(1, Activate(1, seat=9)).refused("no_such_target", "leader.choose", seat=9)
    sentence.when(1, Activate(1, seat=2)).refused("no_such_target", "leader.choose", seat=2)
    sentence.when(1, Activate(1, seat=0))
    (seen,) = told(sentence, HandSeen)
    assert view(seen, 1)["cards"] == ["I1a-1", "P1a-1"]
    assert view(seen, 2)["cards"] == {"hidden": 2}
    assert sentence.state.houses[1].level == 0


@pytest.mark.rule("LD02", "leader.choose")
@pytest.mark.parametrize(("level", "caps"), [(1, 2), (2, 4), (3, 7)])
def test_ld02_gains_caps(level: int, caps: int):
    acting("LD02", 3).given().when(1, Activate(level)).holds("caps", seat_1=caps)


@pytest.mark.rule("leader.choose")
def test_what_a_leader_amounts_to_is_content():
    overlay = {"leaders": {"LD02": {"amount_1": 9}}}
    acting("LD02", 3, overlay=overlay).given().when(1, Activate(1)).holds("caps", seat_1=9)


@pytest.mark.rule("leader.choose")
@pytest.mark.parametrize(
    "leaders",
    [
        {"LD02": {"amount_2": -1}},
        {"LD07": {"amount_3": None}},
        {
            "LD13": {
                "dynasty": "X", "name": "Y", "named": False,
                "level_1": "a", "level_2": "b", "level_3": "c",
            }
        },
    ],
)  # fmt: skip
def test_content_names_leaders_that_the_rules_know_and_numbers_for_what_they_give(leaders):
    with pytest.raises(Refused, match="bad_value"):
        position(2, overlay={"leaders": leaders})


# --- LD04 The Chair -------------------------------------------------------------------------------


def looked(spot=None):
    """Player 1 has looked at the top three cards of the draw pile."""
    sentence = falling((spot or acting("LD04", 3)).given().when(1, Activate(1)))
    return sentence.asks(1, key="leader/s1/1/order")


@pytest.mark.rule("LD04", "leader.choose", "general.chance")
def test_ld04_level_1_looks_at_the_top_three_and_puts_them_back_in_any_order():
    sentence = looked()
    (seen,) = told(sentence, TopSeen)
    assert view(seen, 0)["cards"] == {"hidden": 3}
    assert view(sentence.state, 0)["on_top"] == {"hidden": 3}
    top = tuple(sentence.state.on_top)
    assert set(sentence.match.options(1)) == {OrderDeck(order) for order in permutations(top)}
    for wrong in (top[:2], (*top, top[0]), ("I1a-1",), (top[0], top[0], top[1])):
        sentence.when(1, OrderDeck(wrong)).refused("other_cards", "leader.choose")
    said = OrderDeck(top[::-1])
    assert view_decision(said, 0, 1)["cards"] == {"hidden": 3}
    sentence.when(1, said).asks(0)
    (ordered,) = told(sentence, DeckOrdered)
    assert view(ordered, 0)["cards"] == {"hidden": 3}
    assert sentence.state.on_top == list(top[::-1])


@pytest.mark.rule("leader.choose", "draw.sources")
def test_what_was_put_on_top_is_drawn_in_that_order_without_chance_and_then_the_rest():
    spot = acting("LD04", 1)
    spot.doing(waiting(), *(DrawTechnology(0, f"y{n}") for n in range(4)), waiting("z"))
    sentence = looked(spot)
    order = tuple(sentence.state.on_top[::-1])
    sentence.when(1, OrderDeck(order)).when(0, Keep())
    drawn = told(sentence, TopCardDrawn)
    assert [one.card for one in drawn] == list(order)
    assert view(drawn[0], 1)["card"] == {"hidden": True}
    (last,) = told(falling(sentence), CardDrawn)
    assert last.card not in order
    assert sentence.state.on_top == []


def few(count: int, **terms):
    """The draw pile holds so many cards; one is discarded, all others are in a hand."""
    spot = acting("LD04", 1, **terms).discarded("M3a-1")
    spot.hand(0, *list(spot.galaxy.cards.unseen)[count:])
    return spot


@pytest.mark.rule("leader.choose", "draw.reshuffle")
def test_of_a_short_pile_what_is_left_is_looked_at_and_the_discards_are_not_shuffled():
    sentence = looked(few(2))
    assert told(sentence, PilesReshuffled) == []
    assert len(sentence.state.on_top) == 2
    one = falling(few(1).given().when(1, Activate(1))).asks(0)
    assert len(one.state.on_top) == 1
    few(0).given().when(1, Activate(1)).refused("no_such_target", "leader.choose")


@pytest.mark.rule("draw.reshuffle")
@pytest.mark.parametrize(("reading", "shuffled"), [("on-demand", []), ("when-emptied", [1])])
def test_a_pile_has_run_out_when_what_was_looked_at_is_drawn_as_well(reading, shuffled):
    spot = few(1, overlay=house(draw__reshuffle=reading))
    spot.doing(waiting(), DrawTechnology(0, "y"), waiting("z"))
    sentence = falling(spot.given().when(1, Activate(1))).when(0, Keep())
    sentence.when(0, DrawCard("deck"))
    assert [one.count for one in told(sentence, PilesReshuffled)] == shuffled


@pytest.mark.rule("leader.choose")
def test_a_second_look_adds_only_what_is_lacking():
    spot = acting("LD04", 1)
    spot.doing(waiting(), DrawTechnology(0, "y"), waiting("z"))
    sentence = looked(spot)
    sentence.when(1, OrderDeck(tuple(sentence.state.on_top))).when(0, Keep())
    known = list(sentence.state.on_top)
    sentence.state.houses[1].level = 1
    falling(sentence.when(1, Activate(1))).asks(1, key="leader/s1/2/order")
    (seen,) = told(sentence, TopSeen)
    assert (len(seen.cards), sentence.state.on_top[:2]) == (1, known)


@pytest.mark.rule("LD04", "leader.choose", "draw.hand-invariant")
def test_ld04_level_2_draws_two_cards_and_then_discards_two():
    spot = acting("LD04", 2).hand(1, "I1a-1", "I1b-1").advanced(1, "P1b-1")
    sentence = spot.given().when(1, Activate(2)).asks(1, key="leader/s1/1/1/draw")
    sentence.when(1, DrawCard("advanced", "P1b-1"))
    falling(sentence).asks(1, key="leader/s1/1/discard/2")
    assert len(sentence.state.houses[1].hand) == 4
    sentence.when(1, Discard("M3a-1")).refused("card_not_in_hand", "draw.discard")
    sentence.when(1, Discard("I1a-1")).asks(1, key="leader/s1/1/discard/1")
    assert sentence.state.houses[1].level == 2
    sentence.when(1, Discard("P1b-1")).asks(0)
    assert told(sentence, CardDiscarded) == [CardDiscarded(1, "P1b-1", "all")]
    assert (len(sentence.state.houses[1].hand), sentence.state.houses[1].level) == (2, 0)


@pytest.mark.rule("leader.choose", "draw.nothing-left")
def test_with_nothing_to_draw_there_is_nothing_to_activate():
    for leader, level in (("LD04", 2), ("LD11", 3)):
        spot = acting(leader, 3)
        spot.hand(0, *list(spot.galaxy.cards.unseen))
        refused = spot.given().when(1, Activate(level))
        refused.refused("no_such_source", "draw.nothing-left")


@pytest.mark.rule("LD04", "leader.choose")
def test_ld04_level_3_has_an_advanced_technology_of_an_opponent_discarded():
    sentence = acting("LD04", 3).advanced(0, "P1b-1").advanced(1, "I1a-1").given()
    sentence.when(1, Activate(3, seat=1, card="I1a-1")).refused("no_such_target")
    wrong = Activate(3, seat=0, card="I1a-1")
    sentence.when(1, wrong).refused("not_advanced", "leader.choose")
    sentence.when(1, Activate(3, seat=0, card="P1b-1"))
    assert told(sentence, AdvancedDiscarded) == [AdvancedDiscarded(0, "P1b-1", "all")]


# --- LD11 The Technarch ---------------------------------------------------------------------------


@pytest.mark.rule("LD11", "leader.choose")
def test_ld11_level_1_takes_the_inactive_pile_back():
    acting("LD11", 1).given().when(1, Activate(1)).refused("no_such_target", "leader.choose")
    sentence = acting("LD11", 1).inactive(1, "I1a-1", "P1a-1").given().when(1, Activate(1))
    assert sentence.state.houses[1].hand == ["I1a-1", "P1a-1"]
    assert sentence.state.houses[1].inactive == []


@pytest.mark.rule("LD11", "leader.choose")
def test_ld11_level_2_does_research_without_an_action():
    spot = acting("LD11", 2).hand(1, "I1a-1", "P1a-1", "M1a-1").inactive(1, "M1b-1", "I1b-1")
    sentence = spot.given().when(1, Activate(2)).asks(1, key="leader/s1/1/discards")
    sentence.when(1, DiscardForResearch(("I1a-1", "M1b-1")))
    falling(sentence).asks(0)
    assert len(told(sentence, CardDrawn)) == 1
    assert len(sentence.state.houses[1].hand) == 5
    assert sentence.state.discards["all"] == ["I1a-1", "M1b-1"]
    assert sentence.state.houses[1].level == 0


@pytest.mark.rule("LD11", "leader.anytime", "draw.hand-invariant")
def test_ld11_level_2_waits_until_a_card_that_was_drawn_is_discarded():
    hand = ("I1a-1", "I1b-1", "P1a-1", "M1a-1", "M1b-1")
    spot = led(position(2).at(2), {0: ("LD11", 3)}).hand(0, *hand).doing(DrawAndFinish(0, "x"))
    sentence = falling(spot.given()).asks(0, key="x/finish")
    sentence.when(0, Activate(2)).refused("not_the_moment", "leader.anytime", level=2)


@pytest.mark.rule("LD11", "leader.choose", "advance.cost")
def test_ld11_level_3_draws_and_advances_whatever_the_tier_for_its_price():
    spot = acting("LD11", 3).hand(1, "I3b-1").caps(0, 6)
    sentence = falling(spot.given().when(1, Activate(3))).asks(1, key="leader/s1/1/finish")
    sentence.when(1, Advance("I3b-1")).holds("caps", seat_1=0).asks(0)
    assert told(sentence, TechnologyAdvanced) == [TechnologyAdvanced(1, "I3b-1")]
    poor = falling(acting("LD11", 3).hand(1, "I3b-1").caps(0, 5).given().when(1, Activate(3)))
    poor.when(1, Advance("I3b-1")).refused("unaffordable", "advance.cost")
    poor.when(1, Discard("I3b-1")).asks(0)
