"""Segments: a second, ordered copy of all writes to a server, outside that server.

    DIR/s05/000000000001.seg    the entries of a shard's feed, with all that they name
    DIR/s05/heads.log           the head of each log, written after the segments

A server may be restored from an old copy, or start empty, without notice. Segments detect
this (heads.log) and restore the missing events. They hold secrets and openings, so only
their owner may read them.

records.py      the record of a segment: a batch of a log, or a value that is kept with one; the
                heads of every log, computed anew from its records
reader.py       the records of a shard's folder, each of them checked, and heads.log
witness.py      Witness: the interface for a process that copies feeds into segments; it adds
                records to a shard's folder, and heads to heads.log
"""

from .records import KeptValue, Record, WrittenBatch
from .witness import Witness

__all__ = ["KeptValue", "Record", "Witness", "WrittenBatch"]
