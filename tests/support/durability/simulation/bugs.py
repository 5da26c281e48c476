"""Bugs that are planted to see whether the simulation finds them: of each kind that a write path
can have, one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from ledger.log.format.chain import Tip
from ledger.log.stores.protocol import Answer, Batch, Conflict, DamagedLog, Unavailable
from ledger.log.stores.redis import RedisStore
from ledger.log.write.founding import Surroundings
from ledger.log.write.journal import Journal
from ledger.log.write.writer import Writer
from tests.support.durability.model.server import ModelServer
from tests.support.durability.simulation.reader import Reader
from tests.support.durability.simulation.run import Made, Simulation
from tests.support.durability.simulation.tables import Tables
from tests.support.durability.simulation.truth import Finding

# --- servers --------------------------------------------------------------------------------------


class SeesNoHead(ModelServer):
    """Appends to whatever has the right number of events."""

    def _differs(self, version: int, head: bytes, expected: int, expected_head: bytes) -> bool:
        return version != expected


class TakesAnything(ModelServer):
    """Appends to a log that has been closed."""

    def _refusal(self, keys: Any, args: Any, status: bytes, version: int, head: bytes) -> Any:
        return super()._refusal(keys, args, b"o", version, head)


class ForgetsCommands(ModelServer):
    """Has its index of commands in its memory only."""

    def start(self, loading: int = 0) -> None:
        super().start(loading)
        self.values = {k: v for k, v in self.values.items() if not k.endswith(b"commands")}


class AnswersEarly(ModelServer):
    """Says that it has written before it has, every third time."""

    def flush(self) -> None:
        if len(self.file) % 3:
            super().flush()


class TearsBatches(ModelServer):
    """Keeps half of the last batch when it dies."""

    def crash(self, kept: int | None = None) -> None:
        super().crash(kept)
        if self.file and len(self.file[-1]) > 3:
            self.file[-1] = self.file[-1][:2]


class TellsTwice(ModelServer):
    """Enters a command that it knows into the feed once more."""

    def _known(self, events: bytes, first: int, command: bytes, fingerprint: bytes) -> Any:
        found = super()._known(events, first, command, fingerprint)
        if found[0] == b"DUPLICATE":
            feed = next(key for key in self.values if key.endswith(b":feed"))
            self._xadd(feed, b"0-*", (b"e", b"aaaabbbbccccdddd %d" % first))
        return found


RIGHT_ANSWER = RedisStore._answer

# --- stores ---------------------------------------------------------------------------------------


class MissesItself(RedisStore):
    """Does not know its own events again when the reply to them was lost."""

    def _answer(self, match: str, batch: Batch, reply: Any, *, again: bool) -> Answer:
        return super()._answer(match, batch, reply, again=False)

    def _answer_anew(self, match: str, batch: Batch, reply: Any, *, again: bool) -> Answer:
        """The same, to be put in the place of the right one."""
        return RIGHT_ANSWER(self, match, batch, reply, again=False)


class SureOfItself(RedisStore):
    """Says that nothing was written whenever it got no answer."""

    def append(self, match: str, batch: Batch) -> Answer:
        try:
            return super().append(match, batch)
        except Unavailable as failure:
            raise Unavailable(str(failure)) from None


class ShowsTooLittle(RedisStore):
    """Leaves the last event out of a conflict of several."""

    def append(self, match: str, batch: Batch) -> Answer:
        answer = super().append(match, batch)
        if isinstance(answer, Conflict) and len(answer.events) > 1:
            return msgspec.structs.replace(answer, events=answer.events[:-1])
        return answer


class SeesTheOldEnd(RedisStore):
    """Gives the end of a log from what it saw last."""

    def tip(self, match: str) -> Tip:
        seen: dict[str, Tip] = self.__dict__.setdefault("_seen", {})
        if match not in seen or seen[match].version % 4:
            seen[match] = super().tip(match)
        return seen[match]


# --- who reads along, and who looks after it ------------------------------------------------------


class NotesFirst(Reader):
    """Stores how far it has come before it has made anything of what it read there."""

    def _take(self, shard: int, row: Any) -> Iterator[None]:
        self.begun = shard
        yield from super()._take(shard, row)
        self.begun = None

    def die(self) -> None:
        super().die()
        if (begun := self.__dict__.pop("begun", None)) is not None:
            self.checkpoints[begun] += 1


def counts_only(noted: Mapping[str, Tip], store: RedisStore) -> list[str]:
    """A guard that looks at how long a log is, and not at what it says."""
    return [name for name, tip in noted.items() if store.tip(name).version < tip.version]


# --- journals, and their writers ------------------------------------------------------------------


class HoldsOn(Writer):
    """Goes on with the match that it has folded, whatever became of the append."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "_match" or value is not None or "_match" not in self.__dict__:
            super().__setattr__(name, value)


class AnswersAnew(Journal):
    """Answers a command that it knows with what its last event was, not its first."""

    def _answer_again(self, before: Any) -> Any:
        return super()._answer_again(before)[-1:]


class Insists(Writer):
    """Writes its draft again at the new end of the log, without asking the rules again."""

    def _append_batch(self, batch: Batch) -> Any:
        answer = self.around.store.append(self.match_id, batch)
        if isinstance(answer, Conflict):
            self.follow()
            return None
        return super()._append_batch(batch)


def _written_with(kind: type[Writer]) -> Made:
    """Tables at which all journals have this writer."""

    class Planted(Journal):
        def __init__(self, around: Surroundings, match: str) -> None:
            super().__init__(around, match)
            self._writer.__class__ = kind

    return _played_with(Planted)


def _played_with(kind: type[Journal]) -> Made:
    return Made(tables=type("PlantedTables", (Tables,), {"journal": kind}))


class Planted(NamedTuple):
    """A bug, and within how many seeds it is to be found."""

    made: Made
    within: int = 20
    tables: bool = False


# Each is found by one seed in two or so, or by one in as many as its number says, divided by ten.
BUGS: dict[str, Planted] = {
    "an append that does not compare heads": Planted(Made(server=SeesNoHead)),
    "an append to a closed log": Planted(Made(server=TakesAnything)),
    "an index of commands that a restart forgets": Planted(Made(server=ForgetsCommands)),
    "an answer before it is on the disk": Planted(Made(server=AnswersEarly), 30),
    "half a batch after a crash": Planted(Made(server=TearsBatches)),
    "a duplicate in the feed": Planted(Made(server=TellsTwice)),
    "a store that does not know its own events again": Planted(Made(store=MissesItself), 60),
    "a store that says it knows when it does not": Planted(Made(store=SureOfItself), 100),
    "a conflict that does not show all": Planted(Made(store=ShowsTooLittle)),
    "an old end of the log": Planted(Made(store=SeesTheOldEnd)),
    "a reader that skips": Planted(Made(reader=NotesFirst), 30),
    "a guard that only counts": Planted(Made(guard=counts_only), 250),
    "a journal that keeps what was not written": Planted(_written_with(HoldsOn), tables=True),
    "a journal with half an answer": Planted(_played_with(AnswersAnew), tables=True),
    "a journal that does not ask the rules again": Planted(_written_with(Insists), tables=True),
}


def found_after(planted: Planted) -> tuple[int, Exception] | None:
    """The first seed that finds a bug, and what it says."""
    for seed in range(planted.within):
        try:
            Simulation(seed, made=planted.made, tables=planted.tables).run()
        except (Finding, DamagedLog) as finding:
            return seed, finding
    return None
