"""The parts of a match's story besides sentences: headings, tags, deals, conflicts, curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ledger.games.hegemonic.shown.phrases import Seen, names, who
from ledger.kernel.accounts import BANK
from ledger.kernel.audience import hidden
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import Dealing, DealStep, Story, Tagged, tagged

from .conflicts import CONFLICTS
from .curves import curves
from .deals import terms_words
from .headings import BEGINS, ENDS, LEVELS

# --- tags -----------------------------------------------------------------------------------------

CONFLICT, DEAL, TRANSFER, SCORING, PASS = "conflict", "deal", "transfer", "scoring", "pass"


def _moved(fact: Seen) -> Sequence[str]:
    """Tags CAPs that go from player to player; the bank's transfers appear with their reason."""
    return () if BANK in (fact["source"], fact["target"]) else (TRANSFER,)


def _given(fact: Seen) -> Sequence[str]:
    return (TRANSFER, DEAL) if fact["deal"] else (TRANSFER,)


FOUGHT: Final = (
    "conflict.begun", "conflict.draw-chosen", "conflict.draw-sealed", "conflict.starting-power",
    "conflict.supported", "conflict.support-was-sealed", "conflict.support-barred",
    "conflict.support-canceled", "conflict.power-added", "leader.support-raised",
    "conflict.card-committed", "conflict.card-revealed", "conflict.nothing-played",
    "conflict.top-card-turned", "conflict.card-exchanged", "conflict.compared",
    "conflict.gates-chosen", "conflict.lost", "conflict.unit-saved", "conflict.locations-left",
    "react.used", "conflict.card-made-inactive", "conflict.card-discarded", "conflict.ended",
)  # fmt: skip

TAGS: Final[Mapping[str, Tagged]] = {
    **dict.fromkeys(FOUGHT, tagged(CONFLICT)),
    "conflict.support-declined": tagged(CONFLICT, PASS),
    "react.declined": tagged(CONFLICT, PASS),
    "leader.passed": tagged(PASS),
    "tech.kept": tagged(PASS),
    "expansion.skipped": tagged(PASS),
    "arbitration.confirmed": tagged(PASS),
    **dict.fromkeys(
        (
            "deal.proposed",
            "deal.accepted",
            "deal.rejected",
            "deal.withdrawn",
            "deal.expired",
            "deal.outcome-stated",
        ),
        tagged(DEAL),
    ),
    "deal.caps-given": _given,
    "accounts.transferred": _moved,
    **dict.fromkeys(("score.board", "score.final", "round.ended", "end.winners"), tagged(SCORING)),
}

# --- deals ----------------------------------------------------------------------------------------


def _proposed(fact: Seen, _: Lookup) -> Sequence[DealStep]:
    others = names(fact, [seat for seat in fact["parties"] if seat != fact["seat"]])
    label = f"{who(fact)} with {others}: {terms_words(fact, fact['terms'] or fact['private'])}"
    step = DealStep(fact["deal"], "proposed", label, tuple(fact["parties"]))
    return [DealStep(fact["counters"], "countered"), step] if fact["counters"] else [step]


def _accepted(fact: Seen, _: Lookup) -> Sequence[DealStep]:
    steps = [DealStep(fact["deal"], "accepted")]
    return [*steps, DealStep(fact["deal"], "made")] if fact["made"] else steps


def _answered(what: str) -> Dealing:
    return lambda fact, _: [DealStep(fact["deal"], what)]


def _stated(fact: Seen, _: Lookup) -> Sequence[DealStep]:
    said = fact["statement"] or fact["private"]
    if said is None or hidden(said):
        return [DealStep(fact["deal"], "spoken of")]
    return [DealStep(fact["deal"], "kept" if said["kept"] else "broken")]


def _paid(fact: Seen, _: Lookup) -> Sequence[DealStep]:
    return [DealStep(fact["deal"], "paid")] if fact["deal"] else []


DEALS: Final[Mapping[str, Dealing]] = {
    "deal.proposed": _proposed,
    "deal.accepted": _accepted,
    "deal.rejected": _answered("declined"),
    "deal.withdrawn": _answered("withdrawn"),
    "deal.expired": _answered("expired"),
    "deal.outcome-stated": _stated,
    "deal.caps-given": _paid,
}

RETELLING: Final = Story(
    levels=LEVELS,
    begins=BEGINS,
    ends=ENDS,
    tags=TAGS,
    deals=DEALS,
    conflicts=CONFLICTS,
    curves=lambda seen, door: tuple(curves(seen, door)),
)
