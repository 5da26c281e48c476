"""Law 7: prints hashes of all that must be the same wherever and whenever it is worked out."""

from __future__ import annotations

import hashlib
import itertools
import json
from functools import partial

import msgspec

from ledger.kernel.bots import BOTS
from ledger.kernel.chance import Stream
from ledger.kernel.match import Match
from ledger.kernel.refusals import Refused
from ledger.kernel.terms import decision_bytes, facts_bytes
from ledger.log.format.bodies import Submitter
from ledger.log.stores.memory import MemoryStore
from ledger.log.write.founding import Plan, Surroundings
from ledger.log.write.journal import Journal
from tests.support.laws.play import ONE_IN, RULESETS, VARIANTS, Variant, any_decision, played

# This is worked out four times at every landing, so that of long matches there is less.
OF_SHORT_ONES = 4
LONG_ONES_MAX, OF_LONG_ONES, BOTS_MAX = 3, 97, 1
DECISIONS_MAX = 150  # in a log

ORGANIZER = Submitter(role="organizer")


def fold_hash(variant: Variant, seed: int) -> str:
    """Returns a hash over snapshots, facts, decisions, views, options and bots of one line."""
    digest = hashlib.sha256()
    party = variant.party()
    one_in = OF_LONG_ONES if variant.rules in ONE_IN else 1
    for place, (match, event) in enumerate(played(party, seed)):
        digest.update(facts_bytes(event.facts))
        if event.decision is not None:
            digest.update(decision_bytes(event.decision))
        if place % one_in == 0 or match.ended:
            digest.update(party.terms.snapshot(match))
            digest.update(json.dumps([match.view(viewer) for viewer in (0, 1, None)]).encode())
            digest.update(repr(match.used).encode())
            digest.update(_of_bots(match))
    return digest.hexdigest()


def _of_bots(match: Match) -> bytes:
    seats = [seat for seat in match.asked() if seat >= 0][:BOTS_MAX]
    stream = Stream(b"bots")
    return b"".join(
        decision_bytes(bot(match.terms, partial(match.view, seat), match.options(seat), stream))
        for seat in seats
        for bot in BOTS.values()
    )


def seeded_journal(variant: Variant, seed: int) -> tuple[Journal, MemoryStore]:
    """A match whose entropy and clock come from a seed, about to start."""
    entropy = Stream.named(seed.to_bytes(8, "big"), "entropy")
    ticks = itertools.count(1_700_000_000_000, 1000)
    store = MemoryStore()
    around = Surroundings(
        store=store,
        rules_of=RULESETS.__getitem__,
        clock=lambda: next(ticks),
        entropy=entropy.take,
    )
    plan = Plan(
        ruleset=variant.rules,
        seats=variant.seats,
        edition=variant.edition,
        options=variant.options,
    )
    journal = Journal.create(around, plan)
    for seat in range(variant.seats):
        journal.join(seat, f"seat {seat}")
    return journal, store


def log_hash(variant: Variant, seed: int) -> str:
    """Returns a hash over a whole log with an undo."""
    journal, store = seeded_journal(variant, seed)
    journal.start()
    stream = Stream.named(seed.to_bytes(8, "big"), "play")
    started = journal.history.tip.version
    for place in itertools.count():
        match = journal.match()
        if match.ended or place == DECISIONS_MAX:
            break
        _, seat, decision = any_decision(match, variant.seats, stream)
        journal.decide(seat, decision)
        if place == 3:
            journal.rewind(started, ORGANIZER, "played again")
    if journal.match().ended:
        journal.close()
    digest = hashlib.sha256()
    for event in store.events(journal.match_id):
        digest.update(msgspec.msgpack.encode(event))
    for opening in store.openings(journal.match_id):
        digest.update(msgspec.msgpack.encode(opening))
    return digest.hexdigest()


def refusal_hash() -> str:
    """Returns a hash over the words of a refusal."""
    try:
        RULESETS["tictactoe"].decision({"type": "no such"})
    except Refused as refusal:
        return hashlib.sha256(refusal.sentence().encode()).hexdigest()
    raise AssertionError("there is no such decision")


def everything() -> dict[str, str]:
    hashes = {"refusal": refusal_hash()}
    long_ones = [variant for variant in VARIANTS if variant.rules in ONE_IN]
    short_ones = [variant for variant in VARIANTS if variant not in long_ones]
    tried = [*short_ones[::OF_SHORT_ONES], *long_ones[:LONG_ONES_MAX]]
    for number, variant in enumerate(tried):
        hashes[f"fold {variant}"] = fold_hash(variant, number)
        hashes[f"log {variant}"] = log_hash(variant, number)
    return hashes


if __name__ == "__main__":
    print(json.dumps(everything()))
