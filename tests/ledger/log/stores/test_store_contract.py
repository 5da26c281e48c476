"""The contract of stores; the fixture `store` gives each kind in turn."""

from __future__ import annotations

import random
import sys
import threading

import msgspec
import pytest

from ledger.log.format.chain import EMPTY, Event, Opening, Tip, link
from ledger.log.stores.protocol import (
    BATCH_MAX,
    Appended,
    Batch,
    Changed,
    Closed,
    Command,
    Conflict,
    Duplicate,
    Parked,
    Store,
)
from tests.support.log.matches import snapshot

MATCH = "aaaabbbbccccdddd"
OTHER = "eeeeffffgggghhhh"


def linked(tip: Tip, *bodies: bytes, match: str = MATCH) -> tuple[Event, ...]:
    events: list[Event] = []
    for body in bodies:
        events.append(link(match, tip, body))
        tip = events[-1].tip
    return tuple(events)


def batch_after(
    tip: Tip,
    *bodies: bytes,
    command: Command | None = None,
    closes: bool = False,
    match: str = MATCH,
    openings: tuple[Opening, ...] = (),
) -> Batch:
    events = linked(tip, *bodies, match=match)
    return Batch(expect=tip, events=events, openings=openings, command=command, closes=closes)


def grown(store: Store, *bodies: bytes, match: str = MATCH) -> Tip:
    """Append one event a body, each as a batch of its own."""
    for body in bodies:
        answer = store.append(match, batch_after(store.tip(match), body, match=match))
        assert isinstance(answer, Appended)
    return store.tip(match)


# --- appending ------------------------------------------------------------------------------------


def test_an_unknown_match_is_an_empty_log(store: Store):
    assert store.tip(MATCH) == EMPTY
    assert list(store.events(MATCH)) == []
    assert list(store.openings(MATCH)) == []
    assert store.kept(MATCH, "secrets") is None
    assert store.snapshot(MATCH, 9, "printed", "source") is None
    assert store.matches() == []


def test_what_was_appended_is_the_end_of_the_log(store: Store):
    batch = batch_after(EMPTY, b"one", b"two")
    assert store.append(MATCH, batch) == Appended(batch.events[-1].tip)
    assert store.tip(MATCH) == batch.events[-1].tip
    assert tuple(store.events(MATCH)) == batch.events


def test_a_stretch_that_ends_before_the_first_event_is_empty(store: Store):
    grown(store, b"one", b"two")
    for last in (0, -1):
        assert list(store.events(MATCH, 1, last)) == []
        assert list(store.openings(MATCH, 1, last)) == []


def test_the_ends_of_several_logs_are_told_together(store: Store):
    assert store.tips([]) == []
    first = grown(store, b"one", b"two")
    other = grown(store, b"other", match=OTHER)
    assert store.tips([OTHER, "nosuchmatch", MATCH]) == [other, EMPTY, first]


def test_logs_do_not_touch_each_other(store: Store):
    grown(store, b"one", b"two")
    tip = grown(store, b"other", match=OTHER)
    assert store.tip(OTHER) == tip
    assert [event.body for event in store.events(MATCH)] == [b"one", b"two"]


def test_a_known_command_gets_its_first_answer_again(store: Store):
    command = Command("c1", b"mark 4")
    first = store.append(MATCH, batch_after(EMPTY, b"one", b"die", command=command))
    assert isinstance(first, Appended)
    grown(store, b"later")
    again = batch_after(store.tip(MATCH), b"one", command=command)
    assert store.append(MATCH, again) == Duplicate(1, first.tip)
    assert [event.body for event in store.events(MATCH)] == [b"one", b"die", b"later"]


def test_a_known_command_with_another_body_is_refused(store: Store):
    store.append(MATCH, batch_after(EMPTY, b"one", command=Command("c1", b"mark 4")))
    changed = batch_after(store.tip(MATCH), b"two", command=Command("c1", b"mark 5"))
    assert store.append(MATCH, changed) == Changed("c1")
    assert store.tip(MATCH).version == 1


