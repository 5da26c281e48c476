"""Bundles to audit, clean and tampered with: what is changed is repaired as far as anybody can.

A change of what a log *states* (an amount, a power, a cost, a card in a fact) is committed to anew:
no checksum is wrong. Whether it is a lie only a fold, or a count, can tell.
"""

from __future__ import annotations

import io
import random
from functools import cache
from typing import Any, Final

from ledger.games import ruleset
from ledger.log.format.canonical import KEPT_BYTES_MAX, decode, encode
from ledger.log.format.chain import OUTCOME_PATH
from replays.audit.auditor import audit_file
from replays.audit.document import Audit
from services.matches.samples import FLAGSHIP
from tests.support.replays.loose import Loose, loosened, recommitted
from tests.support.replays.tampering import bundle

# What a change of each kind looks for in the facts, and which check must name it.
CHANGES: Final = {
    "a card": ("conflict.card-revealed", "card"),
    "the value of a card": ("conflict.card-revealed", "contribution"),
    "a power": ("conflict.starting-power", "contributions"),
    "a cost": ("conflict.begun", "cost"),
    "a price": ("conflict.begun", "price"),
    "a total": ("conflict.compared", "attack"),
    "a winner": ("conflict.compared", "winner"),
    "support": ("conflict.supported", "contributions"),
    "points": ("score.board", "awards"),
    "last points": ("score.final", "points"),
    "a payment": ("accounts.transferred", "amount"),
    "a gift": ("deal.caps-given", "amount"),
}
BY_OUTCOME: Final = ("a payment",)  # a transfer is what it is: nothing counts it a second time


@cache
def sample() -> bytes:
    """A whole match of Hegemonic."""
    return FLAGSHIP.read_bytes()


def audit_of(whole: bytes) -> Audit:
    return audit_file(io.BytesIO(whole), ruleset)


def facts_at(loose: Loose, tag: str) -> list[tuple[int, int]]:
    """Where facts of a type are stated: the place of the event, and of the fact in it."""
    return list(_places(loose).get(tag, ()))


def _places(loose: Loose) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for place, line in enumerate(loose.lines):
        if OUTCOME_PATH in line.openings:
            facts = decode(line.openings[OUTCOME_PATH][1], KEPT_BYTES_MAX)
            for number, fact in enumerate(facts):
                found.setdefault(fact["type"], []).append((place, number))
    return found


def lied(kind: str, rng: random.Random) -> tuple[bytes, int]:
    """The sample with one fact that says something else, every checksum repaired; and the event."""
    loose = loosened(sample())
    tag, name = CHANGES[kind]
    place, number = rng.choice(facts_at(loose, tag))
    line = loose.lines[place]
    salt, plain = line.openings[OUTCOME_PATH]
    facts = decode(plain, KEPT_BYTES_MAX)
    fact = facts[number]
    fact[name] = _other(fact[name], rng)
    line.openings[OUTCOME_PATH] = (salt, encode(facts, KEPT_BYTES_MAX))
    return recommitted(loose), place + 1


def _other(value: Any, rng: random.Random) -> Any:
    """Another value of the same kind; of a contribution or an award its last number."""
    if isinstance(value, int):
        return value + rng.choice((1, 2, 5))
    if value is None:
        return 0
    if isinstance(value, str):
        return "I1b-2" if value != "I1b-2" else "P1a-1"
    if value and isinstance(value[0], list):
        place = rng.randrange(len(value))
        return [*value[:place], _other(value[place], rng), *value[place + 1 :]]
    return [*value[:-1], value[-1] + 1] if value else value


def clean(number: int) -> bytes:
    """A bundle that nobody has touched."""
    return bundle(number)
