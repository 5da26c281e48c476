"""History: the log of one match read into memory, and the match at any point of any of its lines.

It takes events and openings from any source (a store, a bundle, a viewer's copy) and hands
the kernel the match of a line. It does not guess: a decision whose opening the reader lacks
raises `Undisclosed`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from ledger.kernel.fold import begin, fold
from ledger.kernel.lookup import Use
from ledger.kernel.match import Match
from ledger.kernel.records import Decision, Fact, Seat
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Ruleset
from ledger.kernel.terms import Terms, facts_bytes, move_to_terms
from ledger.log.format.acts import Act, Created, EditionChanged, Rewound, Started
from ledger.log.format.bodies import ActBody, AnswerBody, AnyBody, Path, SealedBody, read_body
from ledger.log.format.canonical import KEPT_BYTES_MAX, decode
from ledger.log.format.chain import (
    EMPTY,
    OUTCOME_PATH,
    PRIVATE_PATH,
    SEALED_PATH,
    Event,
    Opening,
    Tip,
    head_after,
    make_opening,
    unpad_value,
)
from ledger.log.format.published import Brought, Published, behind_in, one_of
from ledger.log.format.secrets import KEPT_AS, Secrets
from ledger.log.stores.protocol import Store
from ledger.log.write.lifecycle import Life, make_refusal

RulesOf: TypeAlias = Callable[[str], Ruleset]
TermsOf: TypeAlias = Callable[[str], Terms]

SNAPSHOT_EVERY: Final = 64  # events folded at most to reach any point
OVERLAY: Final = "overlay"


class Undisclosed(Exception):
    """The reader lacks the opening of a value that the fold needs."""

    def __init__(self, version: int, path: str) -> None:
        super().__init__(f"event {version} has not been disclosed ({path})")
        self.version = version
        self.path = path


class WentBack(Exception):
    """The store holds another log than the one that was read before."""


class Moment(NamedTuple):
    """One event as it was folded. The match is live: it changes with the next event."""

    version: int
    body: AnyBody
    seat: Seat | None = None  # who decided it; None of an act
    decision: Decision | None = None
    facts: Sequence[Fact] = ()
    match: Match | None = None  # after it; None before the start, and where the event is lost
    lost: bool = False  # it, or an event before it on its line, cannot be folded here
    why: Undisclosed | Refused | None = None  # of the first lost event of a line
    stated: bytes | None = None  # the facts that the log states, where they are others

    @property
    def parent(self) -> int:
        return self.body.parent


class Lines:
    """The tree of a log, grown event by event: the chain of parents of each event is its line."""

    def __init__(self) -> None:
        self._parents: list[int] = [0]  # by version; version 0 is the empty log
        self._epochs: list[int] = [0]  # the last rewind on the line of each version

    def __len__(self) -> int:
        return len(self._parents) - 1

    def grow(self, body: AnyBody) -> None:
        """Adds the next event; refuses a parent that it may not have."""
        version = len(self) + 1
        act = body.act if isinstance(body, ActBody) else None
        parent = version - 1
        if isinstance(act, Rewound):
            parent = act.to
            # It may lie on an undone line: so a rewind is itself taken back.
            if not 0 < parent < version:
                raise ValueError(f"event {version} rewinds to {parent}, which is not before it")
        if body.parent != parent:
            msg = f"event {version} names {body.parent} as its parent; it can only be {parent}"
            raise ValueError(msg)
        self._parents.append(parent)
        # A fork's copied events were drawn under other keys: its own begin with a new epoch.
        copied = act is None and body.by.role == "fork"
        begins = copied or isinstance(act, Rewound)
        self._epochs.append(version if begins else self._epochs[parent])

    def parent(self, version: int) -> int:
        return self._parents[version]

    def epoch(self, version: int) -> int:
        """Returns the last rewind on the line of `version`, or 0; addresses of chance use it."""
        return self._epochs[version]

    def line(self, version: int) -> list[int]:
        """Returns the versions of the line that ends at `version`, in order."""
        line = []
        while version:
            line.append(version)
            version = self._parents[version]
        return line[::-1]

    def undone(self) -> list[int]:
        """Returns the events that are not on the tip's line."""
        kept = set(self.line(len(self)))
        return [version for version in range(1, len(self) + 1) if version not in kept]


