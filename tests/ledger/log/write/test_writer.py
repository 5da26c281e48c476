"""How chance gets into the log: in parts, within bounds, under keys of its own."""

from __future__ import annotations

import io
import os

import pytest

from ledger.kernel.refusals import BrokenRule, Refused
from ledger.log.format.acts import FULL, Disputed, Remedy, Ruled, Started
from ledger.log.format.bodies import Submitter
from ledger.log.read.bundle import write_bundle
from ledger.log.read.served import openings_for
from ledger.log.stores.memory import MemoryStore
from ledger.log.stores.protocol import BATCH_MAX, Answer, Batch
from ledger.log.write.founding import Plan, Surroundings
from ledger.log.write.journal import Journal
from replays.verify.verifier import verify
from tests.support.log.dicey import ROLLS_AT_START, RULES, Shake

ORGANIZER = Submitter(role="organizer")


class FailingStore(MemoryStore):
    """A store that is gone after so many appends."""

    left = 1_000

    def append(self, match: str, batch: Batch) -> Answer:
        if not self.left:
            raise ConnectionError("the store is gone")
        self.left -= 1
        return super().append(match, batch)


def around(store: MemoryStore | None = None) -> Surroundings:
    ticks = iter(range(1, 1_000_000))
    return Surroundings(
        store=MemoryStore() if store is None else store,
        rules_of=lambda _: RULES,
        clock=lambda: next(ticks),
        entropy=os.urandom,
    )


def joined(
    world: Surroundings,
    nonce: bytes | None = None,
    discloses: tuple[str, ...] = ("decisions", "outcomes", "chance"),
) -> Journal:
    journal = Journal.create(world, Plan(ruleset="dicey", seats=1, discloses=discloses))
    journal.join(0, "ann", nonce=nonce)
    return journal


def verdict(journal: Journal) -> str:
    file = io.BytesIO()
    write_bundle(file, journal.history)
    file.seek(0)
    report = verify(file, lambda _: RULES)
    assert report.failed == []
    return report.verdict


def test_more_chance_at_the_start_than_a_batch_holds_goes_in_in_parts() -> None:
    journal = joined(around())
    assert ROLLS_AT_START > 2 * BATCH_MAX
    journal.start()
    assert len(journal.match().state.rolls) == ROLLS_AT_START
    journal.decide(0, Shake("end"))
    journal.close()
    assert verdict(journal) == "VALID, NOT ANCHORED"


@pytest.mark.parametrize("parts", [1, 2])
def test_a_crash_between_the_parts_is_made_good_by_whoever_comes_next(parts: int) -> None:
    store = FailingStore()
    journal = joined(around(store))
    store.left = parts
    with pytest.raises(ConnectionError):
        journal.start()
    store.left = 1_000
    assert store.tip(journal.match_id).version == 2 + parts * BATCH_MAX
    again = Journal(around(store), journal.match_id)
    again.decide(0, Shake("end"))
    assert len(again.match().state.rolls) == ROLLS_AT_START
    again.close()
    assert verdict(again) == "VALID, NOT ANCHORED"


def test_a_decision_that_calls_for_more_than_a_batch_is_not_cut() -> None:
    journal = joined(around())
    journal.start()
    before = journal.history.tip
    with pytest.raises(BrokenRule, match="at most 32 fit"):
        journal.decide(0, Shake("many"))
    assert journal.around.store.tip(journal.match_id) == before
    journal.decide(0, Shake("end"))
    assert journal.match().ended


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("another domain", "does not list the domain of chance marbles"),
        ("for ever", "more than 1000 times in a row"),
    ],
)
def test_chance_out_of_bounds_is_our_bug_and_leaves_nothing_behind(what: str, reason: str) -> None:
    journal = joined(around())
    journal.start()
    before = journal.history.tip
    with pytest.raises(BrokenRule, match=reason):
        journal.decide(0, Shake(what))
    assert journal.around.store.tip(journal.match_id) == before
    journal.decide(0, Shake("end"))


def test_a_key_serves_once_on_a_line() -> None:
    journal = joined(around())
    journal.start()
    journal.decide(0, Shake("under one key"))
    with pytest.raises(BrokenRule, match="keys are used once"):
        journal.decide(0, Shake("once"))


