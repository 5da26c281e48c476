"""Cards on places: each place keeps its card, whichever is turned up first, until a rewind."""

from __future__ import annotations

import copy
import hashlib
from collections import Counter
from itertools import permutations

import pytest

from ledger.kernel.chance import Dealt, Drawn, Rolled, Spread, Uncover

KEY = hashlib.sha256(b"a key").digest()
CARDS = ["a", "b", "b", "c"]
PLACES = ["1", "2", "3", "4"]


def keys(count: int) -> list[bytes]:
    return [hashlib.sha256(number.to_bytes(4, "big")).digest() for number in range(count)]


def lying(spread: Spread, place: str, key: bytes = KEY, epoch: int = 0) -> str:
    answer = Uncover(spread, place).answer(key, epoch, f"the address of {place} does not matter")
    assert isinstance(answer, Drawn)
    assert answer.epoch == epoch
    (card,) = answer.cards
    return card


def turned(spread: Spread, *places: str, key: bytes = KEY, epoch: int = 0) -> dict[str, str]:
    """Returns what lies at places that are turned up in this order."""
    found = {}
    for place in places:
        found[place] = lying(spread, place, key, epoch)
        spread.turn_up(place, found[place], epoch)
    return found


@pytest.mark.parametrize("key", keys(5))
def test_each_place_has_its_card_in_whatever_order_they_are_turned_up(key: bytes):
    every = [
        turned(Spread.of("tiles", CARDS, PLACES), *order, key=key) for order in permutations(PLACES)
    ]
    assert all(found == every[0] for found in every)
    assert Counter(every[0].values()) == Counter(CARDS)


def test_a_place_that_is_never_turned_up_changes_no_other():
    whole = turned(Spread.of("tiles", CARDS, PLACES), *PLACES)
    spread = Spread.of("tiles", CARDS, PLACES)
    assert turned(spread, "4", "2") == {"4": whole["4"], "2": whole["2"]}
    assert spread.size() == 2
    assert spread.covered == ["1", "3"]


def test_each_card_lies_on_each_place_as_often():
    spread = Spread.of("tiles", ["a", "b", "c"], ["1", "2", "3"])
    seen = Counter(
        (place, lying(spread, place, key)) for key in keys(900) for place in spread.places
    )
    assert len(seen) == 9
    assert all(240 <= times <= 360 for times in seen.values())


def test_after_a_rewind_what_lies_covered_is_in_a_new_order():
    orders = Counter()
    for epoch in range(1, 40):
        spread = Spread.of("tiles", ["a", "b", "c", "d"], PLACES)
        first = turned(spread, "1")
        rest = turned(copy.deepcopy(spread), "2", "3", "4", epoch=epoch)
        assert {*first.values(), *rest.values()} == {"a", "b", "c", "d"}
        backwards = turned(copy.deepcopy(spread), "4", "3", "2", epoch=epoch)
        assert backwards == rest
        orders[tuple(rest.values())] += 1
    assert len(orders) == 6


def test_what_was_turned_up_after_a_rewind_stays_when_there_is_another():
    spread = Spread.of("tiles", ["a", "b", "c", "d"], PLACES)
    known = turned(spread, "3") | turned(spread, "1", epoch=5) | turned(spread, "4", epoch=9)
    assert spread.places == ["2", "4"]
    assert spread.covered == ["2"]
    assert set((known | turned(spread, "2", epoch=9)).values()) == {"a", "b", "c", "d"}


def test_only_a_card_that_nobody_has_seen_can_lie_there():
    spread = Spread.of("tiles", CARDS, PLACES)
    spread.turn_up("1", "a", 0)
    wish = Uncover(spread, "2")
    assert wish.domain == "deck.tiles"
    assert wish.fits(Drawn(0, ("b",)))
    assert list(wish.outcomes()) == [Drawn(0, ("b",)), Drawn(0, ("c",))]
    for wrong in (
        Drawn(0, ("a",)), Drawn(0, ()), Drawn(0, ("b", "c")), Rolled((1,)), Dealt(0, 0, 1, ("b",)),
    ):  # fmt: skip
        assert not wish.fits(wrong)


def test_a_place_is_turned_up_once():
    spread = Spread.of("tiles", CARDS, PLACES)
    spread.turn_up("1", "a", 0)
    with pytest.raises(AssertionError, match="nothing lies covered on 1"):
        spread.turn_up("1", "b", 0)


def test_another_name_or_key_gives_another_order():
    orders = {
        tuple(turned(Spread.of(name, "abcdefgh", "12345678"), *"12345678", key=key).values())
        for name in ("tiles", "cards")
        for key in keys(2)
    }
    assert len(orders) == 4
