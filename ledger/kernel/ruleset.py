"""A ruleset: everything the kernel needs to know about one game.

    Ruleset ── edition("e2"), options, overlay ──▶ Terms (what is in force for one match) ──▶ Match

A ruleset is made from its chapters, so no list of records becomes stale. It is checked when
it is made. A record without audiences, a decision without a wire name or a bad erratum is
refused at import, not in the middle of a match.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any

import msgspec

from .accounts import Transferred
from .audience import check_record
from .chance import ChanceQuestion, Dealt, Drawn, Rolled, Stream
from .content import Overlay, Rows, Table, lay_over
from .pacts import Pacts, check_pacts
from .readings import Reading, Value
from .records import Decision, Fact, Question, Record, Seat, State, Step, rule_of, tag_of
from .recount import Recount
from .refusals import Refused
from .story import Seen, Story

if TYPE_CHECKING:
    from .forms import Form, Offer, Struggle
    from .lookup import Lookup
    from .scene import Scene

PRINTED = "printed"  # the edition before the first erratum
BEHIND = "+"  # in the name of an edition: what stands after it is published elsewhere
KERNEL_DECISIONS = (Rolled, Drawn, Dealt)
KERNEL_FACTS = (Transferred,)
INT_MAX = (1 << 53) - 1
TEXT_MAX = 4_000
PLAIN_DEPTH_MAX = 8  # no decision nests deeper


@dataclass(frozen=True, kw_only=True)
class Erratum:
    """A published correction: it flips a reading, else overlays content, else replaces a class."""

    id: str
    date: str
    source: str
    text: str
    readings: Mapping[str, Value] = field(default_factory=dict)
    content: Overlay = field(default_factory=dict)
    replaces: Mapping[type[Record], type[Record]] = field(default_factory=dict)


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a match: each seat's score, and the winners (several in a tie)."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    reason: str


@dataclass(frozen=True, kw_only=True)
class Shown:
    """Everything that shows a game. All but `called` is made from views: of a position, or of a
    decision.

    The lookup is for names and texts in the content.
    """

    scene: Callable[[Seen, Lookup], Scene] | None = None
    story: Story = field(default_factory=Story)
    # From an offered decision and its seat's view: the text of its button ...
    wording: Callable[[Seen, Seen, Lookup], str] | None = None
    # ... and a line about its effect, for players who do not know the game by heart.
    hints: Callable[[Seen, Seen, Lookup], str] | None = None
    # Decisions that are filled in, because no question can list them.
    forms: Callable[[Seen, Lookup], Sequence[Form]] | None = None
    # Offers that the viewer may answer.
    offers: Callable[[Seen, Lookup], Sequence[Offer]] | None = None
    # The fight in progress.
    struggle: Callable[[Seen, Lookup], Struggle | None] | None = None
    primer: Mapping[str, str] = field(default_factory=dict)  # a game for beginners, by headings
    currencies: Mapping[str, str] = field(default_factory=dict)  # their names, by their ids
    # From a state: the names of the seats at this point; they may show only what is public.
    called: Callable[[Any, Lookup], tuple[str, ...]] | None = None


@dataclass(frozen=True, kw_only=True)
class Bot:
    """The functions with which a bot looks ahead."""

    # From a view: a state that fits it, with what is hidden drawn at random.
    sample: Callable[[Seen, Stream, Lookup], State]
    score: Callable[[Any, Seat], int]
    # From a view: decisions that a bot may try as well, because no question can list them.
    ideas: Callable[[Seen, Lookup], Sequence[Decision]] | None = None
    # From the options in a view: those that a bot that weighs each should look at; never none.
    promising: Callable[[Seen, Sequence[Decision]], Sequence[Decision]] | None = None


@dataclass(frozen=True, kw_only=True)
class AuditRules:
    """The rules of an audit: recounts, conserved pieces, and promises."""

    # By the wire names of facts: their power, prices and points, counted again.
    recounts: Mapping[str, Recount] = field(default_factory=dict)
    conserved: Callable[[Any], Mapping[str, int]] | None = None  # counts that never change
    pacts: Pacts | None = None  # deals and promises in the facts; None in a game without deals


@dataclass(frozen=True, kw_only=True)
class Ruleset:
    """The rules of one game, under the name that the ledger records."""

    name: str
    title: str
    seats: range
    state: type[State]
    setup: Callable[[int], State]  # an empty table for so many seats; all else is facts
    first: Step | Question
    result: Callable[[Any], Result]  # of the state in which the match ended
    agenda: Sequence[type[Step | Question]]
    decisions: Sequence[type[Decision]]
    facts: Sequence[type[Fact]]
    standing: Sequence[Question] = ()
    readings: Mapping[str, Reading] = field(default_factory=dict)
    tables: Sequence[Table[Any]] = ()
    content: Mapping[str, Rows] = field(default_factory=dict)
    errata: Sequence[Erratum] = ()
    domains: Sequence[str] = ("dice",)  # the domains of chance it may ask for
    # Refuses tables that fit their types and not the game; asked whenever content is laid over.
    fitting: Callable[[Lookup], None] | None = None
    source: str = ""  # hash of the rules' source, kernel included
    shown: Shown = field(default_factory=Shown)
    bot: Bot | None = None  # None: bots choose at random
    audit: AuditRules = field(default_factory=AuditRules)

    def __post_init__(self) -> None:
        """Refuses definitions that would otherwise fail in the middle of a match."""
        for record in (self.state, *self.agenda, *self.decisions, *self.facts):
            check_record(record)
        for kept in (*self.decisions, *self.facts):
            if tag_of(kept) == kept.__name__:
                msg = f"{kept.__name__} is kept or shown: give it a wire name of its own"
                raise TypeError(msg)
        for many in (self.agenda, self.decisions, self.facts):
            tags = [tag_of(kind) for kind in many]
            if len(tags) != len(set(tags)):
                msg = f"two records have one wire name: {sorted(tags)}"
                raise TypeError(msg)
        for kind in self.agenda:
            if not rule_of(kind):
                msg = f"{kind.__name__} cites no rule in its docstring"
                raise TypeError(msg)
            if issubclass(kind, Question) and not kind.answers:
                msg = f"{kind.__name__} does not say which decisions answer it"
                raise TypeError(msg)
            if lacking := _lacking(kind):
                msg = f"{kind.__name__} does not say what it must: {', '.join(lacking)}"
                raise TypeError(msg)
        self._check_hooks([tag_of(kind) for kind in self.facts])
        tables = self.content
        for reading in self.readings.values():
            reading.check(reading.value)
        for erratum in self.errata:
            _check_erratum(self, erratum)
            tables = lay_over(tables, {table.name: table for table in self.tables}, erratum.content)

    def _check_hooks(self, facts: Sequence[str]) -> None:
        """Refuses hooks for facts that the ruleset does not have."""
        self.shown.story.check(facts)
        check_pacts(self.audit.pacts, facts)
        if unknown := sorted(set(self.audit.recounts) - set(facts)):
            msg = f"a recount speaks of facts that there are not: {', '.join(unknown)}"
            raise TypeError(msg)

    @classmethod
    def of_chapters(cls, name: str, *, chapters: Sequence[ModuleType], **rest: Any) -> Ruleset:
        """Returns a ruleset of every record that its chapter modules define."""
        replacing = {new for erratum in rest.get("errata", ()) for new in erratum.replaces.values()}
        found = [
            record
            for chapter in chapters
            for record in vars(chapter).values()
            if isinstance(record, type)
            and issubclass(record, Record)
            and record.__module__ == chapter.__name__
            and record not in replacing
        ]
        return cls(
            name=name,
            agenda=[kind for kind in found if issubclass(kind, Step | Question)],
            decisions=[
                *(kind for kind in found if issubclass(kind, Decision)),
                *KERNEL_DECISIONS,
            ],
            facts=[*(kind for kind in found if issubclass(kind, Fact)), *KERNEL_FACTS],
            **rest,
        )

    @cached_property
    def editions(self) -> tuple[str, ...]:
        """Returns the names of the editions: as printed, then one after each erratum."""
        return (PRINTED, *(erratum.id for erratum in self.errata))

    @cached_property
    def _decision_kinds(self) -> Mapping[str, type[Decision]]:
        return {tag_of(kind): kind for kind in self.decisions}

    def check_option(self, name: str) -> None:
        """Refuses a reading that is no option: only an erratum or an overlay changes it."""
        if name not in self.readings or not self.readings[name].option:
            known = ", ".join(sorted(n for n, reading in self.readings.items() if reading.option))
            raise Refused("unknown_reading", "", "", {"option": name[:80], "known": known})

    def errata_of(self, edition: str) -> Sequence[Erratum]:
        """Returns the ruleset's errata that are in force in an edition."""
        edition = edition.partition(BEHIND)[0]
        if edition not in self.editions:
            evidence = {"edition": edition[:80], "known": ", ".join(self.editions)}
            raise Refused("unknown_edition", "", "", evidence)
        return self.errata[: self.editions.index(edition)]

    def check_seats(self, seats: int) -> None:
        """Refuses a number of seats that the game does not support."""
        if seats not in self.seats:
            evidence = {"seats": seats, "from": self.seats.start, "to": self.seats.stop - 1}
            raise Refused("bad_seats", "", "", evidence)

    def decision(self, plain: Mapping[str, Any]) -> Decision:
        """Parses a decision from plain values; refuses anything else."""
        kinds = self._decision_kinds
        said = plain.get("type")
        kind = kinds.get(said) if isinstance(said, str) else None
        if kind is None:
            shown = said[:80] if isinstance(said, str) else "not a word"
            evidence = {"type": shown, "known": ", ".join(sorted(kinds))}
            raise Refused("unknown_decision", "", "", evidence)
        try:
            _check_plain(plain, PLAIN_DEPTH_MAX)
            return msgspec.convert(dict(plain), kind)
        except msgspec.ValidationError as reason:
            evidence = {"type": tag_of(kind), "why": str(reason)}
            raise Refused("malformed_decision", "", "", evidence) from None