def test_what_became_of_a_command_can_be_asked_at_any_time(store: Store):
    command, other = Command("c1", b"mark 4"), Command("c1", b"mark 5")
    assert store.answered(MATCH, command) is None
    grown(store, b"one")
    first = store.append(MATCH, batch_after(store.tip(MATCH), b"two", b"die", command=command))
    assert isinstance(first, Appended)
    store.append(MATCH, batch_after(first.tip, b"end", closes=True))
    assert store.answered(MATCH, command) == Duplicate(2, first.tip)
    assert store.answered(MATCH, other) == Changed("c1")
    assert store.answered(MATCH, Command("c2", b"mark 4")) is None
    assert store.answered(OTHER, command) is None


def test_a_command_id_is_known_in_its_own_match_only(store: Store):
    command = Command("c1", b"mark 4")
    store.append(MATCH, batch_after(EMPTY, b"one", command=command))
    there = batch_after(EMPTY, b"one", command=command, match=OTHER)
    assert isinstance(store.append(OTHER, there), Appended)


def test_a_refused_command_is_not_known(store: Store):
    grown(store, b"one")
    command = Command("c1", b"mark 4")
    assert isinstance(store.append(MATCH, batch_after(EMPTY, b"x", command=command)), Conflict)
    right = batch_after(store.tip(MATCH), b"two", command=command)
    assert isinstance(store.append(MATCH, right), Appended)


def test_a_closed_log_takes_nothing_more(store: Store):
    store.append(MATCH, batch_after(EMPTY, b"one", closes=True))
    tip = store.tip(MATCH)
    assert store.append(MATCH, batch_after(tip, b"two")) == Closed(tip)
    assert store.tip(MATCH) == tip


def test_a_conflict_shows_the_events_since(store: Store):
    grown(store, b"one")
    mine = batch_after(store.tip(MATCH), b"mine")
    grown(store, b"theirs", b"and more")
    answer = store.append(MATCH, mine)
    assert answer == Conflict(store.tip(MATCH), tuple(store.events(MATCH, 2)))
    assert [event.body for event in store.events(MATCH)] == [b"one", b"theirs", b"and more"]


def test_the_answers_have_their_precedence(store: Store):
    """Duplicate before Changed before Closed before Conflict: each batch here deserves several."""
    known = Command("c1", b"mark 4")
    first = store.append(MATCH, batch_after(EMPTY, b"one", command=known))
    assert isinstance(first, Appended)
    store.append(MATCH, batch_after(first.tip, b"end", closes=True))
    stale = EMPTY
    assert store.append(MATCH, batch_after(stale, b"x", command=known)) == Duplicate(1, first.tip)
    changed = batch_after(stale, b"x", command=Command("c1", b"other"))
    assert store.append(MATCH, changed) == Changed("c1")
    new = batch_after(stale, b"x", command=Command("c2", b"new"))
    assert store.append(MATCH, new) == Closed(store.tip(MATCH))


def test_threads_take_turns(store: Store):
    """One store serves many requests at once: each version is given out once, none is lost."""
    taken: list[list[int]] = [[] for _ in range(4)]

    def append_many(mine: list[int]) -> None:
        while len(mine) < 25:
            tip = store.tip(MATCH)
            if isinstance(store.append(MATCH, batch_after(tip, b"body")), Appended):
                mine.append(tip.version + 1)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=append_many, args=(mine,)) for mine in taken]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    finally:
        sys.setswitchinterval(interval)
    assert sorted(version for mine in taken for version in mine) == list(range(1, 101))
    events = list(store.events(MATCH))
    assert tuple(events) == linked(EMPTY, *[b"body"] * 100)


# --- what does not fit ----------------------------------------------------------------------------


