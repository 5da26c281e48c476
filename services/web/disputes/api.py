"""Disputes: claims about events, deals and conflicts; their dossiers, rulings and appeals.

| who | may |
|---|---|
| a viewer of the match | know that there is a dispute, about which events, and its rulings |
| a party, the organizer | read the claim and appeals; have the dossier, each as its own viewer |
| an organizer with no part in the match | have the dossier with everything, which is recorded |
| an organizer | rule; one with a part in it only if there is no other |

No party gets `all`: an organizer who holds a seat has the dossier of that seat.
"""

from __future__ import annotations

import gzip
from typing import Any, Final

from flask.views import MethodView

from ledger.club import claims
from ledger.club import table as tables
from ledger.club.claims import Claim
from ledger.club.table import TableEntry
from ledger.kernel.records import Seat
from ledger.log.format.acts import Remedy, Ruled
from replays.dossier.document import name_of
from services.matches.cache import OpenMatch
from services.matches.club import Caller
from services.matches.disputes import (
    Dispute,
    OrganizerFinding,
    Subject,
    claim_of,
    dispute_of,
    disputes_in,
    file_claim,
    pause_for,
    rule_on,
    transfer,
    write_to,
)
from services.web.app.access import allowed
from services.web.app.identity import caller, require_caller
from services.web.app.parts import match_cache
from services.web.app.problems import Problem
from services.web.app.routes import Routes
from services.web.app.waiting import MakingShape, get_result, not_modified, respond
from services.web.matches.api import submitter
from services.web.matches.view import has_part, look_here
from services.web.seats.talk import clean, speaker

from .answers import (
    check_dossier,
    dossier_wanted,
    find_visible_dispute,
    judges_besides,
    plain_dispute,
)
from .schemas import (
    AppealShape,
    ConsentShape,
    DisputeShape,
    DisputesShape,
    DossierQueryShape,
    DossierShape,
    NewDisputeShape,
    NewRulingShape,
)

DISPUTING: Final = Routes("disputes", "/matches", "Disputes, dossiers and rulings")

# The fields that a remedy needs.
NEEDED: Final = {
    "rewind": ("version",),
    "transfer": ("seat", "to"),
    "annul-deal": ("deal",),
    "edition": ("edition",),
    "note": ("text",),
}


@DISPUTING.route("/<string:match>/disputes")
class All(MethodView):
    """The disputes of a match."""

    @DISPUTING.gives(200, DisputesShape)
    @allowed("anyone")
    def get(self, match: str) -> dict[str, Any]:
        """Lists the disputes of a match and their rulings. Only the parties see the claims."""
        with match_cache().opened(match) as opened:
            last = look_here(opened, None).last
            found = disputes_in(opened.history, opened.table, last)
            return {"disputes": [plain_dispute(opened, one, caller()) for one in found]}

    @DISPUTING.takes(NewDisputeShape)
    @DISPUTING.gives(201, DisputeShape, problems=(409,))
    @allowed("seat", scope="play")
    def post(self, asked: dict[str, Any], match: str) -> dict[str, Any]:
        """Disputes events, a deal or a conflict. For the players and those who run the match."""
        with match_cache().opened(match) as opened:
            return plain_dispute(opened, file_dispute(opened, asked), require_caller())


@DISPUTING.route("/<string:match>/disputes/<string:dispute>")
class One(MethodView):
    """A dispute."""

    @DISPUTING.gives(200, DisputeShape)
    @allowed("anyone")
    def get(self, match: str, dispute: str) -> dict[str, Any]:
        """Returns a dispute, as far as the caller may know it."""
        with match_cache().opened(match) as opened:
            return plain_dispute(opened, find_visible_dispute(opened, dispute), caller())


