"""The words of a game's deals: names of deals, terms, promises and moments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ledger.kernel.audience import hidden, view
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import Seen
from ledger.parts.deals.agreement import Promise
from ledger.parts.deals.transfers import Currency, currency_in
from ledger.parts.text import join_words, name_of


def deal_name(fact: Seen, deal: str) -> str:
    """Names a deal by the player who offered it: `s1/2` is Blue's offer 2."""
    seat, _, number = deal.removeprefix("s").partition("/")
    if not (seat.isdecimal() and number.isdecimal()):
        return deal
    return f"{name_of(fact, int(seat))}'s offer {number}"


def terms_seen(deal: Seen) -> Seen | None:
    """Returns the agreed terms, or None where the viewer does not know them."""
    terms: Seen | None = deal["private"] if deal["terms"] is None else deal["terms"]
    return None if terms is None or hidden(terms) else terms


@dataclass(frozen=True, kw_only=True)
class DealWords:
    """The words of a game for its promises, phases and currencies.

    A promise is a format of `{to}`, `{about}` (in brackets, if it has a subject) and `{paid}`.
    """

    names: Callable[[Seen, Lookup], Sequence[str]]  # of the seats, in a view
    promises: Mapping[str, str]  # by template
    phases: Sequence[str] = ()
    round: str = "round"
    currencies: Sequence[Currency] = ()
    subject: Callable[[str], str] = field(default=str)  # of a promise, for people

    def called(self, seen: Seen, lookup: Lookup) -> Seen:
        """Returns the names of a view as sentences need them."""
        return {"called": self.names(seen, lookup)}

    def paid(self, payment: Seen) -> str:
        """Counts what is paid: 1 CAP, 2 CAPs."""
        return currency_in(self.currencies, payment.get("currency")).counted(payment["amount"])

    def terms(self, fact: Seen, terms: Any) -> str:
        """Describes the agreed terms, or says that they are private."""
        # Players end what they write with a full stop; what follows ends the sentence.
        return join_words([one.removesuffix(".") for one in self.each_term(fact, terms)])

    def each_term(self, fact: Seen, terms: Any) -> list[str]:
        """Lists the terms one by one, or says that they are private."""
        if terms is None or hidden(terms):
            return ["its terms are between them"]
        words = [terms["text"]] if terms["text"] else []
        for payment in terms.get("payments", ()):
            giver, getter = name_of(fact, payment["seat"]), name_of(fact, payment["to"])
            words.append(f"{giver} pays {getter} {self.paid(payment)}")
        words += [self._promise(fact, promise) for promise in terms["promises"]]
        return words or ["nothing in particular"]

    def promise(self, promise: Promise[Any], called: Sequence[str]) -> str:
        """Describes a promise, with these names for the seats."""
        return self._promise({"called": called}, view(promise, None))

    def _promise(self, fact: Seen, promise: Seen) -> str:
        subject = self.subject(promise["subject"])
        said = self.promises[promise["what"]].format(
            to=name_of(fact, promise["to"]),
            about=f" ({subject})" if subject else "",
            paid=self.paid(promise) if self.currencies else "",
        )
        when = f" in {self.moment(promise['due'])}" if promise["due"] else ""
        return f"{name_of(fact, promise['seat'])} {said}{when}"

    def moment(self, moment: Sequence[int]) -> str:
        """Names a phase of a round; the round alone where there is no such phase."""
        number, phase = moment
        known = 1 <= phase <= len(self.phases)
        named = f"{self.round} {number}"
        return f"{named}, {self.phases[phase - 1].lower()}" if known else named
