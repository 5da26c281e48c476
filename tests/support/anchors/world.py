"""A true world: some logs, the tree over all their events, and the signatures."""

from __future__ import annotations

import io
import random
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from ledger.anchors.notes import BadNote, Checkpoint, Signer, receipt_text, sign_checkpoint
from ledger.anchors.proofs import proof_text
from ledger.anchors.trees import BadProof
from ledger.games import ruleset
from ledger.log.format.chain import EMPTY, Event, Tip
from ledger.log.read.bundle import read_history
from ledger.log.read.history import History
from services.keep.heads.tree import DamagedTiles, Place, Tree, TreeWriter
from tests.support.replays.tampering import bundle

SIGNER: Final = Signer("club.example", bytes(range(32)))
KEY: Final = SIGNER.verifier
OTHER: Final = Signer("club.example", bytes(32))  # it calls itself the same
MATCHES: Final = 40
LEAVES: Final = 520  # two whole tiles and a part


class World(NamedTuple):
    """Logs, and the tree over all their events."""

    logs: tuple[History, ...]
    events: tuple[tuple[str, Tip, Event], ...]  # match, the tip before, and the event, by leaf
    tree: Tree


@cache
def world() -> World:
    """Some matches, their events in the order in which they came, and the tree in its files."""
    logs = tuple(read_history(io.BytesIO(bundle(number)), ruleset) for number in range(MATCHES))
    rng = random.Random("order")
    left = {log.match: list(log.events) for log in logs}
    tips = dict.fromkeys(left, EMPTY)
    events: list[tuple[str, Tip, Event]] = []
    while left and len(events) < LEAVES:
        match = rng.choice(sorted(left))
        event = left[match].pop(0)
        events.append((match, tips[match], event))
        tips[match] = event.tip
        if not left[match]:
            del left[match]
    return World(logs, tuple(events), grown(Path(tempfile.mkdtemp(prefix="hegemon-")), events))


def grown(folder: Path, events: Sequence[tuple[str, Tip, Event]]) -> Tree:
    """The tree over some events, in a folder."""
    writer = TreeWriter(folder)
    places = [Place(match, event.tip, leaf) for leaf, (match, _, event) in enumerate(events)]
    writer.add(places, {})
    writer.close()
    return Tree(folder)


def head_over_first(size: int, signer: Signer = SIGNER) -> str:
    """The signed head over the first events."""
    return sign_checkpoint(Checkpoint(signer.verifier.name, size, world().tree.root(size)), signer)


def receipt(leaf: int, signer: Signer = SIGNER) -> str:
    """The receipt of an event."""
    match, before, event = world().events[leaf]
    return receipt_text(signer, match, before, event, 1_750_000_000_000)


def proof(leaf: int, size: int) -> str:
    """The proof that an event is under a signed head."""
    match, _, event = world().events[leaf]
    hashes = world().tree.inclusion(leaf, size)
    return proof_text(match, event.version, leaf, hashes, head_over_first(size))


def flipped(packed: bytes, rng: random.Random) -> bytes:
    """One bit of some bytes."""
    place = rng.randrange(len(packed))
    return packed[:place] + bytes((packed[place] ^ 1 << rng.randrange(8),)) + packed[place + 1 :]


def judged(what: Callable[[], object]) -> str:
    """Returns a check's refusal, or nothing."""
    try:
        what()
    except (BadNote, BadProof, DamagedTiles) as found:
        return type(found).__name__
    return ""
