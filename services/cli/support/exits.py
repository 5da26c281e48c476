"""The exit codes of commands. Any failure also prints one line on stderr.

| code | means |
|---|---|
| 0 | done |
| 1 | refused: by the rules, by the state of the match, or by the clock |
| 2 | the command line, or its input, cannot be read |
| 3 | consistent in itself, and not anchored although that was asked for |
| 4 | tampered with, or damaged |
| 5 | made by rules that are not known here |
| 6 | a bug of ours |
| 7 | the machine lacks something |
| 8 | done, and matches do not come out as they were played |
| 130 | stopped from the keyboard |
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from typing import Any, Final

import click

from ledger.kernel.refusals import Refused
from ledger.log.format.canonical import NotCanonical
from ledger.log.read.bundle import BadBundle
from ledger.log.read.history import Undisclosed
from ledger.log.stores.protocol import DamagedLog, Unavailable
from ledger.log.write.writer import Stale
from services.run.cpu_limit import OutOfTime
from services.run.programs import CannotServe
from services.run.settings import BadSetting

from .output import say

DONE: Final = 0
REFUSED: Final = 1
UNREADABLE: Final = 2
UNANCHORED: Final = 3
TAMPERED: Final = 4
RULES_UNKNOWN: Final = 5
BUG: Final = 6
LACKING: Final = 7
DIFFERS: Final = 8
INTERRUPTED: Final = 130

TRACEBACK: Final = "HEGEMON_TRACEBACK"


class Failure(click.ClickException):
    """A command that ends with an exit code of its own and a one-line reason."""

    exit_code = REFUSED

    def show(self, file: Any = None) -> None:
        """Prints one line without a usage text: the command was right, its input was not."""
        say(self.message)


class UnreadableInput(Failure):
    """The input cannot be read."""

    exit_code = UNREADABLE


class NotAnchored(Failure):
    """The bundle has no outside evidence, although that was asked for."""

    exit_code = UNANCHORED


class Tampered(Failure):
    exit_code = TAMPERED


class RulesUnknown(Failure):
    """The input was made by rules that are not known here."""

    exit_code = RULES_UNKNOWN


class Lacking(Failure):
    exit_code = LACKING


# The exit code of any other failure: the first row that fits.
FAILURES: Final[tuple[tuple[type[BaseException], int, str], ...]] = (
    (Refused, REFUSED, ""),
    (Undisclosed, REFUSED, "not_disclosed: "),
    (Stale, REFUSED, "stale: the match has changed; look again and repeat the command: "),
    (OutOfTime, REFUSED, "out_of_time (--time-limit allows more): "),
    (BadBundle, UNREADABLE, ""),
    (BadSetting, UNREADABLE, ""),
    (NotCanonical, UNREADABLE, "too large or too deep for a log: "),
    (DamagedLog, TAMPERED, ""),
)
UNKNOWN: Final = (
    "the store stopped answering, so this may or may not be done: look before you repeat it "
    "(you can repeat `decide --command ID` as it is): "
)
UNREACHED: Final = "the store cannot be reached; nothing more was written; try again later: "

# System errors that are about the machine and not about the command.
_MACHINE: Final = (
    errno.ENOSPC, errno.EDQUOT, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.EIO, errno.EROFS,
)  # fmt: skip


def _failures_of_a_server() -> tuple[tuple[type[BaseException], int, str], ...]:
    """Returns a server's failures, if its client is loaded already; loading it is slow."""
    if "ledger.log.stores.redis" not in sys.modules:
        return ()
    from ledger.log.stores.redis.connection import NoReply, NotSent, Refusing
    from ledger.log.stores.redis.soundness import Unsound
    from ledger.log.stores.redis.store import ForeignLibrary

    return (
        (Unsound, LACKING, ""),
        (ForeignLibrary, LACKING, ""),
        (NotSent, LACKING, UNREACHED),
        (NoReply, LACKING, UNKNOWN),
        (Refusing, LACKING, "the server refuses: "),
    )


def report_failure(failure: BaseException) -> int:
    """Prints one line about what went wrong and returns the exit code."""
    if os.environ.get(TRACEBACK):
        traceback.print_exception(failure)
    if isinstance(failure, Unavailable):
        say(f"{UNKNOWN if failure.unknown else UNREACHED}{failure}")
        return LACKING
    if isinstance(failure, CannotServe):
        say(str(failure))
        return failure.exit_code
    for kind, code, prefix in (*FAILURES, *_failures_of_a_server()):
        if isinstance(failure, kind):
            say(f"{prefix}{failure}")
            return code
    if isinstance(failure, OSError):
        where = f": {failure.filename}" if failure.filename else ""
        say(f"{failure.strerror or failure}{where}")
        return LACKING if failure.errno in _MACHINE else UNREADABLE
    if isinstance(failure, MemoryError):
        say("the machine has too little memory for this")
        return LACKING
    say(f"a bug in Hegemon: {type(failure).__name__}: {failure} ({TRACEBACK}=1 shows where)")
    return BUG
