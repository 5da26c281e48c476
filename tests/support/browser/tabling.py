"""Playing at a table over the API: for whoever is asked, until something has come about."""

from __future__ import annotations

import itertools
import random
import urllib.request
from collections.abc import Callable, Sequence
from typing import Any

from services.web.app.identity import COOKIE, CSRF_HEADER, csrf_of
from tests.support.browser.sites import Person

_KEYS = itertools.count()

Plain = dict[str, Any]


def decided(person: Person, match: str, seat: int, decision: Plain, question: str = "") -> Plain:
    """A person decides, as a page of theirs would."""
    version = person.asks("GET", f"/matches/{match}")["version"]
    said = {"seat": seat, "question": question or None, "decision": decision}
    headers = {
        "Cookie": f"{COOKIE}={person.session}",
        CSRF_HEADER: csrf_of(person.session),
        "If-Match": f'"{version}"',
        "Idempotency-Key": f"tabling {next(_KEYS)}",
    }
    found: Plain = person.site.asks("POST", f"/api/v1/matches/{match}/decisions", said, headers)
    return found


def asked(person: Person, match: str, seat: int) -> Plain | None:
    """Returns the question to a seat."""
    found: Plain | None = person.asks("GET", f"/matches/{match}/options?as={seat}")["asked"]
    return found


def played(
    people: Sequence[Person],
    match: str,
    until: Callable[[int, Plain], bool],
    *,
    prefer: Sequence[str] = (),
    seed: int = 1,
    most: int = 600,
) -> int:
    """Let everybody decide, until a seat is asked something that is waited for: that seat.

    Of the kinds of decisions the first that is preferred is taken, and never taken back at once.
    """
    chosen = random.Random(seed)
    banned: set[str] = set()
    last = ""
    for _ in range(most):
        seats = people[0].asks("GET", f"/matches/{match}")["asked"]
        assert seats, "the match is over, and it did not come about"
        seat = seats[0]
        found = asked(people[seat], match, seat)
        if found is None:
            continue  # somebody was first
        if until(seat, found):
            return int(seat)
        decision = _chosen(found["options"], prefer, banned, chosen)
        kind = str(decision["type"])
        banned = {*banned, last} if kind in BACK else set() if kind in ENDS else banned
        last = kind
        decided(people[seat], match, seat, decision, found["question"])
    raise AssertionError("it did not come about")


BACK = ("turn.cancel-action", "conflict.skip")
ENDS = ("turn.end", "action.commit-card")


def _chosen(
    options: list[Plain], prefer: Sequence[str], banned: set[str], stream: random.Random
) -> Plain:
    kinds = {str(one["type"]) for one in options}
    wanted = [kind for kind in prefer if kind in kinds - banned]
    idle = [kind for kind in sorted(kinds) if kind in (*BACK, *ENDS, "build.finish")]
    rest = [kind for kind in sorted(kinds - banned) if kind not in idle]
    kind = wanted[0] if wanted else stream.choice(rest or idle or sorted(kinds))
    return stream.choice([one for one in options if one["type"] == kind])


def text_of(person: Person | None, address: str, path: str) -> str:
    """Returns the text of a page as a person's browser gets it."""
    headers = {} if person is None else {"Cookie": f"{COOKIE}={person.session}"}
    asked_for = urllib.request.Request(f"{address}{path}", headers=headers)
    with urllib.request.urlopen(asked_for, timeout=10) as answer:
        return str(answer.read().decode())
