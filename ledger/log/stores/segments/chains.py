"""The heads of every log, computed anew from its records.

A head covers every event before it. Whoever takes a shard's records from the first on finds what
was changed in them even where every frame looks right; and finds a batch that was left out.
"""

from __future__ import annotations

from collections.abc import Iterable

from ledger.log.format.chain import EMPTY, Tip
from ledger.log.stores.protocol import DamagedLog
from ledger.log.stores.redis.entries import Chain, read_entry

from .records import Record, Written


class Chains:
    """How far each log has come."""

    def __init__(self, tips: Iterable[tuple[str, Tip]] = ()) -> None:
        self.tips: dict[str, Tip] = dict(tips)

    def tip(self, name: str) -> Tip:
        """The end of a log as far as it was taken."""
        return self.tips.get(name, EMPTY)

    def take(self, record: Record) -> Tip | None:
        """The end of the log after a record; None for what is no part of a log."""
        if not isinstance(record, Written):
            return None
        check_batch(record)
        chain = Chain(record.name, self.tip(record.name))
        for _ in chain.read((b"%d-0" % at, [b"e", entry]) for at, entry, _ in record.entries):
            pass
        assert chain.tip is not None, "a batch holds an event"
        self.tips[record.name] = chain.tip
        return chain.tip


def check_batch(record: Written) -> None:
    """A batch ends where its entries say, and its command stands in its first event."""
    for version, packed, _ in record.entries:
        entry = read_entry(packed)
        ends = version == record.last
        if entry.more is ends or (entry.command and version != record.first):
            raise DamagedLog(f"event {version} of {record.name} is not in the batch that it says")
