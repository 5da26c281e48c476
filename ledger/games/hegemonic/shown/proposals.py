"""Open offers as a page shows them: their terms, who has agreed, the possible answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from ledger.games.hegemonic.deals.agreement import PROPOSED
from ledger.games.hegemonic.shown.story.deals import deal_name, moment_words, terms_said
from ledger.kernel.forms import Answer, Offer
from ledger.kernel.lookup import Lookup

from .wording import names_of

Seen: TypeAlias = Mapping[str, Any]

ACCEPT: Final = ("Accept", "deal.accept")
DECLINE: Final = ("Decline", "deal.reject")
WITHDRAW: Final = ("Take it back", "deal.withdraw")


def offers_of(seen: Seen, door: Lookup) -> Sequence[Offer]:
    """Returns all open offers; a player who is no party reads only what is open to all."""
    names = names_of(seen, door)
    return [
        _offer(deal, seen["seat"], names)
        for deal in seen["state"]["deals"]
        if deal["status"] == PROPOSED
    ]


def _offer(deal: Seen, seat: int | None, names: Sequence[str]) -> Offer:
    called = {"called": names}
    return Offer(
        id=deal["id"],
        title=deal_name(called, deal["id"]),
        seat=deal["seat"],
        parties=tuple(deal["parties"]),
        agreed=tuple(deal["accepted"]),
        terms=tuple(terms_said(called, deal["terms"] or deal["private"])),
        private=deal["terms"] is None,
        until=_until(deal["expires"]),
        answers=tuple(_answers(deal, seat)),
    )


def _until(expires: Sequence[int] | None) -> str:
    """Names the last phase in which the offer can be accepted."""
    return "" if expires is None else f"until the end of {moment_words(expires)}"


def _answers(deal: Seen, seat: int | None) -> Iterator[Answer]:
    if seat not in deal["parties"]:
        return
    if seat == deal["seat"]:
        ways = [WITHDRAW]
    else:
        ways = [DECLINE] if seat in deal["accepted"] else [ACCEPT, DECLINE]
    for label, kind in ways:
        yield Answer(label=label, decision={"type": kind, "deal": deal["id"]})
