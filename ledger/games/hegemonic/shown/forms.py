"""Forms for decisions that no question can list: offers and gifts of CAPs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from ledger.games.hegemonic.actions.pile_views import caps_seen
from ledger.games.hegemonic.deals.agreement import PROPOSED, Moment
from ledger.games.hegemonic.deals.templates import TEMPLATES
from ledger.games.hegemonic.rounds.clock import ARBITRATION
from ledger.games.hegemonic.shown.story.deals import deal_name, moment_words
from ledger.kernel.forms import Choice, Field, Form
from ledger.kernel.lookup import Lookup

from .wording import names_of

Seen: TypeAlias = Mapping[str, Any]

TEXT_MAX: Final = 1_000
SUBJECT_MAX: Final = 80
PARTS_MAX: Final = 6  # payments or promises of one offer; who wants more writes them in words
CAPS_MAX: Final = 99


def forms_of(seen: Seen, door: Lookup) -> list[Form]:
    """Returns the forms that this seat can fill in now."""
    seat, standing = seen["seat"], seen.get("standing", ())
    kinds = {one["question"].partition("/")[0] for one in standing}
    names = names_of(seen, door)
    found: list[Form] = []
    if "transfer" in kinds and _caps_move(seen, door):
        found += _gifts(seen, door, names)
    if "deal" in kinds:
        private = door.reads("deal.visibility") != "public"
        found += _answers(seen, door, names, private=private)
        found.append(_offer(seen, door, names, "terms"))
        if private:
            found.append(_offer(seen, door, names, "private"))
    return found if seat is not None else []


def _caps_move(seen: Seen, door: Lookup) -> bool:
    """Returns whether the rules allow giving CAPs away now."""
    rule = door.reads("deal.caps")
    late = seen["state"]["phase"] == ARBITRATION and rule == "not-in-arbitration"
    return not door.reads("learning") and rule != "never" and not late


def _others(seen: Seen, names: Sequence[str]) -> tuple[Choice, ...]:
    return tuple(
        Choice(value=seat, label=name) for seat, name in enumerate(names) if seat != seen["seat"]
    )


def _gifts(seen: Seen, door: Lookup, names: Sequence[str]) -> Iterator[Form]:
    """Yields a gift of any amount the seat has, to any player."""
    seat = seen["seat"]
    held = caps_seen(seen["state"], seat, seat, door) or 0
    if held:
        others = _others(seen, names)
        yield Form(
            id="gift",
            label="Give CAPs away",
            decision={"type": "caps.transfer", "deal": ""},
            fields=(
                Field(name="to", label="To", kind="choice", choices=others, value=others[0].value),
                Field(name="amount", label="CAPs", kind="number", low=1, high=held, value=1),
            ),
        )


# --- deals ----------------------------------------------------------------------------------------


def _offer(seen: Seen, door: Lookup, names: Sequence[str], part: str) -> Form:
    """Returns the form for a new offer, for all to read or for the parties alone."""
    others = _others(seen, names)
    parties = Field(
        name="parties",
        label="With",
        kind="choices",
        choices=others,
        always=(seen["seat"],),
        low=1,
        high=len(others),
        value=[others[0].value] if len(others) == 1 else [],
    )
    who = "openly" if part == "terms" else "in private"
    return Form(
        id=f"offer-{part}",
        label=f"Offer a deal {who}",
        decision=_proposal(()) | {part: _terms()},
        fields=(parties, *_terms_fields(seen, door, names, part, _terms())),
    )


def _answers(seen: Seen, door: Lookup, names: Sequence[str], *, private: bool) -> Iterator[Form]:
    """Yields a counter-offer form for each open offer by another player, with the same parties.

    The form begins with the terms of that offer. If those terms are private and all terms are now
    public, it begins empty, so that it reveals nothing.
    """
    called = {"called": names}
    for deal in seen["state"]["deals"]:
        theirs = deal["seat"] != seen["seat"] and seen["seat"] in deal["parties"]
        if deal["status"] != PROPOSED or not theirs:
            continue
        part = "terms" if deal["terms"] is not None or not private else "private"
        yield Form(
            id=f"counter-{deal['id']}",
            label=f"Answer {deal_name(called, deal['id'])} with another",
            decision=_proposal(deal["parties"]) | {part: _terms(), "counters": deal["id"]},
            fields=tuple(
                _terms_fields(seen, door, names, part, deal[part] or _terms(), deal["expires"])
            ),
            offer=deal["id"],
        )


def _proposal(parties: Sequence[int]) -> dict[str, Any]:
    return {
        "type": "deal.propose",
        "parties": list(parties),
        "terms": None,
        "private": None,
        "counters": "",
        "expires": None,
    }


def _terms() -> dict[str, Any]:
    return {"text": "", "payments": [], "promises": []}


def _terms_fields(
    seen: Seen,
    door: Lookup,
    names: Sequence[str],
    part: str,
    begins: Seen,
    expires: Moment | None = None,
) -> Iterator[Field]:
    """Yields the fields for words, CAPs that move at once, and promises, as `begins` has them."""
    everybody = tuple(Choice(value=seat, label=name) for seat, name in enumerate(names))
    giver = Field(name="seat", label="Who", kind="choice", choices=everybody, value=seen["seat"])
    other = next(seat for seat in range(len(names)) if seat != seen["seat"])
    getter = Field(name="to", label="To", kind="choice", choices=everybody, value=other)
    amount = Field(name="amount", label="CAPs", kind="number", low=1, high=CAPS_MAX, value=1)
    words = begins["text"]
    yield Field(name=f"{part}.text", label="In words", kind="text", high=TEXT_MAX, value=words)
    if not door.reads("learning") and door.reads("deal.caps") != "never":
        yield Field(
            name=f"{part}.payments",
            label="CAPs that change hands when all have accepted",
            kind="list",
            high=PARTS_MAX,
            fields=(giver, getter, amount),
            value=list(begins["payments"]),
        )
    yield Field(
        name=f"{part}.promises",
        label="Promises",
        note="No rule holds anybody to a promise. The record shows who kept theirs.",
        kind="list",
        high=PARTS_MAX,
        fields=(giver, getter, *_promise_fields(seen, [one["due"] for one in begins["promises"]])),
        value=list(begins["promises"]),
    )
    yield Field(
        name="expires",
        label="It can be accepted",
        kind="choice",
        choices=_moments(seen, "at any time", "until this phase is over", [expires]),
        value=expires,
    )


def _promise_fields(seen: Seen, dues: Sequence[Moment | None]) -> Iterator[Field]:
    kinds = tuple(Choice(value=one.name, label=one.label) for one in TEMPLATES)
    yield Field(name="what", label="What", kind="choice", choices=kinds, value="support")
    yield Field(
        name="amount", label="How many", kind="number", low=0, high=CAPS_MAX, value=0,
    )  # fmt: skip
    yield Field(
        name="subject", label="About", kind="text", high=SUBJECT_MAX, value="",
        note="A sector (S1d) or a board (S1). What says anything else is for people to judge.",
    )  # fmt: skip
    yield Field(
        name="due", label="When", kind="choice",
        choices=_moments(seen, "some time", "in this phase", dues),
    )  # fmt: skip


def _moments(
    seen: Seen, never: str, now: str, named: Sequence[Moment | None]
) -> tuple[Choice, ...]:
    """Lists no moment, this phase, the end of this round or the next, and any named ones."""
    round_, phase = seen["state"]["round"], seen["state"]["phase"]
    until = "until" in now
    found = [Choice(value=None, label=never)]
    if round_ and phase:
        found.append(Choice(value=[round_, phase], label=now))
        by = "until round {} is over" if until else "in round {}"
        found += [
            Choice(value=[number, ARBITRATION], label=by.format(number))
            for number in (round_, round_ + 1)
            if [number, ARBITRATION] != [round_, phase]
        ]
    for moment in named:
        if moment is not None and all(one.value != list(moment) for one in found):
            words = moment_words(moment)
            label = f"until the end of {words}" if until else f"in {words}"
            found.append(Choice(value=list(moment), label=label))
    return tuple(found)
