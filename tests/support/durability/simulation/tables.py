"""Clients that play: several journals to each match, all of them open at once, any of them stale.

What a journal has in its memory must be what anybody would fold anew from the log at that point;
what it answers must be what the log says; and a decision that it refused must not be in the log.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from ledger.club.talk import TALK, Said, say
from ledger.kernel.records import CHANCE, Decision, Seat
from ledger.kernel.refusals import BrokenRule, Refused
from ledger.log.format.acts import Disputed, Remedy, Ruled
from ledger.log.format.bodies import ActBody, read_body
from ledger.log.format.chain import Tip
from ledger.log.read.history import Undisclosed
from ledger.log.stores.protocol import Command, DamagedLog, Duplicate, Unavailable
from ledger.log.write.founding import Plan, Surroundings
from ledger.log.write.journal import Journal
from ledger.log.write.lifecycle import ANYTIME, Composed
from ledger.log.write.writer import Stale
from tests.support.durability.simulation.folded import Folded, Watched, position, rules_of
from tests.support.durability.simulation.truth import Finding, hold
from tests.support.log.dicey import Shake
from tests.support.log.matches import (
    CLASH_ROLLED,
    FULL_PLAN,
    ORGANIZER,
    PLAIN,
    STAKED,
    asking_points,
)

if TYPE_CHECKING:
    from tests.support.durability.simulation.run import Simulation

PARLOUR_PLAN = Plan(ruleset="parlour", seats=3)
DICEY_PLAN = Plan(ruleset="dicey", seats=1)
PLANS = (
    PLAIN, STAKED, FULL_PLAN, FULL_PLAN, replace(STAKED, overlay=CLASH_ROLLED), PARLOUR_PLAN,
    PARLOUR_PLAN, DICEY_PLAN,
)  # fmt: skip
MATCHES_MAX = 3
NAMES = ("ann", "bob", "cy")
BEGAN = 1_750_000_000_000
ODD_SHAKES = ("many", "under one key", "another domain", "end", "once")


class Tables:
    """The matches of a run, and who plays them."""

    journal = Journal

    def __init__(self, sim: Simulation) -> None:
        self.sim = sim
        self.truth = sim.truth
        self.matches: list[str] = []
        self.refused: dict[str, tuple[str, Command]] = {}
        self._folded: dict[str, Folded] = {}
        self._ticks = itertools.count(BEGAN)  # two acts at one instant could be the same event
        onlooker = self.around(sim.onlooker)
        for _ in range(sim.rng.choice((1, 1, 2))):
            journal = Journal.create(onlooker, sim.rng.choice(PLANS))
            self.matches.append(journal.match_id)
            if sim.rng.random() < 0.7:
                for seat in range(journal.history.created.seats):
                    journal.join(seat, NAMES[seat])
                journal.start()
        sim.server.flush()
        self.players = [
            Player(f"p{n}", self, sim.new_store()) for n in range(sim.rng.choice((2, 3)))
        ]

    def around(self, store: Any) -> Surroundings:
        """Time and entropy that follow from the seed."""
        return Surroundings(
            store=store,
            rules_of=rules_of,
            clock=lambda: next(self._ticks),
            entropy=self.sim.rng.randbytes,
        )

    def folded(self, match: str) -> Folded:
        self.truth.look()
        found = self._folded.get(match)
        if found is None or found.losses != self.truth.losses:
            found = self._folded[match] = Folded(self.truth, match)
        return found

    def check_refused(self) -> None:
        """No decision that was refused has come to be all the same."""
        for match, command in self.refused.values():
            hold(not self.truth.has(match, command), match, command.id, "was refused and is there")


class Wanted(msgspec.Struct, frozen=True):
    """A decision that has been asked for, as its client wrote it down."""

    match: str
    seat: Seat
    decision: Decision
    command: Command


class Player:
    """Plays at any seat of any match, and now and then is its organizer."""

    def __init__(self, name: str, tables: Tables, store: Any) -> None:
        self.name = name
        self.tables = tables
        self.truth = tables.truth
        self.rng: random.Random = tables.sim.rng
        self.store = Watched(store, tables.truth)
        self.around = tables.around(self.store)
        self.doing = "nothing"
        self.running = self.leaving = False
        self.count = 0
        self.pending: dict[str, Wanted] = {}  # outlives it
        self.done: list[Wanted] = []  # so does this
        self.die()

    def step(self) -> None:
        """Do one thing."""
        next(self._life)

    def die(self) -> None:
        """Forget everything but what was written down."""
        self.journals: dict[str, tuple[Journal, int]] = {}
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
            for wanted in list(self.pending.values()):
                yield from self._whole(self._ask_again(wanted))
            if not self.leaving:
                break
            yield
        while not self.leaving:
            yield from self._whole(self._act())
            yield

    def _whole(self, act: Iterator[None]) -> Iterator[None]:
        """An act to its end; it may be refused, or come too late, and then nothing was written."""
        since = self.truth.now()
        try:
            yield from act
        except (Refused, Stale, BrokenRule) as why:
            self.doing += f": {why.code if isinstance(why, Refused) else type(why).__name__}"
        except Unavailable:
            self.doing += ": not to be had"
        except (DamagedLog, Undisclosed) as damage:
            if not self.truth.past(since):
                raise Finding(f"a sound log was called damaged: {damage}") from damage
            self.journals.clear()  # the tail was lost while it was read, as `everysec` may
        for journal, losses in list(self.journals.values()):
            self._check_memory(journal, losses)

    def _check_memory(self, journal: Journal, losses: int) -> None:
        """Checks that a journal's memory is true, as far as it has read."""
        if losses != self.truth.now().losses:
            return
        match, read, there = journal.match_id, journal.history.events, self.truth.log
        hold(read == there(match).events[: len(read)], match, "was read otherwise by", self.name)
        writer = journal._writer
        if writer._match is not None:
            fresh = self.tables.folded(match).at(writer._match_at)
            hold(position(writer._match) == fresh, match, "is another match in memory")

    # --- what it does --------------------------------------------------------------------------

    def _act(self) -> Iterator[None]:
        rng = self.rng
        if len(self.tables.matches) < MATCHES_MAX and rng.random() < 0.03:
            self.doing = "creates a match"
            made = self.tables.journal.create(self.around, rng.choice(PLANS))
            self.tables.matches.append(made.match_id)
            return
        match = rng.choice(self.tables.matches)
        self.doing = f"opens {match[:4]}"
        journal = self._journal(match)
        yield
        life = journal.history.life
        if life.closed:
            acts: dict[Callable[[Journal], Iterator[None]], int] = {
                self._look: 2, self._dispute: 1, self._again: 3, self._rule: 1,
            }  # fmt: skip
        elif not life.started:
            acts = {self._join: 6, self._begin: 3, self._look: 1}
        else:
            acts = {
                self._decide: 60, self._pause: 4, self._rewind: 4, self._close: 6, self._look: 6,
                self._again: 6, self._edition: 1, self._abandon: 1, self._dispute: 1,
                self._talk: 4, self._park: 1,
            }  # fmt: skip
        act = rng.choices(list(acts), list(acts.values()))[0]
        self.doing = f"{act.__name__[1:]} {match[:4]}"
        yield from act(journal)

    def _journal(self, match: str) -> Journal:
        if match not in self.journals or not self.journals[match][0].history.events:
            losses = self.truth.now().losses
            self.journals[match] = self.tables.journal(self.around, match), losses
        return self.journals[match][0]

    def _decide(self, journal: Journal) -> Iterator[None]:
        match, rng = journal.match(), self.rng
        if match.ended:
            yield from self._close(journal)
            return
        seat = rng.choice(match.asked())
        if seat == CHANCE:
            journal.let_chance_fall()
            return
        key = match.key(seat)
        options: list[Any] = list(match.options(seat))
        for question in match.standing(seat):
            options += question.options(match.state, seat)
        if journal.history.created.ruleset == "dicey":
            options = [Shake(rng.choice(ODD_SHAKES))]
        decision, at = rng.choice(options), journal.history.tip.version
        composed = rng.choice((ANYTIME, Composed(at), Composed(at, key)))
        yield
        command = None
        if rng.random() < 0.7:
            self.count += 1
            command = journal.command(f"{self.name}/{self.count}", seat, decision)
            wanted = Wanted(journal.match_id, seat, decision, command)
            self.pending[command.id] = wanted
        self._send(journal, seat, decision, command, composed)

    def _send(
        self,
        journal: Journal,
        seat: Seat,
        decision: Decision,
        command: Command | None,
        composed: Composed = ANYTIME,
    ) -> None:
        """Decide, and hold what comes of it against what is in the log."""
        match, losses = journal.match_id, self.truth.now().losses
        known = command is not None and self.truth.has(match, command)
        self.store.written.clear()
        try:
            facts = journal.decide(seat, decision, command=command, composed=composed)
        except (Refused, Stale, BrokenRule):
            if losses == self.truth.now().losses:
                self._check_refused(match, command, known=known)
            raise
        finally:
            self.doing += f" {decision}"
        if command is not None and self.pending.pop(command.id, None):
            self.done.append(Wanted(match, seat, decision, command))
        if losses != self.truth.now().losses:
            return
        if command is None:
            hold(self.store.written, match, "was answered, and nothing is written:", decision)
            first, tip = self.store.written[-1].expect.version + 1, journal.history.tip.version
            there = self.tables.folded(match).facts(first, tip)
        else:
            answer = self.tables.sim.onlooker.answered(match, command)
            hold(isinstance(answer, Duplicate), match, "has not", command.id)
            there = self.tables.folded(match).facts(answer.first, answer.tip.version)
        hold(facts == there, match, "was answered other facts than are there:", decision)

    def _check_refused(self, match: str, command: Command | None, *, known: bool) -> None:
        """Nothing was written but the chance that was still to fall."""
        for batch in self.store.written:
            for event in batch.events:
                body = read_body(event.body)
                is_chance = not isinstance(body, ActBody) and body.seat == CHANCE
                hold(is_chance, match, event.version, "was written, and the decision refused")
        if command is not None:
            self.pending.pop(command.id, None)
            if not known:
                hold(not self.truth.has(match, command), match, command.id, "refused, yet there")
                self.tables.refused[command.id] = match, command

    def _ask_again(self, wanted: Wanted) -> Iterator[None]:
        self.doing = f"asks again for {wanted.command.id}"
        journal = self._journal(wanted.match)
        yield
        self._send(journal, wanted.seat, wanted.decision, wanted.command)

    def _again(self, journal: Journal) -> Iterator[None]:
        """Repeats an old command, through another journal or a stale one."""
        if wanted := [*self.pending.values(), *self.done[-20:]]:
            yield from self._ask_again(self.rng.choice(wanted))

    # --- acts ----------------------------------------------------------------------------------

    def _act_of(self, journal: Journal, work: Callable[[], object]) -> Iterator[None]:
        work()
        if self.journals.get(journal.match_id, (None, -1))[1] == self.truth.now().losses:
            self.truth.promise(journal.match_id, journal.history.tip)
        yield

    def _join(self, journal: Journal) -> Iterator[None]:
        seat = self.rng.randrange(journal.history.created.seats)
        yield from self._act_of(journal, lambda: journal.join(seat, NAMES[seat]))

    def _begin(self, journal: Journal) -> Iterator[None]:
        yield from self._act_of(journal, journal.start)

    def _look(self, journal: Journal) -> Iterator[None]:
        journal.match()
        yield

    def _pause(self, journal: Journal) -> Iterator[None]:
        yield from self._act_of(journal, lambda: journal.pause(ORGANIZER, "tea"))
        yield from self._act_of(journal, lambda: journal.resume(ORGANIZER))

    def _rewind(self, journal: Journal) -> Iterator[None]:
        points = asking_points(journal.history)
        if points:
            to = self.rng.choice(points)
            yield from self._act_of(journal, lambda: journal.rewind(to, ORGANIZER, "a slip"))

    def _edition(self, journal: Journal) -> Iterator[None]:
        yield from self._act_of(
            journal, lambda: journal.change_edition("e2", ORGANIZER, "agreed", (0, 1))
        )

    def _close(self, journal: Journal) -> Iterator[None]:
        yield from self._act_of(journal, journal.close)

    def _abandon(self, journal: Journal) -> Iterator[None]:
        yield from self._act_of(journal, lambda: journal.abandon(ORGANIZER, "rain"))

    def _dispute(self, journal: Journal) -> Iterator[None]:
        name = f"d{self.rng.randint(1, 3)}"
        act = Disputed(dispute=name, first=1, last=journal.history.tip.version)
        yield from self._act_of(journal, lambda: journal.record(act, ORGANIZER))

    def _rule(self, journal: Journal) -> Iterator[None]:
        remedy = Remedy(kind="decision", text="play on") if self.rng.random() < 0.5 else None
        dispute = f"d{self.rng.randint(1, 3)}"
        act = Ruled(dispute=dispute, finding="upheld", reason="they fell", remedy=remedy)
        yield from self._act_of(journal, lambda: journal.record(act, ORGANIZER))

    def _talk(self, journal: Journal) -> Iterator[None]:
        self.count += 1
        text, at = f"{self.name}/{self.count}", self.around.clock()
        said = Said(version=journal.history.tip.version, at=at, by=ORGANIZER, text=text)
        since = self.truth.now()
        line = say(self.store, journal.match_id, said)
        if not self.truth.past(since):
            self.truth.promise(journal.match_id + TALK, Tip(line.number, line.head))
        yield

    def _park(self, journal: Journal) -> Iterator[None]:
        self.store.park(journal.match_id, b"it cannot be folded")
        for _ in range(self.rng.randint(1, 4)):
            yield
        self.store.unpark(journal.match_id)
