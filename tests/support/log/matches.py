"""Matches for the tests, made from a seed: the same seed, the same match to its last byte."""

from __future__ import annotations

import io
import itertools
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ledger.games import ruleset
from ledger.games.tictactoe.gifts import Give
from ledger.games.tictactoe.opening import Write
from ledger.kernel.audience import Viewer
from ledger.kernel.chance import Rolled
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision, Seat
from ledger.kernel.refusals import Refused
from ledger.log.format.bodies import Submitter
from ledger.log.read.bundle import write_bundle
from ledger.log.read.history import History, RulesOf
from ledger.log.stores.files import FileStore
from ledger.log.stores.memory import MemoryStore
from ledger.log.stores.protocol import Snapshot, Store
from ledger.log.write.founding import Plan, Surroundings
from ledger.log.write.journal import Journal

ORGANIZER = Submitter(role="organizer", name="the house")
REFEREE = Submitter(role="referee", name="the table")
SEAT = Submitter(role="seat")
VIEWERS: tuple[Viewer, ...] = (0, 1, None)

PLAIN = Plan(ruleset="tictactoe", seats=2)
ROLLED = replace(PLAIN, options=(("begin.first", "rolled"),))
SEALED = replace(PLAIN, options=(("opening", "sealed"),))
STAKED = replace(PLAIN, options=(("begin.stake", 2),))
CLASH_ROLLED = {"readings": {"values": {"opening.clash": "rolled"}}}
FULL_PLAN = replace(
    PLAIN,
    options=(("begin.first", "rolled"), ("begin.stake", 3), ("opening", "sealed")),
    overlay=CLASH_ROLLED,
)
OVERLAID = replace(
    FULL_PLAN,
    overlay={**CLASH_ROLLED, "lines": {"rising": None, "bent": {"cells": [0, 1, 5]}}},
)


def around(seed: int = 0, store: Store | None = None, rules_of: RulesOf = ruleset) -> Surroundings:
    """Surroundings whose time and entropy follow from a seed."""
    ticks = itertools.count(1_750_000_000_000, 1_000)
    return Surroundings(
        store=MemoryStore() if store is None else store,
        rules_of=rules_of,
        clock=lambda: next(ticks),
        entropy=random.Random(seed).randbytes,
    )


def started(plan: Plan = PLAIN, seed: int = 0, store: Store | None = None) -> Journal:
    """A match that has just begun."""
    return joined(Journal.create(around(seed, store), plan))


def joined(journal: Journal, seats: Sequence[Seat] = (0, 1)) -> Journal:
    """A match whose seats have been taken in this order, and begun."""
    for seat in seats:
        journal.join(seat, ("ann", "bob")[seat])
    journal.start()
    return journal


def move(match: Match, seat: Seat, rng: random.Random) -> Decision:
    """Any legal decision; two sealed notes clash more often than by chance alone."""
    options = match.options(seat)
    if isinstance(options[0], Write) and rng.random() < 0.5:
        return Write(4)
    return rng.choice(options)


def step(journal: Journal, rng: random.Random) -> None:
    """One decision by whoever is asked; entered dice are typed in by the referee."""
    match = journal.match()
    seat = match.asked()[0]
    if seat == CHANCE:
        journal.decide(CHANCE, Rolled((rng.randint(1, 2),)), REFEREE)
        return
    if rng.random() < 0.2 and match.terms.values["begin.stake"]:
        try:
            journal.decide(rng.choice((0, 1)), Give(1))
        except Refused:
            assert journal.match() is not None  # nothing left to give: play on
        return
    journal.decide(seat, move(match, seat, rng))


def play_out(journal: Journal, rng: random.Random, rewinds: int = 0) -> None:
    """Play to the end, going back now and then to a point from which play can go on."""
    while not journal.match().ended:
        step(journal, rng)
        if rewinds and rng.random() < 0.3 and (back := asking_points(journal.history)):
            journal.rewind(rng.choice(back), ORGANIZER, "a slip of the hand")
            rewinds -= 1


def asking_points(history: History) -> list[int]:
    """The events of the line to which one can go back and then asks a seat, not the dice."""
    found = []
    for moment in history.replay():
        match = moment.match
        if match is not None and not match.ended and CHANCE not in match.asked():
            found.append(moment.version)
    return [version for version in found if version < history.tip.version]


def played(
    plan: Plan = PLAIN, seed: int = 0, rewinds: int = 0, store: Store | None = None
) -> Journal:
    """A match played at random to its end, and closed."""
    journal = started(plan, seed, store)
    play_out(journal, random.Random(seed + 1), rewinds)
    journal.close()
    return journal


def eventful(plan: Plan = PLAIN, seed: int = 0) -> Journal:
    """A match in which everything happens that can: another edition, a pause, a rewind."""
    journal, rng = started(plan, seed), random.Random(seed + 1)
    if journal.match().chance():
        step(journal, rng)
    step(journal, rng)
    journal.change_edition("e2", ORGANIZER, "agreed", (0, 1))
    journal.pause(ORGANIZER, "tea")
    journal.resume(ORGANIZER)
    play_out(journal, rng, rewinds=1)
    journal.close()
    return journal


def bundled(history: History, viewer: Viewer | str = "all") -> bytes:
    """The bytes of a match's bundle."""
    file = io.BytesIO()
    write_bundle(file, history, viewer)
    return file.getvalue()


def stored_bytes(store: Store) -> Mapping[str, bytes]:
    """Every byte that a store holds, by place."""
    if isinstance(store, FileStore):
        files = (path for path in store._folder.rglob("*") if path.is_file())
        return {str(path): path.read_bytes() for path in files}
    assert isinstance(store, MemoryStore)
    kept = {f"{match}/{name}": value for (match, name), value in store._beside.items()}
    logs = {
        match: repr((log.events, log.openings, log.commands, log.closed)).encode()
        for match, log in store._logs.items()
    }
    return kept | logs


def snapshot(version: int, edition: str = "printed", source: str = "source") -> Snapshot:
    held = f"{version} {edition} {source}".encode()
    head = bytes(32)
    return Snapshot(
        version=version, head=head, edition=edition, source=source, held=held, used=b"used"
    )
