"""The deals document: a match's deals and the verdicts on their promises, for one viewer.

Only its parties see the terms of a private deal, and whether its promises were kept. All others
see that there is a deal, between whom, and how far it has come. docs/deals.md describes the
document field by field. The same match, viewer and rules give the same bytes.
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, field

from ledger.kernel.audience import ALL_SEATS, Viewer, view
from ledger.log.read.history import History
from replays.story.names import player_names, viewer_word
from replays.walk import Progress

from .promise import BROKEN, KEPT, OPEN, PERSON, VOID, Promised, Verdict
from .verdicts import JudgedDeal, judge_deals

FORMAT: Final = "hegemon-deals"
VERSION: Final = 1
VERDICTS: Final = (KEPT, BROKEN, OPEN, VOID, PERSON)


class SeenFact(msgspec.Struct, kw_only=True):
    """A fact that decided a promise, or that counts towards it while it is open."""

    n: Annotated[int, Meta(description="the event")]
    fact: dict[str, Any]


class SeenPromise(msgspec.Struct, kw_only=True):
    """A promise with its verdict."""

    seat: int
    to: int
    template: str
    words: str
    verdict: Annotated[Verdict | None, Meta(description="null: not agreed to")]
    at: Annotated[int | None, Meta(description="the event that kept or broke it")]
    settled: Annotated[int | None, Meta(description="the event that made the verdict certain")]
    why: str
    facts: list[SeenFact]
    meaning: Annotated[
        dict[str, Any] | None, Meta(description="null: the promise is only in words")
    ]


class SeenPayment(msgspec.Struct, kw_only=True):
    """A payment from one party to another."""

    seat: int
    to: int
    amount: int


class SeenPaid(SeenPayment, kw_only=True):
    """A payment that was made."""

    n: int


class SeenWord(msgspec.Struct, kw_only=True):
    """A party's statement that another kept or broke a promise."""

    n: int
    seat: int
    about: int
    kept: bool
    note: str


class SeenStep(msgspec.Struct, kw_only=True):
    """A step in the course of a deal."""

    n: int
    what: str
    seat: int | None


class SeenDeal(msgspec.Struct, kw_only=True):
    """A deal, as far as the viewer may know it."""

    id: str
    seat: int
    parties: list[int]
    private: bool
    status: str
    proposed: int
    made: int | None
    counters: str
    undone_by: int | None
    steps: list[SeenStep]
    paid: list[SeenPaid]
    # Nothing of these for who may not read the terms.
    text: str | None
    payments: list[SeenPayment] | None
    promises: list[SeenPromise] | None
    said: list[SeenWord] | None


class DealsReport(msgspec.Struct, kw_only=True):
    """The whole document."""

    format: Literal["hegemon-deals"] = FORMAT
    version: Literal[1] = VERSION
    match: str
    ruleset: str
    edition: str
    source: str  # hash of the rules by which it was judged
    as_: str = field(name="as")
    head: str
    last: int
    lost: int | None  # from this event on something is not open to the reader
    binding: bool
    rule: str
    seats: list[str]
    counts: dict[str, int]
    deals: list[SeenDeal]


def pack_deals_report(report: DealsReport) -> bytes:
    """Encodes the document as JSON: equal content gives equal bytes."""
    return msgspec.json.encode(report, order="sorted")


def unpack_deals_report(text: bytes) -> DealsReport:
    return msgspec.json.decode(text, type=DealsReport)


def deals_of(
    history: History, viewer: Viewer | Literal["all"], progress: Progress | None = None
) -> DealsReport:
    """Returns the deals of a match for a viewer. It does not check that the reader may have
    them.
    """
    eyes = ALL_SEATS if isinstance(viewer, str) else viewer
    judge = judge_deals(history, progress)
    pacts, created = history.rules.audit.pacts, history.created
    deals = [_view_deal(deal, eyes) for deal in judge.deals]
    return DealsReport(
        match=history.match,
        ruleset=created.ruleset,
        edition=created.edition,
        source=history.rules.source,
        as_=viewer_word(eyes),
        head=history.tip.head.hex(),
        last=history.tip.version,
        lost=judge.lost or None,
        binding=pacts is not None and pacts.binding,
        rule="" if pacts is None else pacts.rule,
        seats=player_names(history),
        counts=_counts(deals),
        deals=deals,
    )


