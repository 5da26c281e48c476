"""Tracking cards in detail: the limit, the stockpile, the turn track, the list of phases."""

from __future__ import annotations

import pytest

from ledger.games.galactic_hegemony.actions.building import Build, Launch
from ledger.games.galactic_hegemony.actions.choosing import EndActions
from ledger.games.galactic_hegemony.actions.fights import Suppress
from ledger.games.galactic_hegemony.actions.spacecraft import Boost, Move
from ledger.games.galactic_hegemony.phases.checks import GiveBonuses
from ledger.games.galactic_hegemony.phases.tracks import (
    Borrowed,
    DebtRepaid,
    PhaseBegun,
    ResourceLimit,
    TrimStock,
    two_tokens,
)
from ledger.games.galactic_hegemony.state.board import Board
from ledger.kernel.accounts import Transferred
from tests.support.galactic_hegemony.positions import (
    acting,
    board_of,
    colony,
    house,
    laid_out,
    table,
    through,
    told,
)
from tests.support.given import given

PRINTED = (2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26)


def at_size(size: int, **terms) -> Board:
    return board_of(table(*(colony(planet) for planet in range(1, size + 1)), **terms))


@pytest.mark.rule("track.limit", "track.hegemony")
@pytest.mark.parametrize("size", range(1, 13))
def test_the_limit_at_each_hegemony_size(size: int):
    assert ResourceLimit.of(at_size(size)) == PRINTED[size]


@pytest.mark.rule("track.limit-zero")
def test_with_no_planet_under_control_the_limit_is_two():
    assert ResourceLimit.of(board_of(table(colony(1, -1), agenda=[TrimStock()]))) == 2


@pytest.mark.rule("track.limit-zero")
def test_or_nothing_where_it_is_read_so():
    overlay = house(limit_at_zero=0)
    sentence = given(table(colony(1, -1), stock=2, agenda=[TrimStock()], overlay=overlay))
    assert sentence.state.stock == 0


@pytest.mark.rule("track.limit")
def test_a_stepped_table_rises_at_every_second_size():
    limits = [
        ResourceLimit.of(at_size(n, overlay=house(limit_table="stepped"))) for n in range(1, 13)
    ]
    assert limits == [4, 4, 8, 8, 12, 12, 16, 16, 20, 20, 24, 24]


@pytest.mark.rule("track.hegemony")
def test_the_size_is_the_planets_that_are_colonised_and_not_in_revolt():
    board = board_of(table(colony(1), colony(2, 0), colony(3, -1), colony(4, -3)))
    assert board.size() == 2


@pytest.mark.rule("track.resources", "action.pay")
@pytest.mark.parametrize(
    ("decision", "price", "rule"),
    [
        (Move((3, 5), (3, 6)), 1, "move.cost"), (Boost(2), 1, "boost.cost"),
        (Suppress(3), 1, "military.cost"), (Build(1, "civil"), 2, "infra.cost"),
        (Launch(1), 3, "ship.cost"),
    ],
)  # fmt: skip
def test_what_cannot_be_paid_is_refused_and_nothing_goes_below_nothing(decision, price, rule):
    ships = [(3, 5), (1, 1), (1, 4)]
    colonies = (colony(1, 1, "S"), colony(2, 0), colony(3, -1))
    sentence = acting(*colonies, ships=ships, stock=price - 1)
    sentence.when(0, decision).refused("unaffordable", rule, price=price, resources=price - 1)
    paid = acting(*colonies, ships=ships, stock=price).when(0, decision)
    assert told(paid, Transferred)[0] == Transferred("resources", "stockpile", "bank", price, rule)
    assert paid.state.stock == 0


@pytest.mark.rule("action.pay")
def test_on_credit_one_debt_can_be_made_and_is_paid_back_from_what_is_gained():
    overlay = house(unaffordable="credit")
    sentence = acting(colony(1, 1, "SF"), ships=[(3, 5)], stock=1, overlay=overlay)
    sentence.when(0, Launch(1))
    assert told(sentence, Borrowed) == [Borrowed(2)]
    assert (sentence.state.stock, sentence.state.debt) == (0, 2)
    sentence.when(0, Move((3, 5), (3, 6))).refused("unaffordable", "move.cost")
    sentence.when(0, EndActions())
    assert told(sentence, DebtRepaid) == [DebtRepaid(2)]
    assert (sentence.state.stock, sentence.state.debt) == (2, 0)


@pytest.mark.rule("track.turn")
def test_the_turn_token_counts_down_from_ten():
    sentence = through(laid_out(), 4)
    assert sentence.state.token == 10
    sentence.when(0, EndActions())
    assert (sentence.state.turn, sentence.state.token) == (2, 9)


@pytest.mark.rule("track.phase", "turn.phases")
def test_the_phase_token_follows_the_phases_and_nothing_depends_on_it():
    sentence = acting(colony(1), saboteurs={1: (6, 6)})
    assert [one.phase for one in told(sentence, PhaseBegun)] == [4]
    sentence.state.phase = 3  # somebody pushed it
    sentence.when(0, EndActions())
    assert [one.phase for one in told(sentence, PhaseBegun)] == [5, 6, 1]


@pytest.mark.rule("variant.play-to-win-count")
@pytest.mark.parametrize(
    ("token", "shown"),
    [(0, (0, None)), (9, (9, None)), (10, (10, 0)), (11, (10, 1)), (14, (10, 4))],
)
def test_a_second_token_counts_on_from_ten(token: int, shown: tuple[int, int | None]):
    assert two_tokens(token) == shown


@pytest.mark.rule("track.limit")
def test_a_stock_above_a_limit_that_was_lowered_is_cut_at_the_next_gain():
    """So it is where an edition with a lower limit comes into force in the middle of a match."""
    colonies = [colony(planet) for planet in range(1, 6)]
    match = table(*colonies, stock=12, agenda=[GiveBonuses()], edition="e3")
    match.state.bonus_due = 1
    assert given(match).state.stock == 11