@DISPUTING.route("/<string:match>/disputes/<string:dispute>/dossier")
class TheDossier(MethodView):
    """The evidence for a dispute."""

    @DISPUTING.takes(DossierQueryShape, location="query")
    @DISPUTING.gives(200, DossierShape, later=MakingShape)
    @allowed("seat")
    def get(self, asked: dict[str, Any], match: str, dispute: str) -> Any:
        """Returns the evidence for a dispute that the caller may see. 202 while it is made.

        The header `Dossier` of the answer is its name: the SHA-256 of the document.
        """
        wanted = dossier_wanted(match, dispute, asked["viewer"])
        if known := not_modified(wanted):
            return known
        got = get_result(wanted)
        response = respond(wanted, got)
        if got.found is not None:
            response.headers["Dossier"] = name_of(gzip.decompress(got.found))
        return response


@DISPUTING.route("/<string:match>/disputes/<string:dispute>/consents/<int:seat>")
class Consents(MethodView):
    """Consents to show private talk."""

    @DISPUTING.takes(ConsentShape)
    @DISPUTING.gives(200, DisputeShape, problems=(409,))
    @allowed("seat", scope="play")
    def put(self, asked: dict[str, Any], match: str, dispute: str, seat: int) -> dict[str, Any]:
        """Lets the dossier show what a seat said and heard in private, or withdraws this.

        A message is shown only if all who heard it consent.
        """
        me = require_caller()
        with match_cache().opened(match) as opened:
            found = record_consent(opened, dispute, seat, me, gives=asked["gives"])
            return plain_dispute(opened, found, me)


@DISPUTING.route("/<string:match>/disputes/<string:dispute>/rulings")
class Rulings(MethodView):
    """Rulings on a dispute."""

    @DISPUTING.takes(NewRulingShape)
    @DISPUTING.gives(201, DisputeShape, problems=(409,))
    @allowed("organizer", scope="organize")
    def post(self, asked: dict[str, Any], match: str, dispute: str) -> dict[str, Any]:
        """Rules, and carries out the remedy. The log gets both or neither."""
        me = require_caller()
        check_dossier(match, dispute, asked["dossier"])
        with match_cache().opened(match) as opened:
            return plain_dispute(opened, rule_dispute(opened, dispute, asked, me), me)


@DISPUTING.route("/<string:match>/disputes/<string:dispute>/appeals")
class Appeals(MethodView):
    """Appeals against a ruling."""

    @DISPUTING.takes(AppealShape)
    @DISPUTING.gives(201, DisputeShape, problems=(409,))
    @allowed("seat", scope="play")
    def post(self, asked: dict[str, Any], match: str, dispute: str) -> dict[str, Any]:
        """Asks another organizer to rule. That ruling is final."""
        me = require_caller()
        with match_cache().opened(match) as opened:
            found = appeal_ruling(opened, dispute, asked, me)
            return plain_dispute(opened, found, me)


# --- what is written ------------------------------------------------------------------------------


def file_dispute(opened: OpenMatch, asked: dict[str, Any]) -> Dispute:
    """Files a requested dispute and pauses the match if asked to."""
    me, table = require_caller(), opened.table
    by = speaker(opened, asked["seat"])
    for seat in asked["parties"]:
        opened.check_seat(seat)
    runs = me.organizer or table.host == me.person.id
    if asked["pause"] and not runs:
        raise Problem(403, detail="Only the match's host or an organizer can pause it.")
    look = look_here(opened, None if by.seat is None else str(by.seat))
    subject = Subject(
        words=clean(asked["words"]),
        first=asked["first"],
        last=asked["last"],
        deal=asked["deal"],
        conflict=asked["conflict"],
        parties=tuple(asked["parties"]),
    )
    dispute = file_claim(opened, subject, by, look.viewer, look.last)
    if asked["pause"] or (table.laid is not None and table.laid.pauses):
        pause_for(opened, dispute.name, by)
    return dispute_of(opened.history, opened.table, dispute.name)


