"""What is said of deals and of CAPs that are given away."""

from __future__ import annotations

from typing import Any, Final

from ledger.kernel.audience import hidden
from ledger.kernel.door import Door

from .sentences import Chapter, Seen, name_of, names, plain, who
from .words import counted, listed

PROMISES: Final = {
    "pay": "will pay {to} {caps}",
    "support": "will support {to}{about}",
    "spare": "will spare {to}{about}",
    "attack": "will attack{about} for {to}",
    "leave": "will leave{about} to {to}",
    "other": "promises {to}{about}",
}


def _proposed(fact: Seen, _: Door) -> str:
    others = names(fact, [seat for seat in fact["parties"] if seat != fact["seat"]])
    terms = terms_words(fact, fact["terms"] or fact["private"])
    offers = "answers with an offer to" if fact["counters"] else "offers a deal to"
    return f"{who(fact)} {offers} {others} ({fact['deal']}): {terms}."


def terms_words(fact: Seen, terms: Any) -> str:
    """What is agreed on, or that it is not for this listener."""
    if terms is None or hidden(terms):
        return "its terms are between them"
    said = [terms["text"]] if terms["text"] else []
    for one in terms["payments"]:
        giver, getter = name_of(fact, one["seat"]), name_of(fact, one["to"])
        said.append(f"{giver} pays {getter} {counted(one['amount'], 'CAP')}")
    said += [_promise(fact, one) for one in terms["promises"]]
    return listed(said, "nothing in particular")


def _promise(fact: Seen, one: Seen) -> str:
    about = f" ({one['subject']})" if one["subject"] else ""
    words = PROMISES[one["what"]].format(
        to=name_of(fact, one["to"]), caps=counted(one["amount"], "CAP"), about=about
    )
    return f"{name_of(fact, one['seat'])} {words}"


def _accepted(fact: Seen, _: Door) -> str:
    made = " The deal is made." if fact["made"] else ""
    return f"{who(fact)} accepts {fact['deal']}.{made}"


def _stated(fact: Seen, _: Door) -> str:
    statement = fact["statement"] or fact["private"]
    if statement is None or hidden(statement):
        return f"{who(fact)} says something about {fact['deal']} to its parties."
    kept = "kept" if statement["kept"] else "broken"
    note = f" ({statement['note']})" if statement["note"] else ""
    whom = name_of(fact, statement["about"])
    return f"{who(fact)} says that {whom} has {kept} {fact['deal']}{note}."


def _given(fact: Seen, _: Door) -> str:
    about = f" for {fact['deal']}" if fact["deal"] else ""
    amount = counted(fact["amount"], "CAP")
    return f"{who(fact)} gives {name_of(fact, fact['to'])} {amount}{about}."


SENTENCES: Final[Chapter] = {
    "deal.proposed": _proposed,
    "deal.accepted": _accepted,
    "deal.rejected": plain("{who} declines {deal}."),
    "deal.withdrawn": plain("{who} takes {deal} back."),
    "deal.expired": plain("The offer {deal} has expired."),
    "deal.outcome-stated": _stated,
    "deal.caps-given": _given,
    "deal.transfer-counted": plain("Out of turn,"),
}
