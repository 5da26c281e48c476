"""The story of deals: one row a fact, with its sentence, tags, heading and step."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.kernel.audience import hidden
from ledger.kernel.lookup import Lookup
from ledger.kernel.records import Fact
from ledger.kernel.story import Beat, Dealing, DealStep, HeadingRule, Seen, Sentence
from ledger.parts.deals import answers
from ledger.parts.deals.transfers import Gift
from ledger.parts.text import name_of, names, who

from .words import DealWords, deal_name

DEALT: Sequence[str] = ("deal",)
MOVED: Sequence[str] = ("transfer",)


def beats(
    words: DealWords,
    proposed: type[Fact],
    given: type[Gift] | None = None,
    *,
    level: str = "",
) -> tuple[Beat, ...]:
    """Returns the rows of the facts of deals, and of the game's gifts.

    With a level, each deal has a heading of that level.
    """

    def heading(fact: Seen, _: Lookup) -> HeadingRule | None:
        if not level or not fact["deal"]:  # something may be given away for nothing
            return None
        return HeadingRule(level, deal_name(fact, fact["deal"]), whole=True, aside=True)

    def row(kind: type[Fact], sentence: Sentence, deal: Dealing) -> Beat:
        return Beat(kind, sentence, tags=DEALT, begins=heading, deal=deal)

    rows = (
        row(proposed, _make_proposal_sentence(words), _proposal(words)),
        row(answers.DealAccepted, _tell_acceptance, _steps_of_acceptance),
        row(answers.DealRejected, about_deal("{who} declines {deal}."), _step("declined")),
        row(answers.DealWithdrawn, about_deal("{who} takes {deal} back."), _step("withdrawn")),
        Beat(
            answers.DealExpired,
            about_deal("Nobody can accept {deal} any more."),
            tags=DEALT,
            deal=_step("expired"),
        ),
        row(answers.OutcomeStated, _tell_statement, _steps_of_statement),
    )
    if given is None:
        return rows
    return (
        *rows,
        Beat(given, _gives(words), tags=_tag_gift, begins=heading, deal=_steps_of_payment),
    )


def _tag_gift(fact: Seen) -> Sequence[str]:
    return (*MOVED, *DEALT) if fact["deal"] else MOVED


def _make_proposal_sentence(words: DealWords) -> Sentence:
    def told(fact: Seen, _: Lookup) -> str:
        others = names(fact, [seat for seat in fact["parties"] if seat != fact["seat"]])
        terms = words.terms(fact, fact["terms"] or fact["private"])
        offers = "answers with an offer to" if fact["counters"] else "offers a deal to"
        number = deal_name(fact, fact["deal"]).rpartition(" ")[2]
        return f"{who(fact)} {offers} {others} (offer {number}): {terms}."

    return told


def _gives(words: DealWords) -> Sentence:
    def told(fact: Seen, _: Lookup) -> str:
        about = f" for {deal_name(fact, fact['deal'])}" if fact["deal"] else ""
        return f"{who(fact)} gives {name_of(fact, fact['to'])} {words.paid(fact)}{about}."

    return told


def about_deal(sentence: str) -> Sentence:
    """Makes a sentence that names a deal."""

    def said(fact: Seen, _: Lookup) -> str:
        named = who(fact) if "seat" in fact else ""
        return sentence.format(who=named, deal=deal_name(fact, fact["deal"]))

    return said


def _tell_acceptance(fact: Seen, _: Lookup) -> str:
    made = " The deal is made." if fact["made"] else ""
    return f"{who(fact)} accepts {deal_name(fact, fact['deal'])}.{made}"


def _tell_statement(fact: Seen, _: Lookup) -> str:
    statement = fact["statement"] or fact["private"]
    deal = deal_name(fact, fact["deal"])
    if statement is None or hidden(statement):
        return f"{who(fact)} says something about {deal} to its parties."
    kept = "kept" if statement["kept"] else "broken"
    note = f" ({statement['note']})" if statement["note"] else ""
    whom = name_of(fact, statement["about"])
    return f"{who(fact)} says that {whom} has {kept} {deal}{note}."


# --- steps ----------------------------------------------------------------------------------------


def _proposal(words: DealWords) -> Dealing:
    def made(fact: Seen, _: Lookup) -> Sequence[DealStep]:
        others = names(fact, [seat for seat in fact["parties"] if seat != fact["seat"]])
        terms = words.terms(fact, fact["terms"] or fact["private"])
        label = f"{who(fact)} with {others}: {terms}"
        step = DealStep(fact["deal"], "proposed", label, tuple(fact["parties"]))
        return [DealStep(fact["counters"], "countered"), step] if fact["counters"] else [step]

    return made


def _steps_of_acceptance(fact: Seen, _: Lookup) -> Sequence[DealStep]:
    accepted = [DealStep(fact["deal"], "accepted")]
    return [*accepted, DealStep(fact["deal"], "made")] if fact["made"] else accepted


def _step(what: str) -> Dealing:
    return lambda fact, _: [DealStep(fact["deal"], what)]


def _steps_of_statement(fact: Seen, _: Lookup) -> Sequence[DealStep]:
    said = fact["statement"] or fact["private"]
    if said is None or hidden(said):
        return [DealStep(fact["deal"], "spoken of")]
    return [DealStep(fact["deal"], "kept" if said["kept"] else "broken")]


def _steps_of_payment(fact: Seen, _: Lookup) -> Sequence[DealStep]:
    return [DealStep(fact["deal"], "paid")] if fact["deal"] else []
