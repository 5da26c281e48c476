"""The heads of every log, computed anew from its records.

A head covers every event before it. Reading a shard's records from the first on finds each
change, even where every frame looks right, and each batch that was left out.
"""

from __future__ import annotations

from collections.abc import Iterable

from ledger.log.format.chain import EMPTY, Tip
from ledger.log.stores.protocol import DamagedLog
from ledger.log.stores.redis.entries import Chain, read_entry

from .records import Record, WrittenBatch


class Chains:
    """The tip of each log."""

    def __init__(self, tips: Iterable[tuple[str, Tip]] = ()) -> None:
        self.tips: dict[str, Tip] = dict(tips)

    def tip(self, name: str) -> Tip:
        """Returns the tip of a log as far as its records were taken."""
        return self.tips.get(name, EMPTY)

    def take(self, record: Record) -> Tip | None:
        """Returns the tip of the log after a record; None for a record outside the logs."""
        if not isinstance(record, WrittenBatch):
            return None
        check_batch(record)
        chain = Chain(record.name, self.tip(record.name))
        for _ in chain.read((b"%d-0" % at, [b"e", entry]) for at, entry, _ in record.entries):
            pass
        assert chain.tip is not None, "a batch holds an event"
        self.tips[record.name] = chain.tip
        return chain.tip


def check_batch(record: WrittenBatch) -> None:
    """Checks that a batch ends where its entries say, and has its command in its first event."""
    for version, packed, _ in record.entries:
        entry = read_entry(packed)
        ends = version == record.last
        if entry.more is ends or (entry.command and version != record.first):
            raise DamagedLog(f"event {version} of {record.name} is not in the batch that it says")
