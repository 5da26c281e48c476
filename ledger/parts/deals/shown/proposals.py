"""Open offers with their possible answers, and deals as cards next to the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from ledger.kernel.forms import Answer, Offer
from ledger.kernel.lookup import Lookup
from ledger.kernel.records import tag_of
from ledger.kernel.scene import Card
from ledger.kernel.story import Seen
from ledger.parts.deals.agreement import COUNTERED, DECLINED, EXPIRED, PROPOSED, WITHDRAWN
from ledger.parts.deals.answers import Accept, Reject, Withdraw

from .words import DealWords, deal_name, terms_seen

ACCEPT: Final = ("Accept", tag_of(Accept))
DECLINE: Final = ("Decline", tag_of(Reject))
WITHDRAW: Final = ("Take it back", tag_of(Withdraw))
OVER: Final = (DECLINED, COUNTERED, WITHDRAWN, EXPIRED)
DEALS_SHOWN: Final = 8


def open_offers(words: DealWords, seen: Seen, lookup: Lookup) -> Sequence[Offer]:
    """Returns all open offers; a player who is no party reads only what is open to all."""
    called = words.called(seen, lookup)
    return [
        _offer(words, deal, seen["seat"], called)
        for deal in seen["state"]["deals"]
        if deal["status"] == PROPOSED
    ]


def _offer(words: DealWords, deal: Seen, seat: int | None, called: Seen) -> Offer:
    expires = deal["expires"]
    return Offer(
        id=deal["id"],
        title=deal_name(called, deal["id"]),
        seat=deal["seat"],
        parties=tuple(deal["parties"]),
        agreed=tuple(deal["accepted"]),
        terms=tuple(words.each_term(called, deal["terms"] or deal["private"])),
        private=deal["terms"] is None,
        until="" if expires is None else f"until the end of {words.moment(expires)}",
        answers=tuple(_answers(deal, seat)),
    )


def _answers(deal: Seen, seat: int | None) -> Iterator[Answer]:
    if seat not in deal["parties"]:
        return
    if seat == deal["seat"]:
        ways = [WITHDRAW]
    else:
        ways = [DECLINE] if seat in deal["accepted"] else [ACCEPT, DECLINE]
    for label, kind in ways:
        yield Answer(label=label, decision={"type": kind, "deal": deal["id"]})


# --- on the scene ---------------------------------------------------------------------------------


def deal_cards(deals: Sequence[Seen], now: Any, names: Sequence[str]) -> Iterator[Card]:
    """Yields the latest deals that can be accepted or may hold; the log has the others."""
    standing = [deal for deal in deals if deal["status"] not in OVER]
    for deal in [one for one in standing if not _run_out(terms_seen(one), now)][-DEALS_SHOWN:]:
        terms = terms_seen(deal)
        said = "terms not shown" if terms is None else terms["text"] or "no words"
        parties = " with ".join(names[seat] for seat in deal["parties"])
        yield Card(
            id=deal_id(deal["id"]), place="deal", name=f"{parties}, {deal['status']}: {said}"
        )


def _run_out(terms: Seen | None, now: tuple[int, int]) -> bool:
    """Returns whether all that was promised was due before now."""
    due = [] if terms is None else [promise["due"] for promise in terms["promises"]]
    return bool(due) and all(moment is not None and tuple(moment) < now for moment in due)


def deal_id(deal: str) -> str:
    return f"deal-{deal}"
