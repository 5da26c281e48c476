"""Cards: lots decide their order, which is a permutation, and new and fair after a rewind."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from ledger.kernel.chance import Dealt, Deck, Draw, Drawn, Rolled, domain_key, top_cards
from ledger.kernel.refusals import BrokenRule

KEY = hashlib.sha256(b"a key").digest()
CARDS = ["a", "b", "b", "c", "c", "c", "d", "e", "f", "g"]


def keys(count: int) -> list[bytes]:
    return [hashlib.sha256(number.to_bytes(4, "big")).digest() for number in range(count)]


def order(deck: Deck, key: bytes = KEY, epoch: int = 0) -> tuple[str, ...]:
    return top_cards(key, epoch, deck, deck.size())


def test_a_deck_is_what_nobody_has_seen():
    deck = Deck.of("tech", CARDS)
    assert deck.unseen == {"a": 1, "b": 2, "c": 3, "d": 1, "e": 1, "f": 1, "g": 1}
    assert deck.made_of == deck.unseen
    assert deck.made_of is not deck.unseen
    assert deck.size() == len(CARDS)
    assert Deck.of("tech", reversed(CARDS)) == deck


@pytest.mark.parametrize("key", keys(20))
def test_the_order_is_a_permutation_copies_and_all(key: bytes):
    assert Counter(order(Deck.of("tech", CARDS), key)) == Counter(CARDS)


@pytest.mark.parametrize("count", range(len(CARDS) + 1))
def test_the_top_cards_are_the_beginning_of_the_order(count: int):
    deck = Deck.of("tech", CARDS)
    assert top_cards(KEY, 0, deck, count) == order(deck)[:count]


@pytest.mark.parametrize("sizes", [(1,) * 10, (3, 3, 4), (10,), (0, 9, 1), (2, 1, 4, 3)])
@pytest.mark.parametrize("key", keys(5))
def test_cards_come_in_the_same_order_however_many_at_a_time(sizes: tuple[int, ...], key: bytes):
    deck = Deck.of("tech", CARDS)
    whole = order(deck, key)
    drawn: list[str] = []
    for size in sizes:
        cards = top_cards(key, 0, deck, size)
        deck.take(cards, 0)
        drawn += cards
    assert tuple(drawn) == whole
    assert deck.size() == 0


@pytest.mark.parametrize(
    "other",
    [Deck.of("tech", CARDS, shuffle=1), Deck.of("tec", CARDS)],
    ids=["another shuffle", "another deck"],
)
def test_another_shuffle_or_deck_has_another_order(other: Deck):
    first = Deck.of("tech", CARDS)
    assert any(order(other, key) != order(first, key) for key in keys(3))


def test_more_cards_than_there_are_cannot_be_drawn():
    """To ask for more than there are is a bug of the rules, not a player's doing."""
    with pytest.raises(BrokenRule, match="11 cards are asked of the deck tech, which holds 10"):
        top_cards(KEY, 0, Deck.of("tech", CARDS), 11)


def test_a_card_that_is_not_there_cannot_be_taken():
    deck = Deck.of("tech", ["a"])
    with pytest.raises(AssertionError, match="b is not in the deck tech"):
        deck.take(["b"], 0)
    deck.take(["a"], 0)
    with pytest.raises(AssertionError):
        deck.take(["a"], 0)


# --- rewinds --------------------------------------------------------------------------------------


def test_in_a_new_epoch_what_nobody_has_seen_is_in_a_new_order():
    deck = Deck.of("tech", CARDS)
    seen = order(deck)[:4]
    deck.take(seen, 0)
    rest = order(deck)
    again = order(deck, epoch=7)
    assert Counter(again) == Counter(rest) == Counter(CARDS) - Counter(seen)
    assert again != rest


def test_the_order_of_an_epoch_stays_while_cards_are_drawn_in_it():
    deck = Deck.of("tech", CARDS)
    deck.take(order(deck)[:3], 0)
    whole = order(deck, epoch=7)
    drawn = []
    for _ in range(7):
        (card,) = top_cards(KEY, 7, deck, 1)
        deck.take([card], 7)
        drawn.append(card)
        assert deck.epoch == 7
    assert tuple(drawn) == whole


def test_an_epoch_does_not_depend_on_the_order_before_it():
    """Only the drawn cards count, not their order and not their epochs."""
    one, two = Deck.of("tech", CARDS), Deck.of("tech", CARDS)
    one.take(["a", "c", "b"], 0)
    two.take(["c"], 0)
    two.take(["b", "a"], 3)
    assert order(one, epoch=7) == order(two, epoch=7)


def _first_of_two_kinds(epoch_before: int, epoch: int, draws: int = 4000) -> Counter[str]:
    """Counts the first draws of three x and one y, after two x were drawn in another epoch."""
    firsts: Counter[str] = Counter()
    for key in keys(draws):
        deck = Deck.of("lots", ["x"] * 5 + ["y"])
        if top_cards(key, epoch_before, deck, 2) != ("x", "x"):
            continue
        deck.take(("x", "x"), epoch_before)
        firsts.update(top_cards(key, epoch, deck, 1))
    return firsts


def test_after_a_rewind_copies_have_no_advantage_of_the_order_before():
    """Two x of five came first; among three x and one y each is as likely: y one time in four.

    Were the copies' old lots kept, the x that are left would hold the highest and y come too soon.
    """
    firsts = _first_of_two_kinds(0, 9)
    assert firsts.total() > 2000
    share = firsts["y"] / firsts.total()
    assert abs(share - 1 / 4) < 4 * (0.25 * 0.75 / firsts.total()) ** 0.5


