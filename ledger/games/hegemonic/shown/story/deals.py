"""Sentences about deals and about CAPs that are given away."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from ledger.games.hegemonic.deals.agreement import Promise
from ledger.games.hegemonic.shown.names import counted, listed
from ledger.games.hegemonic.shown.phrases import Chapter, Seen, Sentence, name_of, names, plain, who
from ledger.kernel.audience import hidden, view
from ledger.kernel.lookup import Lookup

from .rounds import PHASES

# What a conflict is called in the log; to people it says nothing.
CONFLICT: Final = re.compile(r"r([0-9]+)/p[0-9]+/s[0-9]+/a[0-9]+")
PROMISES: Final = {
    "pay": "will pay {to} {caps}",
    "support": "will support {to}{about}",
    "spare": "will spare {to}{about}",
    "attack": "will attack{about} for {to}",
    "leave": "will leave{about} to {to}",
    "other": "promises {to}{about}",
    "hold-fire": "will attack nobody{about}",
    "choose-arbiter": "will choose {to} as arbiter",
    "choose-starter": "will let {to} go first of equal numbers",
    "pay-at-collection": "will pay {to} {caps} after the next collection",
}


def _proposed(fact: Seen, _: Lookup) -> str:
    others = names(fact, [seat for seat in fact["parties"] if seat != fact["seat"]])
    terms = terms_words(fact, fact["terms"] or fact["private"])
    offers = "answers with an offer to" if fact["counters"] else "offers a deal to"
    number = deal_name(fact, fact["deal"]).rpartition(" ")[2]
    return f"{who(fact)} {offers} {others} (offer {number}): {terms}."


def terms_words(fact: Seen, terms: Any) -> str:
    """Describes the agreed terms, or says that they are private."""
    # Players end what they write with a full stop; what follows ends the sentence.
    return listed([one.removesuffix(".") for one in terms_said(fact, terms)])


def terms_said(fact: Seen, terms: Any) -> list[str]:
    """Lists the terms one by one, or says that they are private."""
    if terms is None or hidden(terms):
        return ["its terms are between them"]
    said = [terms["text"]] if terms["text"] else []
    for one in terms["payments"]:
        giver, getter = name_of(fact, one["seat"]), name_of(fact, one["to"])
        said.append(f"{giver} pays {getter} {counted(one['amount'], 'CAP')}")
    said += [_promise(fact, one) for one in terms["promises"]]
    return said or ["nothing in particular"]


def _promise(fact: Seen, one: Seen) -> str:
    conflict = CONFLICT.fullmatch(one["subject"])
    subject = f"a conflict of round {conflict[1]}" if conflict else one["subject"]
    about = f" ({subject})" if subject else ""
    words = PROMISES[one["what"]].format(
        to=name_of(fact, one["to"]), caps=counted(one["amount"], "CAP"), about=about
    )
    return f"{name_of(fact, one['seat'])} {words}{_when(one['due'])}"


def promise_words(promise: Promise, called: Sequence[str]) -> str:
    """Describes a promise, with these names for the seats."""
    return _promise({"called": called}, view(promise, None))


def _when(due: Any) -> str:
    """Names the round, and its phase, if the promise has a date."""
    return f" in {moment_words(due)}" if due else ""


def moment_words(moment: Sequence[int]) -> str:
    """Names a phase of a round; the round alone where there is no such phase."""
    round_, phase = moment
    known = 1 <= phase <= len(PHASES)
    return f"round {round_}, {PHASES[phase - 1].lower()}" if known else f"round {round_}"


def deal_name(fact: Seen, deal: str) -> str:
    """Names a deal by the player who offered it: `s1/2` is Blue's offer 2."""
    seat, _, number = deal.removeprefix("s").partition("/")
    if not (seat.isdecimal() and number.isdecimal()):
        return deal
    return f"{name_of(fact, int(seat))}'s offer {number}"


def about_deal(sentence: str) -> Sentence:
    """Makes a sentence that names a deal."""

    def said(fact: Seen, _: Lookup) -> str:
        named = who(fact) if "seat" in fact else ""
        return sentence.format(who=named, deal=deal_name(fact, fact["deal"]))

    return said


def _accepted(fact: Seen, _: Lookup) -> str:
    made = " The deal is made." if fact["made"] else ""
    return f"{who(fact)} accepts {deal_name(fact, fact['deal'])}.{made}"


def _stated(fact: Seen, _: Lookup) -> str:
    statement = fact["statement"] or fact["private"]
    deal = deal_name(fact, fact["deal"])
    if statement is None or hidden(statement):
        return f"{who(fact)} says something about {deal} to its parties."
    kept = "kept" if statement["kept"] else "broken"
    note = f" ({statement['note']})" if statement["note"] else ""
    whom = name_of(fact, statement["about"])
    return f"{who(fact)} says that {whom} has {kept} {deal}{note}."


def _given(fact: Seen, _: Lookup) -> str:
    about = f" for {deal_name(fact, fact['deal'])}" if fact["deal"] else ""
    amount = counted(fact["amount"], "CAP")
    return f"{who(fact)} gives {name_of(fact, fact['to'])} {amount}{about}."


SENTENCES: Final[Chapter] = {
    "deal.proposed": _proposed,
    "deal.accepted": _accepted,
    "deal.rejected": about_deal("{who} declines {deal}."),
    "deal.withdrawn": about_deal("{who} takes {deal} back."),
    "deal.expired": about_deal("Nobody can accept {deal} any more."),
    "deal.outcome-stated": _stated,
    "deal.caps-given": _given,
    "deal.transfer-counted": plain("Out of turn,"),
}
