"""Matches of every game to make replays of: with rewinds, and with something hidden in them."""

from __future__ import annotations

import random
from functools import cache

from ledger.games import ruleset
from ledger.kernel.audience import ALL_SEATS, Viewer
from ledger.kernel.records import CHANCE
from ledger.kernel.refusals import Refused
from ledger.log.read.bundle import read_history
from ledger.log.read.history import History
from ledger.log.stores.memory import MemoryStore
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from replays.document.structs import Curve, Replay
from services.matches.play import make_seeded_surroundings
from services.matches.samples import FLAGSHIP
from tests.support.log.matches import FULL_PLAN, ORGANIZER, eventful, played

SECRETIVE = {"readings": {"values": {"info.caps": "hidden"}}}


def flagship() -> History:
    """The sample of Hegemonic: a whole match, 737 events."""
    with FLAGSHIP.open("rb") as file:
        return read_history(file, ruleset)


def random_match(plan: Plan, seed: int, events: int, rewinds: int = 0) -> History:
    """So many events of any legal decisions, going back now and then."""
    rng = random.Random(seed)
    journal = Journal.create(make_seeded_surroundings(MemoryStore(), seed), plan)
    for seat in range(plan.seats):
        journal.join(seat, f"player {seat}")
    journal.start()
    while journal.history.tip.version < events and not journal.match().ended:
        _decide(journal, rng)
        version = journal.history.tip.version
        if rewinds and rng.random() < 0.1 and version > 12:
            line = journal.history.lines.line(version)[journal.history.life.started - 1 :]
            journal.rewind(rng.choice(line[-20:-1]), ORGANIZER, "a slip of the hand")
            rewinds -= 1
    return journal.history


def _decide(journal: Journal, rng: random.Random) -> None:
    match = journal.match()
    assert match.asked()[0] != CHANCE, "keys have answered"
    seat = rng.choice(match.asked())
    standing = [option for one in match.standing(seat) for option in one.options(match.state, seat)]
    if standing and rng.random() < 0.1:
        journal.decide(seat, rng.choice(standing))
        return
    options = match.options(seat)
    try:
        journal.decide(seat, rng.choice(options))
    except Refused:  # what can be listed is allowed, but for the price of what others gave
        journal.decide(seat, options[0])


@cache
def gathered() -> dict[str, History]:
    """One of each kind."""
    campaign = Plan(ruleset="galactic_hegemony", seats=1)
    hegemonic = Plan(ruleset="hegemonic", seats=4, options=(("opt.leaders", "dealt"),))
    laid = Plan(ruleset="hegemonic", seats=3, options=(("layout", "free"),))
    hidden = Plan(ruleset="hegemonic", seats=3, overlay=SECRETIVE)
    return {
        "tictactoe": played(FULL_PLAN, seed=3, rewinds=3).history,
        "tictactoe, another edition": eventful(FULL_PLAN, 1).history,
        "galactic_hegemony": random_match(campaign, 12, 160, rewinds=3),
        "hegemonic, leaders and rewinds": random_match(hegemonic, 7, 160, rewinds=6),
        "hegemonic, boards laid freely": random_match(laid, 2, 60, rewinds=1),
        "hegemonic, CAPs hidden": random_match(hidden, 5, 120, rewinds=2),
    }


def viewers(history: History) -> tuple[Viewer, ...]:
    """Everybody who can look at it, and all seats together."""
    return (None, *range(history.created.seats), ALL_SEATS)


def named(name: str) -> History:
    """One of them, or the flagship."""
    return flagship() if name == "flagship" else gathered()[name]


def curve(document: Replay, name: str) -> Curve:
    (found,) = (one for one in document.curves if one.id == name)
    return found


def value_at(curve: Curve, seat: int, version: int) -> int | None:
    """The value of a figure after an event."""
    found = None
    for series in curve.series:
        if series.seat == seat:
            for number, value in series.points:
                if number > version:
                    break
                found = value
    return found
