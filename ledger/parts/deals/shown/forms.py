"""Forms for decisions that no question can list: offers, and gifts of any amount."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ledger.kernel.forms import Choice, Field, Form
from ledger.kernel.lookup import Lookup
from ledger.kernel.pacts import Template
from ledger.kernel.records import tag_of
from ledger.kernel.story import Seen
from ledger.parts.deals.agreement import PROPOSED, Moment
from ledger.parts.deals.transfers import Currency, Transfer

from .words import DealWords, deal_name

TEXT_MAX: Final = 1_000
SUBJECT_MAX: Final = 80
PARTS_MAX: Final = 6  # payments or promises of one offer; who wants more writes them in words
AMOUNT_MAX: Final = 99
EMPTY_OFFER: Final[Mapping[str, Any]] = {
    "type": "deal.propose", "parties": [], "terms": None, "private": None,
    "counters": "", "expires": None,
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class DealForms:
    """The forms of a game's deals. What is allowed follows from a view, as its rules say."""

    words: DealWords
    templates: Sequence[Template]
    usual: str  # the template that a new promise begins with
    about: str  # what the subject of a promise may be
    last_phase: int  # with it the round is over
    private: Callable[[Seen, Lookup], bool] = lambda _, __: True
    # For a game in which something changes hands: how it is given, if it may be now and ever, and
    # how much a seat has of a currency.
    transfer: type[Transfer] | None = None
    gives_now: Callable[[Seen, Lookup], bool] = lambda _, __: True
    gives_ever: Callable[[Seen, Lookup], bool] = lambda _, __: True
    held: Callable[[Seen, Currency, Lookup], int] = lambda _, __, ___: 0

    def forms(self, seen: Seen, lookup: Lookup) -> list[Form]:
        """Returns the forms that this seat can fill in now."""
        kinds = {one["question"].partition("/")[0] for one in seen.get("standing", ())}
        if seen["seat"] is None:
            return []
        drawn = FormsOfView(self, seen, lookup)
        forms: list[Form] = []
        if "transfer" in kinds and self.gives_now(seen, lookup):
            forms += drawn.gifts()
        if "deal" in kinds:
            forms += drawn.answers()
            forms.append(drawn.offer("terms"))
            if drawn.private:
                forms.append(drawn.offer("private"))
        return forms