def bad_batches(tip: Tip) -> dict[str, Batch]:
    right = link(MATCH, tip, b"body")
    wrong_head = Tip(tip.version, bytes(31) + b"\1")
    gap = link(MATCH, Tip(tip.version + 1, tip.head), b"body")
    second_gap = link(MATCH, Tip(right.version + 1, right.head), b"body")
    return {
        "a gap before": Batch(expect=tip, events=(gap,)),
        "a gap within": Batch(expect=tip, events=(right, second_gap)),
        "a version that was": Batch(expect=tip, events=(Event(tip.version, right.head, b"body"),)),
        "a version to come": batch_after(Tip(tip.version + 1, tip.head), b"body"),
        "a wrong head before": batch_after(wrong_head, b"body"),
        "a wrong head of its own": Batch(
            expect=tip, events=(Event(right.version, bytes(32), b"body"),)
        ),
        "a short head": Batch(expect=tip, events=(Event(right.version, right.head[:31], b"body"),)),
        "another body": Batch(expect=tip, events=(Event(right.version, right.head, b"bodY"),)),
        "the head of another match": batch_after(tip, b"body", match=OTHER),
        "one event twice": Batch(expect=tip, events=(right, right)),
        "no event": Batch(expect=tip, events=()),
        "too many events": batch_after(tip, *(b"%d" % n for n in range(BATCH_MAX + 1))),
    }


@pytest.mark.parametrize("what", bad_batches(EMPTY))
@pytest.mark.parametrize("events", [0, 3])
def test_what_does_not_continue_the_log_is_refused(store: Store, what: str, events: int):
    tip = grown(store, *(b"%d" % n for n in range(events)))
    before = list(store.events(MATCH))
    answer = store.append(MATCH, bad_batches(tip)[what])
    assert isinstance(answer, Conflict)
    assert answer.tip == tip
    assert list(store.events(MATCH)) == before
    assert isinstance(store.append(MATCH, batch_after(tip, b"right")), Appended)


def test_a_batch_of_the_largest_size_is_taken(store: Store):
    batch = batch_after(EMPTY, *(b"%d" % n for n in range(BATCH_MAX)))
    assert store.append(MATCH, batch) == Appended(batch.events[-1].tip)


def test_a_refused_batch_leaves_no_part_of_itself(store: Store):
    tip = grown(store, b"one")
    right = link(MATCH, tip, b"two")
    wrong = Event(3, bytes(32), b"three")
    opening = Opening(2, "outcome", b"salt", b"plain")
    batch = Batch(
        expect=tip,
        events=(right, wrong),
        openings=(opening,),
        command=Command("c1", b"x"),
        closes=True,
    )
    assert isinstance(store.append(MATCH, batch), Conflict)
    assert store.tip(MATCH) == tip
    assert list(store.openings(MATCH)) == []
    # Had its command or its close stayed, this one would be Changed or Closed.
    after = batch_after(tip, b"two", command=Command("c1", b"y"))
    assert isinstance(store.append(MATCH, after), Appended)


def test_a_log_that_was_refused_is_not_there(store: Store):
    wrong = Batch(expect=EMPTY, events=(Event(1, bytes(32), b"one"),))
    assert isinstance(store.append(MATCH, wrong), Conflict)
    assert store.matches() == []
    assert store.tip(MATCH) == EMPTY


# --- reading --------------------------------------------------------------------------------------


def test_ranges_have_both_their_ends(store: Store):
    grown(store, *(b"%d" % n for n in range(1, 8)))
    cases = {
        (1, None): [1, 2, 3, 4, 5, 6, 7],
        (3, 5): [3, 4, 5],
        (7, 7): [7],
        (6, 99): [6, 7],
        (8, None): [],
        (5, 4): [],
        (0, 2): [1, 2],
        (-3, 1): [1],
        (1, 0): [],
    }
    for (first, last), versions in cases.items():
        assert [event.version for event in store.events(MATCH, first, last)] == versions


def test_openings_belong_to_their_events(store: Store):
    one = Opening(1, "outcome", b"s" * 32, b"plain")
    two = [Opening(2, path, b"t" * 32, path.encode()) for path in ("decision", "outcome")]
    store.append(MATCH, batch_after(EMPTY, b"1", b"2", openings=(one, *two)))
    three = Opening(3, "outcome", bytes(32), bytes(range(256)))
    store.append(MATCH, batch_after(store.tip(MATCH), b"3", openings=(three,)))
    assert list(store.openings(MATCH)) == [one, *two, three]
    assert list(store.openings(MATCH, 2, 2)) == two
    assert list(store.openings(MATCH, 3)) == [three]
    assert list(store.openings(MATCH, 4)) == []


