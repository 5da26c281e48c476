"""Segments in, signed heads out.

A head is signed at most every five seconds, and only if all this holds, computed anew from the
files: the tree of the last signed head is the beginning of this one, and this is the root over it.
What was signed last is also kept on the ledger's server: a folder that was put back to an older
copy is found by it, and a server by the folder.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from ledger.anchors.checkpoints import Checkpoint, read_checkpoint, signed
from ledger.anchors.notes import BadNote, Signer
from ledger.log.format.chain import Tip
from ledger.log.stores.redis import keys
from ledger.log.stores.redis.connection import Line
from ledger.log.stores.redis.entries import Chain
from ledger.log.stores.segments.reader import SegmentReader, segment_files, shard_folder
from ledger.log.stores.segments.records import Written
from services.keep.heads.places import Place
from services.keep.heads.tree import TreeWriter

SIGN_SECONDS: Final = 5.0
LEAVES_SIGNED: Final = 256  # so many new events are signed at once
LEAVES_AT_ONCE: Final = 4_096
BEHIND_SECONDS: Final = 30.0  # so long segments may be behind what was read, after a power cut
LOST: Final = (
    "this key has signed heads, and none is here: bring back the folder `heads` (a backup has it), "
    "or put signing.key aside, to go on under another"
)
SIGNED_KEY: Final = f"{keys.tag(0)}:signed-head"


class Contradiction(Exception):
    """What would be signed does not go on from what was signed."""


class Checkpointer:
    """Takes in what the segments have, and signs it."""

    def __init__(
        self,
        tree: TreeWriter,
        segments: Path,
        signer: Signer,
        line: Line,
        clock: Callable[[], float] = time.monotonic,
        *,
        has_signed: bool = False,
    ) -> None:
        self._tree = tree
        self._segments = segments
        self._signer = signer
        self._line = line
        self._clock = clock
        self._behind: dict[int, float] = {}  # by shard: since when its segments lack what was read
        self._seen: dict[int, tuple[str, int]] = {}  # by shard: its last file, and how large
        self._when = float("-inf")
        on_server = line.call("GET", SIGNED_KEY)
        notes = [tree.checkpoint(), on_server.decode() if on_server else None]
        heads = [self._read(note) for note in notes if note]
        if has_signed and not heads:
            raise Contradiction(LOST)
        self._signed = max(heads, key=lambda head: head.size, default=None)
        for head in heads:
            self._check_begins(head)
        if on_server and notes[0] != notes[1] and heads[-1] == self._signed:
            tree.publish(on_server.decode())  # we ended in between

    @property
    def signed(self) -> Checkpoint | None:
        """What was signed last."""
        return self._signed

    def step(self) -> int:
        """Take in what has come, and sign if it is time; says how many events came in."""
        count = 0
        while found := self._take():
            count += found
            if self._clock() - self._when > SIGN_SECONDS:
                self.sign()
        if self._due():
            self.sign()
        return count

    def sign(self) -> None:
        """Sign what there is, if it goes on from what was signed."""
        size = self._tree.now.size
        top = self._tree.root(size)
        if top != self._tree.now.root:
            raise Contradiction(f"the tiles do not come to the root over {size} events any more")
        self._check_goes_on()
        head = Checkpoint(self._signer.verifier.name, size, top)
        note = signed(head, self._signer)
        # The server first: if we end in between, the folder's note is the older one and is said
        # to be, and the same head is signed again.
        self._line.call("SET", SIGNED_KEY, note)
        self._tree.publish(note)
        self._signed, self._when = head, self._clock()

    # --- what was signed -----------------------------------------------------------------------

    def _read(self, note: str) -> Checkpoint:
        try:
            return read_checkpoint(note, self._signer.verifier)
        except BadNote as reason:
            raise Contradiction(
                f"what was signed last cannot be read: {reason}. Bring back the signing.key that "
                "it was signed with; docs/anchors.md says how to go on without it"
            ) from None

    def _check_goes_on(self) -> None:
        if self._signed is not None:
            self._check_begins(self._signed)

    def _check_begins(self, head: Checkpoint) -> None:
        size = self._tree.now.size
        if head.size > size:
            # The segments may have more than was taken in when it was written.
            while self._tree.now.size < head.size and self._take():
                pass
            size = self._tree.now.size
        if head.size > size:
            raise Contradiction(
                f"a head over {head.size} events was signed, and only {size} are left"
            )
        if self._tree.root(head.size) != head.root:
            raise Contradiction(f"the first {head.size} events are not those that were signed")

    def _due(self) -> bool:
        size = self._tree.now.size
        new = size - (0 if self._signed is None else self._signed.size)
        if self._signed is None:
            return size > 0
        return new > 0 and (new >= LEAVES_SIGNED or self._clock() - self._when > SIGN_SECONDS)

    # --- the segments --------------------------------------------------------------------------

    def _take(self) -> int:
        """Take in some of what the segments have more."""
        read = dict(self._tree.now.read)
        size, ends, found = self._tree.now.size, dict[str, Tip](), list[Place]()
        for shard in range(keys.SHARDS):
            if len(found) >= LEAVES_AT_ONCE:
                break
            grown = self._grown(shard)
            if grown is None:
                continue
            records = self._records(shard, read.get(str(shard), 0))
            whole, before = True, read.get(str(shard), 0)
            for record in records:
                read[str(shard)] = record.position
                for match, tip in self._events(record, ends):
                    found.append(Place(match, tip, size + len(found)))
                if len(found) >= LEAVES_AT_ONCE:
                    whole = False
                    break
            if whole and self._reach(shard, read.get(str(shard), 0), before):
                self._seen[shard] = grown
        if read != self._tree.now.read:
            self._tree.add(found, read)
        return len(found)

    def _reach(self, shard: int, read: int, before: int) -> bool:
        """Whether a shard's segments come to where they were read; after a while they must."""
        if read == before and read:
            last = SegmentReader(self._segments, shard).last()
            end = 0 if last is None else last.position
            if end < read:
                since = self._behind.setdefault(shard, self._clock())
                if self._clock() - since > BEHIND_SECONDS:
                    what = f"shard {shard} ends at {end}, and was read to {read}"
                    raise Contradiction(f"the ledger is older than what was signed: {what}")
                return False
        self._behind.pop(shard, None)
        return True

    def _grown(self, shard: int) -> tuple[str, int] | None:
        """The end of a shard's files, where it is another than the last time."""
        files = segment_files(shard_folder(self._segments, shard))
        if not files:
            was = self._tree.now.read.get(str(shard), 0)
            self._reach(shard, was, was)
            return None
        end = (files[-1].name, files[-1].stat().st_size)
        return None if self._seen.get(shard) == end else end

    def _records(self, shard: int, after: int) -> Iterator[Written]:
        for record in SegmentReader(self._segments, shard).records(after):
            if isinstance(record, Written):
                yield record

    def _events(self, record: Written, ends: dict[str, Tip]) -> Iterator[tuple[str, Tip]]:
        """The events of a match's batch; what is said at tables, and books, are not signed."""
        if keys.is_book(record.name) or record.name.endswith(keys.TALK):
            return
        before = ends.get(record.name) or self._tree.places.end(record.name, self._tree.now.size)
        chain = Chain(record.name, before)
        rows = [(b"%d-0" % at, [b"e", entry]) for at, entry, _ in record.entries]
        for event in chain.read(rows):
            yield record.name, event.tip
        ends[record.name] = chain.tip or before
