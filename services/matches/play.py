"""The surroundings that a journal needs, and bots at the table."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec

from ledger.games import ruleset
from ledger.kernel.bots import BOTS
from ledger.kernel.chance import Stream
from ledger.kernel.records import Seat
from ledger.kernel.refusals import Refused
from ledger.log.format.bodies import Submitter
from ledger.log.format.canonical import KEPT_BYTES_MAX, encode
from ledger.log.stores.protocol import Store
from ledger.log.write.founding import Plan, Surroundings
from ledger.log.write.journal import Journal

from .club import now_ms

# A seeded match says so in event 1, so its clock may begin at a time that nobody takes for real.
SEEDED_START_MS: Final = 1_000_000_000_000
SEEDED_STEP_MS: Final = 1_000
DECISIONS_MAX: Final = 100_000  # a match of bots that is longer is running away


def surroundings(store: Store, clock: Callable[[], int] | None = None) -> Surroundings:
    """Returns the real surroundings: a store, the clock, and the system's entropy."""
    return Surroundings(store=store, rules_of=ruleset, clock=clock or now_ms, entropy=os.urandom)


def make_seeded_surroundings(store: Store, seed: int, about: Any = None) -> Surroundings:
    """Returns surroundings where everything follows from a seed: two runs give the same bytes.

    `about` names what else the match is made from, so that matches that differ in it have
    different ids.
    """
    names = [] if about is None else [_hash_of(about)]
    stream = Stream.named(b"hegemon/seeded/1", str(seed), *names)
    ticks = iter(range(SEEDED_START_MS, SEEDED_START_MS << 1, SEEDED_STEP_MS))
    return Surroundings(
        store=store, rules_of=ruleset, clock=lambda: next(ticks), entropy=stream.take
    )


def _hash_of(value: Any) -> str:
    packed = encode(msgspec.to_builtins(value, builtin_types=(bytes,)), KEPT_BYTES_MAX)
    return hashlib.sha256(packed).hexdigest()


def bots_for(names: Sequence[str], seats: int) -> dict[Seat, str]:
    """Returns the bot of each seat: the names in turn, repeated if there are fewer than seats."""
    for name in names:
        if name not in BOTS:
            evidence: dict[str, Any] = {"bot": name[:80], "known": ", ".join(sorted(BOTS))}
            raise Refused("unknown_bot", "", "There is no bot of this name.", evidence)
    if not 0 < len(names) <= seats:
        evidence = {"bots": len(names), "seats": seats}
        raise Refused(
            "bad_seats", "", "Name at least one bot, and at most one for each seat.", evidence
        )
    return {seat: names[seat % len(names)] for seat in range(seats)}


def play_whole_match(
    around: Surroundings,
    plan: Plan,
    bots: Mapping[Seat, str],
    progress: Callable[[int], None] = lambda _: None,
) -> Journal:
    journal = Journal.create(around, plan)
    for seat, name in bots.items():
        journal.join(seat, f"{name} bot {seat}")
    journal.start()
    play_on(journal, bots, progress)
    journal.close()
    return journal


def play_on(
    journal: Journal, bots: Mapping[Seat, str], progress: Callable[[int], None] = lambda _: None
) -> None:
    """Lets bots decide for their seats until the match ends or another seat is asked."""
    streams = {
        seat: Stream.named(journal.around.entropy(32), "bot", str(seat)) for seat in sorted(bots)
    }
    for _ in range(DECISIONS_MAX):
        match = journal.match()
        waiting = [seat for seat in match.asked() if seat in bots]
        if not waiting:
            return
        seat = waiting[0]
        bot = BOTS[bots[seat]]
        decision = bot(match.terms, partial(match.view, seat), match.options(seat), streams[seat])
        journal.decide(seat, decision, Submitter(role="bot", name=bots[seat]))
        progress(journal.history.tip.version)
    raise Refused(
        "too_long", "", "The bots did not finish the match.", {"decisions": DECISIONS_MAX}
    )
