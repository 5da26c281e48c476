"""Webhooks in the club's book: who has which, and what it is told."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from ledger.club.webhooks import (
    KINDS,
    OVERLAP_MS,
    WEBHOOK_REFUSALS,
    WEBHOOKS_MAX,
    Secret,
    WebhookEntry,
    WebhookMade,
    Webhooks,
    change,
    change_secret,
    end,
    make,
    stop,
)
from ledger.kernel.refusals import Refused


def made(webhook: str, person: str = "ann", **said: object) -> WebhookMade:
    more = {"url": "https://x/", "kinds": KINDS, "key": "k1"} | said
    return WebhookMade(webhook=webhook, person=person, **more)  # type: ignore[arg-type]


def taken(hooks: Webhooks, entries: Iterable[WebhookEntry], at: int) -> None:
    for number, entry in enumerate(entries, 1):
        hooks.take(number, at, "", entry)


@pytest.fixture
def hooks() -> Webhooks:
    """Ann has one, of turns and results, made at 10."""
    found = Webhooks()
    taken(found, make(found, made("a", kinds=("result", "turn", "turn"))), 10)
    return found


def refuses(code: str, call: object, *args: object) -> bool:
    with pytest.raises(Refused) as raised:
        call(*args)  # type: ignore[operator]
    assert raised.value.message == WEBHOOK_REFUSALS[raised.value.code]
    return raised.value.code == code


def test_it_is_told_of_what_its_owner_wants_from_when_it_was_made(hooks: Webhooks):
    assert hooks.all["a"].kinds == ("turn", "result")
    assert [one.id for one in hooks.told("ann", "turn", 10)] == ["a"]
    assert hooks.told("ann", "turn", 9) == []
    assert hooks.told("ann", "deal", 10) == []
    assert hooks.told("bob", "turn", 10) == []
    assert hooks.persons == {"ann"}


def test_another_s_is_as_good_as_none(hooks: Webhooks):
    assert refuses("no_such_webhook", hooks.one, "a", "bob")
    assert refuses("no_such_webhook", hooks.one, "b", "ann")
    for call in (end, change):
        assert refuses("no_such_webhook", call, hooks, "a", "bob")
    assert refuses("no_such_webhook", change_secret, hooks, "a", "bob", "k")


def test_ten_are_enough_and_one_that_was_deleted_does_not_count(hooks: Webhooks):
    for number in range(WEBHOOKS_MAX - 1):
        taken(hooks, make(hooks, made(f"n{number}")), 20)
    assert refuses("too_many_webhooks", make, hooks, made("z"))
    taken(hooks, make(hooks, made("z", "bob")), 20)
    taken(hooks, end(hooks, "a", "ann"), 21)
    assert len(hooks.of("ann")) == WEBHOOKS_MAX - 1
    assert hooks.told("ann", "result", 30)[0].id == "n0"
    taken(hooks, make(hooks, made("y")), 22)
    assert hooks.of("ann")[-1].id == "y"


def test_a_secret_that_was_changed_signs_for_a_day_and_only_the_last_one_does(hooks: Webhooks):
    taken(hooks, change_secret(hooks, "a", "ann", "k2"), 100)
    first, second = Secret(1, "k1", 100 + OVERLAP_MS), Secret(2, "k2")
    assert hooks.all["a"].signing(100) == [second, first]
    assert hooks.all["a"].signing(100 + OVERLAP_MS) == [second]
    taken(hooks, change_secret(hooks, "a", "ann", "k2"), 200)
    assert [one.number for one in hooks.all["a"].signing(201)] == [3, 2]


def test_one_that_was_stopped_is_told_nothing_and_gets_no_old_news_afterwards(hooks: Webhooks):
    taken(hooks, stop(hooks, "a", "it was lost"), 50)
    assert (hooks.all["a"].stopped, hooks.all["a"].stopped_at) == ("it was lost", 50)
    assert hooks.told("ann", "turn", 60) == []
    assert hooks.persons == frozenset()
    assert stop(hooks, "a", "again") == []
    assert stop(hooks, "gone", "it") == []
    taken(hooks, change(hooks, "a", "ann", stopped=False), 70)
    assert hooks.told("ann", "turn", 69) == []
    assert [one.id for one in hooks.told("ann", "turn", 70)] == ["a"]
    assert change(hooks, "a", "ann", stopped=False) == []


def test_its_owner_changes_what_it_is_told_and_nothing_is_written_where_nothing_changes(
    hooks: Webhooks,
):
    taken(hooks, change(hooks, "a", "ann", kinds=("deal",), label="mine"), 20)
    assert (hooks.all["a"].kinds, hooks.all["a"].label) == (("deal",), "mine")
    assert change(hooks, "a", "ann", kinds=("deal",), label="mine") == []
    taken(hooks, change(hooks, "a", "ann", label="", stopped=True), 21)
    assert (hooks.all["a"].label, hooks.all["a"].stopped) == ("", "you stopped it")
