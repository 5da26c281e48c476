"""A match's operations ledger: what was done to it from outside its rules, and who looked.

It is derived from the chains themselves: officials' acts and decisions from the match's
log, looks and hidden messages from the table's book, corrections from the tournament's. So
nothing is written twice, and no operation can be missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final, NamedTuple

from msgspec import Meta

from ledger.club.table import LineHidden, MatchTable
from ledger.club.talk import is_for
from ledger.club.tournament.entries import Forfeited, ResultApproved, ResultCorrected
from ledger.kernel.audience import Viewer
from ledger.kernel.refusals import Refused
from ledger.log.format.acts import (
    Abandoned,
    Act,
    Closed,
    EditionChanged,
    Paused,
    Resumed,
    Rewound,
    Ruled,
    SeatGiven,
)
from ledger.log.format.bodies import ActBody, AnyBody, Submitter
from ledger.log.read.history import History
from ledger.log.stores.protocol import Store
from replays.story.sentences import act_sentence

from .cache import OpenMatch
from .tournaments import tournament_book

OFFICIALS: Final = ("organizer", "referee", "service")
KINDS: Final[dict[type[Act], str]] = {
    Ruled: "ruling",
    Rewound: "rewind",
    EditionChanged: "edition",
    SeatGiven: "seat",
    Paused: "pause",
    Resumed: "pause",
    Abandoned: "end",
    Closed: "end",
}
LOOK, DECISION, RESULT, TALK = "look", "decision", "result", "talk"


class Operation(NamedTuple):
    """An outside act on a match, or a look into it."""

    at: int
    kind: str  # ruling, rewind, edition, seat, pause, end, decision, look, result, talk
    by: Annotated[str, Meta(description="a person; empty: the service")]
    said: str
    version: Annotated[int | None, Meta(description="the event of the match, if it is one")] = None
    head: Annotated[str, Meta(description="of that event, in hex")] = ""


def operations_of(opened: OpenMatch, ear: Viewer) -> list[Operation]:
    """Returns all operations in order of time. Talk is limited to what one viewer may hear."""
    found = [*_of_log(opened.history), *_of_table(opened.table), *_of_talk(opened, ear)]
    found += _of_tournament(opened.store, opened.history)
    return sorted(found, key=lambda one: one.at)


def _of_log(history: History) -> Iterator[Operation]:
    for version in range(1, history.tip.version + 1):
        body = history.body(version)
        said = _describe_official_act(history, body)
        if said is not None:
            kind, words = said
            head = history.events[version - 1].head.hex()
            yield Operation(body.at, kind, person_of(body.by), words, version, head)


def _describe_official_act(history: History, body: AnyBody) -> tuple[str, str] | None:
    """Returns what an official did with an event, if an official made it."""
    if body.by.role not in OFFICIALS:
        return None
    if isinstance(body, ActBody):
        kind = KINDS.get(type(body.act))
        return None if kind is None else (kind, act_sentence(history, body.act))
    if body.by.role == "organizer":
        return DECISION, f"The organizer decides for seat {body.seat}."
    return None  # chance that is entered at a real table


def person_of(by: Submitter) -> str:
    """Returns the person who submitted, or '' if no person did."""
    return by.name if by.role in ("organizer", "referee") or by.seat is not None else ""


def _of_table(table: MatchTable) -> Iterator[Operation]:
    for at, by, look in table.looks:
        what = look.at_what or "everything in the match"
        yield Operation(at, LOOK, by, f"Looked at {what}, up to event {look.knew}.")


def _of_talk(opened: OpenMatch, ear: Viewer) -> Iterator[Operation]:
    """Yields the messages taken down. A whisper to others is not even counted."""
    lines = opened.roll.read()
    for _, at, by, entry in opened.book.entries():
        if isinstance(entry, LineHidden) and entry.number <= len(lines):
            line = lines[entry.number - 1]
            if is_for(line, ear):
                why = f": {entry.reason}" if entry.reason else ""
                said = f"A chat message at event {line.version} was removed{why}."
                yield Operation(at, TALK, by, said)


def _of_tournament(store: Store, history: History) -> Iterator[Operation]:
    """Yields the organizer's corrections of the match's result."""
    tournament = history.created.tournament
    if not tournament:
        return
    book = tournament_book(store, tournament)
    try:
        state = book.read().state
    except (Refused, ValueError):
        return  # the match was imported, and its tournament was not
    if state is None:
        return
    places = {
        (number, table.number)
        for number, round_ in enumerate(state.rounds, 1)
        for table in round_.tables
        if table.match == history.match
    }
    for _, at, by, entry in book.entries():
        if not isinstance(entry, Forfeited | ResultApproved | ResultCorrected):
            continue
        if (entry.round, entry.table) in places:
            yield Operation(at, RESULT, by, _result_words(entry))


def _result_words(entry: Forfeited | ResultApproved | ResultCorrected) -> str:
    why = f": {entry.reason}" if entry.reason else ""
    if isinstance(entry, ResultCorrected):
        scores = " : ".join(map(str, entry.scores)) or "none"
        return f"The result was corrected to {scores}{why}."
    if isinstance(entry, Forfeited):
        return f"A forfeit was noted{why}."
    return f"The result was approved{why}."