def _counts(deals: list[SeenDeal]) -> dict[str, int]:
    standing = [deal for deal in deals if deal.undone_by is None]
    verdicts = Counter(one.verdict for deal in standing for one in deal.promises or ())
    return {
        "deals": len(standing),
        "made": sum(deal.made is not None for deal in standing),
        **{verdict: verdicts[verdict] for verdict in VERDICTS},
    }


def _view_deal(deal: JudgedDeal, viewer: Viewer) -> SeenDeal:
    offer, readable = deal.offer, deal.is_open_to(viewer)
    return SeenDeal(
        id=offer.deal,
        seat=offer.seat,
        parties=list(offer.parties),
        private=offer.private,
        status=deal.status,
        proposed=deal.proposed,
        made=deal.made or None,
        counters=offer.counters,
        undone_by=deal.undone_by or None,
        steps=[SeenStep(**one._asdict()) for one in deal.steps],
        paid=[SeenPaid(n=n, **one._asdict()) for n, one in deal.paid],
        text=offer.text if readable else None,
        payments=[SeenPayment(**one._asdict()) for one in offer.payments] if readable else None,
        promises=[_promise(one, viewer) for one in deal.promises] if readable else None,
        said=[
            SeenWord(n=n, seat=one.seat, about=one.about, kept=one.kept, note=one.note)
            for n, one in deal.spoken
        ]
        if readable
        else None,
    )


def _promise(one: Promised, viewer: Viewer) -> SeenPromise:
    return SeenPromise(
        seat=one.pledge.seat,
        to=one.pledge.to,
        template=one.pledge.template,
        words=one.words,
        verdict=one.verdict,
        at=one.at or None,
        settled=one.settled or None,
        why=one.why,
        facts=[SeenFact(n=n, fact=view(fact, viewer)) for n, fact in one.proofs],
        meaning=None if one.meaning is None else view(one.meaning, viewer),
    )


# --- for people -----------------------------------------------------------------------------------


def text(report: DealsReport) -> str:
    counts = report.counts
    told = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
    where = f"{report.match} after event {report.last}, as {report.as_}"
    deals = f"{counts['deals']} deals, {counts['made']} made"
    lines = [f"{where}: {deals}; promises: {told or 'none'}"]
    if report.lost is not None:
        lines.append(f"  from event {report.lost} on, this reader may not see everything")
    for deal in report.deals:
        lines += _deal_lines(deal)
    return "\n".join(lines)


def _deal_lines(deal: SeenDeal) -> list[str]:
    seats = ", ".join(f"seat {seat}" for seat in deal.parties)
    made = "" if deal.made is None else f", made with event {deal.made}"
    undone = "" if deal.undone_by is None else f", undone by event {deal.undone_by}"
    how = "private" if deal.private else "public"
    lines = [f"{deal.id}  {deal.status}: {seats} ({how}), offered with event {deal.proposed}{made}"]
    lines[0] += undone
    if deal.promises is None:
        return [*lines, "  its terms are between them"]
    lines += [f"  {line}" for line in (deal.text or "").splitlines()]
    lines += [
        f"  seat {one.seat} pays seat {one.to} {one.amount} with the deal"
        for one in deal.payments or ()
    ]
    for one in deal.promises:
        at = "" if one.at is None or one.verdict == VOID else f" with event {one.at}"
        why = f": {one.why}" if one.why else ""
        lines.append(f"  {one.verdict or 'not agreed on'}{at}: {one.words}{why}")
    lines += [
        f"  event {one.n}: seat {one.seat} says that seat {one.about} has "
        f"{'kept' if one.kept else 'broken'} it{f' ({one.note})' if one.note else ''}"
        for one in deal.said or ()
    ]
    return lines
