"""The dossier: everything relevant to a dispute, gathered from the log and cut for one reader.

    history, up to the event that filed it ─┬─ replay for the reader ─▶ events, conflicts
                                            ├─ views of the parties ──▶ what each knew at that time
                                            ├─ deals, and the verdicts on their promises
                                            ├─ audit for the reader ──▶ conflicts counted again
                                            ├─ rules and readings in force
                                            └─ talk that the reader received, or that all who
                                               received it agreed to show

A party gets its own view and no other; "all" is for an organizer who has no part in the match.
This module does not check that the reader may have the dossier.
"""

from __future__ import annotations

import hmac
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias

from ledger.club.claims import ClaimFiled
from ledger.club.talk import Said, is_for
from ledger.kernel.audience import ALL_SEATS, Viewer, view
from ledger.kernel.match import Match
from ledger.kernel.records import tag_of
from ledger.log.format.acts import Disputed
from ledger.log.read.history import History
from ledger.log.read.served import openings_for
from replays.audit.auditor import audit_history
from replays.audit.document import Audit, ConflictAudit
from replays.deals.statements import DealsReport, SeenDeal, deals_of
from replays.document.builder import build
from replays.document.structs import Replay
from replays.drawing.text import scene_text
from replays.story.names import match_title, player_names, viewer_word
from replays.story.rulebook import list_cited_rules, rules_of_class
from replays.walk import Progress, walk

from .document import (
    Delivered,
    Dossier,
    DossierMessage,
    Exhibit,
    Filing,
    InForce,
    Paragraph,
    SeenPosition,
)

SALT_TAG: Final = b"hegemon/dossier/1"
# These audit checks concern records beside the log, and a dossier holds the log alone.
NOT_OF_THE_LOG: Final = ("clocks", "snapshots")
Eyes: TypeAlias = Viewer | Literal["all"]
PARTS: Final = 4  # gone through one after another


class ModeratedMessage(NamedTuple):
    """A chat message, and whether a moderator has hidden it."""

    said: Said
    hidden: bool


class Evidence(NamedTuple):
    """The evidence that is not in the log, as it was when the dispute was filed."""

    filed: ClaimFiled
    talk: Sequence[ModeratedMessage] = ()
    consents: frozenset[int] = frozenset()


class NotFiled(Exception):
    """Raised when the log has no act that files this dispute."""


def find_filing(history: History, dispute: str) -> int:
    for version in range(1, history.tip.version + 1):
        act = history.act(version)
        if isinstance(act, Disputed) and act.dispute == dispute:
            return version
    raise NotFiled(dispute)


def dossier_of(
    history: History, evidence: Evidence, viewer: Eyes, progress: Progress | None = None
) -> Dossier:
    filed = find_filing(history, evidence.filed.dispute)
    salt_key = history.salt_key or b""
    history = history.up_to(filed)
    tell = progress or (lambda _, __: None)
    replay = build(history, viewer, progress=_part(tell, 0))
    deals = deals_of(history, viewer, _part(tell, 1))
    audit = audit_history(history, viewer, progress=_part(tell, 2))
    whole = audit if viewer == "all" else audit_history(history, "all", progress=_part(tell, 3))
    eyes = ALL_SEATS if isinstance(viewer, str) else viewer
    parts = _Gathering(history, evidence, eyes, replay, deals, audit, whole.conflicts)
    return parts.dossier(salt_of(salt_key, history.match, evidence.filed.dispute, viewer))


def _part(tell: Progress, number: int) -> Progress:
    return lambda done, of: tell(number * of + done, PARTS * of)


def salt_of(salt_key: bytes, match: str, dispute: str, viewer: Eyes) -> str:
    """Returns a salt that only the match's service can compute, so no one can guess a
    dossier's hash.
    """
    word = viewer if isinstance(viewer, str) else viewer_word(viewer)
    whose = f"{match}/{dispute}/{word}".encode()
    return hmac.digest(salt_key, SALT_TAG + whose, "sha256").hex()


