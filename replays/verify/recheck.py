"""Recheck: a match's own service, which knows all its secrets, folds the stored log again.

`verify` reads a bundle as an outsider gets it, and stops where something was not disclosed. Here
nothing may be missing: the opening of each commitment, the salts from the key, each die from the
seeds. No store keeps facts, so each event's facts are compared with its commitment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from ledger.kernel.chance import nonce_commitment
from ledger.kernel.records import Fact
from ledger.kernel.terms import facts_bytes
from ledger.log.format.acts import Closed, Created
from ledger.log.format.bodies import ActBody, AnyBody, check_body, commitments_of
from ledger.log.format.canonical import NotCanonical
from ledger.log.format.chain import OUTCOME_PATH, Event, Opening, by_event, make_opening, salt_of
from ledger.log.format.secrets import KEPT_AS, Secrets, nonce_name
from ledger.log.read.bundle import FORMAT, Header
from ledger.log.read.history import OVERLAY, History, RulesOf

from .refold import Refold
from .verifier import CHECKS, Check, Claims

DAMAGED: Final = "damaged"  # it is not what was written
ENGINE: Final = "engine differs"  # it is, and the rules here make something else of it
UNKNOWN: Final = "rules not known"

Kept = Callable[[str], bytes | None]


class MatchFault(NamedTuple):
    """A fault of a stored match."""

    kind: str
    version: int | None
    detail: str


class _Refolded(Refold):
    """A refold that knows the salts, and so compares every outcome."""

    def __init__(
        self, history: History, header: Header, checks: dict[str, Check], salt_key: bytes | None
    ) -> None:
        super().__init__(history, header, checks)
        self._salt_key = salt_key
        self.fitting = 0  # outcomes that were the ones committed to

    def _check_outcome(self, version: int, body: AnyBody, facts: Sequence[Fact]) -> bytes | None:
        if self._salt_key is not None and body.outcome is not None:
            before = self._history.tip_before(version)
            opening = make_opening(self._salt_key, before, OUTCOME_PATH, facts_bytes(facts))
            if opening.commitment(self._history.match) == body.outcome:
                self.fitting += 1
                self._history.know([opening])
            else:
                detail = f"the fold of event {version} gives other facts than the event commits to"
                self._checks["outcome"].fail(detail, version)
        return super()._check_outcome(version, body, facts)


class Recheck:
    """Checks one match from its first event to its last."""

    def __init__(self, match: str, kept: Kept, rules_of: RulesOf) -> None:
        self.history = History(match, rules_of, kept(OVERLAY))
        self.closed: set[int] = set()  # the events after which the match was closed
        self._kept = kept
        self._troubles: list[MatchFault] = []
        self._secrets = self._read_secrets()
        self._claimed = {name: Check(name=name) for name in CHECKS}
        self._folded = {name: Check(name=name) for name in CHECKS}
        self._claims: Claims | None = None
        self._refold: _Refolded | None = None

    def troubles(self, events: Iterable[Event], openings: Iterable[Opening]) -> list[MatchFault]:
        """Returns every fault found."""
        known = by_event(openings)
        bodies: list[tuple[Event, AnyBody]] = []
        for event in events:
            try:
                bodies.append((event, check_body(event.body)))
            except NotCanonical as reason:
                self._say(DAMAGED, event.version, str(reason))
                break
        self._begin(body for _, body in bodies)
        for event, body in bodies:
            if not self._take(event, body, known.pop(event.version, [])):
                break
        for version in sorted(known):
            self._say(DAMAGED, version, "it has openings but no commitments")
        self._check_nonces()
        self._troubles += self._conclusions()
        return self._troubles

    def _say(self, kind: str, version: int | None, detail: str) -> None:
        self._troubles.append(MatchFault(kind, version, detail))

    def _read_secrets(self) -> Secrets | None:
        packed = self._kept(KEPT_AS)
        if packed is None:
            return None  # it was imported: as much is known of it as was disclosed
        try:
            return Secrets.read(packed)
        except (ValueError, msgspec.MsgspecError):
            self._say(DAMAGED, None, "its secrets cannot be read")
            return None

    def _begin(self, bodies: Iterable[AnyBody]) -> None:
        acts = [body.act for body in bodies if isinstance(body, ActBody)]
        created = acts[0] if acts else None
        if not isinstance(created, Created):
            return
        seeds: dict[str, bytes] = {}
        for act in acts:
            seeds |= act.seeds if isinstance(act, Closed) else {}
        if self._secrets is not None:
            seeds = {domain: self._secrets.seed(domain) for domain in created.domains}
        header = Header(
            format=FORMAT,
            match=self.history.match,
            ruleset=created.ruleset,
            edition=created.edition,
            source=created.source,
            viewer="all",
            seeds=seeds,
            supersedes=None,
        )
        salt_key = None if self._secrets is None else self._secrets.salt_key
        self._claims = Claims(self.history, header, self._claimed)
        self._refold = _Refolded(self.history, header, self._folded, salt_key)

    def _take(self, event: Event, body: AnyBody, openings: list[Opening]) -> bool:
        history, version = self.history, event.version
        if trouble := history.life.trouble(body, history.match):
            self._say(DAMAGED, version, trouble)
        try:
            history.add(event, body)
        except ValueError as reason:
            self._say(DAMAGED, version, str(reason))
            return False
        if history.life.created is None:
            return False
        if history.life.closed:
            self.closed.add(version)
        for detail in self._opening_troubles(version, body, openings):
            self._say(DAMAGED, version, detail)
        history.know(openings)
        assert self._claims is not None, "the first event is the one that creates the match"
        assert self._refold is not None, "the first event is the one that creates the match"
        self._claims.take(version, body, commitments_of(body))
        self._refold.take(version, body)
        return True

    def _opening_troubles(
        self, version: int, body: AnyBody, openings: list[Opening]
    ) -> Iterator[str]:
        commitments = commitments_of(body)
        for opening in openings:
            wanted = commitments.pop(opening.path, None)
            if wanted is None:
                yield f"{opening.path} is opened, but nothing is committed there"
            elif opening.commitment(self.history.match) != wanted:
                yield f"the opening of {opening.path} is not the committed value"
            elif self._secrets is not None:
                before = self.history.tip_before(version)
                if salt_of(self._secrets.salt_key, before, opening.path) != opening.salt:
                    yield f"the salt of {opening.path} differs from the one that its key gives"
        if self._secrets is not None:
            for path in sorted(commitments.keys() - {OUTCOME_PATH}):
                yield f"the opening of {path} is missing"

    def _check_nonces(self) -> None:
        if self._secrets is None:
            return
        for seat, joined in sorted(self.history.life.joined.items()):
            nonce = self._kept(nonce_name(joined.nonce))
            if nonce is None or nonce_commitment(seat, nonce) != joined.nonce:
                self._say(DAMAGED, None, f"the nonce of seat {seat} differs from the committed one")

    def _conclusions(self) -> Iterator[MatchFault]:
        """Turns failed checks into troubles, and says whose fault each is."""
        for check in self._claimed.values():
            if check.status == "failed":
                yield MatchFault(DAMAGED, check.version, check.detail)
        if self._refold is None:
            return
        for name, check in self._folded.items():
            if check.status == "not checked":
                yield MatchFault(UNKNOWN, check.version, check.detail)
                return
            if check.status != "failed":
                continue
            # If no fold gives the committed facts, the key is another.
            no_key = name == "outcome" and not self._refold.fitting
            same = self.history.created.source == self.history.rules.source
            kind = DAMAGED if same and (no_key or name == "chance") else ENGINE
            yield MatchFault(kind, check.version, check.detail)
