"""Accounts: what is moved is in the books, and nobody but the bank owes."""

from __future__ import annotations

import pytest
from hypothesis import given as hypothesis_given
from hypothesis import settings
from hypothesis import strategies as st

from ledger.kernel.accounts import BANK, Accounts, Transferred, pay
from ledger.kernel.refusals import Refused
from tests.support.given import given
from tests.support.kernel.workbench import Do, Noted, Work, bench, script


def books(**balances: int) -> Accounts:
    opened = Accounts.opened("gold", "wood")
    for account, amount in balances.items():
        opened.move("gold", BANK, account, amount)
    return opened


def test_books_open_without_an_entry():
    opened = Accounts.opened("gold", "wood")
    assert opened.balances == {"gold": {BANK: 0}, "wood": {BANK: 0}}
    assert opened.balance("gold", "anybody") == 0
    assert opened.out_of_balance() == {}


def test_a_currency_that_there_is_not_is_a_bug():
    with pytest.raises(KeyError):
        Accounts.opened("gold").balance("iron", BANK)


def test_a_transfer_is_yielded_and_nothing_moves_before_it_is_applied():
    opened = books(ann=5)
    transfers = list(pay(opened, "gold", "ann", "bob", 3, "x.pay"))
    assert transfers == [Transferred("gold", "ann", "bob", 3, "x.pay")]
    assert opened == books(ann=5)


def test_nothing_is_yielded_for_nothing():
    assert list(pay(books(), "gold", "ann", "bob", 0, "x.pay")) == []


def test_all_that_one_has_can_be_paid():
    assert list(pay(books(ann=5), "gold", "ann", "bob", 5, "x.pay"))


@pytest.mark.parametrize(("held", "needed"), [(0, 1), (5, 6), (5, 500)])
def test_more_than_one_has_is_refused_with_the_evidence_and_nothing_moves(held: int, needed: int):
    opened = books(ann=held)
    before = books(ann=held)
    with pytest.raises(Refused) as refusal:
        next(pay(opened, "gold", "ann", "bob", needed, "x.pay"))
    assert refusal.value.code == "overdrawn"
    assert refusal.value.rule == "x.pay"
    assert refusal.value.evidence == {
        "account": "ann", "currency": "gold", "needed": needed, "has": held,
    }  # fmt: skip
    assert opened == before


def test_one_currency_does_not_pay_for_another():
    with pytest.raises(Refused, match="overdrawn"):
        next(pay(books(ann=5), "wood", "ann", "bob", 1, "x.pay"))


def test_the_bank_may_owe():
    opened = books()
    (transfer,) = pay(opened, "gold", BANK, "ann", 1000, "x.pay")
    assert isinstance(transfer, Transferred)
    opened.move(transfer.currency, transfer.source, transfer.target, transfer.amount)
    assert opened.balance("gold", BANK) == -1000
    assert opened.out_of_balance() == {}


def test_a_transfer_backwards_is_a_bug():
    with pytest.raises(AssertionError, match="moves forward"):
        next(pay(books(ann=5), "gold", "ann", "bob", -1, "x.pay"))


def test_a_fact_that_would_overdraw_is_a_bug():
    with pytest.raises(AssertionError, match="ann owes 1 gold"):
        books(ann=2).move("gold", "ann", "bob", 3)


def test_a_payment_to_oneself_leaves_what_was_there():
    opened = books(ann=2)
    opened.move("gold", "ann", "ann", 2)
    assert opened.balance("gold", "ann") == 2


def test_what_is_out_of_balance_is_named():
    opened = books(ann=5)
    opened.balances["gold"]["ann"] += 1
    assert opened.out_of_balance() == {"gold": 1}


MOVES = st.lists(
    st.tuples(
        st.sampled_from([BANK, "ann", "bob"]), st.sampled_from([BANK, "ann", "bob"]),
        st.integers(0, 20),
    ),
    max_size=30,
)  # fmt: skip


@settings(max_examples=100)
@hypothesis_given(MOVES)
def test_no_account_but_the_bank_ever_owes_and_the_sum_is_nothing(moves):
    opened = Accounts.opened("gold")
    for source, target, amount in moves:
        try:
            transfers = list(pay(opened, "gold", source, target, amount, "x.pay"))
        except Refused:
            continue
        for transfer in transfers:
            assert isinstance(transfer, Transferred)
            opened.move(transfer.currency, transfer.source, transfer.target, transfer.amount)
        assert opened.out_of_balance() == {}
        assert all(held >= 0 for name, held in opened.balances["gold"].items() if name != BANK)


# --- inside a fold --------------------------------------------------------------------------------


@script("buy nails")
def _buy_nails(state):
    yield from pay(state.accounts, "nails", BANK, "shop", 5, "bench.buy")
    yield Work()


@script("spend nails")
def _spend_nails(state):
    for transfer in pay(state.accounts, "nails", "shop", BANK, 3, "bench.spend"):
        yield Noted("spent")
        yield transfer
    yield Work()


def test_an_overdraft_in_a_fold_is_refused_and_never_moves():
    sentence = given(bench())
    sentence.when(0, Do("spend nails")).refused("overdrawn", "bench.spend", needed=3, has=0)
    sentence.when(0, Do("buy nails")).then(Transferred("nails", BANK, "shop", 5, "bench.buy"))
    sentence.holds("nails", shop=5, bank=-5)
    sentence.when(0, Do("spend nails")).then(
        Noted("spent"), Transferred("nails", "shop", BANK, 3, "bench.spend")
    )
    sentence.when(0, Do("spend nails")).refused("overdrawn", has=2).holds("nails", shop=2, bank=-2)
