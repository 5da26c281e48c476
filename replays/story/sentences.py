"""The story of a log: one or more sentences for each event, as one viewer may know it.

The ruleset's story has the words for its facts; the words for acts are here. A
sentence is made from the fact's *view*, so it cannot reveal more than its reader may see.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from ledger.kernel.audience import Viewer, view
from ledger.kernel.lookup import Lookup
from ledger.kernel.records import CHANCE, CONTROL, Fact, Seat
from ledger.kernel.ruleset import Ruleset
from ledger.kernel.terms import Terms
from ledger.log.format.acts import (
    Abandoned,
    Act,
    Closed,
    Created,
    Disputed,
    EditionChanged,
    Joined,
    Paused,
    Resumed,
    Rewound,
    Ruled,
    SeatGiven,
    Started,
)
from ledger.log.format.bodies import ActBody
from ledger.log.format.published import Published, edition_name_of
from ledger.log.read.history import History, Moment
from replays.deals.verdicts import Judge, JudgedDeal, NewVerdict
from replays.walk import Walk, turning_points

UNDISCLOSED: Final = "This decision has not been disclosed."


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """The sentences of one event."""

    version: int
    at: int
    seat: int | None
    by: str
    sentences: tuple[str, ...]
    undone: bool = False


class Came(NamedTuple):
    """The facts and news of one folded event."""

    facts: tuple[Fact, ...]
    terms: Terms | None  # None before the start
    called: tuple[str, ...]
    disclosed: bool
    asked: tuple[tuple[Seat, str], ...] = ()  # after it: seats, and the keys of their questions
    news: tuple[NewVerdict, ...] = ()  # promises that were kept or broken with it


class RunningStory:
    """Folds the events of a history once, as far as a caller has asked.

    Many viewers watch one match. The facts are the same for all of them, and are kept while the
    match goes on; each viewer's part is cut out on request.
    """

    def __init__(self, history: History, turning: Container[int] = ()) -> None:
        """`turning` are events that lines go back to: with them, a whole log is folded once."""
        self.history = history
        self._came: list[Came] = []
        self._judge = Judge(history)
        self._walk = Walk(history, self._judge.before, turning)

    @property
    def deals(self) -> tuple[JudgedDeal, ...]:
        return self._judge.deals

    def came(self, version: int) -> Came:
        """Returns the outcome of an event, folding up to it if needed."""
        while len(self._came) < version:
            moment = self._walk.take(len(self._came) + 1)
            self._judge.take(moment)
            self._came.append(came_of(moment, tuple(self._judge.news)))
        return self._came[version - 1]

    def told(self, versions: range, viewer: Viewer) -> Iterator[Told]:
        """Yields events as one viewer may see them, marked undone as of now."""
        undone = set(self.history.lines.undone())
        for version in versions:
            told = tell_event(self.history, version, viewer, self.came(version))
            yield msgspec.structs.replace(told, undone=True) if version in undone else told


def came_of(moment: Moment, news: tuple[NewVerdict, ...] = ()) -> Came:
    """Returns what is kept of a folded event."""
    match = moment.match
    if match is None:
        return Came((), None, (), disclosed=not moment.lost)
    asked = () if match.ended else match.asked()
    return Came(
        facts=tuple(moment.facts),
        terms=match.terms,
        called=match.called(),
        disclosed=True,
        asked=tuple((seat, match.key(seat)) for seat in asked if seat >= 0),
        news=news,
    )


def tell(history: History, viewer: Viewer = None) -> Iterator[Told]:
    """Yields every event in the order of the log; undone ones are marked."""
    story = RunningStory(history, turning_points(history))
    yield from story.told(range(1, history.tip.version + 1), viewer)


def tell_event(history: History, version: int, viewer: Viewer, came: Came) -> Told:
    """Returns the sentences of one event: its act, its facts and the verdicts on promises."""
    body = history.body(version)
    said = []
    if isinstance(body, ActBody):
        said.append(act_sentence(history, body.act))
    elif not came.disclosed:
        said.append(UNDISCLOSED)
    if came.terms is not None:
        told = (fact_sentence(came.terms, fact, viewer, came.called) for fact in came.facts)
        said += [sentence for sentence in told if sentence]  # a game may pass over a fact
        said += [sentence for one in came.news if (sentence := one.told(viewer))]
    return Told(
        version=version,
        at=body.at,
        seat=getattr(body, "seat", None),
        by=by_text(body.by.role, body.by.name),
        sentences=tuple(said),
    )


def fact_sentence(terms: Terms, fact: Fact, viewer: Viewer, called: tuple[str, ...] = ()) -> str:
    """Returns the sentence for a fact; `called` are the game's own names for its seats."""
    shown: dict[str, Any] = view(fact, viewer)
    if called:
        shown["called"] = called
    return view_sentence(terms.rules, shown, terms.silent)