def test_within_an_epoch_too_each_unseen_card_is_as_likely():
    firsts = _first_of_two_kinds(0, 0)
    share = firsts["y"] / firsts.total()
    assert abs(share - 1 / 4) < 4 * (0.25 * 0.75 / firsts.total()) ** 0.5


def test_when_cards_were_entered_by_hand_a_new_epoch_is_still_fair():
    """At a real table anything can be drawn, whatever the lots would have said."""
    firsts: Counter[str] = Counter()
    for key in keys(3000):
        deck = Deck.of("lots", ["x"] * 4 + ["y"] * 2)
        deck.take(["y", "x", "x"], 0)
        firsts.update(top_cards(key, 5, deck, 1))
    share = firsts["y"] / 3000
    assert abs(share - 1 / 3) < 4 * (2 / 9 / 3000) ** 0.5


def test_every_permutation_is_as_likely():
    orders = Counter(order(Deck.of("lots", "xyz"), key) for key in keys(6000))
    assert len(orders) == 6
    assert sum((count - 1000) ** 2 / 1000 for count in orders.values()) < 25.7


def test_every_order_of_copies_is_as_likely():
    orders = Counter(order(Deck.of("lots", "xxy"), key) for key in keys(6000))
    assert set(orders) == {("x", "x", "y"), ("x", "y", "x"), ("y", "x", "x")}
    assert sum((count - 2000) ** 2 / 2000 for count in orders.values()) < 18.4


@pytest.mark.parametrize("seat", [0, 1])
def test_each_nonce_makes_another_order(seat: int):
    nonces = keys(2)
    turned = [*nonces]
    turned[seat] = KEY
    orders = [
        order(Deck.of("tech", CARDS), domain_key(KEY, "deck.tech", chosen))
        for chosen in (nonces, turned)
    ]
    assert orders[0] != orders[1]


# --- shuffling ------------------------------------------------------------------------------------


def test_cards_that_are_put_back_are_shuffled_in_with_those_that_are_left():
    deck = Deck.of("tech", CARDS)
    drawn = order(deck)[:6]
    deck.take(drawn, 0)
    left = order(deck)
    deck.shuffle_in(drawn[:4])
    assert (deck.shuffle, deck.made_of) == (1, deck.unseen)
    assert Counter(order(deck)) == Counter(left) + Counter(drawn[:4])
    assert any(tuple(card for card in order(deck, key) if card in left) != left for key in keys(5))


def test_a_shuffle_makes_every_order_as_likely():
    """Also of copies that had been drawn before others of their kind."""
    orders: Counter[tuple[str, ...]] = Counter()
    for key in keys(6000):
        deck = Deck.of("lots", "xxy")
        first = top_cards(key, 0, deck, 1)
        deck.take(first, 0)
        deck.shuffle_in(first)
        orders[order(deck, key)] += 1
    assert len(orders) == 3
    assert sum((count - 2000) ** 2 / 2000 for count in orders.values()) < 18.4


def test_a_shuffle_after_a_rewind_is_another_one():
    before, after = Deck.of("tech", CARDS), Deck.of("tech", CARDS)
    for deck, epoch in ((before, 0), (after, 7)):
        deck.take(["a"], epoch)
        deck.shuffle_in(["a"])
    assert order(before, epoch=0) != order(after, epoch=7)


# --- wishes for cards -----------------------------------------------------------------------------


def test_each_deck_is_a_domain_of_its_own():
    assert Draw(Deck.of("tech", CARDS)).domain == "deck.tech"


def test_what_the_key_says_fits_the_wish_whatever_the_address():
    deck = Deck.of("tech", CARDS)
    open_, given = Draw(deck, 3), Draw(deck, 3, to=1)
    drawn = open_.answer(KEY, 0, "here")
    assert drawn == Drawn(0, order(deck)[:3]) == open_.answer(KEY, 0, "there")
    assert given.answer(KEY, 0, "here") == Dealt(0, 1, 3, order(deck)[:3])
    assert open_.fits(drawn)
    assert given.fits(given.answer(KEY, 0, ""))


def test_single_cards_are_listed_each_kind_once():
    deck = Deck.of("tech", CARDS)
    assert list(Draw(deck).outcomes()) == [Drawn(0, (card,)) for card in "abcdefg"]
    assert list(Draw(deck, to=1).outcomes()) == [Dealt(0, 1, 1, (card,)) for card in "abcdefg"]
    assert list(Draw(deck, 2).outcomes()) == []


DECK = Deck.of("tech", CARDS)


@pytest.mark.parametrize(
    ("wish", "answer"),
    [
        (Draw(DECK), Drawn(0, ("z",))),
        (Draw(DECK), Drawn(0, ())),
        (Draw(DECK), Drawn(0, ("a", "b"))),
        (Draw(DECK, 2), Drawn(0, ("a", "a"))),
        (Draw(DECK), Dealt(0, 1, 1, ("a",))),
        (Draw(DECK), Rolled((1,))),
        (Draw(DECK, to=1), Drawn(0, ("a",))),
        (Draw(DECK, to=1), Dealt(0, 0, 1, ("a",))),
        (Draw(DECK, to=1), Dealt(0, 1, 2, ("a",))),
        (Draw(DECK, to=1), Dealt(0, 1, 2, ("a", "b"))),
    ],
)
def test_what_could_not_have_been_drawn_does_not_fit(wish: Draw, answer):
    assert not wish.fits(answer)


def test_copies_may_come_together():
    assert Draw(DECK, 2).fits(Drawn(0, ("b", "b")))
    assert Draw(DECK, 3).fits(Drawn(0, ("c", "b", "c")))
