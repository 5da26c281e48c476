"""Deals, and CAPs that are given away, in the words of this game."""

from __future__ import annotations

import re
from typing import Final

from ledger.games.hegemonic.deals.negotiation import DealProposed
from ledger.games.hegemonic.deals.transfers import CapsGiven, Exchange, TransferCounted
from ledger.games.hegemonic.shown.names import names_of
from ledger.parts.deals.shown.story import beats
from ledger.parts.deals.shown.words import DealWords

from .rounds import DEAL, PHASES, row

# The name of a conflict in the log; it tells people nothing.
CONFLICT: Final = re.compile(r"r([0-9]+)/p[0-9]+/s[0-9]+/a[0-9]+")


def _subject(subject: str) -> str:
    conflict = CONFLICT.fullmatch(subject)
    return f"a conflict of round {conflict[1]}" if conflict else subject


WORDS: Final = DealWords(
    names=names_of,
    promises={
        "pay": "will pay {to} {paid}",
        "support": "will support {to}{about}",
        "spare": "will spare {to}{about}",
        "attack": "will attack{about} for {to}",
        "leave": "will leave{about} to {to}",
        "other": "promises {to}{about}",
        "hold-fire": "will attack nobody{about}",
        "choose-arbiter": "will choose {to} as arbiter",
        "choose-starter": "will let {to} go first of equal numbers",
        "pay-at-collection": "will pay {to} {paid} after the next collection",
    },
    phases=PHASES,
    currencies=Exchange.currencies,
    subject=_subject,
)

BEATS: Final = (
    *beats(WORDS, DealProposed, CapsGiven, level=DEAL),
    row(TransferCounted, "Out of turn,"),
)