def _check_plain(value: Any, depth: int) -> None:
    """Refuses values that the log cannot hold: over-long integers, broken texts, deep nesting."""
    if depth == 0:
        msg = f"nested deeper than {PLAIN_DEPTH_MAX}"
        raise msgspec.ValidationError(msg)
    if isinstance(value, str):
        if len(value) > TEXT_MAX:
            msg = f"a text of more than {TEXT_MAX} characters"
            raise msgspec.ValidationError(msg)
        if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
            msg = "a text that is not valid Unicode"
            raise msgspec.ValidationError(msg)
    elif isinstance(value, int):
        if abs(value) > INT_MAX:
            msg = f"an integer beyond ±{INT_MAX}"
            raise msgspec.ValidationError(msg)
    elif isinstance(value, list | tuple):
        for item in value:
            _check_plain(item, depth - 1)
    elif isinstance(value, Mapping):
        for item in (*value.keys(), *value.values()):
            _check_plain(item, depth - 1)


# The members that a record of the agenda has to supply, the narrowest base first.
_SUPPLIED: tuple[tuple[type[Any], tuple[str, ...]], ...] = (
    (ChanceQuestion, ("address", "wish", "fallen")),
    (Question, ("asks", "key", "allows", "options", "decide")),
    (Step, ("run",)),
)


