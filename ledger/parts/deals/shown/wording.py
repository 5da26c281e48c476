"""The words of decisions about deals, as buttons show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ledger.kernel.lookup import Lookup
from ledger.kernel.records import tag_of
from ledger.kernel.story import Seen
from ledger.parts.deals.transfers import Transfer
from ledger.parts.shown.wording import Words
from ledger.parts.text import join_words

from .words import DealWords, deal_name, terms_seen

Option: TypeAlias = Seen


def wordings(words: DealWords, transfer: type[Transfer] | None = None) -> Mapping[str, Words]:
    """Returns the words of each decision, and of the game's transfers."""

    def deal(option: Option, seen: Seen, lookup: Lookup) -> str:
        """Describes a deal by its name and its terms."""
        called = words.called(seen, lookup)
        said = deal_name(called, option["deal"])
        named = (one for one in seen["state"]["deals"] if one["id"] == option["deal"])
        terms = [terms_seen(one) for one in named]
        return f"{said} ({words.terms(called, terms[0])})" if any(terms) else said

    def says_deal(sentence: str) -> Words:
        return lambda option, seen, lookup: sentence.format(deal=deal(option, seen, lookup))

    def proposed(option: Option, seen: Seen, lookup: Lookup) -> str:
        called, names = words.called(seen, lookup), words.names(seen, lookup)
        others = join_words(
            [names[one] for one in option["parties"] if one != seen["seat"]], "nobody"
        )
        terms = words.terms(called, option["terms"] or option["private"])
        heard = "" if option["private"] is None else ", between the parties alone"
        countered = option["counters"]
        how = f"answer {deal_name(called, countered)}: offer" if countered else "offer"
        return f"{how} {others} a deal{heard}: {terms}"

    def stated(option: Option, seen: Seen, lookup: Lookup) -> str:
        said = option["statement"] or option["private"]
        whom = words.names(seen, lookup)[said["about"]]
        kept = "kept" if said["kept"] else "broken"
        return f"say that {whom} has {kept} {deal(option, seen, lookup)}"

    def given(option: Option, seen: Seen, lookup: Lookup) -> str:
        said = f"give {words.paid(option)} to {words.names(seen, lookup)[option['to']]}"
        return f"{said}, for {deal(option, seen, lookup)}" if option["deal"] else said

    return {
        "deal.propose": proposed,
        "deal.accept": says_deal("accept {deal}"),
        "deal.reject": says_deal("decline {deal}"),
        "deal.withdraw": says_deal("take {deal} back"),
        "deal.state-outcome": stated,
        **({} if transfer is None else {tag_of(transfer): given}),
    }
