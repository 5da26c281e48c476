"""Log output of our processes on stderr: JSON objects for programs, or short text for people.

    HEGEMON_LOG=json     for programs (the default)
    HEGEMON_LOG=short    for people; `hegemon up` sets it
    HEGEMON_LOG=quiet    of requests and jobs, only errors of the service

Every process writes the same format, and every record loses the secrets of passes.
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


class StderrHandler(logging.StreamHandler[Any]):
    """Writes to the current stderr."""

    def __init__(self) -> None:
        super().__init__()
        self.addFilter(Hush())

    @property
    def stream(self) -> Any:
        """The current stderr. Setting it has no effect."""
        return sys.stderr

    @stream.setter
    def stream(self, _: Any) -> None:
        """The current stderr. Setting it has no effect."""


class Hush(logging.Filter):
    """Removes the secrets of passes from log records; the address of a link is one."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Lets every record through, without secrets."""
        from services.matches.club import without_secrets

        record.msg, record.args = without_secrets(record.getMessage()), ()
        if record.exc_info and record.exc_info[0] is not None:
            said = logging.Formatter().formatException(record.exc_info)
            record.exc_text = without_secrets(said)
        return True


class JsonFormatter(logging.Formatter):
    """Formats a record as a JSON object."""

    def __init__(self, process: str | None = None) -> None:
        super().__init__()
        self._process = process

    def beside(self) -> dict[str, Any]:
        """Returns the extra fields of a record that has no `about` of its own."""
        return {}

    def format(self, record: logging.LogRecord) -> str:
        line = make_stamp(record.created, record.levelname.lower(), self._process)
        about = getattr(record, "about", None)
        if about is None:
            line |= {"from": record.name, "said": record.getMessage(), **self.beside()}
        else:
            line |= about
        if record.exc_text:
            line["traceback"] = record.exc_text
        return encode_line(line)


class ForPeople(logging.Formatter):
    """Formats a record as a short text."""

    def format(self, record: logging.LogRecord) -> str:
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


def lines_in(form: str, for_programs: JsonFormatter) -> logging.Formatter:
    """Returns the formatter for a value of HEGEMON_LOG."""
    return for_programs if form == "json" else ForPeople()


def make_stamp(seconds: float, level: str, process: str | None) -> dict[str, Any]:
    """Returns the fields that every record for programs begins with."""
    at = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    return {"at": at, "level": level, "process": process}


def encode_line(line: dict[str, Any]) -> str:
    """Encodes a record for programs, without empty fields."""
    return msgspec.json.encode({k: v for k, v in line.items() if v is not None}).decode()


def add_lines(form: logging.Formatter) -> None:
    """Makes our loggers write to stderr in this form."""
    ours = logging.getLogger(OURS)
    found = next((one for one in ours.handlers if isinstance(one, StderrHandler)), None)
    if found is None:
        found = StderrHandler()
        ours.addHandler(found)
    found.setFormatter(form)


def teller(name: str) -> Callable[[str], None]:
    """Returns a function that sends the operator a message in a process's name."""

    def tell(line: str) -> None:
        # Read each time: what is wrong with the settings is told in this way, too.
        if os.environ.get(VARIABLE) in (None, "", "json"):
            from services.matches.club import without_secrets

            said = encode_line(
                {**make_stamp(time.time(), "warning", name), "said": without_secrets(line)}
            )
        else:
            said = f"hegemon: the {name} {line}"
        print(said, file=sys.stderr, flush=True)

    return tell
