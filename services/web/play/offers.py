"""Open offers, with the answers to each; refused answers say why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ledger.kernel.audience import Viewer
from ledger.kernel.match import Match
from ledger.kernel.preview import copy_of, try_out
from ledger.kernel.records import Seat, tag_of
from ledger.kernel.refusals import Refused

from .api import plain_of


def plain_offers(
    match: Match, viewer: Viewer, seen: Mapping[str, Any], *, chooses: bool
) -> list[dict[str, Any]]:
    """Returns the offers that a viewer may read; none if the game has none."""
    offers = match.terms.rules.shown.offers
    if offers is None:
        return []
    found = [plain_of(offer) for offer in offers(seen, match.terms.silent)]
    for plain in found:
        given = plain["answers"] if chooses and viewer is not None else []
        plain["answers"] = [] if viewer is None else list(_check_answers(match, viewer, given))
    return found


def _check_answers(
    match: Match, seat: Seat, given: list[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yields the answers that a question takes, with the rules' objections to each."""
    for answer in given:
        question = _taking(match, seat, answer["decision"]["type"])
        if question:
            yield {**answer, "question": question, **_find_refusal(match, seat, answer["decision"])}


def _find_refusal(match: Match, seat: Seat, decision: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the reason why a decision would be refused now; empty if it would not."""
    try:
        try_out(copy_of(match), seat, match.terms.rules.decision(decision))
    except Refused as refusal:
        who = refusal.evidence.get("seat")
        return {"why": refusal.message, "rule": refusal.rule, "who": who}
    return {"why": "", "rule": "", "who": None}


def _taking(match: Match, seat: Seat, kind: str) -> str:
    """Returns the key of the standing question that takes a decision, or ""."""
    for question in match.standing(seat):
        if kind in map(tag_of, question.answers):
            return question.key(match.state, seat)
    return ""