def _lacking(kind: type[Any]) -> list[str]:
    base, names = next(row for row in _SUPPLIED if issubclass(kind, row[0]))
    return [name for name in names if getattr(kind, name) is getattr(base, name)]


def _check_erratum(rules: Ruleset, erratum: Erratum) -> None:
    if not erratum.id or BEHIND in erratum.id or rules.editions.count(erratum.id) > 1:
        msg = f"an erratum cannot be named {erratum.id!r}: an edition has its name, and no other"
        raise TypeError(msg)
    for old, new in erratum.replaces.items():
        where = f"erratum {erratum.id}: {new.__name__}"
        kinds = [kind for kind in (Fact, Step, Question) if issubclass(old, kind)]
        if not kinds or not issubclass(new, kinds[0]):
            msg = f"{where} must be what it replaces: a fact, a step or a question"
            raise TypeError(msg)  # a decision is kept for ever: a changed shape gets a new name
        if tag_of(old) != tag_of(new):
            msg = f"{where} must keep the wire name {tag_of(old)}"
            raise TypeError(msg)
        was, now = old.__struct_fields__, new.__struct_fields__
        added = msgspec.structs.fields(new)[len(was) :]
        if now[: len(was)] != was or any(extra.required for extra in added):
            msg = f"{where} must keep the fields {was} and give new ones a default"
            raise TypeError(msg)
        if erratum.id not in (new.__doc__ or ""):
            msg = f"{where} must name the erratum in its docstring"
            raise TypeError(msg)
        check_record(new)
    for name, value in erratum.readings.items():
        if name not in rules.readings:
            msg = f"erratum {erratum.id} speaks of the reading {name}, which there is not"
            raise TypeError(msg)
        rules.readings[name].check(value)