def test_what_is_being_read_does_not_change_under_the_reader(store: Store):
    grown(store, b"one", b"two")
    reading = store.events(MATCH)
    assert next(reading).version == 1
    grown(store, b"three")
    assert [event.version for event in reading] in ([2], [2, 3])


def test_any_bytes_come_back_as_they_were(store: Store):
    rng = random.Random(5)
    bodies = [rng.randbytes(rng.choice((0, 1, 255, 256, 70_000))) for _ in range(12)]
    grown(store, *bodies)
    assert [event.body for event in store.events(MATCH)] == bodies


def test_matches_are_sorted(store: Store):
    for match in ("m3", "m1", "m22", "m2"):
        grown(store, b"one", match=match)
    assert store.matches() == ["m1", "m2", "m22", "m3"]


def test_a_match_of_which_something_is_kept_is_no_match_yet(store: Store):
    store.keep(MATCH, "secrets", b"s")
    store.save(MATCH, snapshot(1))
    assert store.matches() == []


# --- beside the log -------------------------------------------------------------------------------


def test_what_is_kept_is_written_once(store: Store):
    store.keep(MATCH, "secrets", b"one")
    store.keep(MATCH, "secrets", b"one")
    with pytest.raises(ValueError, match="stored already"):
        store.keep(MATCH, "secrets", b"two")
    assert store.kept(MATCH, "secrets") == b"one"


def test_what_is_kept_has_its_match_and_its_name(store: Store):
    store.keep(MATCH, "secrets", b"one")
    store.keep(MATCH, "overlay", b"two")
    store.keep(OTHER, "secrets", b"")
    assert store.kept(MATCH, "secrets") == b"one"
    assert store.kept(MATCH, "overlay") == b"two"
    assert store.kept(OTHER, "secrets") == b""
    assert store.kept(OTHER, "overlay") is None


def test_the_latest_snapshot_up_to_a_version_is_found(store: Store):
    for version in (128, 64, 1024):
        store.save(MATCH, snapshot(version))
    found = {at: store.snapshot(MATCH, at, "printed", "source") for at in (63, 64, 500, 2000)}
    assert found == {63: None, 64: snapshot(64), 500: snapshot(128), 2000: snapshot(1024)}


def test_a_snapshot_is_void_under_another_edition_or_source(store: Store):
    store.save(MATCH, snapshot(64))
    store.save(MATCH, snapshot(128, edition="e1"))
    store.save(MATCH, snapshot(192, source="newer"))
    assert store.snapshot(MATCH, 999, "printed", "source") == snapshot(64)
    assert store.snapshot(MATCH, 999, "e1", "source") == snapshot(128, edition="e1")
    assert store.snapshot(MATCH, 999, "printed", "newer") == snapshot(192, source="newer")
    assert store.snapshot(MATCH, 999, "e1", "newer") is None
    assert store.snapshot(OTHER, 999, "printed", "source") is None
    assert store.snapshot(MATCH, 999, None, "source") == snapshot(128, edition="e1")
    assert store.snapshot(MATCH, 127, None, "source") == snapshot(64)


def test_the_last_snapshot_of_a_version_counts(store: Store):
    store.save(MATCH, snapshot(64))
    newer = msgspec.structs.replace(snapshot(64), held=b"new", used=b"")
    store.save(MATCH, newer)
    assert store.snapshot(MATCH, 64, "printed", "source") == newer


# --- parked ---------------------------------------------------------------------------------------


def test_a_parked_match_takes_acts_and_no_decisions(store: Store):
    tip = grown(store, b"one")
    assert store.parked(MATCH) is None
    store.park(MATCH, b"event 1 cannot be folded")
    assert store.parked(MATCH) == b"event 1 cannot be folded"
    decision = msgspec.structs.replace(batch_after(tip, b"decision"), decides=True)
    assert store.append(MATCH, decision) == Parked(tip, b"event 1 cannot be folded")
    tip = grown(store, b"act")
    assert store.parked_matches() == [MATCH]
    store.unpark(MATCH)
    assert store.parked(MATCH) is None
    assert store.parked_matches() == []
    decision = msgspec.structs.replace(batch_after(tip, b"decision"), decides=True)
    assert isinstance(store.append(MATCH, decision), Appended)
    store.unpark(MATCH)
