"""Results of jobs: how one is named, made and kept.

The name of a result is the hash of everything it depends on: of a match the log up to a head,
the viewpoint, and the program itself. So a result never changes, equal requests share it, and
making it a second time stores the same bytes.

    Wanted           the recipe of a job: its arguments, and how its result is made
    ResultStore      the results on the jobs' server, for a day after the last request, or for
                     some minutes if another is expected soon
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, Self, cast

import msgspec

from ledger.games import ruleset
from ledger.kernel.audience import Viewer
from ledger.log.read.history import History
from ledger.log.stores.protocol import Store
from replays.story.names import ALL, SPECTATOR
from replays.walk import Progress
from services.run.settings import ROOT, read_settings
from services.run.stores import open_store

if TYPE_CHECKING:  # the libraries of the queue are slow to import, and commands need none of them
    from redis import Redis

DAY: Final = 24 * 3_600
PASSING_SECONDS: Final = 60  # of what is there for a moment only
# Any change in these folders may change a result.
SOURCES: Final = ("ledger", "replays", "services/jobs")
_LEVEL: Final = 6


class OtherLog(Exception):
    """The log is not the one that was requested."""


def name_of(kind: str, depends_on: Mapping[str, Any]) -> str:
    """Returns a result's name: the kind, and the hash of what it depends on."""
    packed = msgspec.json.encode(dict(depends_on), order="deterministic")
    return f"{kind}:{hashlib.sha256(packed).hexdigest()}"


@cache
def program() -> str:
    """Returns the hash of all source files that make results."""
    whole = hashlib.sha256()
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                whole.update(f"{path.relative_to(ROOT)}\0".encode())
                whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def log_until(history: History, version: int, head: str) -> History:
    """Returns a log up to an event. Refuses a log that has another event there."""
    if history.tip.version < version or history.events[version - 1].head.hex() != head:
        raise OtherLog(f"event {version} of {history.match} is not what it was")
    return history if history.tip.version == version else history.up_to(version)


def unseen(done: int, of: int) -> None:
    """Reports progress to no one."""


class ResultStore:
    def __init__(self, server: Redis) -> None:
        self._server = server

    def put(self, name: str, result: bytes, seconds: int = DAY) -> None:
        self._server.set(name, gzip.compress(result, _LEVEL, mtime=0), ex=seconds)

    def has(self, name: str) -> bool:
        return bool(self._server.exists(name))

    def packed(self, name: str, seconds: int = DAY) -> bytes | None:
        """Returns a result, gzipped, and keeps it as long again unless it was kept only briefly."""
        with self._server.pipeline(transaction=False) as both:
            both.get(name)
            both.ttl(name)
            found, left = cast("tuple[bytes | None, int]", both.execute())
        if found is not None and PASSING_SECONDS < left < seconds // 2:
            self._server.expire(name, seconds)
        return found


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """A result, by everything it depends on. A subclass makes it."""

    kind: ClassVar[str]  # the name of its job
    program: str = ""  # of the process that asks

    @property
    def arguments(self) -> dict[str, Any]:
        """Returns the job's arguments in plain types, without secrets."""
        return cast("dict[str, Any]", msgspec.to_builtins(self))

    @property
    def name(self) -> str:
        return name_of(self.kind, self.arguments)

    @property
    def tag(self) -> str:
        """Returns the ETag."""
        return self.name[-24:]

    @property
    def seconds(self) -> int:
        """Returns how long the result is kept."""
        return DAY

    def make(self, store: Store, progress: Progress = unseen) -> bytes:
        """Makes the result from the ledger."""
        raise NotImplementedError

    def make_from(self, results: ResultStore, store: Store, progress: Progress) -> bytes:
        """Makes the result from the ledger, or from results of other jobs."""
        return self.make(store, progress)

    @classmethod
    def work(cls, server: Redis, arguments: Mapping[str, Any], progress: Progress) -> None:
        """Makes and stores a result; the work of a job."""
        wanted, results = msgspec.convert(arguments, cls), ResultStore(server)
        if results.has(wanted.name):
            return  # another has made it in the meantime
        # While web and worker are of different versions, a request gets what this one makes; and
        # for a moment only, because another result belongs under its name.
        seconds = wanted.seconds if wanted.program == program() else PASSING_SECONDS
        with open_store(read_settings()) as store:
            results.put(wanted.name, wanted.make_from(results, store, progress), seconds)


class WantedOfMatch(Wanted, frozen=True, kw_only=True):
    """A result about one match."""

    match: str
    version: int  # the last event that is looked at
    head: str
    viewer: str  # as an address names it: spectator, a seat's number, all

    @classmethod
    def of(cls, history: History, version: int, viewer: str, **more: Any) -> Self:
        """Returns the request for a match up to an event, as a viewer sees it."""
        head = history.events[version - 1].head.hex()
        named: dict[str, Any] = {"match": history.match, "version": version, "head": head}
        return cls(**named, viewer=viewer, program=program(), **more)

    @property
    def tag(self) -> str:
        """Returns the ETag: the last event, the viewer, and a hash of the rest."""
        same = msgspec.structs.replace(self, match="", head="")
        return f"{self.version}-{self.viewer}-{same.name[-12:]}"

    @property
    def eyes(self) -> Viewer | Literal["all"]:
        """Returns the viewer."""
        if self.viewer == ALL:
            return "all"
        return None if self.viewer == SPECTATOR else int(self.viewer)

    def history(self, store: Store) -> History:
        """Returns the log up to the last event, with all openings."""
        return log_until(History.of(store, self.match, ruleset), self.version, self.head)
