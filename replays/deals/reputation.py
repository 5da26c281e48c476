"""Reputation: counts kept and broken promises of people, over any number of matches.

Only what the reader may read counts: private deals of others are left out, and so are undone ones.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Annotated, Generic, TypeVar

import msgspec

from .promise import BROKEN
from .statements import VERDICTS, DealsReport

Person = TypeVar("Person", bound=Hashable)


class Breach(msgspec.Struct, frozen=True, kw_only=True):
    """A broken promise, and where to look at it."""

    match: str
    deal: str
    at: int
    to: Annotated[int, msgspec.Meta(description="the seat it was made to")]
    words: str


class PromiseRecord(msgspec.Struct, Generic[Person], kw_only=True):
    """A person's record of promises."""

    person: Person
    matches: int = 0
    deals: int = 0  # made, in which they have a part
    given: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(VERDICTS, 0))
    got: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(VERDICTS, 0))
    breaches: list[Breach] = msgspec.field(default_factory=list)


def records(played: Iterable[tuple[DealsReport, Sequence[Person]]]) -> list[PromiseRecord[Person]]:
    """Returns the records of all players, in the order in which they first occur; people are
    listed by seat.
    """
    found: dict[Person, PromiseRecord[Person]] = {}
    for report, people in played:
        for person in people:
            found.setdefault(person, PromiseRecord(person=person)).matches += 1
        for deal in report.deals:
            if deal.undone_by is not None or deal.made is None:
                continue
            for seat in deal.parties:
                found[people[seat]].deals += 1
            for one in deal.promises or ():
                if one.verdict is None:
                    continue
                giver, getter = found[people[one.seat]], found[people[one.to]]
                giver.given[one.verdict] += 1
                getter.got[one.verdict] += 1
                if one.verdict == BROKEN and one.at is not None:
                    giver.breaches.append(
                        Breach(
                            match=report.match,
                            deal=deal.id,
                            at=one.at,
                            to=one.to,
                            words=one.words,
                        )
                    )
    return list(found.values())
