"""Segments: what was written to a server, in order, kept once more outside of it.

    DIR/s05/000000000001.seg    the entries of a shard's feed, and all that they speak of
    DIR/s05/heads.log           how far each log had come, written after the segments

A server may be put back to an old copy, or start empty, and say nothing. Segments are how that is
noticed (heads.log) and how what is missing is brought back. They hold secrets and openings, so
nobody but their owner may read them.

records.py      what stands in a segment: a batch of a log, or a value that is kept beside one
frames.py       how a record lies in a file, and what is torn or damaged there
chains.py       the heads of every log, computed anew from its records
reader.py       the records of a shard's folder, each of them checked
writer.py       adds records to a shard's folder, for one process at a time
heads.py        heads.log
witness.py      Witness: what a process uses that copies feeds into segments
"""

from .records import KeptValue, Record, Written
from .witness import Witness

__all__ = ["KeptValue", "Record", "Witness", "Written"]
