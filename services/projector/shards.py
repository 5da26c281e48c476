"""One shard: follows its matches, and parks those it cannot fold."""

from __future__ import annotations

import hashlib
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import msgspec

from ledger.kernel.match import Match
from ledger.log.format.chain import Event, by_event
from ledger.log.format.secrets import KEPT_AS
from ledger.log.read.history import OVERLAY, History, Moment, RulesOf, Undisclosed
from ledger.log.read.seek import MatchFollower, snapshot_of
from ledger.log.stores.protocol import DamagedLog, Snapshot
from ledger.log.stores.redis.keys import SHARDS, TALK, is_book, read_openings
from ledger.log.stores.redis.projections import FeedPosition, Projections
from ledger.log.stores.redis.store import RedisStore, measure_snapshot
from ledger.log.stores.segments.records import Record, WrittenBatch, record_bytes
from replays.reproject.rule_use import index_after
from replays.story.standing import Standing, standing_after
from services.feeds.reader import Unread
from services.run.cpu_limit import OutOfTime, work_limit
from services.run.outages import OUTAGES

FOLLOWED_MAX: Final = 256  # of all shards that a process has
# For one event; a rule that takes longer is running away. The first event of a game in a process
# reads its content as well, half a second of work where the machine is slow.
WORK_SECONDS: Final = 5.0
REACH_SECONDS: Final = 60.0  # of all events before it, where a match is folded from far back
SNAPSHOT_EVERY: Final = 64  # events, where no round ends before
SNAPSHOT_LATEST: Final = 256  # events, however large the match is
SNAPSHOT_SHARE: Final = 5  # snapshots take a fifth, at most, of what the events between them take
NOTICE_MAX: Final = 300

_STANDINGS: Final = msgspec.msgpack.Decoder(Standing)


@dataclass
class Followed:
    """A followed match, and its progress since the last snapshot."""

    follower: MatchFollower
    standing: Standing | None
    events: int = 0
    size: int = 0

    def snapshot(self, event: Event, moment: Moment) -> Snapshot | None:
        """Returns a snapshot if one is due."""
        self.events += 1
        self.size += len(event.body)
        if moment.match is None or self.standing is None:
            return None
        finished = self.standing.closed and self.events > 1
        due = self.events >= SNAPSHOT_EVERY or any(fact.checkpoint for fact in moment.facts)
        if not (finished or due):
            return None
        taken = snapshot_of(moment.match, event.version, event.head)
        worth = measure_snapshot(taken) * SNAPSHOT_SHARE <= self.size
        if not (finished or worth or self.events >= SNAPSHOT_LATEST):
            return None
        self.events = self.size = 0
        return taken


def _is_match(name: str) -> bool:
    """Returns whether a log is a match's own, and not its talk or a book."""
    return not (name.endswith(TALK) or is_book(name))


