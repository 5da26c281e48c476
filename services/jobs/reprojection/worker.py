"""A worker process: gets jobs through a pipe and sends verdicts back through it."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Final

import msgspec

from ledger.games import ruleset
from ledger.log.read.history import RulesOf

from .batches import Job, work

END: Final = b""  # of a job


def main(words: list[str]) -> None:
    """Works until there are no more jobs; `MODULE:NAME` names another source of rulesets."""
    rules_of: RulesOf = ruleset
    if len(words) > 1:
        module, _, name = words[1].partition(":")
        rules_of = getattr(import_module(module), name)
    # There are no more jobs where the pipe is closed; a dead parent resets or breaks it.
    with Connection(int(words[0])) as pipe, suppress(EOFError, ConnectionError):
        while True:
            job = msgspec.msgpack.decode(pipe.recv_bytes(), type=Job)
            for done in work(job, rules_of):
                pipe.send_bytes(msgspec.msgpack.encode(done))
            pipe.send_bytes(END)


if __name__ == "__main__":
    main(sys.argv[1:])
