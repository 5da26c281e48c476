"""Lines that our processes write to stderr: for programs an object on each, for people a few words.

    HEGEMON_LOG=json     for programs (where nothing is said)
    HEGEMON_LOG=short    for people; `hegemon up` says so
    HEGEMON_LOG=quiet    of requests and jobs only what went wrong here

Every process writes them alike, and whatever is logged loses the secrets of passes on its way.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

OURS: Final = "services"  # the logger above all of ours
VARIABLE: Final = "HEGEMON_LOG"


class Lines(logging.StreamHandler[Any]):
    """Writes to what is stderr at the time."""

    def __init__(self) -> None:
        super().__init__()
        self.addFilter(Hush())

    @property
    def stream(self) -> Any:
        """Where to."""
        return sys.stderr

    @stream.setter
    def stream(self, _: Any) -> None:
        """It is wherever stderr is."""


class Hush(logging.Filter):
    """Takes the secrets of passes out of what is logged; the address of a link is one."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Every record passes, and its passes do not."""
        from services.matches.club import without_secrets

        record.msg, record.args = without_secrets(record.getMessage()), ()
        if record.exc_info and record.exc_info[0] is not None:
            said = logging.Formatter().formatException(record.exc_info)
            record.exc_text = without_secrets(said)
        return True


class ForPrograms(logging.Formatter):
    """An object on a line."""

    def __init__(self, process: str | None = None) -> None:
        super().__init__()
        self._process = process

    def beside(self) -> dict[str, Any]:
        """What else stands beside words that are about nothing in particular."""
        return {}

    def format(self, record: logging.LogRecord) -> str:
        """A record."""
        line = stamped(record.created, record.levelname.lower(), self._process)
        about = getattr(record, "about", None)
        if about is None:
            line |= {"from": record.name, "said": record.getMessage(), **self.beside()}
        else:
            line |= about
        if record.exc_text:
            line["traceback"] = record.exc_text
        return packed(line)


class ForPeople(logging.Formatter):
    """A few words on a line."""

    def format(self, record: logging.LogRecord) -> str:
        """A record."""
        at = datetime.fromtimestamp(record.created).astimezone().strftime("%H:%M:%S")
        about = getattr(record, "about", None)
        if about is not None:
            said = " ".join(
                str(about[name])
                for name in ("method", "route", "job", "match", "status", "outcome", "code")
                if about.get(name) is not None
            )
            return f"{at} {said} ({about['ms']:g} ms)"
        text = f"{at} {record.levelname.lower()}: {record.getMessage()}"
        return f"{text}\n{record.exc_text}" if record.exc_text else text


def lines_in(form: str, for_programs: ForPrograms) -> logging.Formatter:
    """How lines look where HEGEMON_LOG says this."""
    return for_programs if form == "json" else ForPeople()


def stamped(seconds: float, level: str, process: str | None) -> dict[str, Any]:
    """What every line for programs begins with."""
    at = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    return {"at": at, "level": level, "process": process}


def packed(line: dict[str, Any]) -> str:
    """A line for programs, without what there is nothing to say of."""
    return msgspec.json.encode({k: v for k, v in line.items() if v is not None}).decode()


def add_lines(form: logging.Formatter) -> None:
    """What our loggers say is written to stderr from now on, in this form."""
    ours = logging.getLogger(OURS)
    found = next((one for one in ours.handlers if isinstance(one, Lines)), None)
    if found is None:
        found = Lines()
        ours.addHandler(found)
    found.setFormatter(form)


def teller(name: str) -> Callable[[str], None]:
    """Says something to the operator, in the name of a process."""

    def tell(line: str) -> None:
        # Read each time: what is wrong with the settings is told in this way, too.
        if os.environ.get(VARIABLE) in (None, "", "json"):
            from services.matches.club import without_secrets

            said = packed({**stamped(time.time(), "warning", name), "said": without_secrets(line)})
        else:
            said = f"hegemon: the {name} {line}"
        print(said, file=sys.stderr, flush=True)

    return tell
