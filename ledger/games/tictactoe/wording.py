"""The words in which decisions are offered, and the form for a gift."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ledger.kernel.accounts import account_of
from ledger.kernel.forms import Field, Form
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import Seen
from ledger.parts.shown.wording import wording_with

from .state import CHIPS
from .story import NAMINGS

wording_of: Final = wording_with(
    {
        "gifts.give": "Give {amount:# chip} away",
        "opening.write": "Write down {cell:place}",
        "play.mark": "Mark {cell:place}",
    },
    NAMINGS,
)


def forms_of(seen: Seen, _: Lookup) -> Sequence[Form]:
    standing = [one for one in seen.get("standing", ()) if one["options"]]
    if not standing:
        return ()
    held = seen["state"]["accounts"]["balances"][CHIPS].get(account_of(seen["seat"]), 0)
    chips = Field(name="amount", label="Chips", kind="number", low=1, high=held, value=1)
    return (
        Form(id="gift", label="Give chips away", decision={"type": "gifts.give"}, fields=(chips,)),
    )
