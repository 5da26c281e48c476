"""Tiles, bundles with an anchor and redacted bundles that were changed: what is said of them."""

from __future__ import annotations

import io
import random
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from ledger.anchors.notes import read_checkpoint, read_receipt, receipt_text
from ledger.anchors.trees import BadProof
from ledger.games import ruleset
from ledger.log.format.chain import EMPTY, Event, Opening, Tip, head_after, head_over
from ledger.log.format.redaction import (
    Selection,
    Span,
    read_choice,
    records_of,
    redact_records,
    write_redacted,
)
from ledger.log.read.bundle import Record, Withheld, read_history
from ledger.log.read.history import History
from replays.verify.verifier import Verdict, verify
from services.keep.heads.tree import HASH, STATE, WIDTH, Tree, TreeState, TreeWriter, tile_path
from tests.support.replays.tampering import kinds, tampered, true_head

from .world import KEY, LEAVES, SIGNER, flipped, head_over_first, judged, world

PARTLY: Final = (Verdict.PARTLY.value, Verdict.NOT_ANCHORED.value)
NOT_ANCHORED: Final = "only the anchor"
ALL_OF_IT: Final = read_choice([], ["all", "all:outcome"]).openings

# --- tiles ----------------------------------------------------------------------------------------


def tiles_changed(rng: random.Random, *, repaired: bool) -> str:
    """An event of the tree is another; with all that follows from it, or as it is."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "heads"
        shutil.copytree(world().tree.folder, path)
        tree = Tree(path)
        note = head_over_first(LEAVES)
        number = rng.randrange(-(-LEAVES // WIDTH))
        held = tree.tiles.tile(0, number)
        place = rng.randrange(len(held) // HASH) * HASH
        leaf = flipped(held[place : place + HASH], rng)
        (path / tile_path(0, number)).write_bytes(held[:place] + leaf + held[place + HASH :])
        if repaired:
            _repair(path)
        return judged(lambda: _tree_is_signed(path, note))


def _repair(path: Path) -> None:
    """The tree above the leaves, and what the folder says of it, made anew."""
    tree = Tree(path)
    for number in range(LEAVES // WIDTH):
        level = path / tile_path(1, 0)
        hashes = bytearray(level.read_bytes())
        hashes[number * HASH : (number + 1) * HASH] = tree.tiles._root_of(0, number)
        level.write_bytes(hashes)
    said = msgspec.structs.replace(tree.state, root=tree.root(LEAVES))
    assert isinstance(said, TreeState)
    (path / STATE).write_bytes(msgspec.json.encode(said))


def _tree_is_signed(path: Path, note: str) -> None:
    """Checks the tree as the checkpointer does before it signs, and as readers of tiles do."""
    writer = TreeWriter(path)
    writer.close()
    head = read_checkpoint(note, KEY)
    if writer.root(head.size) != head.root:
        raise BadProof("the tiles do not come to the root that was signed")


def tile_hash_changed(rng: random.Random) -> str:
    """An event of the tree is another."""
    return tiles_changed(rng, repaired=False)


def tile_hash_repaired(rng: random.Random) -> str:
    """An event of the tree is another, and all that follows from it."""
    return tiles_changed(rng, repaired=True)


# --- bundles with an anchor, and redacted ones ----------------------------------------------------


def log_made_anew(rng: random.Random) -> str:
    """A bundle that was changed and repaired, held against a receipt of its last event."""
    kind, level = rng.choice(list(kinds()))
    true, false, _ = tampered(kind, level, rng.randrange(1 << 30))
    [(version, head)] = true_head(true).items()
    history = read_history(io.BytesIO(true), ruleset)
    before = history.tip_before(version)
    text = receipt_text(SIGNER, history.match, before, history.events[version - 1], 1)
    known = read_receipt(text, KEY).event
    assert known.head == head
    verdict = verify(io.BytesIO(false), ruleset, anchors={known.version: known.head}).verdict
    return verdict if verdict in (Verdict.INVALID.value, Verdict.DIVERGED.value) else ""


def part(rng: random.Random) -> tuple[History, list[Record]]:
    """A redacted copy of a match."""
    history = rng.choice(world().logs)
    last = history.tip.version
    firsts = [rng.randrange(2, last) for _ in range(rng.randrange(1, 4))]
    shown = tuple(Span(first, first + rng.randrange(5)) for first in firsts)
    opened = tuple(one for one in ALL_OF_IT if rng.random() < 0.7)
    choice = Selection(shown if rng.random() < 0.8 else None, opened)
    return history, redact_records(records_of(history, "all"), choice)


def _said_of(records: Sequence[Record], history: History) -> str:
    file = io.BytesIO()
    write_redacted(file, records, Selection(None, ALL_OF_IT))
    report = verify(io.BytesIO(file.getvalue()), ruleset)
    if report.verdict == Verdict.INVALID.value:
        return report.failed[0].name
    anchors = {history.tip.version: history.tip.head}
    anchored = verify(io.BytesIO(file.getvalue()), ruleset, anchors=anchors)
    # What was put behind the anchored event could be anything, and is said to be.
    beyond = report.events > history.tip.version and anchored.verdict in PARTLY
    diverged = anchored.verdict == Verdict.DIVERGED.value
    honest = report.verdict in PARTLY and (diverged or beyond)
    return NOT_ANCHORED if honest else ""


def redacted_changed(rng: random.Random) -> str:
    """A hash, a head, a body or an opening of a redacted bundle."""
    history, records = part(rng)
    return _said_of(_touched(records, rng), history)


def redacted_relinked(rng: random.Random) -> str:
    """A hash or a body, and every head anew."""
    history, records = part(rng)
    return _said_of(_relinked(history.match, _touched(records, rng, linked=True)), history)


def redacted_shuffled(rng: random.Random) -> str:
    """An event is left out, doubled, or changes places with the next; every head anew."""
    history, records = part(rng)
    places = [n for n, one in enumerate(records) if isinstance(one, Event | Withheld)][1:]
    place = rng.choice(places)
    kind = rng.randrange(3)
    if kind == 0:
        del records[place]
    elif kind == 1:
        records.insert(place, records[place])
    else:
        other = rng.choice([one for one in places if one != place])
        records[place], records[other] = records[other], records[place]
    return _said_of(_relinked(history.match, records), history)


def _touched(records: list[Record], rng: random.Random, *, linked: bool = False) -> list[Record]:
    kinds_ = Event | Withheld if linked else Event | Withheld | Opening
    place = rng.choice([n for n, one in enumerate(records) if isinstance(one, kinds_)])
    one = records[place]
    if isinstance(one, Opening):
        salt = rng.random() < 0.5
        records[place] = Opening(
            one.version,
            one.path,
            flipped(one.salt, rng) if salt else one.salt,
            one.plain if salt else flipped(one.plain, rng),
        )
    elif isinstance(one, Withheld):
        head = not linked and rng.random() < 0.5
        records[place] = Withheld(
            one.version,
            flipped(one.head, rng) if head else one.head,
            one.digest if head else flipped(one.digest, rng),
        )
    elif isinstance(one, Event):
        head = not linked and rng.random() < 0.5
        at = one.body.index(b"\xa2at") + 8  # a time is free: the body stays one
        body = one.body[:at] + bytes((one.body[at] ^ 1,)) + one.body[at + 1 :]
        records[place] = Event(
            one.version, flipped(one.head, rng) if head else one.head, one.body if head else body
        )
    return records


def _relinked(match: str, records: Sequence[Record]) -> list[Record]:
    tip, linked = EMPTY, list[Record]()
    for one in records:
        if isinstance(one, Event):
            tip = Tip(tip.version + 1, head_after(match, tip, one.body))
            linked.append(Event(tip.version, tip.head, one.body))
        elif isinstance(one, Withheld):
            tip = Tip(tip.version + 1, head_over(match, tip, one.digest))
            linked.append(Withheld(tip.version, tip.head, one.digest))
        elif isinstance(one, Opening):
            linked.append(Opening(tip.version, one.path, one.salt, one.plain))
        else:
            linked.append(one)
    return linked