def test_a_key_serves_again_after_a_rewind() -> None:
    journal = joined(around())
    journal.start()
    start = journal.history.tip.version
    journal.decide(0, Shake("once"))
    journal.rewind(start, Submitter(role="seat"), "a slip", seat=0)
    journal.decide(0, Shake("end"))
    assert journal.match().ended


def test_a_seat_can_bring_its_own_nonce() -> None:
    nonce = bytes(range(32))
    journal = joined(around(), nonce)
    journal.start()
    started = next(
        act
        for event in journal.history.events
        if isinstance(act := journal.history.act(event.version), Started)
    )
    assert started.nonces == (nonce,)
    journal.decide(0, Shake("end"))
    journal.close()
    assert verdict(journal) == "VALID, NOT ANCHORED"


def test_after_the_close_a_ruling_with_a_remedy_opens_the_match_again() -> None:
    journal = joined(around(), discloses=("decisions", "outcomes"))
    journal.start()
    start = journal.history.tip.version
    journal.decide(0, Shake("end"))
    journal.close()
    journal.record(Disputed(dispute="d1", first=1, last=start), ORGANIZER)
    assert journal.history.life.closed
    remedy = Remedy(kind="rewind", version=start)
    ruled = Ruled(dispute="d1", finding="upheld", reason="the cup fell", remedy=remedy)
    journal.record(ruled, ORGANIZER)
    assert not journal.history.life.closed
    journal.rewind(start, ORGANIZER, "as ruled", because="d1")
    journal.decide(0, Shake("once"))
    journal.decide(0, Shake("end"))
    journal.close()
    assert verdict(journal) == "VALID AS FAR AS DISCLOSED, NOT ANCHORED"


def test_what_is_decided_after_a_reopening_is_not_served_with_the_first_close() -> None:
    journal = joined(around(), discloses=("decisions", "outcomes"))
    journal.start()
    start = journal.history.tip.version
    journal.decide(0, Shake("end"))
    journal.close()
    closing = journal.history.tip.version
    before = openings_for(journal.history, closing, None)
    journal.record(Disputed(dispute="d1", first=1, last=start), ORGANIZER)
    remedy = Remedy(kind="rewind", version=start)
    ruled = Ruled(dispute="d1", finding="upheld", reason="the cup fell", remedy=remedy)
    journal.record(ruled, ORGANIZER)
    journal.rewind(start, ORGANIZER, "as ruled", because="d1")
    journal.decide(0, Shake("once"))
    assert openings_for(journal.history, closing, None) == before


def test_a_match_whose_keys_are_published_is_not_opened_again() -> None:
    journal = joined(around())
    journal.start()
    start = journal.history.tip.version
    journal.decide(0, Shake("end"))
    journal.close()
    journal.record(Disputed(dispute="d1", first=1, last=start), ORGANIZER)
    remedy = Remedy(kind="rewind", version=start)
    ruled = Ruled(dispute="d1", finding="upheld", reason="the cup fell", remedy=remedy)
    with pytest.raises(Refused, match="keys_are_open"):
        journal.record(ruled, ORGANIZER)


def test_a_rewind_while_paused_waits_with_the_dice() -> None:
    journal = joined(around())
    journal.start()
    journal.pause(ORGANIZER, "tea")
    journal.rewind(3, ORGANIZER, "all dice again")
    assert journal.match().chance() is not None
    journal.resume(ORGANIZER)
    journal.decide(0, Shake("end"))
    assert len(journal.match().state.rolls) == ROLLS_AT_START


@pytest.mark.parametrize("discloses", [FULL, ("decisions", "outcomes")], ids=str)
@pytest.mark.parametrize("kind", [None, "note", "annul-deal"])
def test_after_the_close_a_ruling_that_changes_no_play_leaves_it_closed(kind, discloses) -> None:
    journal = joined(around(), discloses=discloses)
    journal.start()
    journal.decide(0, Shake("end"))
    journal.close()
    journal.record(Disputed(dispute="d1", first=1, last=2), ORGANIZER)
    remedy = None if kind is None else Remedy(kind=kind, text="s0/1")
    ruled = Ruled(dispute="d1", finding="upheld", reason="so it was", remedy=remedy)
    journal.rule(ruled, ORGANIZER, resumes="the dispute is over")
    assert journal.history.life.closed
    with pytest.raises(Refused, match="match_closed"):
        journal.resume(ORGANIZER)
    assert verdict(journal).endswith("NOT ANCHORED")