@dataclass
class Shard:
    """The projection of one shard, from its checkpoint on."""

    number: int
    generation: int
    store: RedisStore
    projections: Projections
    rules_of: RulesOf
    followed: OrderedDict[str, Followed]  # those of other shards too
    tell: Callable[[str], None]

    def __post_init__(self) -> None:
        self.checkpoint = self.projections.checkpoint(self.number)
        # Standings also show matches that were unparked meanwhile.
        standings = standings_of(self.projections, [self.number])
        self._parked = {standing.match for standing in standings if standing.parked}
        self._undisclosed: set[str] = set()
        self._standings: dict[str, Standing] = {}
        self._snapshots: list[tuple[str, Snapshot]] = []
        self._uses: dict[str, bytes] = {}
        self._moved = False

    # --- what comes in -------------------------------------------------------------------------

    def take(self, record: Record | Unread) -> None:
        if record.position <= self.checkpoint.position:
            return
        if isinstance(record, Unread):
            self._take_unread(record)
        elif isinstance(record, WrittenBatch) and _is_match(record.name):
            self._guarded(record.name, partial(self._take, record))
        self.checkpoint = FeedPosition(record.position, mark_of(record))
        self._moved = True

    def _take_unread(self, record: Unread) -> None:
        """Parks a match whose keys were changed by hand."""
        match = record.name.partition("/")[0]
        if is_book(match):
            self.tell(f"{match} cannot be read: {record.why}")
        elif match not in self._parked:
            self._park(match, DamagedLog(record.why))

    def see_parked(self, parked: set[str]) -> None:
        """Resumes the matches that an operator has unparked."""
        for match in sorted(self._parked - parked):
            self._parked.discard(match)
            self._guarded(match, partial(self._catch_up, match))
        self._parked |= parked

    def flush(self) -> None:
        """Writes the results, with the feed position they belong to."""
        if not self._moved and not self._standings:
            return
        standings = {name: msgspec.msgpack.encode(one) for name, one in self._standings.items()}
        args = (self.number, self.generation, self.checkpoint, standings, self._snapshots)
        self.projections.project(*args, self._uses)
        self._standings, self._snapshots, self._uses, self._moved = {}, [], {}, False

    # --- matches -------------------------------------------------------------------------------

    def _guarded(self, match: str, work: Callable[[], None]) -> None:
        """Parks a match that fails, so the others go on. An outage of a server is not its fault."""
        if match in self._parked or match in self._undisclosed:
            return
        try:
            work()
        except OUTAGES:
            raise
        except Undisclosed as failure:
            if self.store.kept(match, KEPT_AS) is None:
                self._undisclosed.add(match)  # imported without the openings needed to fold it
                self._note(match, undisclosed=True)
            else:
                self._park(match, failure)
        except (Exception, OutOfTime) as failure:  # noqa: BLE001 - any failure parks the match
            self._park(match, failure)

    def _take(self, record: WrittenBatch) -> None:
        standing = self._standing(record.name)
        if standing is not None and (standing.undisclosed or standing.version >= record.first):
            return
        if (0 if standing is None else standing.version) < record.first - 1:
            self._catch_up(record.name)
            return
        followed = self._follow(record.name, record.first - 1)
        openings = [packed for _, _, packed in record.entries]
        for event, packed in zip(record.events(followed.follower.tip), openings, strict=True):
            self._project(followed, event, read_openings(event.version, packed) if packed else ())

    def _catch_up(self, match: str) -> None:
        """Projects the events beyond the match's standing, whatever the feed says."""
        standing = self._note(match, parked=False)
        after = 0 if standing is None else standing.version
        followed = self._follow(match, after)
        events = list(self.store.events(match, after + 1))
        # Openings are there before their events can be read, so none is missed this way around.
        opened = by_event(self.store.openings(match, after + 1, after + len(events)))
        for event in events:
            self._project(followed, event, opened.get(event.version, ()))

    def _project(self, followed: Followed, event: Event, openings: Any) -> None:
        match = followed.follower.match_id
        with work_limit(REACH_SECONDS):
            followed.follower.reach(event, openings)
        with work_limit(WORK_SECONDS):
            moment = followed.follower.fold(event)
        followed.standing = standing_after(followed.standing, match, moment)
        self._standings[match] = followed.standing
        snapshot = followed.snapshot(event, moment)
        if snapshot is not None:
            self._snapshots.append((match, snapshot))
        if followed.standing.closed:
            self._index(match, moment.match)

    def _index(self, match: str, position: Match | None) -> None:
        """Makes a closed match's rule-use index. A failure here affects nothing else."""
        try:
            history = History(match, self.rules_of, self.store.kept(match, OVERLAY))
            history.catch_up(self.store)
            self._uses[match] = zlib.compress(index_after(history, position).packed(), 6)
        except OUTAGES:
            raise
        except Exception:  # noqa: BLE001 - it is only a cache, and whoever lacks it folds
            self._uses.pop(match, None)

    def _follow(self, match: str, after: int) -> Followed:
        """Returns the follower of a match after an event."""
        found = self.followed.get(match)
        if found is None or found.follower.tip.version != after:
            with work_limit(REACH_SECONDS):
                follower = MatchFollower(self.store, match, self.rules_of, after)
            found = Followed(follower, self._standing(match))
            self.followed[match] = found
        self.followed.move_to_end(match)
        if len(self.followed) > FOLLOWED_MAX:
            self.followed.popitem(last=False)
        return found

    def _standing(self, match: str) -> Standing | None:
        followed = self.followed.get(match)
        if followed is not None:
            return followed.standing
        if match in self._standings:
            return self._standings[match]
        packed = self.projections.standing(match)
        return None if packed is None else _read(packed)

    def _note(self, match: str, **flags: bool) -> Standing | None:
        """Stops following a match; changes and returns its standing, if it has one."""
        standing = self._standing(match)
        self.followed.pop(match, None)
        if standing is not None:
            self._standings[match] = msgspec.structs.replace(standing, **flags)
        return standing

    def _park(self, match: str, failure: BaseException) -> None:
        standing = self._note(match, parked=True)
        at = 1 if standing is None else standing.version + 1
        notice = f"event {at}: {type(failure).__name__}: {failure}"[:NOTICE_MAX]
        self.store.park(match, notice.encode())
        self._parked.add(match)
        self.tell(f"parked {match} at {notice}")


def mark_of(record: Record | Unread) -> bytes:
    """Returns a hash that identifies a record."""
    if isinstance(record, Unread):
        return b"unread"
    return hashlib.sha256(record_bytes(record)).digest()[:16]


def standings_of(
    projections: Projections, shards: Iterable[int] = range(SHARDS)
) -> Iterator[Standing]:
    """Returns the standings of all matches, or of some shards, as far as they are projected."""
    return filter(None, map(_read, projections.standings(shards).values()))


def _read(packed: bytes) -> Standing | None:
    """Decodes a standing; None if another version wrote it and we cannot read it."""
    try:
        return _STANDINGS.decode(packed)
    except msgspec.MsgspecError:
        return None
