"""Moves matches from files into a server, and sets their files aside.

Each append to a log is repeated in order, with its openings and its command. So the
server's log has the same heads, and a repeated command gets its first answer. Only matches
that were read back and compared are set aside, into DATA/matches.moved. Nothing is deleted.
After a kill the next start continues. A damaged match is not moved.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from ledger.club.talk import TALK
from ledger.log.stores.disk import sync_folder
from ledger.log.stores.files import FileStore
from ledger.log.stores.protocol import Appended, Batch, DamagedLog, Store
from services.run.programs import EXIT_ENVIRONMENT, CannotServe

MOVED: Final = "matches.moved"
LOCK_SECONDS: Final = 30.0  # how long we wait for a command that writes to the files
_NAMED_MAX: Final = 5
# A file system that has no such locks: then nobody can be kept out, as nobody could before.
_NO_LOCKS: Final = (errno.EBADF, errno.ENOLCK, errno.ENOTSUP, errno.EINVAL, errno.ENOSYS)


class NotTheSame(Exception):
    """The server has another log under this id."""


class Moving(NamedTuple):
    """The matches now in the server, and the reason for each that is not."""

    moved: tuple[str, ...]
    stay: dict[str, str]

    def lines(self, data: Path) -> list[str]:
        said = []
        if self.moved:
            matches = "1 match was" if len(self.moved) == 1 else f"{len(self.moved)} matches were"
            said.append(f"{matches} moved into the server; the files are now in {data / MOVED}.")
        if self.stay:
            named = [f"{match} ({why})" for match, why in self.stay.items()]
            more = f" and {len(named) - _NAMED_MAX} more" if len(named) > _NAMED_MAX else ""
            which = ", ".join(named[:_NAMED_MAX]) + more
            said.append(f"not moved, and unchanged in {data / 'matches'}: {which}.")
        return said


@contextmanager
def files_held(data: Path, *, alone: bool = False) -> Iterator[None]:
    """Holds a lock so that no command writes matches to files while they are moved."""
    try:
        descriptor = os.open(data, os.O_RDONLY)
    except FileNotFoundError:
        yield  # there are no files yet
        return
    try:
        _take(descriptor, fcntl.LOCK_EX if alone else fcntl.LOCK_SH, data)
        yield
    finally:
        os.close(descriptor)


def _take(descriptor: int, how: int, data: Path) -> None:
    until = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, how | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > until:
                raise CannotServe(
                    f"a command still writes to the files in {data}: wait until it ends.",
                    EXIT_ENVIRONMENT,
                ) from None
            time.sleep(0.02)
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise
            return


def in_files(data: Path) -> int:
    return sum(1 for _ in (data / "matches").glob("*/log"))


def move_in(data: Path, store: Store) -> Moving:
    """Moves the matches in a data folder's files into a store."""
    folder = data / "matches"
    moved, stay = [], {}
    if folder.is_dir() and any(folder.iterdir()):
        with files_held(data, alone=True):
            files = FileStore(data)
            for match in files.matches():
                try:
                    _copy(files, match, store)
                except (DamagedLog, NotTheSame, OSError, ValueError) as why:
                    stay[match] = " ".join(str(why).split())
                else:
                    _put_aside(folder / match)
                    moved.append(match)
        for changed in filter(Path.is_dir, (folder, data / MOVED, data)):
            sync_folder(changed)
    return Moving(tuple(moved), stay)


def _copy(files: FileStore, match: str, store: Store) -> None:
    """Copies one match, except the parts copied before."""
    logs = {name: files.batches(name) for name in (match, match + TALK)}
    kept = {name: files.kept(match, name) or b"" for name in files.kept_names(match)}
    # Secrets first: a log whose secrets are lost could never be opened.
    for name, value in kept.items():
        store.keep(match, name, value)
    for name, batches in logs.items():
        _append(name, batches, store)
    notice = files.parked(match)
    if notice is not None:
        store.park(match, notice)
    for name, batches in logs.items():
        _compare(name, batches, store)
    if any(store.kept(match, name) != value for name, value in kept.items()):
        raise NotTheSame("its other stored values did not arrive")


def _append(name: str, batches: Sequence[Batch], store: Store) -> None:
    """Repeats the appends that the store does not have yet."""
    tip = store.tip(name)
    for batch in batches:
        if batch.events[-1].version <= tip.version:
            continue
        # Each batch was checked when it was made, so the store checks no permission again.
        again = msgspec.structs.replace(batch, after_close=True, decides=False)
        if not isinstance(store.append(name, again), Appended):
            raise NotTheSame("the server has another log under this id")


def _compare(name: str, batches: Sequence[Batch], store: Store) -> None:
    """Checks that the store's log begins with the events in the files; it may have more since."""
    events = [event for batch in batches for event in batch.events]
    if not events:
        return
    last = events[-1].version
    openings = [one for batch in batches for one in batch.openings]
    openings.sort(key=lambda one: one.version)
    if list(store.events(name, 1, last)) != events:
        raise NotTheSame("the server has another log under this id")
    if list(store.openings(name, 1, last)) != openings:
        raise NotTheSame("the server has other openings of it")


def _put_aside(match: Path) -> None:
    """Renames the match's folder in one step. If the rename is lost, the match is moved again."""
    there = match.parent.parent / MOVED
    there.mkdir(exist_ok=True, mode=0o700)
    target, count = there / match.name, 1
    while target.exists():  # an old copy was put back and moved again
        count += 1
        target = there / f"{match.name}.{count}"
    match.rename(target)