class FormsOfView:
    """The forms for one view."""

    def __init__(self, game: DealForms, seen: Seen, lookup: Lookup) -> None:
        self.game, self.seen, self.lookup = game, seen, lookup
        self.currencies = game.words.currencies
        self.names = game.words.names(seen, lookup)
        self.private = game.private(seen, lookup)
        self.everybody = tuple(
            Choice(value=seat, label=name) for seat, name in enumerate(self.names)
        )
        self.others = tuple(choice for choice in self.everybody if choice.value != seen["seat"])

    def gifts(self) -> Iterator[Form]:
        """Yields a gift of any amount that the seat has, to any player, in each currency."""
        assert self.game.transfer is not None, "there are no payments in this game"
        several = len(self.currencies) > 1
        others = self.others
        for currency in self.currencies:
            held = self.game.held(self.seen, currency, self.lookup)
            if held:
                what = currency.many
                yield Form(
                    id=f"gift-{currency.id}" if several else "gift",
                    label=f"Give {what} away",
                    decision={"type": tag_of(self.game.transfer), "deal": ""}
                    | ({"currency": currency.id} if several else {}),
                    fields=(
                        _choice("to", "To", others, others[0].value),
                        Field(name="amount", label=what, kind="number", low=1, high=held, value=1),
                    ),
                )

    # --- deals ------------------------------------------------------------------------------------

    def offer(self, part: str) -> Form:
        """Returns the form for a new offer, for all to read or for the parties alone."""
        others = self.others
        parties = Field(
            name="parties",
            label="With",
            kind="choices",
            choices=others,
            always=(self.seen["seat"],),
            low=1,
            high=len(others),
            value=[others[0].value] if len(others) == 1 else [],
        )
        who = "openly" if part == "terms" else "in private"
        return Form(
            id=f"offer-{part}",
            label=f"Offer a deal {who}",
            decision={**EMPTY_OFFER, part: self._empty()},
            fields=(parties, *self._terms_fields(part, self._empty())),
        )

    def answers(self) -> Iterator[Form]:
        """Yields a counter-offer form for each open offer by another player, with its parties.

        The form begins with the terms of that offer. If those terms are private and all terms are
        now public, it begins empty, so that it reveals nothing.
        """
        seat, called = self.seen["seat"], {"called": self.names}
        for deal in self.seen["state"]["deals"]:
            theirs = deal["seat"] != seat and seat in deal["parties"]
            if deal["status"] != PROPOSED or not theirs:
                continue
            part = "terms" if deal["terms"] is not None or not self.private else "private"
            counter = {"parties": list(deal["parties"]), "counters": deal["id"]}
            begins = deal[part] or self._empty()
            yield Form(
                id=f"counter-{deal['id']}",
                label=f"Answer {deal_name(called, deal['id'])} with another",
                decision={**EMPTY_OFFER, **counter, part: self._empty()},
                fields=tuple(self._terms_fields(part, begins, deal["expires"])),
                offer=deal["id"],
            )

    def _empty(self) -> dict[str, Any]:
        payments: dict[str, Any] = {"payments": []} if self.game.transfer else {}
        return {"text": "", **payments, "promises": []}

    def _terms_fields(
        self, part: str, begins: Seen, expires: Moment | None = None
    ) -> Iterator[Field]:
        """Yields the fields for words, payments and promises, as `begins` has them."""
        giver = _choice("seat", "Who", self.everybody, self.seen["seat"])
        other = next(seat for seat in range(len(self.names)) if seat != self.seen["seat"])
        getter = _choice("to", "To", self.everybody, other)
        words = begins["text"]
        yield Field(name=f"{part}.text", label="In words", kind="text", high=TEXT_MAX, value=words)
        if self.game.transfer and self.game.gives_ever(self.seen, self.lookup):
            several = len(self.currencies) > 1
            what = "What changes" if several else f"{self.currencies[0].many} that change"
            yield Field(
                name=f"{part}.payments",
                label=f"{what} hands when all have accepted",
                kind="list",
                high=PARTS_MAX,
                fields=(giver, getter, *self._amount_fields()),
                value=list(begins["payments"]),
            )
        dues = [promise["due"] for promise in begins["promises"]]
        yield Field(
            name=f"{part}.promises",
            label="Promises",
            note="No rule enforces a promise. The record shows who kept theirs.",
            kind="list",
            high=PARTS_MAX,
            fields=(giver, getter, *self._promise_fields(dues)),
            value=list(begins["promises"]),
        )
        moments = self._moments("at any time", "until this phase is over", [expires])
        yield _choice("expires", "It can be accepted", moments, expires)

    def _amount_fields(self) -> Iterator[Field]:
        several = len(self.currencies) > 1
        label = "How many" if several else self.currencies[0].many
        yield Field(name="amount", label=label, kind="number", low=1, high=AMOUNT_MAX, value=1)
        if several:
            yield self._currency()

    def _currency(self) -> Field:
        known = tuple(Choice(value=one.id, label=one.many) for one in self.currencies)
        return _choice("currency", "Of what", known, known[0].value)

    def _promise_fields(self, dues: Sequence[Moment | None]) -> Iterator[Field]:
        kinds = tuple(Choice(value=one.name, label=one.label) for one in self.game.templates)
        yield _choice("what", "What", kinds, self.game.usual)
        yield Field(name="amount", label="How many", kind="number", low=0, high=AMOUNT_MAX, value=0)
        if len(self.currencies) > 1:
            yield self._currency()
        yield Field(
            name="subject", label="About", kind="text", high=SUBJECT_MAX, value="",
            note=self.game.about,
        )  # fmt: skip
        yield _choice("due", "When", self._moments("some time", "in this phase", dues), None)

    def _moments(self, never: str, now: str, named: Sequence[Moment | None]) -> tuple[Choice, ...]:
        """Lists no moment, this phase, the end of this round or the next, and any named ones."""
        state, last = self.seen["state"], self.game.last_phase
        round_, phase, word = state["round"], state["phase"], self.game.words.round
        until = "until" in now
        choices = [Choice(value=None, label=never)]
        if round_ and phase:
            choices.append(Choice(value=[round_, phase], label=now))
            by = "until {} {} is over" if until else "in {} {}"
            choices += [
                Choice(value=[number, last], label=by.format(word, number))
                for number in (round_, round_ + 1)
                if [number, last] != [round_, phase]
            ]
        for moment in named:
            if moment is not None and all(one.value != list(moment) for one in choices):
                words = self.game.words.moment(moment)
                label = f"until the end of {words}" if until else f"in {words}"
                choices.append(Choice(value=list(moment), label=label))
        return tuple(choices)


def _choice(name: str, label: str, choices: tuple[Choice, ...], value: Any) -> Field:
    return Field(name=name, label=label, kind="choice", choices=choices, value=value)
