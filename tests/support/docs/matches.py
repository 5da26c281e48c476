"""The matches that the documentation shows: the same bytes on every run and every machine."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from typing import Any

from ledger.games import ruleset
from ledger.games.tictactoe.opening import Write
from ledger.games.tictactoe.play import Mark
from ledger.kernel.audience import Viewer
from ledger.kernel.chance import Rolled, Stream
from ledger.kernel.records import CHANCE
from ledger.kernel.ruleset import Ruleset
from ledger.log.format.acts import FULL, Disputed, Remedy, Ruled
from ledger.log.format.bodies import Submitter
from ledger.log.format.redaction import read_choice, records_of, write_redacted
from ledger.log.format.secrets import Secrets
from ledger.log.format.shapes import PolicyName
from ledger.log.read.bundle import write_bundle
from ledger.log.read.history import History
from ledger.log.stores.memory import MemoryStore
from ledger.log.write.fork import fork
from ledger.log.write.founding import Plan, Surroundings
from ledger.log.write.journal import Journal

# A real match names the hash of the rules' source; these name a fixed one, so that a comment
# changed in a rule changes no vector. A verifier notes the difference and compares the facts.
SOURCE = hashlib.sha256(b"the source of the vectors").hexdigest()
FIRST_MOMENT = 1_700_000_000_000
ORGANIZER = Submitter(role="organizer", name="table 1")
REFEREE = Submitter(role="referee", name="table 1")


@cache
def pinned(name: str) -> Ruleset:
    """A ruleset under the fixed source."""
    return replace(ruleset(name), source=SOURCE)


def journal_of(name: str, **plan: Any) -> Journal:
    """A new match; its name decides its secrets and its id."""
    moments = count(FIRST_MOMENT, 1000)
    around = Surroundings(
        store=MemoryStore(),
        rules_of=pinned,
        clock=lambda: next(moments),
        entropy=Stream(hashlib.sha256(name.encode()).digest()).take,
    )
    options = tuple(plan.pop("options", {}).items())
    return Journal.create(around, Plan(ruleset="tictactoe", seats=2, options=options, **plan))


def seated(journal: Journal) -> Journal:
    """Both seats taken, and the match started."""
    journal.join(0, "ann")
    journal.join(1, "bob")
    journal.start()
    return journal


def marks(journal: Journal, *cells: int) -> Journal:
    """Marks by whoever is asked."""
    for cell in cells:
        journal.decide(journal.match().asked()[0], Mark(cell))
    return journal


def finished(journal: Journal) -> Journal:
    """Marks the first empty cell for each asked seat, until the match ends and is closed."""
    match = journal.match()
    while not match.ended:
        seat = match.asked()[0]
        journal.decide(seat, match.options(seat)[0])
        match = journal.match()
    journal.close()
    return journal


def rolled(name: str) -> Journal:
    """A die says who begins, chips are staked; somebody wins and everything is disclosed."""
    journal = journal_of(name, options={"begin.first": "rolled", "begin.stake": 2})
    marks(seated(journal), 4, 0, 2, 1, 6).close()
    return journal


def written(
    name: str, discloses: tuple[PolicyName, ...] = FULL, cells: tuple[int, ...] = (4, 4)
) -> Journal:
    """A sealed opening, as far as these cells go; a clash is rolled for."""
    options = {"opening": "sealed"}
    journal = seated(journal_of(name, options=options, edition="e1", discloses=discloses))
    for seat, cell in enumerate(cells):
        journal.decide(seat, Write(cell))
    return journal


def sealed(name: str, discloses: tuple[PolicyName, ...] = FULL) -> Journal:
    """A sealed opening that clashed, played to the end."""
    return finished(written(name, discloses))


def told_little(name: str) -> Journal:
    """The same, closed under a policy that discloses no outcome and no seed."""
    return sealed(name, ("decisions",))


def half_written(name: str) -> Journal:
    """A sealed opening that waits for the second note."""
    return written(name, cells=(4,))


def rewound(name: str) -> Journal:
    """Two rewinds: the second die at the same address falls in another epoch."""
    journal = written(name)
    journal.rewind(5, ORGANIZER, "the second note was put down by mistake")
    journal.decide(1, Write(4))
    seat = journal.match().asked()[0]
    journal.decide(seat, Mark(0))
    back = journal.history.tip.version - 1
    journal.rewind(back, Submitter(role="seat"), "a slip", seat=seat)
    return finished(journal)


def entered(name: str) -> Journal:
    """Dice typed in from a real table; paused, resumed, and drawn."""
    journal = seated(journal_of(name, options={"begin.first": "rolled"}, entered=True))
    journal.decide(CHANCE, Rolled((2,)), REFEREE)
    marks(journal, 0, 1, 2)
    journal.pause(ORGANIZER, "lunch")
    journal.resume(ORGANIZER)
    marks(journal, 4, 3, 5, 7, 6, 8).close(ORGANIZER)
    return journal


def corrected(name: str) -> Journal:
    """An overlay, a change of edition, and no end: abandoned."""
    overlay = {"lines": {"diamond": {"cells": [1, 3, 5]}, "top": None}}
    journal = seated(journal_of(name, overlay=overlay, title="With a diamond"))
    journal.change_edition("e3", ORGANIZER, "the organizer said so", (0, 1))
    marks(journal, 8)
    journal.abandon(ORGANIZER, "rain")
    return journal


class Crooked(Secrets, frozen=True):
    """Secrets whose dice do not fall as the published key says."""

    def key(self, domain: str, nonces: Any) -> bytes:
        """Another key than the right one."""
        return hashlib.sha256(super().key(domain, nonces) + b"crooked").digest()


def crooked(name: str) -> Journal:
    """A match whose first die is not what its key says."""
    journal = journal_of(name, options={"begin.first": "rolled"})
    secrets = journal.secrets
    journal._writer.secrets = Crooked(secrets.server_seed, secrets.salt_key, secrets.nonces)
    marks(seated(journal), 4, 0, 2, 1, 6).close()
    return journal


def short(name: str, discloses: tuple[str, ...] = FULL) -> Journal:
    """The shortest whole match, without chance."""
    journal = marks(seated(journal_of(name, discloses=discloses)), 0, 3, 1, 4, 2)
    journal.close()
    return journal


def reopened(name: str) -> Journal:
    """Closed, disputed, opened again by a ruling, played otherwise from there, closed anew."""
    journal = short(name, ("decisions", "outcomes"))
    last = journal.history.tip.version
    journal.record(Disputed(dispute="d1", first=7, last=8), Submitter(role="seat", seat=1))
    remedy = Remedy(kind="rewind", version=6, text="seat 0 was not told of the mark before")
    upheld = Ruled(dispute="d1", finding="upheld", reason="a slip", remedy=remedy)
    journal.record(upheld, ORGANIZER)
    journal.rewind(6, ORGANIZER, "as ruled", because="d1")
    journal.rewind(last - 1, ORGANIZER, "the rewind was a slip: it is taken back")
    journal.rewind(6, ORGANIZER, "as ruled", because="d1")
    return finished(journal)


def forked(name: str) -> Journal:
    """A fork of a match whose die had fallen: it is copied, and the rest is new."""
    source = rolled(f"{name}, from")
    around = source.around
    return finished(fork(around, source.history, 7))


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A bundle of the vectors: what it shows, and how it is made."""

    name: str
    shows: str
    make: Callable[[str], Journal]
    viewer: Viewer | str = "all"
    events: tuple[str, ...] = ()  # those that a redacted copy shows
    disclosed: tuple[str, ...] = ()  # and what it opens

    @property
    def history(self) -> History:
        """The match."""
        return self.make(self.make.__name__).history

    @property
    def packed(self) -> bytes:
        """The bundle."""
        file = io.BytesIO()
        if self.events or self.disclosed:
            records = records_of(self.history, self.viewer)
            write_redacted(file, records, read_choice(self.events, self.disclosed))
        else:
            write_bundle(file, self.history, self.viewer)
        return file.getvalue()


