"""A worker process: reads jobs from one pipe and writes verdicts to another, length-prefixed."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import IO, Final, Protocol

import msgspec

from ledger.games import ruleset
from ledger.log.read.history import RulesOf

from .batches import Job, work

LENGTH_BYTES: Final = 4
END: Final = b""  # of a job


class Readable(Protocol):
    def read(self, size: int, /) -> bytes | None:
        """Reads at most `size` bytes; fewer or none at the end."""


def read_frame(stream: Readable) -> bytes | None:
    """Returns the next frame, or None at the end of the stream."""
    length = stream.read(LENGTH_BYTES) or b""
    if len(length) < LENGTH_BYTES:
        return None
    size = int.from_bytes(length, "big")
    packed = stream.read(size) or b""
    return packed if len(packed) == size else None


def write_frame(stream: IO[bytes], packed: bytes) -> None:
    stream.write(len(packed).to_bytes(LENGTH_BYTES, "big") + packed)
    stream.flush()


def main(words: list[str]) -> None:
    """Works until there are no more jobs; `MODULE:NAME` names another source of rulesets."""
    jobs, verdicts = os.fdopen(int(words[0]), "rb"), os.fdopen(int(words[1]), "wb")
    rules_of: RulesOf = ruleset
    if len(words) > 2:
        module, _, name = words[2].partition(":")
        rules_of = getattr(import_module(module), name)
    while (packed := read_frame(jobs)) is not None:
        for done in work(msgspec.msgpack.decode(packed, type=Job), rules_of):
            write_frame(verdicts, msgspec.msgpack.encode(done))
        write_frame(verdicts, END)


if __name__ == "__main__":
    main(sys.argv[1:])
