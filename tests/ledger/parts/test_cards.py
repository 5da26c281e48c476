"""Cards in a game of its own names: a spare deck, hands in a box, discards in two piles."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from ledger.kernel.audience import Open, OwnCounted
from ledger.kernel.chance import Dealt, Deck, Draw, Drawn
from ledger.kernel.records import Decision
from ledger.kernel.refusals import Refused
from ledger.parts import cards
from ledger.parts.cards import DrawPile, are_each_once, check_in_hand

PILE = DrawPile(cards="budget", known="known", seen_by="knows", discarded="thrown")


class Got(cards.HandDealt, tag="test.got"):
    source = PILE
    held = "box"


class Drew(cards.CardDrawn, tag="test.drew"):
    source = PILE
    held = "box"


class DrewKnown(cards.KnownDrawn, tag="test.drew-known"):
    source = PILE
    held = "box"


class Threw(cards.CardDiscarded, tag="test.threw"):
    source = PILE
    held = "box"


class Took(cards.DiscardTaken, tag="test.took"):
    source = PILE
    held = "box"


class Showed(cards.CardMoved, tag="test.showed"):
    held, to = "box", "shown"


class Shuffled(cards.Reshuffled, tag="test.shuffled"):
    source = PILE


class Looked(cards.TopSeen, tag="test.looked"):
    source = PILE


class Sorted(cards.TopOrdered, tag="test.sorted"):
    source = PILE


class Sort(Decision, tag="test.sort"):
    cards: OwnCounted[tuple[str, ...]]


class ChooseOrder(cards.ChooseOrder):
    answers = (Sort,)
    rule = "test.sort"
    source = PILE
    ordered = Sorted
    count: Open[int]


class DealFour(cards.DealHand):
    deck = "budget"
    where = "budget/s{}/first"
    told = Got

    def wanted(self, state: Any) -> int:
        return 4


class TurnOne(cards.TurnUp):
    deck = "budget"
    where = "turn/s{}"
    told = Drew


class Table(SimpleNamespace):
    def own(self, seat: int) -> Any:
        return self.boxes[seat]


@pytest.fixture
def table() -> Table:
    return Table(
        budget=Deck.of("budget", ["A", "B", "C", "D", "E"]),
        known=[],
        knows=(),
        thrown={"red": [], "black": []},
        boxes=[SimpleNamespace(box=[], shown=[]) for _ in range(2)],
    )


def test_cards_go_from_the_pile_to_a_seat_and_to_the_discards(table: Table):
    Got(1, ("A", "B"), 0).apply(table)
    Drew(1, "C", 0).apply(table)
    Threw(1, "B", "red").apply(table)
    Showed(1, "A").apply(table)
    assert (table.boxes[1].box, table.boxes[1].shown) == (["C"], ["A"])
    assert (PILE.size(table), PILE.tops(table)) == (2, [("red", "B")])
    Took(0, "B", "red").apply(table)
    assert (table.boxes[0].box, PILE.tops(table)) == (["B"], [])


def test_all_discards_are_shuffled_into_the_pile(table: Table):
    Got(0, ("A", "B", "C"), 0).apply(table)
    Threw(0, "A", "red").apply(table)
    Threw(0, "C", "black").apply(table)
    fact = Shuffled.now(table)
    fact.apply(table)
    assert (fact.count, PILE.tops(table)) == (2, [])
    assert sorted(PILE.deck(table).unseen) == ["A", "C", "D", "E"]


def test_what_a_seat_looked_at_stays_on_top_in_its_order(table: Table):
    Looked(1, ("D", "A"), 0).apply(table)
    assert (table.known, table.knows, PILE.size(table)) == (["D", "A"], (1,), 5)
    question = ChooseOrder(1, 2)
    assert [one.cards for one in question.options(table, 1)] == [("D", "A"), ("A", "D")]
    assert question.allows(table, 1, Sort(("A", "D")))
    with pytest.raises(Refused, match="other_cards"):
        question.allows(table, 1, Sort(("A", "B")))
    (fact,) = question.decide(table, 1, Sort(("A", "D")))
    assert isinstance(fact, Sorted)
    fact.apply(table)
    DrewKnown(0, "A").apply(table)
    assert (table.known, table.boxes[0].box) == (["D"], ["A"])


def test_a_pile_can_do_without_known_cards_and_discards(table: Table):
    bare = DrawPile(cards="budget", known="", discarded="")
    assert (bare.size(table), bare.tops(table), bare.on_top(table)) == (5, [], [])


@pytest.mark.parametrize(
    ("parts", "base", "given", "missing"),
    [
        ({"known": ""}, cards.TopSeen, (0, ("A",), 0), "known"),
        ({"seen_by": ""}, cards.TopSeen, (0, ("A",), 0), "seen_by"),
        ({"known": ""}, cards.TopOrdered, (0, ("A",)), "known"),
        ({"known": ""}, cards.KnownDrawn, (0, "A"), "known"),
        ({"discarded": ""}, cards.CardDiscarded, (0, "A", "red"), "discarded"),
        ({"discarded": ""}, cards.DiscardTaken, (0, "A", "red"), "discarded"),
        ({"discarded": ""}, cards.Reshuffled, (0,), "discarded"),
    ],
)
def test_a_fact_about_a_part_that_the_pile_lacks_fails_plainly_and_changes_nothing(
    table: Table, parts: dict[str, str], base: Any, given: tuple[Any, ...], missing: str
):
    table.boxes[0].box.append("A")

    class Bare(base, tag="test.bare"):
        source = replace(PILE, **parts)
        held = "box"

    before = repr(table)
    with pytest.raises(AssertionError, match=f"pile budget names no field for: {missing}"):
        Bare(*given).apply(table)
    assert repr(table) == before


def test_chance_is_asked_at_the_address_of_the_seat(table: Table):
    deal, turn = DealFour(1), TurnOne(0)
    assert (deal.address(table), turn.address(table)) == ("budget/s1/first", "turn/s0")
    assert deal.wish(table) == Draw(table.budget, 4, to=1)
    assert turn.wish(table) == Draw(table.budget)
    hand = ("A", "B", "C", "D")
    assert list(deal.fallen(table, Dealt(0, 1, 4, hand))) == [Got(1, hand, 0)]
    assert list(turn.fallen(table, Drawn(0, ("E",)))) == [Drew(0, "E", 0)]


def test_a_card_must_be_in_the_hand():
    check_in_hand(["A"], "A", "test.hand")
    with pytest.raises(Refused, match="card_not_in_hand"):
        check_in_hand(["A"], "B", "test.hand")
    assert are_each_once(("A", "B"), "ABC")
    assert not are_each_once(("A", "A"), "ABC")
    assert not are_each_once(("D",), "ABC")
