"""A match in the log: rewinds over explored tiles, forks, editions that change on the way."""

from __future__ import annotations

import itertools
import json
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from ledger.games import ruleset
from ledger.games.galactic_hegemony.actions.choosing import Concede, EndActions, TakeNote
from ledger.games.galactic_hegemony.actions.spacecraft import Move
from ledger.kernel.audience import view
from ledger.kernel.bots import greedy_bot
from ledger.kernel.chance import Drawn, Stream
from ledger.kernel.records import CHANCE
from ledger.kernel.refusals import Refused
from ledger.log.format.bodies import Submitter
from ledger.log.stores.memory import MemoryStore
from ledger.log.write.fork import fork
from ledger.log.write.founding import Plan, Surroundings
from ledger.log.write.journal import Journal
from replays.verify.verifier import Verdict
from tests.support.galactic_hegemony.positions import NAME
from tests.support.replays.saying import report_of

ORGANIZER = Submitter(role="organizer")


def around(seed: int) -> Surroundings:
    entropy = Stream.named(seed.to_bytes(8, "big"), "entropy")
    ticks = itertools.count(1_700_000_000_000)
    return Surroundings(
        store=MemoryStore(), rules_of=ruleset, clock=lambda: next(ticks), entropy=entropy.take
    )


def started(seed: int) -> Journal:
    one = Journal.create(around(seed), Plan(ruleset=NAME, seats=1))
    one.join(0, "player")
    one.start()
    return one


def play(one: Journal, until: int) -> None:
    """The greedy bot plays until so many tiles have been turned up, or to the end."""
    stream = Stream(b"bot")
    while not (match := one.match()).ended and match.state.face_down.size() > 11 - until:
        one.decide(0, greedy_bot(match.terms, partial(match.view, 0), match.options(0), stream))


def explored(one: Journal) -> dict[str, tuple[str, ...]]:
    """Returns what was turned up on the line that goes on, by address."""
    return {
        moment.body.question: moment.decision.cards
        for moment in one.history.replay()
        if isinstance(moment.decision, Drawn)
    }


def version_of(one: Journal, question: str) -> int:
    return next(
        moment.version
        for moment in one.history.replay()
        if getattr(moment.body, "question", "") == question and moment.seat == CHANCE
    )


@pytest.mark.parametrize("seed", range(3))
def test_a_match_with_rewinds_over_explored_tiles_verifies(seed: int):
    one = started(seed)
    play(one, 4)
    before = explored(one)
    third = list(before)[2]
    one.rewind(version_of(one, third) - 1, ORGANIZER, "the die was cocked")
    again = explored(one)
    assert list(again)[:2] == list(before)[:2]
    assert [again[tile] for tile in list(again)[:2]] == [before[tile] for tile in list(again)[:2]]
    assert third in again, "the tile that was asked for is turned up anew"
    play(one, 11)
    every = explored(one)
    assert len(set(every.values())) == len(every)
    while not one.match().ended:
        one.decide(0, EndActions())
    one.close()
    assert report_of(one.history).verdict == Verdict.NOT_ANCHORED.value


@pytest.mark.parametrize("seed", range(2))
def test_a_fork_keeps_what_was_turned_up_and_verifies(seed: int):
    one = started(seed)
    play(one, 3)
    other = fork(around(seed + 100), one.history, one.history.tip.version)
    assert explored(other) == explored(one)
    play(other, 11)
    assert len(set(explored(other).values())) == len(explored(other)) > 3
    if not other.match().ended:
        other.decide(0, Concede())
    other.close()
    assert report_of(other.history).verdict == Verdict.NOT_ANCHORED.value


def test_an_edition_can_change_in_the_middle_of_a_match():
    one = started(4)
    play(one, 2)
    one.change_edition("e4", ORGANIZER, "the errata were found")
    play(one, 11)
    if not one.match().ended:
        one.decide(0, Concede())
    one.close()
    assert report_of(one.history).verdict == Verdict.NOT_ANCHORED.value


def test_a_note_stands_in_the_log_and_a_move_can_be_taken_back_at_once():
    one = started(5)
    one.decide(0, TakeNote("they will not see me coming"))
    tip = one.history.tip.version
    match = one.match()
    quiet = next(
        option
        for option in match.options(0)
        if isinstance(option, Move) and match.state.tile_at(option.to) is None
    )
    one.decide(0, quiet)
    assert one.match().state.stock == 3
    seat = Submitter(role="seat")
    one.rewind(tip, seat, "a slip of the hand", seat=0)
    assert one.match().state.stock == 4
    assert one.match().state.notes == 1


def test_what_was_learned_cannot_be_taken_back_at_once():
    one = started(6)
    before = one.history.tip.version
    play(one, 1)
    with pytest.raises(Refused) as refusal:
        one.rewind(before, Submitter(role="seat"), "I would rather not know", seat=0)
    assert refusal.value.code == "undo_needs_consent"


def test_decisions_facts_and_scenes_fit_the_published_schemas():
    one = started(7)
    play(one, 3)
    for moment in one.history.replay():
        if moment.decision is not None:
            valid("galactic_hegemony-decisions.json", moment.decision)
        for fact in moment.facts:
            valid("galactic_hegemony-facts.json", view(fact, 0))
            valid("fact.json", view(fact, None))
    scene = one.match().scene(0)
    valid("scene.json", scene)


@cache
def schema(name: str) -> Draft202012Validator:
    folder = Path(__file__).parents[4] / "docs" / "schemas"
    return Draft202012Validator(json.loads((folder / name).read_text("utf-8")))


def valid(name: str, value: Any) -> None:
    schema(name).validate(json.loads(msgspec.json.encode(value)))