class History:
    def __init__(self, match: str, rules_of: RulesOf, overlay: bytes | None = None) -> None:
        self.match = match
        self.lines = Lines()
        self.life = Life()
        self.events: list[Event] = []
        self.bodies: list[AnyBody] = []
        self.openings: dict[Path, Opening] = {}
        self.overlay = overlay
        self.rules_of = rules_of
        self.salt_key: bytes | None = None  # known to the match's own service alone
        self._terms: dict[str, Terms] = {}
        self._answers: dict[tuple[str, Seat], list[int]] = {}
        self._held: dict[int, tuple[str, bytes, dict[Use, int]]] = {}

    @classmethod
    def of(cls, store: Store, match: str, rules_of: RulesOf) -> History:
        """Returns the history of a match with all openings, for the store's own service only."""
        history = cls(match, rules_of, store.kept(match, OVERLAY))
        if (kept := store.kept(match, KEPT_AS)) is not None:
            with suppress(ValueError, msgspec.MsgspecError):  # damaged: whoever writes finds it
                history.salt_key = Secrets.read(kept).salt_key
        history.catch_up(store)
        return history

    def catch_up(self, store: Store) -> bool:
        """Reads the store's new events; returns whether there were any."""
        first = self.tip.version + 1
        events = list(store.events(self.match, first))
        if not events:
            tip = store.tip(self.match)
            if tip.version < first and tip != self.tip:
                raise WentBack(f"the log of {self.match} has gone back to event {tip.version}")
            return False
        if events[0].head != head_after(self.match, self.tip, events[0].body):
            msg = f"the log of {self.match} differs from the one read before: it has gone back"
            raise WentBack(msg)
        # Openings are there before their events can be read, so none is missed this way around.
        self.know(store.openings(self.match, first, events[-1].version))
        for event in events:
            self.add(event)
        return True

    def add(self, event: Event, body: AnyBody | None = None) -> None:
        assert event.version == len(self.events) + 1, "events come in order"
        body = read_body(event.body) if body is None else body
        self.lines.grow(body)
        self.life.grow(body)
        self.events.append(event)
        self.bodies.append(body)
        if not isinstance(body, ActBody):
            self._answers.setdefault((body.question, body.seat), []).append(event.version)

    def know(self, openings: Iterable[Opening]) -> None:
        for opening in openings:
            self.openings[opening.version, opening.path] = opening

    def has_answer(self, question: str, seat: Seat, version: int) -> bool:
        """Returns whether the line of an event already holds an answer under this key."""
        found = self._answers.get((question, seat), ())
        earlier = [one for one in found if one <= version]
        return bool(earlier) and not set(earlier).isdisjoint(self.lines.line(version))

    def answers_to(self, question: str, seat: Seat) -> list[int]:
        """Returns the events that answer under this key, on any line."""
        return self._answers.get((question, seat), [])

    @property
    def tip(self) -> Tip:
        return self.events[-1].tip if self.events else EMPTY

    def up_to(self, version: int) -> History:
        """Returns the same log as it was after an event."""
        short = History(self.match, self.rules_of, self.overlay)
        short.salt_key = self.salt_key
        short.know(one for path, one in self.openings.items() if path[0] <= version)
        for event in self.events[:version]:
            short.add(event, self.body(event.version))
        return short

    def tip_before(self, version: int) -> Tip:
        """Returns the tip of the log just before an event."""
        return self.events[version - 2].tip if version > 1 else EMPTY

    def body(self, version: int) -> AnyBody:
        return self.bodies[version - 1]

    def act(self, version: int) -> Act | None:
        body = self.body(version)
        return body.act if isinstance(body, ActBody) else None

    @property
    def created(self) -> Created:
        act = self.act(1)
        assert isinstance(act, Created), "a log begins with match.created"
        return act

    @property
    def rules(self) -> Ruleset:
        return self.rules_of(self.created.ruleset)

    def terms(self, edition: str) -> Terms:
        """Returns the terms in force in this match under an edition."""
        if edition not in self._terms:
            behind = [one.erratum for one in self.published_in(edition)]
            self._terms[edition] = Terms(
                self.rules, edition, self.created.options, self.read_overlay(), behind
            )
        return self._terms[edition]

    def published_in(self, edition: str) -> list[Published]:
        """Returns the published errata in force in an edition, as its events brought them."""
        return [one_of(self.brought(one), one, edition) for one in behind_in(edition)]

    def brought(self, one: Brought) -> tuple[Published, ...]:
        """Returns the errata that an event brings."""
        act = self.act(one.version) if one.version <= self.tip.version else None
        return act.errata if isinstance(act, Created | EditionChanged) else ()

    def read_overlay(self) -> dict[str, Any]:
        """Returns the content overlay that event 1 names by its hash."""
        wanted = self.created.overlay
        if wanted is None:
            return {}
        if self.overlay is None:
            raise Undisclosed(1, OVERLAY)
        if hashlib.sha256(self.overlay).digest() != wanted:
            raise ValueError("the overlay differs from the one that event 1 names")
        overlay: dict[str, Any] = decode(self.overlay, KEPT_BYTES_MAX)
        return overlay

    def decision(self, version: int, terms: Terms) -> tuple[Seat, Decision]:
        """Returns seat and decision of an event; raises `Undisclosed` without an opening."""
        return self._decided(version, self.body(version), terms)

    def decision_in(self, body: bytes, terms: Terms, version: int = 0) -> tuple[Seat, Decision]:
        """Returns seat and decision from an event's bytes; one in clear needs no `version`."""
        return self._decided(version, read_body(body), terms)

    def _decided(self, version: int, body: AnyBody, terms: Terms) -> tuple[Seat, Decision]:
        if isinstance(body, SealedBody):
            packed = unpad_value(self._plain(version, SEALED_PATH))
            decode(packed)  # what was committed is canonical too
            return body.seat, terms.reads_decision(packed)
        assert isinstance(body, AnswerBody), "an act decides nothing"
        if not body.private:
            return body.seat, terms.reads_decision(body.decision)
        shown: dict[str, Any] = msgspec.msgpack.decode(body.decision)
        private = {
            name: decode(unpad_value(self._plain(version, PRIVATE_PATH + name)))
            for name in body.private
        }
        return body.seat, terms.rules.decision(together(shown, private))

    def _plain(self, version: int, path: str) -> bytes:
        opening = self.openings.get((version, path))
        if opening is None:
            raise Undisclosed(version, path)
        return opening.plain

    def open_outcome(self, version: int, facts: Sequence[Fact]) -> Opening | None:
        """Returns the opening of an event's outcome, or None if neither it nor the salt key is
        known; refuses facts that the event does not commit to.
        """
        packed, opening = facts_bytes(facts), self.openings.get((version, OUTCOME_PATH))
        if opening is None and self.salt_key is not None:
            opening = make_opening(self.salt_key, self.tip_before(version), OUTCOME_PATH, packed)
            differs = opening.commitment(self.match) != self.body(version).outcome
        else:
            differs = opening is not None and opening.plain != packed
        if differs:
            raise make_refusal("engine_differs", {"version": version, "source": self.rules.source})
        return opening

    # --- the match at a point ------------------------------------------------------------------

    def replay(self, version: int | None = None) -> Iterator[Moment]:
        """Folds every event of a line from the first and yields each; the match is live."""
        line = self.lines.line(self.tip.version if version is None else version)
        return self.fold_along(None, line)

    def replay_after(self, version: int) -> Iterator[Moment]:
        """Folds the events after `version` on the tip's line."""
        line = self.lines.line(self.tip.version)
        return self.fold_along(self.at(version), line[line.index(version) + 1 :])

    def fold_event(
        self, match: Match | None, version: int, terms_of: TermsOf | None = None
    ) -> Moment:
        """Folds one event on the match after its parent; that match is changed.

        `terms_of` finds the terms of an edition, if they are not this history's own.
        """
        body = self.body(version)
        if isinstance(body, ActBody):
            match, facts = self._fold_act(version, body.act, match, terms_of or self.terms)
            return Moment(version, body, None, None, facts, match)
        assert match is not None, "nobody decides before the match has started"
        seat, decision = self._decided(version, body, match.terms)
        return Moment(version, body, seat, decision, fold(match, seat, decision, version), match)

    def at(self, version: int | None = None) -> Match | None:
        """Returns a new match at an event, or None before the start."""
        line = self.lines.line(self.tip.version if version is None else version)
        for place in range(len(line), 0, -1):
            if line[place - 1] in self._held:
                edition, held, used = self._held[line[place - 1]]
                match: Match | None = self.terms(edition).restore(held, used)
                rest = line[place:]
                break
        else:
            match, rest = None, line
        for moment in self.fold_along(match, rest):
            match = moment.match
            if match is not None and moment.version % SNAPSHOT_EVERY == 0:
                self.hold(moment.version, match)
        return match

    def hold(self, version: int, match: Match) -> None:
        """Keeps a match as bytes, from which later positions are reached."""
        held = match.terms.snapshot(match)
        self._held[version] = (match.terms.edition, held, dict(match.used))

    def fold_along(
        self, match: Match | None, line: Iterable[int], terms_of: TermsOf | None = None
    ) -> Iterator[Moment]:
        """Folds events one after another on the match before them, as `fold_event` does."""
        for version in line:
            moment = self.fold_event(match, version, terms_of)
            match = moment.match
            yield moment

    def _fold_act(
        self, version: int, act: Act, match: Match | None, terms_of: TermsOf
    ) -> tuple[Match | None, list[Fact]]:
        if isinstance(act, Started):
            match = terms_of(self.created.edition).open_match(self.created.seats)
            return match, begin(match, version)
        if match is None:
            return None, []
        if isinstance(act, EditionChanged):
            match = move_to_terms(match, terms_of(act.edition))  # the match is ours to change
        match.version = version
        return match, []


def together(shown: Mapping[str, Any], private: Mapping[str, Any]) -> dict[str, Any]:
    """Joins a decision's open fields with the values behind its commitments."""
    plain = dict(shown)
    # Map keys are in the order of their bytes, where 10 comes before 2.
    for name in sorted(private, key=lambda one: (one.partition("/")[0], len(one), one)):
        field, _, element = name.partition("/")
        if not element:
            if field in shown:
                raise ValueError(f"{field} is both shown and committed")
            plain[field] = private[name]
            continue
        elements = plain.setdefault(field, [])
        if field in shown or len(elements) != int(element):
            raise ValueError(f"the elements of {field} are not committed one by one")
        elements.append(private[name])
    return plain