def record_consent(opened: OpenMatch, name: str, seat: Seat, me: Caller, *, gives: bool) -> Dispute:
    """Records a seat's consent to show its private talk, until the final ruling."""
    opened.check_seat(seat)
    tables.check_decides(opened.table, seat, me.person.id)
    dispute = dispute_of(opened.history, opened.table, name)
    state = dispute.state(appealable=bool(judges_besides(opened, dispute)))
    if state == "final":
        raise claims.make_refusal("dispute_over", {"dispute": name, "state": state})
    return write_to(
        opened, name, me.person.id, lambda claim: claims.consent(claim, seat, gives=gives)
    )


def appeal_ruling(opened: OpenMatch, name: str, asked: dict[str, Any], me: Caller) -> Dispute:
    seat: Seat | None = asked["seat"]
    dispute = dispute_of(opened.history, opened.table, name)
    claim = claim_of(dispute)
    if seat is None and claim.by != me.person.id:
        own = [one for one in opened.table.seats_of(me.person.id) if claim.is_party(one)]
        seat = own[0] if own else None
    elif seat is None:
        seat = claim.filed.seat
    if seat is not None:
        opened.check_seat(seat)
        tables.check_decides(opened.table, seat, me.person.id)
    elif claim.by != me.person.id:
        raise claims.make_refusal("not_a_party", {"dispute": name})
    rulings = [one.version for one in dispute.rulings]
    appealable = bool(judges_besides(opened, dispute))

    def follows(claim: Claim) -> list[TableEntry]:
        return [*claims.appeal(claim, seat, clean(asked["words"]), rulings, appealable=appealable)]

    return write_to(opened, name, me.person.id, follows)


def rule_dispute(opened: OpenMatch, name: str, asked: dict[str, Any], me: Caller) -> Dispute:
    look_here(opened, None)
    dispute = dispute_of(opened.history, opened.table, name)
    check_may_rule(opened, dispute, me)
    remedy = remedy_of(asked["remedy"], asked["finding"])
    plain = asked["remedy"] or {}
    verdict = OrganizerFinding(
        act=Ruled(
            dispute=name,
            finding=asked["finding"],
            reason=asked["reason"],
            rules=tuple(dict.fromkeys(asked["rules"])),
            remedy=remedy,
        ),
        seat=plain.get("seat"),
        to=plain.get("to"),
        amount=plain.get("amount", 0),
        dossier=asked["dossier"],
        goes_on=asked["resume"],
    )
    return rule_on(opened, verdict, submitter())


def check_may_rule(opened: OpenMatch, dispute: Dispute, me: Caller) -> None:
    """Refuses to rule twice, on one's own case, or when it is another organizer's turn."""
    others = judges_besides(opened, dispute)
    state = dispute.state(appealable=bool(others))
    if state in ("ruled", "final"):
        raise claims.make_refusal("dispute_over", {"dispute": dispute.name, "state": state})
    mine = me.person.id in {one.by for one in dispute.rulings}
    if mine or (has_part(opened.table, me.person.id) and set(others) - {me.person.id}):
        raise claims.make_refusal("own_case", {"dispute": dispute.name})


def remedy_of(asked: dict[str, Any] | None, finding: str) -> Remedy | None:
    """Returns the remedy for the log. Refuses one with a missing field."""
    if asked is None or asked["kind"] == "none":
        return None
    kind = asked["kind"]
    missing = [name for name in NEEDED[kind] if asked[name] in (None, "")]
    if missing:
        raise Problem(422, errors={f"remedy.{name}": ["It is missing."] for name in missing})
    if finding == "dismissed" and kind != "note":
        why = "A dismissed claim can only have a note as its remedy."
        raise Problem(422, errors={"remedy.kind": [why]})
    if kind == "transfer":
        return transfer(asked["seat"], asked["to"], asked["amount"])
    text = {"annul-deal": asked["deal"], "edition": asked["edition"]}.get(kind, asked["text"])
    return Remedy(kind=kind, version=asked["version"] if kind == "rewind" else None, text=text)