@dataclass
class _Gathering:
    """Gathers the parts of a dossier."""

    history: History
    evidence: Evidence
    viewer: Viewer
    replay: Replay
    deals: DealsReport
    audit: Audit
    counted: Sequence[ConflictAudit]  # as the match's own service has them: cut below
    open: set[int] = field(default_factory=set)  # events whose every fact the reader gets in full
    asked: set[str] = field(default_factory=set)  # rules of the answered questions: no secret
    positions: list[SeenPosition] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.filed = self.evidence.filed
        self.lines = list(self._talk())
        self.edition = self.history.created.edition
        self.values: Mapping[str, object] = {}

    def dossier(self, salt: str) -> Dossier:
        history, filed = self.history, self.filed
        self._walk()
        cited = self._cited()
        return Dossier(
            match=history.match,
            title=match_title(history),
            ruleset=history.created.ruleset,
            edition=self.edition,
            source=history.rules.source,
            as_=viewer_word(self.viewer),
            head=history.tip.head.hex(),
            salt=salt,
            seats=player_names(history),
            claim=self._claim(),
            events=[self._exhibit(n) for n in range(filed.first, filed.last + 1)],
            positions=self.positions,
            deals=self._related_deals(),
            conflicts=[c for c in self.replay.conflicts if self._overlaps(c.first, c.last)],
            counted=list(self._counted()),
            checks=[c for c in self.audit.checks if c.name not in NOT_OF_THE_LOG],
            rules=list(self._paragraphs(cited)),
            readings=list(self._readings(cited)),
            consents=sorted(self.evidence.consents),
            talk=[line for line, _ in self.lines],
        )

    def _overlaps(self, first: int, last: int) -> bool:
        return first <= self.filed.last and self.filed.first <= last

    def _counted(self) -> Iterator[ConflictAudit]:
        """Yields recounts of the conflicts in range, as far as the reader may see what they count.

        A recount that agrees reveals nothing new. One that differs is shown only to a reader who
        may see everything.
        """
        told = {(c.first, c.last): c for c in self.replay.conflicts}
        for conflict in self.counted:
            seen = told.get((conflict.first, conflict.last))
            if seen is None or not self._overlaps(conflict.first, conflict.last):
                continue
            everything = self.viewer == ALL_SEATS
            yield ConflictAudit(
                first=conflict.first,
                last=conflict.last,
                label=seen.label,
                cell=seen.cell or "",
                outcome=seen.outcome,
                claims=[
                    claim
                    for claim in conflict.claims
                    if everything or (claim.right and claim.n in self.open)
                ],
            )

    def _claim(self) -> Filing:
        filed, version = self.filed, self.history.tip.version
        return Filing(
            dispute=filed.dispute,
            filed=version,
            at=self.history.body(version).at,
            seat=filed.seat,
            parties=list(filed.parties),
            words=filed.words,
            first=filed.first,
            last=filed.last,
            deal=filed.deal,
            conflict=filed.conflict,
            salt=filed.salt.hex(),
        )

    def _exhibit(self, n: int) -> Exhibit:
        told, head = self.replay.events[n - 1], self.history.events[n - 1].head
        seen = {name: getattr(told, name) for name in Exhibit.__struct_fields__ if name != "head"}
        return Exhibit(head=head.hex(), **seen)

    # --- what the parties knew -----------------------------------------------------------------

    def _walk(self) -> None:
        """Folds the log again to learn which questions the range answered and what its parties
        saw.
        """
        filed = self.filed
        around = (self.history.lines.parent(filed.first), filed.last)
        for moment in walk(self.history):
            match, version = moment.match, moment.version
            if all(view(f, self.viewer) == view(f, ALL_SEATS) for f in moment.facts):
                self.open.add(version)
            if match is None or version > filed.last:
                continue
            if moment.seat is not None and filed.first <= version:
                self.asked |= set(rules_of_class(type(match.answered[0])))
            if version in around:
                own = () if filed.seat is None else (filed.seat,)
                parties = sorted({*filed.parties, *own})
                seats = [s for s in parties if self.viewer in (s, ALL_SEATS)]
                self.positions += [self._position(seat, match, version) for seat in seats]
            if version == filed.last:
                self.edition, self.values = match.terms.edition, match.terms.values

    def _position(self, seat: int, match: Match, after: int) -> SeenPosition:
        scene = match.scene(seat)
        asked = () if match.ended else match.asked()
        return SeenPosition(
            seat=seat,
            after=after,
            asked=match.key(seat) if seat in asked else "",
            view=match.view(seat),
            drawn="" if scene is None else scene_text(scene),
            delivered=self._delivered(seat, after),
        )

    def _delivered(self, seat: int, after: int) -> Delivered:
        then = self.history.up_to(after)
        opened = [
            (one.version, one.path)
            for version in range(1, after + 1)
            for one in openings_for(then, version, seat)
        ]
        readable = [
            deal.id
            for deal in self.deals.deals
            if deal.proposed <= after and (not deal.private or seat in deal.parties)
        ]
        heard = [
            line.number for line, said in self.lines if said.version <= after and is_for(said, seat)
        ]
        return Delivered(events=after, opened=sorted(set(opened)), deals=readable, lines=heard)

    # --- deals, rules, talk --------------------------------------------------------------------

    def _related_deals(self) -> list[SeenDeal]:
        """Returns the deal in dispute, and those in which events of the range play a part."""
        return [d for d in self.deals.deals if d.id == self.filed.deal or self._touches(d)]

    def _touches(self, deal: SeenDeal) -> bool:
        places = [step.n for step in deal.steps] + [one.n for one in deal.paid]
        for promise in deal.promises or ():
            places += [n for n in (promise.at, promise.settled) if n]
            places += [fact.n for fact in promise.facts]
        return any(self.filed.first <= n <= self.filed.last for n in places)

    def _cited(self) -> frozenset[str]:
        """Returns the rules behind the range's questions, facts, conflicts and deals."""
        kinds = {tag_of(kind): kind for kind in self.history.rules.facts}
        cited = set(self.asked)
        for event in self.replay.events[self.filed.first - 1 : self.filed.last]:
            for fact in event.facts:
                cited |= {str(fact.get("rule") or ""), *rules_of_class(kinds[fact["type"]])}
        for fought in self.replay.conflicts:
            if self._overlaps(fought.first, fought.last):
                cited |= {part.rule for side in fought.sides for part in side.parts}
        cited |= {claim.rule for counted in self._counted() for claim in counted.claims}
        if self._related_deals():
            cited.add(self.deals.rule)
        return frozenset(cited)

    def _paragraphs(self, cited: Collection[str]) -> Iterator[Paragraph]:
        """Yields the texts of the cited rules, and of the errata in force."""
        history = self.history
        for rule, one in sorted(list_cited_rules(history.rules).items()):
            if rule in cited and one.chapter != "errata":
                yield Paragraph(rule=rule, text=one.text, chapter=one.chapter)
        for erratum in history.rules.errata_of(self.edition):
            yield Paragraph(rule=erratum.id, text=erratum.text, chapter="errata")

    def _readings(self, cited: Collection[str]) -> Iterator[InForce]:
        """Yields the readings of cited rules, and all readings that differ from print."""
        for reading in self.history.rules.readings.values():
            value = self.values.get(reading.id, reading.value)
            if reading.rule in cited or value != reading.value:
                yield InForce(
                    id=reading.id,
                    rule=reading.rule,
                    value=value,
                    printed=reading.value,
                    why=reading.why,
                )

    def _talk(self) -> Iterator[tuple[DossierMessage, Said]]:
        """Yields the visible chat messages of the range, or since the disputed deal was offered."""
        offered = [deal.proposed for deal in self.deals.deals if deal.id == self.filed.deal]
        since = min([self.filed.first, *offered]) - 1
        number = 0
        for said, hidden in self.evidence.talk:
            if since <= said.version <= self.filed.last and self._is_shown(said):
                number += 1
                line = DossierMessage(
                    number=number,
                    version=said.version,
                    at=said.at,
                    seat=said.by.seat,
                    to=None if said.to is None else list(said.to),
                    text="" if hidden else said.text,
                    hidden=hidden,
                )
                yield line, said

    def _is_shown(self, said: Said) -> bool:
        if said.to is None or is_for(said, self.viewer):
            return True
        return set(said.to) <= self.evidence.consents
