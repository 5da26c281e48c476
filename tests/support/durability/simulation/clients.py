"""Clients at the level of the store. A client is a generator: between two of its steps, and between
any of its requests and the reply, others may be carried out, or it may die.

What it keeps when it dies is what any good client writes down before it asks: its commands' ids
and what they were for. Acts that have no command are not asked for again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import msgspec

from ledger.log.format.chain import SEALED_PATH, Event, Opening, Tip, link, padded
from ledger.log.stores.protocol import Batch, Command, Conflict, DamagedLog, Unavailable
from ledger.log.stores.redis import RedisStore
from tests.support.durability.simulation.truth import Finding, Truth, hold

ATTEMPTS = 5


class Wish(msgspec.Struct, frozen=True):
    """The events that a client wants to append."""

    log: str
    bodies: tuple[bytes, ...]
    command: Command | None
    rules: str  # as the bodies begin: x, d (a decision), a (even after the close)
    closes: bool = False


class StoreClient:
    """Appends, asks again, reads and checks what it reads."""

    def __init__(
        self, name: str, rng: random.Random, store: RedisStore, truth: Truth, logs: Sequence[str]
    ) -> None:
        self.name = name
        self.rng = rng
        self.store = store
        self.truth = truth
        self.logs = logs
        self.doing = "nothing"
        self.running = False
        self.leaving = False
        self.count = 0
        self.pending: dict[str, Wish] = {}  # outlives it
        self.done: list[Wish] = []  # so does this
        self.unknown: set[str] = set()  # ... and which may come yet, whatever is said later
        self._life = self._live()

    def step(self) -> None:
        """Do one thing."""
        next(self._life)

    def die(self) -> None:
        """Forget everything but what was written down."""
        self.unknown |= self.pending.keys()
        self._life = self._live()
        self.doing = "was started anew"

    def leave(self) -> bool:
        """Only ask again for what is open; says whether there is anything left."""
        if not self.leaving:
            self.leaving = True
            self.die()
        return bool(self.pending)

    def _live(self) -> Iterator[None]:
        while self.pending:
            for wish in list(self.pending.values()):
                self.doing = f"asks again for {wish.bodies[0].decode()}"
                yield from self._whole(self._get(wish))
            if not self.leaving:
                break
            yield
        acts = {
            self._wish: 80, self._want_wrongly: 8, self._ask_again: 8, self._change: 4,
            self._answered: 5, self._read: 10, self._tip: 4, self._openings: 3, self._keep: 4,
            self._park: 2, self._list: 1,
        }  # fmt: skip
        while not self.leaving:
            act = self.rng.choices(list(acts), list(acts.values()))[0]
            self.doing = act.__name__[1:]
            yield from self._whole(act())
            yield

    def _whole(self, act: Iterator[None]) -> Iterator[None]:
        """An act to its end; it may fail where the server cannot be asked, but for nothing else."""
        since = self.truth.now()
        try:
            yield from act
        except Unavailable:
            self.doing += ": not to be had"
        except DamagedLog as damage:
            if not self.truth.past(since):
                raise Finding(f"a sound log was called damaged: {damage}") from damage
            self.doing += ": the tail is lost"  # as `everysec` may

    # --- writing -------------------------------------------------------------------------------

    def _new_wish(self) -> Wish:
        rng, self.count = self.rng, self.count + 1
        rules = rng.choice("xddda")
        size = rng.choice((1, 1, 1, 2, 3, 20))
        bodies = [f"{rules}:{self.name}/{self.count}/{n}".encode() for n in range(size)]
        command = None
        if rng.random() < 0.6:
            command = Command(f"{self.name}/{self.count}", bodies[0])
        closes = rng.random() < (0.3 if rules == "a" else 0.02)
        return Wish(rng.choice(self.logs), tuple(bodies), command, rules, closes)

    def _wish(self) -> Iterator[None]:
        wish = self._new_wish()
        if wish.command is not None:
            self.pending[wish.command.id] = wish
        yield from self._get(wish)

    def _get(self, wish: Wish) -> Iterator[None]:
        """Ask until there is a definite answer, or too often for now."""
        tip = None
        for _ in range(ATTEMPTS):
            try:
                if tip is None:
                    tip = self.store.tip(wish.log)
                    yield
                tip, definite = self._ask(wish, self._batch(wish, tip))
            except Unavailable as failure:
                if wish.command is None:
                    self.doing += ": unknown" if failure.unknown else ": not written"
                    return
                tip, definite = None, False
            if definite:
                self._settle(wish)
                return
            yield

    def _settle(self, wish: Wish) -> None:
        if wish.command is not None and self.pending.pop(wish.command.id, None):
            self.done.append(wish)

    def _batch(self, wish: Wish, expect: Tip) -> Batch:
        events: list[Event] = []
        openings = []
        for body in wish.bodies:
            events.append(link(wish.log, events[-1].tip if events else expect, body))
            if len(body) % 3 == 0:
                for path, plain in ((SEALED_PATH, padded(body)), (SEALED_PATH + "/to", body)):
                    openings.append(Opening(events[-1].version, path, body, plain))
        return Batch(
            expect=expect,
            events=tuple(events),
            openings=tuple(openings),
            command=wish.command,
            closes=wish.closes,
            after_close=wish.rules == "a",
            decides=wish.rules == "d",
        )

    def _ask(self, wish: Wish, batch: Batch) -> tuple[Tip | None, bool]:
        """The tip to go on from, and whether this was the last word."""
        since = self.truth.now()
        known = wish.command is not None and self.truth.has(wish.log, wish.command)
        try:
            answer = self.store.append(wish.log, batch)
        except Unavailable as failure:
            self._not_had(wish, batch, failure, known=known)
            raise
        self.truth.counted[type(answer).__name__] += 1
        self.doing += f": {type(answer).__name__} {wish.log[:4]} {batch.expect.version}"
        self.truth.answered(wish.log, batch, answer, since)
        if isinstance(answer, Conflict):
            return answer.tip, False
        return None, True

    def _not_had(self, wish: Wish, batch: Batch, failure: Unavailable, *, known: bool) -> None:
        """Notes that nothing was written; a client can rely on that answer until it asks again."""
        if wish.command is None:
            if not failure.unknown:
                self.truth.deny(wish.log, batch.events, "it was not written")
        elif failure.unknown:
            self.unknown.add(wish.command.id)
        elif not known and wish.command.id not in self.unknown:
            written = self.truth.has(wish.log, wish.command)
            hold(not written, wish.log, wish.command.id, "is there; told was: not written")

    def _want_wrongly(self) -> Iterator[None]:
        """A gap, a head that never was, a version long gone, links that do not hold together."""
        wish = msgspec.structs.replace(self._new_wish(), command=None)
        tip = self.store.tip(wish.log)
        yield
        wrong = self.rng.choice(("gap", "head", "stale", "links"))
        if wrong == "gap":
            tip = Tip(tip.version + self.rng.randint(1, 3), tip.head)
        elif wrong == "head":
            tip = Tip(tip.version, self.rng.randbytes(32))
        elif wrong == "stale" and tip.version:
            version = self.rng.randint(0, tip.version - 1)
            events = self.truth.log(wish.log).events
            tip = events[version - 1].tip if 0 < version <= len(events) else Tip(0, bytes(32))
        batch = self._batch(wish, tip)
        if wrong == "links":
            torn = Event(batch.events[0].version, self.rng.randbytes(32), wish.bodies[0])
            batch = msgspec.structs.replace(batch, events=(torn, *batch.events[1:]))
        self.doing += f": {wrong}"
        self._ask(wish, batch)

    def _ask_again(self) -> Iterator[None]:
        """Send what was answered before, or has never been answered, once more."""
        if wishes := [*self.pending.values(), *self.done[-20:]]:
            yield from self._get(self.rng.choice(wishes))

    def _change(self) -> Iterator[None]:
        """Use a command's id for something else."""
        if not self.done:
            return
        before = self.rng.choice(self.done)
        assert before.command is not None
        wish = self._new_wish()
        if not self.truth.watching or not self.truth.has(before.log, before.command):
            return  # it was refused then, or its event is lost: the id is free
        changed = Command(before.command.id, wish.bodies[0])
        yield from self._get(msgspec.structs.replace(wish, log=before.log, command=changed))

    def _keep(self) -> Iterator[None]:
        """Keep something beside a log, which anybody may have done before."""
        match, field = self.rng.choice(self.logs).partition("/")[0], self.rng.choice("kl")
        value = self.rng.choice((b"one", b"two"))
        since = self.truth.now()
        try:
            self.store.keep(match, field, value)
            kept = value
        except ValueError:
            kept = b"two" if value == b"one" else b"one"
        if not self.truth.past(since):
            found = self.truth.kept.get((match, field))
            hold(found == kept, match, field, "is kept as", found, "told was", kept)
        yield
        since = self.truth.now()
        there = self.store.kept(match, field)
        if not self.truth.past(since):
            hold(there == self.truth.kept.get((match, field)), match, field, "was read as", there)

    def _park(self) -> Iterator[None]:
        match = self.rng.choice(self.logs).partition("/")[0]
        self.store.park(match, b"it cannot be folded")
        for _ in range(self.rng.randint(0, 6)):
            yield
        self.store.unpark(match)

    # --- reading -------------------------------------------------------------------------------

    def _answered(self) -> Iterator[None]:
        if not self.done:
            return
        wish = self.rng.choice(self.done)
        assert wish.command is not None
        since, known = self.truth.now(), self.truth.has(wish.log, wish.command)
        answer = self.store.answered(wish.log, wish.command)
        if not self.truth.past(since):
            if answer is None:
                hold(not known, wish.log, "has forgotten", wish.command.id)
            else:
                self.truth.known(wish.log, wish.command, answer)
        yield

    def _tip(self) -> Iterator[None]:
        name = self.rng.choice(self.logs)
        since, version = self.truth.now(), self.truth.log(name).tip.version
        tip = self.store.tip(name)
        if not self.truth.past(since):
            hold(self.truth.log(name).was(tip), name, "never ended with", tip.version)
            hold(tip.version >= version, name, "ended with", version, "and then", tip.version)
        yield

    def _read(self) -> Iterator[None]:
        name = self.rng.choice(self.logs)
        since, version = self.truth.now(), self.truth.log(name).tip.version
        first = self.rng.randint(0, version + 1)
        last = self.rng.choice((None, self.rng.randint(first, version + 2)))
        events = list(self.store.events(name, first, last))
        if not self.truth.past(since):
            first = max(first, 1)
            shown = self.truth.log(name).events[first - 1 : last]
            hold(events == shown[: len(events)], name, "was read otherwise from", first)
            least = version if last is None else min(version, last)
            hold(len(events) >= least - first + 1, name, "was read short of", least)
        yield

    def _openings(self) -> Iterator[None]:
        name = self.rng.choice(self.logs)
        since, version = self.truth.now(), self.truth.log(name).tip.version
        first = self.rng.randint(1, version + 1)
        found = list(self.store.openings(name, first, version))
        if not self.truth.past(since):
            there = self.truth.log(name).openings
            wanted = [one for v in range(first, version + 1) for one in there.get(v, [])]
            hold(found == wanted, name, "has other openings from", first)
        yield

    def _list(self) -> Iterator[None]:
        since = self.truth.now()
        there = {name for name, log in self.truth.logs.items() if log.events and "/" not in name}
        found = self.store.matches()
        if not self.truth.past(since):
            hold(there <= set(found), "matches are missing:", sorted(there - set(found)))
        yield