SHOWN = (
    Shown(name="short", shows="five marks, no chance, closed", make=short),
    Shown(name="rolled", shows="stakes, a die, closed with its seed", make=rolled),
    Shown(name="sealed", shows="two notes, opened together; a clash is rolled for", make=sealed),
    Shown(name="rewound", shows="two rewinds; a die falls again in another epoch", make=rewound),
    Shown(name="entered", shows="a die from a real table, a pause, a draw", make=entered),
    Shown(name="reopened", shows="a ruling opens it again; a rewind is undone", make=reopened),
    Shown(name="forked", shows="begins with copied decisions and a copied die", make=forked),
    Shown(name="corrected", shows="an overlay, a change of edition, abandoned", make=corrected),
    Shown(
        name="sealed for a spectator",
        shows="one note is written: a spectator gets no opening",
        make=half_written,
        viewer=None,
    ),
    Shown(
        name="sealed for its writer",
        shows="one note is written: seat 0 gets its own opening",
        make=half_written,
        viewer=0,
    ),
    Shown(
        name="closed for a spectator",
        shows="closed; the policy discloses decisions alone: no outcomes, no seed",
        make=told_little,
        viewer=None,
    ),
    Shown(
        name="one secret",
        shows="redacted: every event, and what seat 1 had written alone",
        make=sealed,
        disclosed=("all@1:decision",),
    ),
    Shown(
        name="redacted",
        shows="redacted: events 1, 6, 8 and 9 alone, and the facts of two of them",
        make=rolled,
        events=("6", "8-9"),
        disclosed=("6:outcome", "8:outcome"),
    ),
    Shown(
        name="redacted to nothing",
        shows="redacted: event 1 alone",
        make=rewound,
        events=("1",),
    ),
)
