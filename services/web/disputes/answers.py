"""Answers about disputes and their dossiers, for each caller."""

from __future__ import annotations

import gzip
from typing import Any

from msgspec.structs import asdict

from ledger.club import claims
from ledger.club import table as tables
from ledger.club.claims import Claim
from ledger.log.read.bundle import everything_is_open
from replays.dossier.document import name_of
from replays.story.names import ALL, SPECTATOR
from services.jobs.dossiers import WantedDossier
from services.matches.cache import OpenMatch
from services.matches.club import Caller
from services.matches.disputes import Dispute, Ruling, claim_of, dispute_of
from services.web.app.identity import club, require_caller
from services.web.app.parts import match_cache
from services.web.app.waiting import get_result
from services.web.matches.view import has_part, is_judge, look_as_judge, look_here


def judges_besides(opened: OpenMatch, dispute: Dispute) -> list[str]:
    """Returns the organizers who have no part in the match and have not ruled on the dispute."""
    ruled_by = {one.by for one in dispute.rulings}
    return sorted(
        one.id
        for one in club().people().people.values()
        if one.organizer and one.id not in ruled_by and not has_part(opened.table, one.id)
    )


def find_visible_dispute(opened: OpenMatch, name: str) -> Dispute:
    """Returns a dispute that the caller may know by now."""
    return dispute_of(opened.history, opened.table, name, look_here(opened, None).last)


def reads_as(opened: OpenMatch, dispute: Dispute, who: Caller | None) -> list[str]:
    """Returns the viewers a person may have a dossier for, usual first; none if it is not theirs.

    A person who sits at the table reads what the seat may know, organizer or not.
    """
    if who is None or dispute.claim is None:
        return []
    claim, me = dispute.claim, who.person.id
    own = [seat for seat in opened.table.seats_of(me) if claim.is_party(seat) or who.organizer]
    if own:
        return [str(seat) for seat in own]
    if is_judge(opened, who):
        return [ALL]
    return [SPECTATOR] if who.organizer or claim.by == me else []


def plain_dispute(opened: OpenMatch, dispute: Dispute, who: Caller | None) -> dict[str, Any]:
    """Returns a dispute for JSON, as far as a person may know it."""
    eyes = reads_as(opened, dispute, who)
    known = dispute.claim if eyes else None
    state = "final" if len(dispute.rulings) > 1 else "ruled" if dispute.rulings else "open"
    if known is not None:
        state = dispute.state(appealable=bool(judges_besides(opened, dispute)))
    return {
        "match": opened.match,
        "id": dispute.name,
        "version": dispute.version,
        "at": dispute.at,
        "from": dispute.act.first,
        "to": dispute.act.last,
        "state": state,
        "rulings": [plain_ruling(one, who) for one in dispute.rulings],
        "claim": None if known is None else plain_claim(known),
        "as": eyes[0] if eyes else None,
    }


def plain_ruling(ruling: Ruling, who: Caller | None) -> dict[str, Any]:
    remedy = ruling.act.remedy
    said: dict[str, Any] = {
        **asdict(ruling.act),
        "version": ruling.version,
        "at": ruling.at,
        "remedy": None if remedy is None else asdict(remedy),
    }
    return said if who is None else {**said, "by": ruling.by}


def plain_claim(claim: Claim) -> dict[str, Any]:
    filed = claim.filed
    return {
        "seat": filed.seat,
        "words": filed.words,
        "parties": list(filed.parties),
        "deal": filed.deal,
        "conflict": filed.conflict,
        "consents": sorted(claim.consents),
        "appeals": [appeal for _, appeal in claim.appeals],
        "rested": {str(version): name for version, name in claim.rested.items()},
    }


# --- dossiers -------------------------------------------------------------------------------------


def dossier_wanted(match: str, dispute: str, word: str | None) -> WantedDossier:
    """Refuses a dossier that the caller may not see. Records an organizer's look."""
    who = require_caller()
    with match_cache().opened(match) as opened:
        found = find_visible_dispute(opened, dispute)
        claim = claim_of(found)
        eyes = reads_as(opened, found, who)
        if not eyes:
            raise claims.make_refusal("not_a_party", {"dispute": found.name})
        if word is not None and word not in eyes:
            raise tables.make_refusal("not_your_seat", {"seat": word[:20]})
        viewer = eyes[0] if word is None else word
        if viewer == ALL and not everything_is_open(opened.history):
            look_as_judge(opened, who, found.version, f"the dossier of {found.name}")
        consents = tuple(sorted(claim.consents))
        about = {"dispute": found.name, "consents": consents}
        return WantedDossier.of(opened.history, found.version, viewer, **about)


def check_dossier(match: str, dispute: str, read: str) -> None:
    """Refuses a ruling based on a dossier that is not the current one."""
    if not read:
        return
    got = get_result(dossier_wanted(match, dispute, None))
    if got.found is None or name_of(gzip.decompress(got.found)) != read:
        raise claims.make_refusal("other_dossier", {"dossier": read})
