"""Verify: checks a bundle one claim at a time, and names the event of each failure.

| check | asks |
|---|---|
| frame | is it a whole bundle, its counts and its hash right? |
| chain | does each head cover its event and all before it, in order, parent by parent? |
| life | is it one match, created, joined, started and closed in order? |
| openings | is each disclosed value the one that was committed? |
| edition | are ruleset, edition, options and overlay known here, and the rules' source the same? |
| legality | does every event answer the question that the rules ask, legally? |
| chance | is every die and card what the disclosed keys say? by domain |
| outcome | does each fold give the facts that the event committed to? |
| result | is the result the one that the rules give? |
| anchor | is a head known from elsewhere on this chain? |

Only an outside anchor can tell a log from one that was forged whole and consistent: without one
the best verdict is NOT ANCHORED.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import IO, Any, Final

import msgspec

from ledger.kernel.chance import seed_commitment
from ledger.kernel.refusals import Refused
from ledger.log.format.acts import Closed, Created, Rewound, domains_disclosed, is_covered
from ledger.log.format.bodies import ActBody, AnyBody, Path, check_body, commitments_of
from ledger.log.format.canonical import NotCanonical, reread
from ledger.log.format.chain import EMPTY, Event, Opening, Tip, head_after, head_over
from ledger.log.read.bundle import BadBundle, End, Header, Record, Withheld, read_records
from ledger.log.read.history import History, RulesOf

from .dice import Watch
from .refold import Follower, Refold

CHECKS: Final = (
    "frame", "chain", "life", "openings", "edition",
    "legality", "chance", "outcome", "result", "anchor",
)  # fmt: skip
FAST: Final = ("frame", "chain", "life", "openings", "anchor")
# Checks that cannot be made after an event that is withheld.
AFTER_A_GAP: Final = ("life", "legality", "chance", "outcome", "result")


class Verdict(Enum):
    """The verdict of a verification; the first that holds."""

    INVALID = "INVALID"  # something in it contradicts something else in it
    DIVERGED = "DIVERGED"  # it contradicts a head known from elsewhere
    INCOMPLETE = "INCOMPLETE"  # rules that are not known here could not be checked
    CHAIN = "CHAIN VALID, NOT FOLDED"  # a fast look: nothing was folded
    PARTLY = "VALID AS FAR AS DISCLOSED, NOT ANCHORED"  # a redacted copy, or a running match
    PARTLY_ANCHORED = "VALID AS FAR AS DISCLOSED"
    NOT_ANCHORED = "VALID, NOT ANCHORED"  # self-consistent; only an anchor could say more
    VALID = "VALID"


class Check(msgspec.Struct, kw_only=True):
    """One check and its outcome."""

    name: str
    status: str = "ok"  # ok | failed | withheld | not disclosed | not checked
    detail: str = ""
    version: int | None = None  # the first event that fails
    rule: str = ""

    def fail(self, detail: str, version: int | None = None, rule: str = "") -> None:
        """Notes the first failure only, because later ones follow from it."""
        if self.status != "failed":
            self.status, self.detail, self.version, self.rule = "failed", detail, version, rule

    def withhold(self, detail: str) -> None:
        """Notes that this copy lacks something it could contain."""
        if self.status != "failed":
            self.status, self.detail = "withheld", detail

    def leave(self, detail: str) -> None:
        """Notes what could not be checked."""
        if self.status == "ok" or (self.status == "not disclosed" and not self.detail):
            self.status, self.detail = "not disclosed", detail


class Report(msgspec.Struct, kw_only=True):
    """The checks of a verification and its verdict."""

    match: str
    ruleset: str
    events: int
    head: str
    origin: str
    checks: list[Check]
    verdict: str

    @property
    def failed(self) -> list[Check]:
        return [check for check in self.checks if check.status == "failed"]


class _Stop(Exception):
    """Raised when the file cannot be read on."""


class Claims:
    """Checks a bundle's header and end record against its events, which the chain covers.

    It needs no rules, so even a quick look at a bundle does it.
    """

    def __init__(self, history: History, header: Header, checks: Mapping[str, Check]) -> None:
        self._history = history
        self._header = header
        self._checks = checks
        self._closed: Closed | None = None
        self._covered: list[Path] = []  # what the policy discloses

    def take(self, version: int, body: AnyBody, paths: Iterable[str]) -> None:
        """Takes the next event, with all its openings known, and the paths of its commitments."""
        act = body.act if isinstance(body, ActBody) else None
        if isinstance(act, Created) and version == 1:
            self._take_created(act)
        elif isinstance(act, Closed):
            self._closed = act
        elif not self._history.life.closed:
            self._closed = None  # the match is open, perhaps again
        created = self._history.life.created
        if created is not None:
            self._covered += body.opens
            policy = created.discloses
            self._covered += [(version, path) for path in paths if is_covered(path, policy)]

    def _take_created(self, act: Created) -> None:
        edition, overlay = self._checks["edition"], self._history.overlay
        said = (self._header.ruleset, self._header.edition, self._header.source)
        if said != (act.ruleset, act.edition, act.source):
            edition.fail("the header and event 1 name different rules", 1)
        if act.overlay is None and overlay is not None:
            edition.fail("the bundle has an overlay, but event 1 names none", 1)
        if act.overlay is not None and overlay is None:
            edition.fail("the overlay that event 1 names is missing", 1)
        if overlay is not None and hashlib.sha256(overlay).digest() != act.overlay:
            edition.fail("the overlay differs from the one that event 1 names", 1)
        for domain, seed in self._header.seeds.items():
            if act.domains.get(domain) != seed_commitment(seed, domain):
                message = f"{domain}: the seed differs from the one that event 1 committed to"
                self._checks["chance"].fail(message, 1)

    def finish(self, stated: Mapping[str, Any] | None) -> Closed | None:
        """Checks the end record against the closing event, and returns that event."""
        closed, created = self._closed, self._history.life.created
        result, chance = self._checks["result"], self._checks["chance"]
        if closed is None or created is None:
            if stated is not None:
                result.fail("the last record states a result, but the match is not closed")
            if self._header.seeds:
                chance.fail("the header gives seeds, but the match is not closed")
            return None
        if reread(stated) != reread(closed.result):
            result.fail("the last record and the closing event state different results")
        if closed.seeds != self._header.seeds:
            chance.fail("the header and the closing event give different seeds")
        if closed.discloses != created.discloses:
            result.fail(
                "the closing event discloses by another policy than the one that event 1 set"
            )
        if set(closed.seeds) != set(domains_disclosed(created.discloses, created.domains)):
            chance.fail("the closing event gives other seeds than the policy promises")
        if withheld := sum(path not in self._history.openings for path in self._covered):
            message = f"this copy lacks {withheld} values that the policy discloses"
            self._checks["openings"].withhold(message)
        return closed

    def finish_redacted(self, stated: Mapping[str, Any] | None) -> None:
        """Checks that header and end record of a copy that withholds events state nothing of the
        close.
        """
        message = "a copy that withholds events {} only in its closing event"
        if stated is not None:
            self._checks["result"].fail(message.format("states a result"))
        if self._header.seeds:
            self._checks["chance"].fail(message.format("gives seeds"))


class BundleVerifier:
    """Reads a bundle once, record by record."""

    def __init__(
        self,
        rules_of: RulesOf,
        anchors: Mapping[int, bytes],
        *,
        fast: bool,
        watch: Watch | None = None,
        followers: Sequence[Follower] = (),
        salt_key: bytes | None = None,
    ) -> None:
        """`salt_key` is known only to the match's own service; with it no outcome needs an
        opening.
        """
        self._followers, self._salt_key = followers, salt_key
        self._rules_of = rules_of
        self._anchors = dict(anchors)
        self._met: set[int] = set()
        self._fast = fast
        self._watch = watch
        self._tip: Tip = EMPTY
        self.header: Header | None = None
        self.history: History | None = None
        self._claims: Claims | None = None
        self._refold: Refold | None = None
        self._waiting: tuple[Event, AnyBody, dict[str, bytes]] | None = None
        self._opened: set[Path] = set()
        self._gap = False  # an event was withheld: nothing that follows can be folded
        self._shown = 0
        self.checks = {name: Check(name=name) for name in CHECKS}
        if fast:
            for name in set(CHECKS) - set(FAST):
                self.checks[name].status = "not checked"

    def take(self, record: Record) -> None:
        match record:
            case Event():
                self._finish_event()
                self._take_event(record)
            case Opening():
                self._take_opening(record)
            case Header():
                self.header = record
                self.history = History(record.match, self._rules_of)
                self.history.salt_key = self._salt_key
                self._claims = Claims(self.history, record, self.checks)
                if not self._fast:
                    self._refold = Refold(
                        self.history, record, self.checks, self._watch, self._followers
                    )
            case bytes():
                assert self.history is not None
                self.history.overlay = record
            case Withheld():
                self._finish_event()
                self._take_withheld(record)
            case End():
                self._finish_event()
                self._take_end(record)

    def _take_event(self, event: Event) -> None:
        assert self.history is not None
        chain, life = self.checks["chain"], self.checks["life"]
        where = event.version
        self._link(event, head_after(self.history.match, self._tip, event.body))
        try:
            body = check_body(event.body)
        except NotCanonical as reason:
            chain.fail(f"event {where}: {reason}", where)
            raise _Stop from None
        self._tip = event.tip
        self._shown += 1
        if self._gap:
            if wrong := wrong_parent(where, body):
                chain.fail(wrong, where)
                raise _Stop
        else:
            trouble = self.history.life.trouble(body, self.history.match)
            if trouble:
                life.fail(f"event {where}: {trouble}", where)
            try:
                self.history.add(event, body)
            except ValueError as reason:
                chain.fail(str(reason), where)
                raise _Stop from None
            if trouble and not self.history.life.created:
                raise _Stop
        self._anchor(event)
        self._waiting = (event, body, commitments_of(body))

    def _take_withheld(self, event: Withheld) -> None:
        """Checks the place in the chain of an event whose content this copy withholds."""
        assert self.history is not None
        if event.version == 1:
            self.checks["life"].fail("event 1, which describes the match, is withheld", 1)
            raise _Stop
        self._link(event, head_over(self.history.match, self._tip, event.digest))
        self._tip = event.tip
        self._anchor(event)
        if not self._gap:
            self._gap = True
            for name in AFTER_A_GAP:
                self.checks[name].leave(f"event {event.version} is withheld from this copy")

    def _link(self, event: Event | Withheld, head: bytes) -> None:
        chain, where = self.checks["chain"], event.version
        if where != self._tip.version + 1:
            chain.fail(f"event {where} follows event {self._tip.version}", where)
            raise _Stop
        if head != event.head:
            chain.fail(
                f"the head of event {where} does not cover its body and the previous head", where
            )

    def _take_opening(self, opening: Opening) -> None:
        assert self.history is not None
        check = self.checks["openings"]
        where = f"event {opening.version}, {opening.path}"
        if self._waiting is None or opening.version != self._waiting[0].version:
            check.fail(f"an opening of {where} follows another event", opening.version)
            return
        commitment = self._waiting[2].get(opening.path)
        if commitment is None:
            check.fail(f"{where}: nothing was committed there", opening.version)
        elif opening.commitment(self.history.match) != commitment:
            check.fail(f"{where}: this is not the committed value", opening.version)
        elif (opening.version, opening.path) in self._opened:
            check.fail(f"{where}: opened twice", opening.version)
        self._opened.add((opening.version, opening.path))
        self.history.know([opening])

    def _finish_event(self) -> None:
        """Folds an event once all its openings are read."""
        if self._waiting is not None and not self._gap:
            event, body, paths = self._waiting
            if self._claims is not None:
                self._claims.take(event.version, body, paths)
            if self._refold is not None:
                self._refold.take(event.version, body)
        self._waiting = None

    def _take_end(self, end: End) -> None:
        if end.head != self._tip.head:
            self.checks["frame"].fail("the last record names another head than the last event")
        assert self._claims is not None, "the header is first"
        if self._gap:
            self._claims.finish_redacted(end.result)
            if self._refold is not None:
                self._refold.break_off()
            shown = f"{self._shown} of {self._tip.version} events are in this copy"
            self.checks["openings"].detail = self.checks["openings"].detail or shown
            return
        closed = self._claims.finish(end.result)
        if self._refold is not None:
            self._refold.finish(closed)

    def _anchor(self, event: Event | Withheld) -> None:
        known = self._anchors.get(event.version)
        if known is None:
            return
        self._met.add(event.version)
        if known != event.head:
            message = f"event {event.version} has another head than the one known from elsewhere"
            self.checks["anchor"].fail(message, event.version)

    def leave_rest(self) -> None:
        """Marks all checks without a failure as not checked, because the file could not be read
        on.
        """
        for check in self.checks.values():
            if check.status == "ok":
                check.status, check.detail = "not checked", "the rest of the file could not be read"

    def report(self) -> Report:
        """Returns the report with the final verdict."""
        anchor = self.checks["anchor"]
        for version in sorted(set(self._anchors) - self._met):
            anchor.fail(f"the bundle has no event {version}, whose head was given")
        if not self._anchors:
            anchor.status, anchor.detail = "not checked", "no head known from elsewhere was given"
        elif anchor.status == "ok" and self._tip.version not in self._anchors:
            last = max(self._anchors)
            anchor.status = "not checked"
            anchor.detail = f"anchored up to event {last}; later events could have been replaced"
        created = self.history.act(1) if self.history and self.history.events else None
        return Report(
            match=self.header.match if self.header else "",
            ruleset=self.header.ruleset if self.header else "",
            events=self._tip.version,
            head=self._tip.head.hex(),
            origin=str(getattr(getattr(created, "origin", None), "kind", "")),
            checks=list(self.checks.values()),
            verdict=self._verdict().value,
        )

    @property
    def refusal(self) -> Refused | None:
        return None if self._refold is None else self._refold.refusal

    def run(self, records: Iterable[Record]) -> None:
        try:
            for record in records:
                self.take(record)
        except BadBundle as reason:
            self.checks["frame"].fail(str(reason))
            self.leave_rest()
        except _Stop:
            self.leave_rest()

    def _verdict(self) -> Verdict:
        status = {name: check.status for name, check in self.checks.items()}
        if any(state == "failed" for name, state in status.items() if name != "anchor"):
            return Verdict.INVALID
        if status["anchor"] == "failed":
            return Verdict.DIVERGED
        if self._fast:
            return Verdict.CHAIN
        said = {status[name] for name in CHECKS[:-1]}
        anchored = status["anchor"] == "ok"
        if "not checked" in said:
            return Verdict.INCOMPLETE
        if {"withheld", "not disclosed"} & said:
            return Verdict.PARTLY_ANCHORED if anchored else Verdict.PARTLY
        return Verdict.VALID if status["anchor"] == "ok" else Verdict.NOT_ANCHORED


def wrong_parent(version: int, body: AnyBody) -> str:
    """Says what is wrong with an event's parent as far as the event alone shows, or ""."""
    act = body.act if isinstance(body, ActBody) else None
    parent = act.to if isinstance(act, Rewound) else version - 1
    if body.parent == parent and 0 < parent < version:
        return ""
    return f"event {version} names event {body.parent} as its parent"


def verify(
    file: IO[bytes],
    rules_of: RulesOf,
    *,
    anchors: Mapping[int, bytes] | None = None,
    fast: bool = False,
    watch: Watch | None = None,
) -> Report:
    """Verifies a bundle from its first byte to its last; calls `watch` with every die and
    card.
    """
    verifier = BundleVerifier(rules_of, anchors or {}, fast=fast, watch=watch)
    verifier.run(read_records(file))
    return verifier.report()
