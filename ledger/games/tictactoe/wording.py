"""The words in which decisions are offered, and the form for a gift."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ledger.kernel.forms import Field, Form
from ledger.kernel.lookup import Lookup

from .state import CHIPS, purse_of
from .story import PLACES


def wording_of(option: Mapping[str, Any], _: Mapping[str, Any], __: Lookup) -> str:
    if option["type"] == "gifts.give":
        return f"Give {option['amount']} {'chip' if option['amount'] == 1 else 'chips'} away"
    verb = "Write down" if option["type"] == "opening.write" else "Mark"
    return f"{verb} {PLACES[option['cell']]}"


def forms_of(seen: Mapping[str, Any], _: Lookup) -> Sequence[Form]:
    standing = [one for one in seen.get("standing", ()) if one["options"]]
    if not standing:
        return ()
    balances = seen["state"]["accounts"]["balances"][CHIPS]
    held = balances.get(purse_of(seen["seat"]), 0)
    chips = Field(name="amount", label="Chips", kind="number", low=1, high=held, value=1)
    return (
        Form(id="gift", label="Give chips away", decision={"type": "gifts.give"}, fields=(chips,)),
    )
