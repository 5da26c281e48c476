"""A match that broke is thrown away, and a journal reads on from bytes with nothing left behind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledger.kernel.chance import Stream
from ledger.kernel.refusals import BrokenRule, Refused
from ledger.log.stores.memory import MemoryStore
from ledger.log.write.founding import Plan, Surroundings
from ledger.log.write.journal import Journal
from tests.support.given import everything
from tests.support.kernel.workbench import (
    BENCH,
    TOOLS,
    Do,
    Hide,
    Hiding,
    LeftAlone,
    Muddled,
    Noted,
    Scripted,
    Toss,
    Work,
    script,
)


@script("muddle the tools")
def _muddle_the_tools(state):
    weight = sum(tool.weight for tool in TOOLS.of(state).values())
    yield Noted(f"{weight} {state.reads('wood')}")
    yield Muddled()


@script("weigh the tools")
def _weigh_the_tools(state):
    weight = sum(tool.weight for tool in TOOLS.of(state).values())
    yield Noted(f"{weight} {state.reads('wood')}")
    yield Work()


@script("ask nobody")
def _ask_nobody(_):
    yield LeftAlone()
    yield Work()


@script("toss and ask nobody")
def _toss_and_ask_nobody(_):
    yield Toss()
    yield LeftAlone()
    yield Work()


def journal(**rules: object) -> Journal:
    bench = replace(BENCH, **rules)  # type: ignore[arg-type]
    around = Surroundings(
        store=MemoryStore(),
        rules_of={"bench": bench}.__getitem__,
        clock=lambda: 1,
        entropy=Stream(b"entropy").take,
    )
    opened = Journal.create(around, Plan(ruleset="bench", seats=2))
    opened.join(0, "one")
    opened.join(1, "two")
    return opened


@pytest.mark.parametrize(
    ("name", "failure"),
    [
        ("muddle the tools", ZeroDivisionError),
        ("ask nobody", BrokenRule),
        ("toss and ask nobody", BrokenRule),
    ],
)
def test_a_journal_reads_on_from_bytes_after_a_fold_broke(name: str, failure: type[Exception]):
    broken, sound = journal(), journal()
    for each in (broken, sound):
        each.start()
        each.decide(0, Do("nothing"))
    before = broken.match()
    with pytest.raises(failure):
        broken.decide(0, Do(name))
    after = broken.match()
    assert after is not before
    assert not after.broken
    assert after.state.notes == ["nothing"]
    assert after.terms.snapshot(after) == sound.match().terms.snapshot(sound.match())
    assert after.used == sound.match().used
    assert broken.history.tip == sound.history.tip

    for each in (broken, sound):
        each.decide(0, Do("weigh the tools"))
    assert broken.history.tip == sound.history.tip
    assert broken.match().state.notes == ["nothing", "6 oak"]
    assert broken.match().used == sound.match().used
    assert broken.match().used["reading", "wood"] == broken.history.tip.version


def test_a_journal_goes_on_after_a_failure_before_the_first_yield():
    opened = journal()
    opened.start()
    tip = opened.history.tip
    with pytest.raises(Refused, match="not_allowed"):
        opened.decide(0, Do("no such script"))
    assert opened.history.tip == tip
    opened.decide(0, Do("nothing"))
    assert opened.match().state.notes == ["nothing"]


def test_a_refusal_leaves_a_journal_s_match_as_it_was():
    opened = journal()
    opened.start()
    match = opened.match()
    before = everything(match)
    for attempt in (Do("refuse in allows"), Do("no such script"), Hide(1)):
        with pytest.raises(Refused):
            opened.decide(0, attempt)
        assert opened.match() is match
        assert everything(match) == before


def test_a_sealed_question_that_closes_early_writes_nothing():
    opened = journal(first=Hiding(fault="closes"))
    opened.start()
    tip = opened.history.tip
    with pytest.raises(BrokenRule, match="sealed"):
        opened.decide(1, Hide(2))
    assert opened.history.tip == tip
    assert opened.match().asked() == (0, 1)
    assert opened.match().state.notes == []


def test_a_beginning_that_broke_writes_nothing():
    opened = journal(first=Scripted("muddle the tools"))
    tip = opened.history.tip
    with pytest.raises(ZeroDivisionError):
        opened.start()
    assert opened.history.tip == tip
    with pytest.raises(Refused, match="not_started"):
        opened.match()
