"""The steward looks at a match when something is written there, and when something falls due.

It does what waits there without a person, in this order:

    the service was away            the book records that no clock ran
    the match cannot be folded      its clocks stop until it can
    all agreed to go back           the match goes back
    chance has not fallen           it falls (a process ended before it did)
    a bot is asked                  it decides
    a seat's time is over           the default of its question, or a bot from now on
    an offer waits for a bot        it may accept
    a standing order                the only answer, after a pause as of a person who reads

A failure in one match is reported once and retried at growing intervals; the others go on.
If a server does not answer nothing is lost: the steward looks at everything again when it
does.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import os
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from ledger.club import table as tables
from ledger.kernel.chance import Stream
from ledger.kernel.match import Match
from ledger.kernel.records import Decision, Seat
from ledger.kernel.refusals import Refused
from ledger.log.format.acts import Closed, Resumed, Rewound
from ledger.log.format.bodies import ActBody, Submitter, read_body
from ledger.log.stores.redis import keys
from ledger.log.stores.redis.store import RedisStore
from ledger.log.write.lifecycle import Composed
from ledger.log.write.writer import Stale
from services.feeds.hub import Hub
from services.matches.cache import MatchCache, OpenMatch
from services.matches.club import now_ms
from services.matches.seats import CLOCK, STAND_IN, give_to_bot
from services.matches.undo import settle_undo
from services.run.outages import OUTAGES, Retry

from .bots import answers_of, default_of, list_offered, says_to_offers
from .heartbeat import Alive, Away

FAILURES: Final = (*OUTAGES, OSError)  # of a server or of this machine, not of a match
WAIT_MS: Final = 1_000
AGAIN_MS: Final = 1_000  # after the first failure; each time twice as long
AGAIN_MOST_MS: Final = 60_000
AT_ONCE: Final = 20  # decisions in a row, before other matches have their turn
PARKED_MS: Final = 5_000  # how often a match that cannot be folded is looked at
BEFORE_MS: Final = 500  # so long before its time is over at the latest
PAUSE_MS: Final = (2_000, 20_000)  # of an answer by standing order: the shortest, and the longest
_TABLE: Final = "table:"
_LOG: Final = logging.getLogger(__name__)


class Next(NamedTuple):
    """The time of the next look at a match, unless something is written there before."""

    at: int | None = None
    at_once: bool = False


class Stuck(Exception):
    """A bot is asked something it has no answer for."""


@dataclass
class Attending:
    """One look at a match."""

    opened: OpenMatch
    heard: dict[Seat, str]  # which offers each bot has thought about

    def attend(self, away: Away | None = None) -> Next:
        """Does everything that waits; returns when to look again."""
        opened = self.opened
        life = opened.history.life
        if not opened.writable or not life.started or life.over:
            return Next()
        if opened.held:
            return self._held()
        table = opened.table
        if table.stopped_for:
            opened.book.write("", lambda known: tables.start_clocks(known, opened.now()))
        if away is not None:
            self._give_back(away)
        for _ in range(AT_ONCE):
            before = opened.history.tip
            try:
                found = self._once()
            except Stale:
                found = Next(at_once=True)
            except Refused:
                opened.refresh()
                if opened.history.tip == before:
                    raise
                found = Next(at_once=True)  # somebody was first
            if not found.at_once:
                return found
            opened.refresh()
            if opened.history.life.closed or opened.held:
                return Next(at_once=True)
        return Next(at_once=True)

    def _held(self) -> Next:
        opened = self.opened
        since = opened.history.body(max(opened.good, 1)).at
        opened.book.write("", lambda table: tables.stop_clocks(table, since, "parked"))
        return Next(opened.now() + PARKED_MS)

    def _give_back(self, away: Away) -> None:
        opened = self.opened
        clocks = opened.clocks
        if clocks is None or not any(one.running for one in clocks.all(away.until)):
            return
        last = opened.history.body(opened.history.tip.version).at
        since = last if away.since is None else away.since
        if since < away.until:
            opened.book.write(
                "", lambda table: tables.stop_clocks(table, since, "away", away.until)
            )

    # --- what waits ----------------------------------------------------------------------------

    def _once(self) -> Next:
        """Does the first thing that waits."""
        opened = self.opened
        if settle_undo(opened):
            return Next(at_once=True)
        if opened.history.life.paused:
            return Next()
        match = opened.journal.match()
        if match.chance() is not None:
            if opened.history.created.chance == "keys":
                opened.journal.let_chance_fall()
                return Next(at_once=True)
            return Next()
        if match.ended:
            return Next()
        return self._somebody_is_asked(match)

    def _somebody_is_asked(self, match: Match) -> Next:
        table, now = self.opened.table, self.opened.now()
        for seat in match.asked():
            if bot := table.bot_at(seat):
                self._let_bot_decide(match, seat, bot)
                return Next(at_once=True)
        clocks = self.opened.clocks
        if clocks is not None and (late := clocks.expired(now)):
            self._time_is_over(match, late[0])
            return Next(at_once=True)
        if self._offers(match):
            return Next(at_once=True)
        due = [one.deadline for one in clocks.all(now) if one.deadline] if clocks else []
        for seat in sorted(table.orders & set(match.asked())):
            when = self._order_due(match, seat)
            if when is None:
                continue
            if when <= now:
                [decision] = match.options(seat)
                by = Submitter(role="order", name="only option")
                self._decide(seat, decision, match.key(seat), by)
                return Next(at_once=True)
            due.append(when)
        return Next(min(due, default=None))

    def _let_bot_decide(self, match: Match, seat: Seat, bot: str) -> None:
        stream = Stream.named(os.urandom(32), "bot", str(seat))
        refusal: Refused | None = None
        version = self.opened.history.tip.version
        for decision in answers_of(match, seat, bot, stream):
            key = _key_of(match, seat, decision)  # a bot may say something else first, as an offer
            try:
                self._decide(seat, decision, key, Submitter(role="bot", name=bot))
            except Refused as why:
                self.opened.refresh()
                if self.opened.history.tip.version != version:
                    raise  # somebody was first; what was folded here is not the match any more
                refusal = why  # legal in the position that it imagined
            else:
                return
        raise refusal or Stuck(f"the bot of seat {seat} has no answer to {match.key(seat)}")

    def _time_is_over(self, match: Match, seat: Seat) -> None:
        laid = self.opened.table.laid
        assert laid is not None
        assert laid.clock is not None, "time runs out only at a table with a clock"
        default = default_of(match, seat) if laid.clock.out == "default" else None
        if default is None:
            give_to_bot(self.opened, seat, STAND_IN, CLOCK, "the time of this seat ran out")
            return
        self._decide(seat, default, match.key(seat), Submitter(role="clock"))

    def _offers(self, match: Match) -> bool:
        """Lets bots think about their offers, once for each change; returns whether one
        answered.
        """
        for seat, sitting in sorted(self.opened.table.sitting.items()):
            if not sitting.bot or not match.terms.rules.standing:
                continue
            lies_there = repr(list_offered(match, seat))
            if self.heard.get(seat) == lies_there:
                continue
            stream = Stream.named(os.urandom(32), "bot", str(seat))
            decision = says_to_offers(match, seat, sitting.bot, stream)
            if decision is not None:
                key = _key_of(match, seat, decision)
                self._decide(seat, decision, key, Submitter(role="bot", name=sitting.bot))
                return True
            self.heard[seat] = lies_there
        return False

    # --- standing orders -----------------------------------------------------------------------

    def _order_due(self, match: Match, seat: Seat) -> int | None:
        """Returns when to give a seat's only answer: after a pause that reveals nothing.

        The number of options may depend on a hand of cards. So the answer comes no sooner than a
        person who reads would give it. The pause is derived from the match's secrets and the
        question.
        """
        if len(match.options(seat)) != 1:
            return None
        key = match.key(seat)
        drawn = hmac.digest(
            self.opened.journal.secrets.salt_key,
            f"hegemon/pause/1 {self._epoch()} {seat} {key}".encode(),
            hashlib.sha256,
        )
        shortest, longest = PAUSE_MS
        share = int.from_bytes(drawn[:4], "big") / (1 << 32)
        pause = int(shortest * (longest / shortest) ** share)
        clocks = self.opened.clocks
        when = self._asked_at(seat, key) + pause
        deadline = None if clocks is None else clocks.seat(seat, self.opened.now()).deadline
        # The steward's own pause must not let a seat's time run out.
        return when if deadline is None else min(when, deadline - BEFORE_MS)

    def _asked_at(self, seat: Seat, key: str) -> int:
        """Returns when a seat was asked its current question. A resume or rewind asks it anew."""
        history, story = self.opened.history, self.opened.story
        version = history.tip.version
        while not isinstance(history.act(version), Resumed | Rewound):
            before = history.lines.parent(version)
            if not before or (seat, key) not in story.came(before).asked:
                break
            version = before
        return history.body(version).at

    # --- deciding ------------------------------------------------------------------------------

    def _decide(self, seat: Seat, decision: Decision, key: str, by: Submitter) -> None:
        """Decides once, however many stewards try, and even if a reply was lost."""
        opened = self.opened
        journal = opened.journal
        name = f"steward/{self._epoch()}/{key}/{seat}"
        clocks = opened.clocks
        journal.decide(
            seat,
            decision,
            by,
            command=journal.command(name, seat, decision),
            clock=None if clocks is None else clocks.recorded(seat, opened.now(), key=key),
            composed=Composed(opened.history.tip.version, key),
        )

    def _epoch(self) -> int:
        """Returns the event of the last rewind, or 0: questions are asked anew after it."""
        history = self.opened.history
        return history.lines.epoch(history.tip.version)


def _key_of(match: Match, seat: Seat, decision: Decision) -> str:
    """Returns the key of the question a decision answers: the current one, or a standing one."""
    question = match.question
    if question is not None and seat in match.asked() and type(decision) in question.answers:
        return match.key(seat)
    for question in match.standing(seat):
        if type(decision) in question.answers:
            return question.key(match.state, seat)
    raise Stuck(f"seat {seat} was offered nothing that {decision} answers")


# --- all matches ----------------------------------------------------------------------------------


@dataclass
class Steward:
    """Looks at matches when something is written there, and when something falls due."""

    store: RedisStore
    hub: Hub
    clock: Callable[[], int] = now_ms
    tell: Callable[[str], None] = lambda _: None

    def __post_init__(self) -> None:
        self._tables = MatchCache(self.store, self.clock)
        self._alive = Alive(self.store)
        self._waiting: OrderedDict[str, None] = OrderedDict()  # to be looked at now
        self._due: dict[str, int] = {}
        self._failed: dict[str, tuple[int, str]] = {}  # how often in a row, and why
        self._heard: dict[str, dict[Seat, str]] = {}  # which offers each bot has thought about
        self._retry = Retry(self.tell)
        self._all = True  # look at all of them, whatever has rung

    def run(self, going: Callable[[], bool]) -> None:
        with self.hub.listening_to_all() as everything:
            while going():
                names = everything.taken()
                try:
                    self.wake(names)
                    self.step()
                except FAILURES as why:
                    self._retry.failed(f"waits for its server: {why}")
                    everything.add(None)  # what was to be looked at is to be looked at again
                    everything.bell.clear()
                    everything.bell.wait(WAIT_MS / 1_000)
                    continue
                self._retry.went()
                if not self._waiting:
                    everything.bell.wait(self.wait_ms() / 1_000)

    def wake(self, names: set[str] | None) -> None:
        """Queues the matches whose logs were written to; None queues all."""
        self._all = self._all or names is None
        for name in sorted(names or ()):
            match = name.removeprefix(_TABLE)
            if not keys.is_book(match) and "/" not in match:
                self._waiting[match] = None

    def step(self) -> None:
        """Writes a heartbeat, and looks once at each queued match."""
        now = self.clock()
        if self._all or self._alive.due(now):
            away = self._alive.away(now)
            if self._all or away is not None:
                self._look_at_all(away)  # before anybody's time is found to be over
                self._all = False
            self._alive.say(now)
        for match in [match for match, due in self._due.items() if due <= now]:
            del self._due[match]
            self._waiting[match] = None
        for match in list(self._waiting):
            del self._waiting[match]
            self._look_at(match, None)
            if self._alive.due(self.clock()):
                self._alive.say(self.clock())  # bots may think for long

    def wait_ms(self) -> int:
        """Returns the milliseconds until something falls due, at most until the next heartbeat."""
        due = min(self._due.values(), default=None)
        return WAIT_MS if due is None else max(0, min(WAIT_MS, due - self.clock()))

    def _look_at_all(self, away: Away | None) -> None:
        for book in self.store.books():
            match = book.removeprefix(_TABLE)
            if match != book and not self._over(match):
                self._look_at(match, away)

    def _over(self, match: str) -> bool:
        """Returns whether a match's last event closed it. Such a log takes no decisions."""
        tip = self.store.tip(match).version
        for event in self.store.events(match, tip, tip):
            body = read_body(event.body)
            return isinstance(body, ActBody) and isinstance(body.act, Closed)
        return True

    def _look_at(self, match: str, away: Away | None) -> None:
        try:
            with self._tables.opened(match) as opened:
                heard = self._heard.setdefault(match, {})
                found = Attending(opened, heard).attend(away)
                if opened.history.life.closed:
                    del self._heard[match]
        except FAILURES:
            raise
        except Refused as refusal:
            if refusal.code == "no_such_match":
                return
            found = self._fail(match, refusal)
        except Exception as why:  # noqa: BLE001 - one match must not keep the others waiting
            found = self._fail(match, why)
        else:
            if self._failed.pop(match, None):
                self.tell(f"continues match {match}")
        self._due.pop(match, None)
        if found.at_once:
            self._waiting[match] = None
        elif found.at is not None:
            self._due[match] = found.at

    def _fail(self, match: str, why: Exception) -> Next:
        """Leaves a match for later. Reports only the kind of error, since its text may name
        secrets.
        """
        cause = why.__cause__ or why
        said = cause.code if isinstance(cause, Refused) else type(cause).__name__
        count, before = self._failed.get(match, (0, ""))
        if said != before:
            self.tell(f"leaves match {match} for now: {said}")
        count += 1
        self._failed[match] = count, said
        _LOG.debug("match %s", match, exc_info=why)
        return Next(self.clock() + min(AGAIN_MS << min(count - 1, 10), AGAIN_MOST_MS))