def view_sentence(rules: Ruleset, shown: Mapping[str, Any], lookup: Lookup) -> str:
    beat = rules.shown.story.by_tag.get(shown["type"])
    if beat is None:  # a ruleset under construction: better bare than broken
        return f"{shown['type']} {_bare(shown)}".rstrip()
    return beat.told(shown, lookup)


def _bare(shown: Mapping[str, Any]) -> str:
    named = (item for item in shown.items() if item[0] not in ("type", "called"))
    return ", ".join(f"{name} {value}" for name, value in named)


def seat_text(seat: int | None) -> str:
    return {None: "", CHANCE: "chance", CONTROL: "the referee"}.get(seat, f"seat {seat}")


def by_text(role: str, name: str) -> str:
    """Names the submitter of an event; "" if it was the seat itself."""
    return "" if role in ("seat", "dice", "service") else f"{role} {name}".strip()


def act_sentence(history: History, act: Act) -> str:
    if isinstance(act, Created):
        return _creation(history, act)
    if isinstance(act, Closed):
        return _closing(history, act)
    return ACTS[type(act)](act)


def _creation(history: History, act: Created) -> str:
    options = ", ".join(
        f"{name}={_format_value(value)}" for name, value in sorted(act.options.items())
    )
    chosen = f" with {options}" if options else ""
    laid = "" if act.overlay is None else f" with an overlay ({act.overlay.hex()[:8]})"
    game = f"{history.rules.title}, edition {edition_name_of(act.edition)}{laid}"
    seats = "1 seat" if act.seats == 1 else f"{act.seats} seats"
    more = _quote_errata(act.errata)
    return f"A match of {game}, for {seats}{chosen} ({act.origin.kind}).{more}"


def _quote_errata(errata: Sequence[Published]) -> str:
    """Quotes errata that a club wrote itself, because readers cannot look them up elsewhere."""
    return "".join(f" Erratum {one.id} ({one.date}): {one.text}" for one in errata)


def _format_value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _closing(history: History, act: Closed) -> str:
    if act.result is None:
        return "The match is closed without a result."
    winners = [_player(history, seat) for seat in act.result["winners"]]
    verb = "share the win" if len(winners) > 1 else "wins"
    said = " and ".join(winners) or "nobody"
    return f"The match is closed: {said} {verb} ({act.result['reason']})."


def _player(history: History, seat: int) -> str:
    """Returns a player's name, with the seat if two players share it."""
    joined = history.life.joined
    if seat not in joined:
        return seat_text(seat)
    name = joined[seat].name
    alone = [one.name for one in joined.values()].count(name) == 1
    return name if alone else f"{name} ({seat_text(seat)})"


def _add_full_stop(reason: str) -> str:
    """Adds a full stop to typed text that lacks one."""
    return reason if reason.endswith((".", "!", "?")) else f"{reason}."


ACTS: Final[Mapping[type[Act], Callable[[Any], str]]] = {
    Joined: lambda act: f"{act.name} takes seat {act.seat}.",
    Started: lambda _: "The match begins.",
    Paused: lambda act: f"The match is paused: {_add_full_stop(act.reason)}",
    Resumed: lambda _: "The match goes on.",
    Rewound: lambda act: f"Back to event {act.to}: {_add_full_stop(act.reason)}",
    EditionChanged: lambda act: (
        f"Edition {edition_name_of(act.edition)} is in force from here on: "
        f"{_add_full_stop(act.reason)}"
        f"{_quote_errata(act.errata)}"
    ),
    SeatGiven: lambda act: f"Seat {act.seat} goes to {act.to} {act.name}.",
    Abandoned: lambda act: f"The match is abandoned: {_add_full_stop(act.reason)}",
    Disputed: lambda act: f"Dispute {act.dispute} is about events {act.first} to {act.last}.",
    Ruled: lambda act: f"Dispute {act.dispute} is {act.finding}: {_add_full_stop(act.reason)}",
}
