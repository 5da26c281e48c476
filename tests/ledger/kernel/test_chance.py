"""Dice: without bias, and each a function of its key, epoch and address alone."""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterable

import pytest

from ledger.kernel.chance import (
    OUTCOMES_LISTED_MAX,
    Dealt,
    Drawn,
    Roll,
    Rolled,
    Stream,
    die,
    domain_key,
    domain_seed,
    nonce_commitment,
    seed_commitment,
)

KEY = hashlib.sha256(b"a key").digest()
ALL = 1 << 32  # a number is made of four bytes


class Numbers(Stream):
    """A stream whose underlying numbers are known."""

    def __init__(self, numbers: Iterable[int]) -> None:
        super().__init__(b"")
        self._numbers = iter(numbers)

    def take(self, count: int) -> bytes:
        return next(self._numbers).to_bytes(count, "big")


# --- no bias --------------------------------------------------------------------------------------

BOUNDS = [*range(1, 40), 52, 100, 255, 256, 257, 1000, 65_535, 65_536, 65_537]


@pytest.mark.parametrize("bound", BOUNDS)
def test_each_number_has_the_same_share_of_the_underlying_numbers(bound: int):
    """From the first to the last number of a share the answer is the same, and shares are equal."""
    share = ALL // bound
    for number in range(min(bound, 300)):
        first, last = number * share, (number + 1) * share - 1
        assert Numbers([first]).below(bound) == number
        assert Numbers([last]).below(bound) == number
        assert Numbers([(first + last) // 2]).below(bound) == number


@pytest.mark.parametrize("bound", [bound for bound in BOUNDS if ALL % bound])
def test_what_is_left_over_is_drawn_again(bound: int):
    beyond = ALL // bound * bound
    for number in {beyond, ALL - 1}:
        assert Numbers([number, number, 0]).below(bound) == 0
    assert Numbers([beyond - 1]).below(bound) == bound - 1


@pytest.mark.parametrize("bound", [1, 2, ALL - 1, ALL])
def test_the_least_and_the_greatest_bounds_work(bound: int):
    assert Numbers([0]).below(bound) == 0
    assert 0 <= Stream(KEY).below(bound) < bound


@pytest.mark.parametrize("bound", [0, -1, ALL + 1])
def test_a_bound_beyond_32_bits_or_of_nothing_is_a_bug(bound: int):
    with pytest.raises(AssertionError):
        Stream(KEY).below(bound)


@pytest.mark.long
@pytest.mark.parametrize(("sides", "critical"), [(2, 15.1), (6, 25.7), (10, 33.7), (20, 50.8)])
def test_a_hundred_thousand_dice_fall_evenly(sides: int, critical: float):
    """Chi-square against its value at one in ten thousand; with a fixed key it never flickers."""
    dice = 100_000
    fallen = Counter(die(KEY, 0, "test", place, sides) for place in range(dice))
    assert set(fallen) == set(range(1, sides + 1))
    expected = dice / sides
    assert sum((count - expected) ** 2 / expected for count in fallen.values()) < critical


def test_two_dice_of_one_address_fall_independently():
    pairs = Counter(
        (die(KEY, 0, str(turn), 0, 6), die(KEY, 0, str(turn), 1, 6)) for turn in range(36_000)
    )
    assert len(pairs) == 36
    assert sum((count - 1000) ** 2 / 1000 for count in pairs.values()) < 80  # one in 40 000


def test_a_stream_gives_the_same_bytes_however_they_are_taken():
    whole = Stream(KEY).take(100)
    parts = Stream(KEY)
    assert b"".join(parts.take(count) for count in (1, 31, 0, 33, 35)) == whole
    assert Stream(KEY).take(100) == whole


def test_streams_of_other_names_are_other_streams():
    names = [("a",), ("b",), ("a", "b"), ("ab",), ("", "ab"), ("ab", ""), ()]
    taken = [Stream.named(KEY, *name).take(16) for name in names]
    assert len(set(taken)) == len(names)


def test_a_choice_is_any_of_the_items():
    stream = Stream(KEY)
    assert {stream.choose("abc") for _ in range(100)} == set("abc")


# --- stability ------------------------------------------------------------------------------------


def test_a_die_depends_on_key_epoch_address_and_place_and_on_nothing_else():
    first = [die(KEY, 0, "r1/fight", place, 1000) for place in range(8)]
    assert [die(KEY, 0, "r1/fight", place, 1000) for place in reversed(range(8))] == first[::-1]
    others = [
        [die(bytes(32), 0, "r1/fight", place, 1000) for place in range(8)],
        [die(KEY, 1, "r1/fight", place, 1000) for place in range(8)],
        [die(KEY, 0, "r2/fight", place, 1000) for place in range(8)],
    ]
    assert all(other != first for other in others)
    assert len(set(first)) > 1


def test_an_additional_address_moves_no_other_die():
    """An erratum that has one more roll changes only that roll."""
    addresses = [f"r{turn}/fight" for turn in range(20)]
    before = {address: Roll(6, 3).answer(KEY, 0, address) for address in addresses}
    with_more = [x for address in addresses for x in (address, f"{address}/again")]
    after = {address: Roll(6, 3).answer(KEY, 0, address) for address in with_more}
    assert {address: after[address] for address in addresses} == before


def test_an_additional_die_moves_none_before_it():
    fewer, more = (Roll(6, count).answer(KEY, 0, "fight") for count in (2, 5))
    assert isinstance(fewer, Rolled)
    assert isinstance(more, Rolled)
    assert more.values[:2] == fewer.values


def test_parts_of_an_address_do_not_run_together():
    """Epoch 1 of `1a` is not epoch 11 of `a`; nor is place 1 after `a` place 11 after nothing."""
    seen = [
        [die(KEY, epoch, address, place, ALL) for place in places]
        for epoch, address, places in [(1, "1a", (0,)), (11, "a", (0,)), (0, "a1", (1,)),
                                       (0, "a", (11,))]
    ]  # fmt: skip
    assert len({tuple(dice) for dice in seen}) == len(seen)


# --- wishes for dice ------------------------------------------------------------------------------


@pytest.mark.parametrize(("sides", "count"), [(2, 1), (6, 1), (6, 2), (3, 4), (1, 1)])
def test_all_that_can_fall_is_listed_once_and_fits(sides: int, count: int):
    wish = Roll(sides, count)
    outcomes = list(wish.outcomes())
    every = {Rolled(values) for values in itertools.product(range(1, sides + 1), repeat=count)}
    assert set(outcomes) == every
    assert len(outcomes) == len(every)
    assert all(map(wish.fits, outcomes))
    assert wish.fits(wish.answer(KEY, 0, "here"))


def test_where_too_much_can_fall_nothing_is_listed():
    assert OUTCOMES_LISTED_MAX < 6**5
    assert list(Roll(6, 5).outcomes()) == []
    assert Roll(6, 5).fits(Roll(6, 5).answer(KEY, 0, "here"))


@pytest.mark.parametrize(
    "answer",
    [Rolled(()), Rolled((1,)), Rolled((1, 2, 3)), Rolled((0, 1)), Rolled((1, 7)), Rolled((-1, 1)),
     Drawn(0, ("1", "2")), Dealt(0, 0, 2, ("1", "2"))],
)  # fmt: skip
def test_what_cannot_fall_does_not_fit(answer):
    assert not Roll(6, 2).fits(answer)


# --- keys -----------------------------------------------------------------------------------------

SEED = hashlib.sha256(b"a seed").digest()
NONCES = [hashlib.sha256(bytes([seat])).digest() for seat in range(3)]


def test_a_key_depends_on_seed_domain_and_each_nonce_in_its_place():
    keys = [
        domain_key(SEED, "dice", NONCES),
        domain_key(NONCES[0], "dice", NONCES),
        domain_key(SEED, "deck.tech", NONCES),
        domain_key(SEED, "dice", NONCES[::-1]),
        domain_key(SEED, "dice", NONCES[:2]),
        domain_key(SEED, "dice", []),
        *(
            domain_key(SEED, "dice", [*NONCES[:seat], SEED, *NONCES[seat + 1 :]])
            for seat in range(3)
        ),
    ]
    assert len(set(keys)) == len(keys)
    assert {len(key) for key in keys} == {32}
    assert domain_key(SEED, "dice", NONCES) == keys[0]


@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize("bit", [0, 7, 255])
def test_one_bit_of_one_nonce_makes_another_key(seat: int, bit: int):
    turned = list(NONCES)
    number = int.from_bytes(turned[seat], "big") ^ (1 << bit)
    turned[seat] = number.to_bytes(32, "big")
    before, after = (domain_key(SEED, "dice", nonces) for nonces in (NONCES, turned))
    assert before != after
    assert [die(before, 0, "a", p, 1000) for p in range(9)] != [
        die(after, 0, "a", p, 1000) for p in range(9)
    ]


def test_each_domain_has_a_seed_of_its_own():
    seeds = {domain: domain_seed(SEED, domain) for domain in ("dice", "deck.tech", "deck.tec")}
    assert len(set(seeds.values())) == 3
    assert seeds["dice"] == domain_seed(SEED, "dice")
    assert domain_seed(NONCES[0], "dice") != seeds["dice"]


def test_commitments_bind_what_they_are_of():
    seeds = [seed_commitment(SEED, "dice"), seed_commitment(SEED, "dic"),
             seed_commitment(NONCES[0], "dice")]  # fmt: skip
    nonces = [nonce_commitment(0, NONCES[0]), nonce_commitment(1, NONCES[0]),
              nonce_commitment(0, NONCES[1])]  # fmt: skip
    assert len({*seeds, *nonces}) == 6
