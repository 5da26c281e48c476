"""Reads segments and signs heads.

A head is signed at most every five seconds, after two checks against the files: the tree of
the last signed head is the beginning of this one, and the new root is correct. The last
signed head is also kept on the ledger's server. It reveals a folder restored to an older
copy, and the folder reveals such a server.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ledger.anchors.notes import BadNote, Checkpoint, Signer, read_checkpoint, sign_checkpoint
from ledger.log.format.chain import Tip
from ledger.log.stores.redis import keys
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.segments.reader import SegmentReader, segment_files, shard_folder
from ledger.log.stores.segments.records import WrittenBatch
from services.keep.heads.tree import Place, TreeWriter

SIGN_SECONDS: Final = 5.0
LEAVES_SIGNED: Final = 256  # so many new events are signed at once
LEAVES_AT_ONCE: Final = 4_096
BEHIND_SECONDS: Final = 30.0  # so long segments may be behind what was read, after a power cut
LOST: Final = (
    "this key has signed heads, but none is here: bring back the folder `heads` (a backup has it), "
    "or put signing.key aside, to go on under another"
)
SIGNED_KEY: Final = f"{keys.tag(0)}:signed-head"


class Contradiction(Exception):
    """The head to be signed does not extend the last signed one."""


@dataclass
class Checkpointer:
    """Takes in new events from the segments and signs heads over them."""

    tree: TreeWriter
    segments: Path
    signer: Signer
    connection: Connection
    clock: Callable[[], float] = time.monotonic
    has_signed: bool = False  # the key has signed heads before

    def __post_init__(self) -> None:
        self._behind: dict[int, float] = {}  # by shard: since when its segments lack what was read
        self._seen: dict[int, tuple[str, int]] = {}  # by shard: its last file, and how large
        self._when = float("-inf")
        on_server = self.connection.call("GET", SIGNED_KEY)
        notes = [self.tree.checkpoint(), on_server.decode() if on_server else None]
        heads = [self._read(note) for note in notes if note]
        if self.has_signed and not heads:
            raise Contradiction(LOST)
        self.signed: Checkpoint | None = max(heads, key=lambda head: head.size, default=None)
        for head in heads:
            self._check_begins(head)
        if on_server and notes[0] != notes[1] and heads[-1] == self.signed:
            self.tree.publish(on_server.decode())  # we ended in between

    def step(self) -> int:
        """Takes in the new events and signs if it is time; returns the number of events."""
        count = 0
        while found := self._take():
            count += found
            if self.clock() - self._when > SIGN_SECONDS:
                self.sign()
        if self._due():
            self.sign()
        return count

    def sign(self) -> None:
        """Signs the current tree if it extends the last signed one."""
        size = self.tree.now.size
        top = self.tree.root(size)
        if top != self.tree.now.root:
            raise Contradiction(f"the tiles no longer give the root over {size} events")
        if self.signed is not None:
            self._check_begins(self.signed)
        head = Checkpoint(self.signer.verifier.name, size, top)
        note = sign_checkpoint(head, self.signer)
        # The server first: if we end in between, the folder's note is the older one and is said
        # to be, and the same head is signed again.
        self.connection.call("SET", SIGNED_KEY, note)
        self.tree.publish(note)
        self.signed, self._when = head, self.clock()

    # --- what was signed -----------------------------------------------------------------------

    def _read(self, note: str) -> Checkpoint:
        try:
            return read_checkpoint(note, self.signer.verifier)
        except BadNote as reason:
            raise Contradiction(
                f"the last signed head cannot be read: {reason}. Bring back the signing.key that "
                "it was signed with; docs/anchors.md says how to go on without it"
            ) from None

    def _check_begins(self, head: Checkpoint) -> None:
        # The segments may have more than was taken in when it was written.
        while self.tree.now.size < head.size and self._take():
            pass
        size = self.tree.now.size
        if head.size > size:
            raise Contradiction(
                f"a head over {head.size} events was signed, but only {size} are left"
            )
        if self.tree.root(head.size) != head.root:
            raise Contradiction(f"the first {head.size} events differ from the signed ones")

    def _due(self) -> bool:
        new = self.tree.now.size - (self.signed.size if self.signed else 0)
        late = self.clock() - self._when > SIGN_SECONDS
        return new > 0 and (new >= LEAVES_SIGNED or late or self.signed is None)

    # --- the segments --------------------------------------------------------------------------

    def _take(self) -> int:
        """Takes in a batch of new events from the segments; returns their number."""
        read = dict(self.tree.now.read)
        size, ends, found = self.tree.now.size, dict[str, Tip](), list[Place]()
        for shard in range(keys.SHARDS):
            if len(found) >= LEAVES_AT_ONCE:
                break
            grown = self._grown(shard)
            if grown is None:
                continue
            before = read.get(str(shard), 0)
            for record in SegmentReader(self.segments, shard).records(before):
                if isinstance(record, WrittenBatch):
                    read[str(shard)] = record.position
                    for tip in self._tips(record, ends):
                        found.append(Place(record.name, tip, size + len(found)))
                if len(found) >= LEAVES_AT_ONCE:
                    break
            else:
                if self._reach(shard, read.get(str(shard), 0), before):
                    self._seen[shard] = grown
        if read != self.tree.now.read:
            self.tree.add(found, read)
        return len(found)

    def _reach(self, shard: int, read: int, before: int) -> bool:
        """Returns whether a shard's segments reach the position read before.

        Raises `Contradiction` if they still do not after a while.
        """
        if read == before and read:
            last = SegmentReader(self.segments, shard).last()
            end = 0 if last is None else last.position
            if end < read:
                since = self._behind.setdefault(shard, self.clock())
                if self.clock() - since > BEHIND_SECONDS:
                    what = f"shard {shard} ends at {end}, but was read to {read}"
                    raise Contradiction(f"the ledger is older than the signed head: {what}")
                return False
        self._behind.pop(shard, None)
        return True

    def _grown(self, shard: int) -> tuple[str, int] | None:
        """Returns the end of a shard's files if it differs from the last time."""
        files = segment_files(shard_folder(self.segments, shard))
        if not files:
            was = self.tree.now.read.get(str(shard), 0)
            self._reach(shard, was, was)
            return None
        end = (files[-1].name, files[-1].stat().st_size)
        return None if self._seen.get(shard) == end else end

    def _tips(self, record: WrittenBatch, ends: dict[str, Tip]) -> list[Tip]:
        """Returns the tips of a match's batch. Table talk and books are not signed."""
        if keys.is_book(record.name) or record.name.endswith(keys.TALK):
            return []
        before = ends.get(record.name) or self.tree.places.end(record.name, self.tree.now.size)
        tips = [event.tip for event in record.events(before)]
        ends[record.name] = tips[-1]
        return tips
