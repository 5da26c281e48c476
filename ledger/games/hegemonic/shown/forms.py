"""Forms for decisions that no question can list: offers and gifts of CAPs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from ledger.games.hegemonic.actions.pile_views import caps_seen
from ledger.games.hegemonic.deals.templates import TEMPLATES
from ledger.games.hegemonic.deals.transfers import Transfer
from ledger.games.hegemonic.rounds.clock import ARBITRATION
from ledger.games.hegemonic.shown.story.deals import WORDS
from ledger.kernel.lookup import Lookup
from ledger.parts.deals.shown.forms import DealForms

Seen: TypeAlias = Mapping[str, Any]


def _caps_move(seen: Seen, lookup: Lookup) -> bool:
    """Returns whether the rules allow giving CAPs away now."""
    rule = lookup.reads("deal.caps")
    late = seen["state"]["phase"] == ARBITRATION and rule == "not-in-arbitration"
    return _caps_ever_move(seen, lookup) and not late


def _caps_ever_move(_: Seen, lookup: Lookup) -> bool:
    return not lookup.reads("learning") and lookup.reads("deal.caps") != "never"


FORMS: Final = DealForms(
    words=WORDS,
    templates=TEMPLATES,
    usual="support",
    about="A sector (S1d) or a board (S1). People judge a promise with any other text.",
    last_phase=ARBITRATION,
    private=lambda _, lookup: bool(lookup.reads("deal.visibility") != "public"),
    transfer=Transfer,
    gives_now=_caps_move,
    gives_ever=_caps_ever_move,
    held=lambda seen, _, lookup: caps_seen(seen["state"], seen["seat"], seen["seat"], lookup) or 0,
)
