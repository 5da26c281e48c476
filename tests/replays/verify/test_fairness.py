"""Counting what fell: chi-square as the tables print it, and loaded dice are noticed."""

from __future__ import annotations

import hashlib
import io
import random
from collections.abc import Iterator

import pytest

from ledger.games import ruleset
from ledger.kernel.chance import Dealt, Deck, Draw, Drawn, Roll, Rolled, Spread, Stream, Uncover
from replays.verify.dice import RECOMPUTED, TAKEN, Fall, plain
from replays.verify.fairness import DiceRow, Tally, beyond, together
from replays.verify.verifier import verify
from tests.support.log.matches import FULL_PLAN, bundled, played

KEY = hashlib.sha256(b"a key").digest()

# Critical values as any book prints them: freedom, share beyond, chi-square.
PRINTED = (
    (1, 0.05, 3.841), (1, 0.001, 10.828), (1, 0.995, 0.0000393), (2, 0.5, 1.386), (5, 0.05, 11.070),
    (5, 0.95, 1.145), (9, 0.01, 21.666), (10, 0.9, 4.865), (30, 0.05, 43.773), (100, 0.5, 99.334),
    (100, 0.001, 149.449), (100, 0.99, 70.065),
)  # fmt: skip


@pytest.mark.parametrize(("freedom", "share", "chi_square"), PRINTED)
def test_the_share_beyond_a_value_is_the_printed_one(freedom, share, chi_square):
    assert beyond(chi_square, freedom) == pytest.approx(share, rel=2e-3)


def test_the_share_beyond_falls_from_one_to_nothing():
    for freedom in (1, 2, 7, 60, 1_000):
        shares = [beyond(step * freedom / 20, freedom) for step in range(400)]
        assert shares == sorted(shares, reverse=True)
        assert shares[0] == 1
        assert 0 <= shares[-1] < 1e-4


def test_chi_square_by_hand():
    row = DiceRow("dice", "d6", [8, 12, 10, 10, 7, 13])
    assert (row.values, row.freedom, row.enough) == (60, 5, True)
    assert row.chi_square == pytest.approx((4 + 4 + 9 + 9) / 10)
    assert not DiceRow("dice", "d6", [4, 5, 5, 5, 5, 5]).enough
    assert not DiceRow("dice", "d1", [1_000]).enough


def test_rows_are_added_up_and_those_with_too_few_left_out():
    rows = [
        DiceRow("dice", "d2", [40, 60]),
        DiceRow("dice", "d3", [30, 30, 30]),
        DiceRow("dice", "d4", [1] * 4),
    ]
    chi_square, freedom, p = together(rows)
    assert (chi_square, freedom) == (pytest.approx(4.0), 3)
    assert p == pytest.approx(beyond(4.0, 3))
    assert together(rows[2:]) == (0, 0, 1.0)


# --- what is counted ------------------------------------------------------------------------------


def fall(wish, answer, version: int = 1) -> Fall:
    return Fall("m", version, 0, "here", wish, answer, KEY, RECOMPUTED)


def test_dice_are_counted_by_domain_and_sides():
    tally = Tally()
    tally.take(fall(Roll(6, 3), Rolled((1, 6, 6))))
    tally.take(fall(Roll(6), Rolled((2,))))
    tally.take(fall(Roll(2), Rolled((2,))))
    tally.take(fall(Roll(6, domain="fate"), Rolled((5,)))._replace(how=TAKEN))
    assert [(row.domain, row.kind, list(row.counts)) for row in tally.rows()] == [
        ("dice", "d2", [0, 1]),
        ("dice", "d6", [1, 1, 0, 0, 0, 2]),
        ("fate", "d6", [0, 0, 0, 0, 1, 0]),
    ]
    assert tally.how == {("dice", RECOMPUTED): 3, ("fate", TAKEN): 1}


def test_draws_are_counted_by_how_many_were_left_and_the_last_card_is_no_chance():
    tally, deck = Tally(), Deck.of("tech", "abc")
    tally.take(fall(Draw(deck, 3), Drawn(0, ("b", "c", "a"))))
    spread = Spread.of("tiles", "xyz", "123")
    tally.take(fall(Uncover(spread, "2"), Drawn(0, ("z",))))
    tally.take(fall(Draw(deck, to=0), Dealt(0, 0, 1, ("a",))))
    assert [(row.domain, row.kind, list(row.counts)) for row in tally.rows()] == [
        ("deck.tech", "1 of 2 cards", [0, 1]),
        ("deck.tech", "1 of 3 cards", [1, 1, 0]),
        ("deck.tiles", "1 of 3 cards", [0, 0, 1]),
    ]
    assert deck.unseen == {"a": 1, "b": 1, "c": 1}, "counting takes nothing"


def test_copies_of_a_card_share_their_places():
    tally = Tally()
    stream = Stream.named(KEY, "copies")
    for version in range(3_000):
        card = stream.choose(["a", "b", "b", "b"])
        tally.take(fall(Draw(Deck.of("tech", "abbb")), Drawn(0, (card,)), version))
    (row,) = tally.rows()
    assert row.freedom == 3
    assert 0.001 < row.p < 0.999


@pytest.mark.parametrize("loaded", [False, True])
def test_a_loaded_die_is_noticed(loaded: bool):
    rng, tally = random.Random(6), Tally()
    faces = [1, 2, 3, 4, 5, 6, 6] if loaded else [1, 2, 3, 4, 5, 6]
    for _ in range(3_000):
        tally.take(fall(Roll(6), Rolled((rng.choice(faces),))))
    (row,) = tally.rows()
    assert (row.p < 0.001) is loaded


def test_dice_that_are_too_even_are_noticed_too():
    tally = Tally()
    for number in range(600):
        tally.take(fall(Roll(6), Rolled((number % 6 + 1,))))
    assert together(tally.rows())[2] > 0.999


# --- from a verification --------------------------------------------------------------------------


def watched(whole: bytes) -> Iterator[dict]:
    lines: list[dict] = []
    report = verify(io.BytesIO(whole), ruleset, watch=lambda one: lines.append(plain(one)))
    assert not report.failed
    return iter(lines)


def test_a_verification_tells_every_die_with_all_that_recomputing_it_takes():
    history = played(FULL_PLAN, 1, 2).history
    said = list(watched(bundled(history)))
    asked = [one for one in history.events if b"chance.rolled" in one.body]
    assert [one["version"] for one in said] == [one.version for one in asked]
    assert said
    for one in said:
        answer = Roll(one["sides"], len(one["values"])).answer(
            bytes.fromhex(one["key"]), one["epoch"], one["address"]
        )
        assert answer == Rolled(tuple(one["values"]))
