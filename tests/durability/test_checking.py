"""The checker: hand-made histories, one right one and one for each thing that can be wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from ledger.log.format.chain import EMPTY, Event, link
from tests.support.durability.checking import Log, Place, check, lost, operations_of
from tests.support.durability.recording import (
    Done,
    Invoked,
    Note,
    Read,
    Recorder,
    Refused,
    Tally,
    Unknown,
    notes_of,
)

MATCH = "m"


def log_of(*names: str, match: str = MATCH) -> Log:
    """A log whose events belong to operations: 'b b' is one of two events."""
    events: list[Event] = []
    places: list[Place] = []
    for name in names:
        tip = events[-1].tip if events else EMPTY
        at = places[-1].at + 1 if places and places[-1].name == name else 0
        events.append(link(match, tip, f"{name}{at}".encode()))
        places.append(Place(name, at))
    return Log(match, events, places)


def invoked(at: int, name: str, count: int = 1, client: str = "x", match: str = MATCH) -> Invoked:
    return Invoked(at=at, client=client, match=match, name=name, count=count)


def done(at: int, name: str, log: Log, first: int, last: int | None = None) -> Done:
    end = log.events[(last or first) - 1]
    return Done(
        at=at, client="x", match=log.match, name=name, first=first, last=end.version, head=end.head
    )


def unknown(at: int, name: str) -> Unknown:
    return Unknown(at=at, client="x", match=MATCH, name=name)


def refused(at: int, name: str, why: str = "conflict") -> Refused:
    return Refused(at=at, client="x", match=MATCH, name=name, why=why)


def read(began: int, at: int, log: Log, version: int, client: str = "x") -> Read:
    head = log.events[version - 1].head if version else EMPTY.head
    return Read(
        at=at, began=began, client=client, match=log.match, name="", version=version, head=head
    )


RIGHT = log_of("a", "b", "b", "c", "d")


def history() -> list[Note]:
    """Two at once, a lost reply, a refusal that was sent again and one that was not, and reads."""
    return [
        read(1, 2, RIGHT, 0),
        invoked(3, "a"),
        invoked(4, "b", 2, client="y"),
        read(5, 12, RIGHT, 1),
        done(10, "a", RIGHT, 1),
        refused(11, "b"),
        invoked(12, "b", 2, client="y"),
        invoked(13, "c"),
        unknown(14, "c"),
        done(15, "b", RIGHT, 2, 3),
        refused(16, "c", "unavailable"),
        invoked(17, "c"),
        invoked(18, "never"),
        refused(19, "never"),
        done(20, "c", RIGHT, 4),
        read(21, 22, RIGHT, 5),
        invoked(6, "d", client="z"),  # killed: nobody was told, and it is there
        invoked(7, "e", client="z"),  # ... and this is not
    ]


def kinds(notes: list[Note], *logs: Log) -> set[str]:
    return {anomaly.kind for anomaly in check(notes, logs)}


def test_a_right_history_has_no_anomaly():
    assert check(history(), [RIGHT]) == []


def replaced(old: Note, new: Note) -> list[Note]:
    assert old in history()
    return [new if note == old else note for note in history()]


def without_last(log: Log) -> Log:
    return Log(log.match, log.events[:-1], log.places[:-1])


def gapped() -> Log:
    return Log(MATCH, [RIGHT.events[0], *RIGHT.events[2:]], [RIGHT.places[0], *RIGHT.places[2:]])


def rebodied() -> Log:
    events = list(RIGHT.events)
    events[2] = Event(3, events[2].head, b"another body")
    return Log(MATCH, events, RIGHT.places)


Case = Callable[[], tuple[list[Note], Log]]

CASES: dict[str, tuple[str, Case]] = {
    "an acknowledged operation is gone": (
        "lost",
        lambda: (history(), log_of("a", "b", "b")),
    ),
    "all logs are gone": ("lost", lambda: (history(), Log(MATCH, [], []))),
    "an event in the middle is gone": ("gap", lambda: (history(), gapped())),
    "a body was changed": ("chain", lambda: (history(), rebodied())),
    "half an operation is there": ("torn", lambda: (history(), log_of("a", "b", "c", "d"))),
    "an operation has one event too many": (
        "torn",
        lambda: (history(), log_of("a", "b", "b", "b", "c", "d")),
    ),
    "an operation that nobody was told of is torn": (
        "torn",
        lambda: ([invoked(1, "a", 3)], log_of("a", "a")),
    ),
    "an operation is there twice": (
        "doubled",
        lambda: (history(), log_of("a", "b", "b", "c", "d", "a")),
    ),
    "one that nobody was told of is there twice": (
        "doubled",
        lambda: ([invoked(1, "a")], log_of("a", "b", "a")),
    ),
    "there is one that nobody asked for": (
        "foreign",
        lambda: (history(), log_of("a", "b", "b", "c", "d", "who")),
    ),
    "one that was refused is there": (
        "refused",
        lambda: (history(), log_of("a", "b", "b", "c", "d", "never")),
    ),
    "one that could not be asked for is there": (
        "refused",
        lambda: ([invoked(1, "a"), refused(2, "a", "unavailable")], log_of("a")),
    ),
    "one was acknowledged at another version": (
        "moved",
        lambda: (replaced(done(20, "c", RIGHT, 4), done(20, "c", RIGHT, 5)), RIGHT),
    ),
    "one was acknowledged with another head": (
        "moved",
        lambda: (
            replaced(
                done(20, "c", RIGHT, 4),
                msgspec.structs.replace(done(20, "c", RIGHT, 4), head=bytes(32)),
            ),
            RIGHT,
        ),
    ),
    "two answers say two versions": (
        "answer",
        lambda: ([*history(), done(23, "c", RIGHT, 5)], RIGHT),
    ),
    "a command was changed that was not": (
        "answer",
        lambda: ([invoked(1, "a"), refused(2, "a", "changed")], log_of()),
    ),
    "one was asked for after another had ended and comes before it": (
        "order",
        lambda: (
            [
                invoked(1, "b"),
                done(2, "b", log_of("a", "b"), 2),
                invoked(3, "a"),
                done(4, "a", log_of("a", "b"), 1),
            ],
            log_of("a", "b"),
        ),
    ),
    "one that nobody was told of comes before what had ended": (
        "order",
        lambda: (
            [invoked(1, "b"), done(2, "b", log_of("a", "b"), 2), invoked(3, "a")],
            log_of("a", "b"),
        ),
    ),
    "a read does not show what had been acknowledged": (
        "order",
        lambda: (replaced(read(21, 22, RIGHT, 5), read(21, 22, RIGHT, 3)), RIGHT),
    ),
    "a later read shows less than an earlier one": (
        "order",
        lambda: ([*history(), read(30, 31, RIGHT, 4, client="y")], RIGHT),
    ),
    "a read shows what was asked for only later": (
        "order",
        lambda: (
            [read(1, 2, log_of("a"), 1), invoked(3, "a"), done(4, "a", log_of("a"), 1)],
            log_of("a"),
        ),
    ),
    "somebody read an event that is gone": (
        "read",
        lambda: ([invoked(1, "a"), read(1, 2, log_of("a"), 1)], log_of()),
    ),
    "somebody read another event": (
        "read",
        lambda: ([*history(), read(1, 2, log_of("a", "z"), 2)], RIGHT),
    ),
}


@pytest.mark.parametrize("what", CASES)
def test_each_kind_of_anomaly_is_found(what: str):
    kind, case = CASES[what]
    notes, log = case()
    assert kind in kinds(notes, log)


def test_every_kind_that_the_checker_names_has_a_case():
    import tests.support.durability.checking as module

    text = Path(module.__file__).read_text(encoding="utf-8")
    named = {part.split('"')[1] for part in text.split("Anomaly(")[1:] if part.startswith('"')}
    assert named == {kind for kind, _ in CASES.values()}


def test_logs_are_checked_each_for_itself():
    other = log_of("q", match="n")
    notes = [
        *history(),
        invoked(1, "q", match="n"),
        done(2, "q", other, 1),
        invoked(40, "r", match="n"),
    ]
    assert check(notes, [RIGHT, other]) == []
    assert kinds(notes, RIGHT) == {"lost"}


def test_events_of_nobody_who_took_notes_are_left_aside():
    assert check([invoked(1, "a"), done(2, "a", log_of("", "a"), 2)], [log_of("", "a", "")]) == []


@pytest.mark.parametrize(
    ("notes", "absent"),
    [
        ([invoked(1, "a")], False),
        ([invoked(1, "a"), unknown(2, "a")], False),
        ([invoked(1, "a"), refused(2, "a")], True),
        ([invoked(1, "a"), refused(2, "a", "unavailable")], True),
        ([invoked(1, "a"), unknown(2, "a"), refused(3, "a", "unavailable")], False),
        ([invoked(1, "a"), unknown(2, "a"), invoked(3, "a"), refused(4, "a")], True),
        ([invoked(1, "a"), invoked(2, "a"), refused(3, "a", "unavailable")], False),
        ([invoked(1, "a"), refused(2, "a"), invoked(3, "a")], False),
    ],
)
def test_a_refusal_is_believed_where_it_is_definite(notes: list[Note], absent: bool):
    assert operations_of(notes)["a"].absent is absent
    assert (kinds(notes, log_of("a")) == {"refused"}) is absent


def test_lost_events_are_counted():
    notes = [*history(), invoked(50, "f", 3), done(51, "f", log_of("a", "f", "f", "f"), 2, 4)]
    assert lost(notes, [log_of("a", "b", "b", "c")]) == 3
    assert lost(notes, [log_of("a", "c")]) == 5


# --- the notes -----------------------------------------------------------------------------------


def test_notes_come_back_and_half_a_line_is_dropped(tmp_path: Path):
    path = tmp_path / "one.notes"
    recorder = Recorder(path)
    for note in history():
        recorder.write(note)
    recorder.close()
    assert notes_of(path) == history()
    path.write_bytes(path.read_bytes()[:-9])
    assert notes_of(path) == history()[:-1]
    again = Recorder(path)
    again.write(history()[-1])
    again.close()
    assert notes_of(path) == history()


def test_the_tally_counts_acknowledged_events_once(tmp_path: Path):
    recorder, tally = Recorder(tmp_path / "one.notes"), Tally(tmp_path)
    assert tally.count() == 0
    for note in history()[:10]:
        recorder.write(note)
    assert tally.count() == 1 + 2
    for note in history()[10:]:
        recorder.write(note)
    recorder.close()
    assert tally.count() == 1 + 2 + 1
