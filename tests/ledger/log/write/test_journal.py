"""The journal: what is created, decided, refused, asked twice, and decided by two at once."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.games import ruleset
from ledger.games.tictactoe import RULES
from ledger.games.tictactoe.gifts import Give
from ledger.games.tictactoe.opening import Write
from ledger.games.tictactoe.play import Mark, Marked, Turn
from ledger.kernel.chance import Rolled
from ledger.kernel.records import CHANCE, Happenings
from ledger.kernel.refusals import BrokenRule, Refused
from ledger.kernel.ruleset import Erratum
from ledger.log.format.acts import Created
from ledger.log.format.bodies import ActBody, Submitter, body_bytes, check_body
from ledger.log.format.canonical import decode, encode
from ledger.log.stores.files import FileStore
from ledger.log.stores.memory import MemoryStore
from ledger.log.stores.protocol import Command, Store
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from tests.support.log.matches import (
    FULL_PLAN,
    ORGANIZER,
    OVERLAID,
    PLAIN,
    REFEREE,
    ROLLED,
    SEALED,
    SEAT,
    STAKED,
    around,
    bundled,
    joined,
    played,
    started,
    stored_bytes,
)
from tests.support.log.standing import code_of, fresh_position, marked, position
from tests.support.replays.saying import verdict_of

STORES: dict[str, Callable[[Path], Store]] = {
    "memory": lambda _folder: MemoryStore(),
    "files": FileStore,
}


# --- creating -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        (replace(PLAIN, ruleset="chess"), "unknown_ruleset"),
        (replace(PLAIN, ruleset=""), "unknown_ruleset"),
        (replace(PLAIN, edition="e9"), "unknown_edition"),
        (replace(PLAIN, options=(("colour", "red"),)), "unknown_reading"),
        (replace(PLAIN, options=(("begin", "rolled"),)), "unknown_reading"),
        (replace(PLAIN, options=(("opening", "closed"),)), "bad_value"),
        (replace(PLAIN, options=(("begin.stake", 10),)), "bad_value"),
        (replace(PLAIN, options=(("begin.stake", -1),)), "bad_value"),
        (replace(PLAIN, options=(("begin.stake", True),)), "bad_value"),
        (replace(PLAIN, options=(("begin.stake", "2"),)), "bad_value"),
        (replace(PLAIN, seats=1), "bad_seats"),
        (replace(PLAIN, seats=3), "bad_seats"),
        (replace(PLAIN, seats=-2), "bad_seats"),
        (replace(PLAIN, overlay={"planes": {}}), "bad_value"),
        (replace(PLAIN, overlay={"lines": {"top": {"cells": [1, 2]}}}), "bad_value"),
        (replace(PLAIN, overlay={"readings": {"values": {"opening": "x"}}}), "bad_value"),
    ],
)
def test_a_match_that_cannot_be_is_not_created(plan: Plan, code: str):
    there = around()
    assert code_of(lambda: Journal.create(there, plan)) == code
    assert stored_bytes(there.store) == {}


def test_event_1_pins_everything_that_the_fold_depends_on():
    journal = Journal.create(around(1), OVERLAID)
    created = journal.history.act(1)
    assert isinstance(created, Created)
    assert (created.match, created.ruleset, created.edition) == (
        journal.match_id, "tictactoe", "printed",
    )  # fmt: skip
    assert created.source == RULES.source
    assert created.options == dict(OVERLAID.options)
    assert set(created.domains) == {"dice"}
    assert journal.history.read_overlay() == encode_decode(OVERLAID.overlay)


def encode_decode(value: Any) -> Any:
    return decode(encode(value))


def test_an_id_has_sixteen_letters_of_which_none_looks_like_another():
    ids = {Journal.create(around(seed), PLAIN).match_id for seed in range(40)}
    assert len(ids) == 40
    assert all(len(one) == 16 and not set(one) & set("ilo01") for one in ids)


def test_the_seeds_are_nowhere_in_the_log_before_the_close():
    journal = started(FULL_PLAN)
    secrets = [journal.secrets.server_seed, journal.secrets.salt_key, journal.secrets.seed("dice")]
    log = b"".join(event.body for event in journal.history.events)
    assert not any(secret in log for secret in secrets)


def test_every_body_is_canonical_and_read_again_as_it_was():
    for plan in (FULL_PLAN, OVERLAID):
        journal = played(plan, seed=4, rewinds=2)
        for version, event in enumerate(journal.history.events, 1):
            body = check_body(event.body)
            assert body_bytes(body) == event.body == encode(decode(event.body))
            assert body.parent == journal.history.lines.parent(version)
        for opening in journal.history.openings.values():
            if opening.path == "outcome":
                assert encode(decode(opening.plain)) == opening.plain


# --- refusals -------------------------------------------------------------------------------------


def closed(store: Store) -> Journal:
    journal = marked(0, 3, 1, 4, 2, store=store)
    journal.close()
    return journal


def paused(store: Store) -> Journal:
    journal = started(store=store)
    journal.pause(ORGANIZER, "tea")
    return journal


def commanded(store: Store) -> Journal:
    journal = started(STAKED, store=store)
    journal.decide(0, Give(1), command=Command("c1", b"give 1"))
    return journal


def created(store: Store) -> Journal:
    return Journal.create(around(store=store), PLAIN)


ENTERED = replace(ROLLED, entered=True)
Case = tuple[Callable[[Store], Journal], Callable[[Journal], object]]
# One way at least to each refusal: a match, and what is asked of it.
REFUSALS: dict[str, Case] = {
    "match_over": (lambda s: marked(0, 3, 1, 4, 2, store=s), lambda j: j.decide(0, Mark(8))),
    "chance_pending": (lambda s: started(ENTERED, store=s), lambda j: j.decide(0, Mark(4))),
    "not_asked": (lambda s: started(store=s), lambda j: j.decide(1, Mark(4))),
    "wrong_answer": (lambda s: started(store=s), lambda j: j.decide(0, Write(4))),
    "not_allowed": (lambda s: started(SEALED, store=s), lambda j: j.decide(0, Write(9))),
    "no_such_cell": (lambda s: started(store=s), lambda j: j.decide(0, Mark(9))),
    "cell_taken": (lambda s: marked(4, store=s), lambda j: j.decide(1, Mark(4))),
    "centre_first": (
        lambda s: started(replace(PLAIN, edition="e3"), store=s),
        lambda j: j.decide(0, Mark(4)),
    ),
    "overdrawn": (lambda s: started(STAKED, store=s), lambda j: j.decide(0, Give(8))),
    "unknown_edition": (
        lambda s: started(store=s), lambda j: j.change_edition("e9", ORGANIZER, "why")
    ),
    "no_such_match": (created, lambda j: Journal(j.around, "a" * 16)),
    "match_closed": (closed, lambda j: j.decide(0, Mark(8))),
    "already_started": (lambda s: started(store=s), lambda j: j.start()),
    "not_started": (created, lambda j: j.decide(0, Mark(4))),
    "match_paused": (paused, lambda j: j.decide(0, Mark(4))),
    "seat_taken": (created, lambda j: j.join(2, "eve")),
    "seats_free": (created, lambda j: j.start()),
    "chance_is_keyed": (
        lambda s: started(store=s), lambda j: j.decide(CHANCE, Rolled((1,)), REFEREE)
    ),
    "not_ended": (lambda s: started(store=s), lambda j: j.close()),
    "no_such_event": (lambda s: started(store=s), lambda j: j.rewind(1, ORGANIZER, "why")),
    "undo_needs_consent": (
        lambda s: marked(4, 3, store=s), lambda j: j.rewind(4, SEAT, "slip", seat=1)
    ),
    "command_changed": (
        commanded, lambda j: j.decide(0, Give(2), command=Command("c1", b"give 2"))
    ),
}  # fmt: skip


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("code", REFUSALS)
def test_a_refusal_changes_not_one_byte(code: str, store: str, tmp_path: Path):
    make, attempt = REFUSALS[code]
    journal = make(STORES[store](tmp_path))
    before = stored_bytes(journal.around.store)
    held = position(journal) if journal.history.life.started else None
    for _ in range(2):
        assert code_of(lambda: attempt(journal)) == code
        assert stored_bytes(journal.around.store) == before
    if held is not None:
        assert position(journal) == fresh_position(journal) == held


def test_a_refused_attempt_leaves_no_note_of_what_it_asked():
    """The rule-use index goes into conversions: it must not know of what was never done."""
    journal = started(SEALED)
    used = dict(journal.match().used)
    assert code_of(lambda: journal.decide(0, Give(1))) == "wrong_answer"
    assert code_of(lambda: journal.decide(0, Mark(1))) == "wrong_answer"
    assert dict(journal.match().used) == used


# --- broken rules ---------------------------------------------------------------------------------


class BrokenTurn(Turn, tag="Turn"):
    """`play.turn` under erratum broken: three cells break in three ways."""

    def decide(self, board: Any, seat: int, mark: Mark) -> Happenings:
        """After the mark is down."""
        yield Marked(seat, mark.cell)
        if mark.cell == 0:
            raise ZeroDivisionError
        if mark.cell == 1:
            raise Refused("cell_taken", "play.turn", "Too late.")
        if mark.cell == 2:
            while True:
                yield Turn(1 - seat, self.number + 1)
        yield Turn(1 - seat, self.number + 1)


BROKEN = replace(
    RULES,
    errata=(Erratum(id="broken", date="", source="", text="", replaces={Turn: BrokenTurn}),),
)


@pytest.mark.parametrize("cell", [0, 1, 2])
def test_a_rule_that_breaks_in_the_middle_of_a_fold_leaves_nothing_behind(cell: int):
    there = around(rules_of=lambda _name: BROKEN)
    journal = joined(Journal.create(there, replace(PLAIN, edition="broken")))
    journal.decide(0, Mark(8))
    before, held = stored_bytes(there.store), position(journal)
    with pytest.raises(ZeroDivisionError if cell == 0 else BrokenRule):
        journal.decide(1, Mark(cell))
    assert stored_bytes(there.store) == before
    assert position(journal) == fresh_position(journal) == held
    journal.decide(1, Mark(7))
    assert position(journal) == fresh_position(journal)


def test_an_event_too_large_for_the_log_leaves_nothing_behind():
    journal = started()
    before = stored_bytes(journal.around.store)
    with pytest.raises(ValueError, match="at most"):
        journal.decide(0, Mark(4), Submitter(role="seat", name="x" * 70_000))
    with pytest.raises(ValueError, match="at most"):
        journal.pause(ORGANIZER, "x" * 70_000)
    assert stored_bytes(journal.around.store) == before
    journal.decide(0, Mark(4))
    assert position(journal) == fresh_position(journal)


# --- what the journal writes is valid -------------------------------------------------------------


def test_entered_dice_go_through_the_same_door():
    journal = started(replace(FULL_PLAN, entered=True))
    assert journal.match().asked() == (CHANCE,)
    assert code_of(lambda: journal.decide(CHANCE, Rolled((3,)), REFEREE)) == "not_allowed"
    journal.decide(CHANCE, Rolled((2,)), REFEREE)
    assert journal.match().state.first == 1
    for seat in (0, 1):
        journal.decide(seat, Write(4))
    journal.decide(CHANCE, Rolled((1,)), REFEREE)
    assert journal.match().state.cells[4] == 0
    created = journal.history.created
    assert (created.chance, created.domains) == ("entered", {})
    assert verdict_of(journal.history) == "clean"


def test_entered_dice_without_a_submitter_are_still_valid():
    """Verification accepts what the journal accepts."""
    journal = started(ENTERED)
    journal.decide(CHANCE, Rolled((2,)))
    assert verdict_of(journal.history) == "clean"


@pytest.mark.parametrize("role", ["dice", "service", "bot", "clock", "order", "delegate"])
def test_a_decision_by_anybody_is_refused_or_valid(role: Any):
    journal = started()
    try:
        journal.decide(0, Mark(4), Submitter(role=role))
    except Refused:
        assert journal.history.tip.version == 4
    assert verdict_of(journal.history) == "clean"


@pytest.mark.parametrize("clock", [(1 << 53, 0), (0, -(1 << 60))])
def test_a_number_that_the_log_cannot_hold_is_not_written(clock: tuple[int, int]):
    journal = started()
    before = stored_bytes(journal.around.store)
    with pytest.raises(ValueError, match="integer"):
        journal.decide(0, Mark(4), clock=clock)
    assert stored_bytes(journal.around.store) == before


def test_a_journal_opened_again_goes_on_with_the_same_dice(tmp_path: Path):
    """Nothing but the store is needed, and what it keeps decides what falls."""
    logs = []
    for reopened in (False, True):
        journal = started(FULL_PLAN, 9, FileStore(tmp_path / str(reopened)))
        rng = random.Random(2)
        while not journal.match().ended:
            if reopened:
                store = FileStore(tmp_path / "True")
                journal = Journal(replace(journal.around, store=store), journal.match_id)
            match = journal.match()
            seat = match.asked()[0]
            cell = 4 if isinstance(match.options(seat)[0], Write) else None
            journal.decide(seat, rng.choice(match.options(seat)) if cell is None else Write(cell))
        journal.close()
        logs.append(bundled(journal.history))
    assert logs[0] == logs[1]


def test_the_same_seed_makes_the_same_bytes():
    assert bundled(played(FULL_PLAN, 5, 1).history) == bundled(played(FULL_PLAN, 5, 1).history)
    assert bundled(played(FULL_PLAN, 5).history) != bundled(played(FULL_PLAN, 6).history)


def test_facts_and_decisions_are_written_as_canonical_encode_would():
    for moment in played(FULL_PLAN, 7, 2).history.replay():
        for record in [*moment.facts, moment.decision]:
            if record is not None:
                builtins = msgspec.to_builtins(record, builtin_types=(bytes,))
                sorted_bytes = msgspec.msgpack.Encoder(order="sorted").encode(record)
                assert sorted_bytes == encode(builtins)
        assert isinstance(moment.body, ActBody) or moment.decision is not None
    assert ruleset("tictactoe") is RULES
