"""A match of Hegemonic with deals of all kinds, put into one that was recorded before.

The recorded one (`four-seats.folds`) says what happens: who attacks whom with its 189th decision,
who supports whom. The deals here are put in between, before the decision of a number, and so each
verdict can be read from the recorded lines. Orange, Purple, Yellow and Green are seats 0 to 3.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec

from ledger.games import ruleset
from ledger.games.hegemonic.conflicts.support import DeclineSupport
from ledger.games.hegemonic.deals.agreement import Promise, Terms
from ledger.games.hegemonic.deals.negotiation import Propose
from ledger.games.hegemonic.deals.transfers import Transfer
from ledger.kernel.chance import Stream
from ledger.kernel.records import CHANCE, Decision, Seat
from ledger.log.read.history import History
from ledger.log.stores.protocol import Store
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from ledger.parts.deals.agreement import Payment, Statement
from ledger.parts.deals.answers import Accept, Reject, StateOutcome, Withdraw
from tests.support.log.matches import ORGANIZER, REFEREE, around

SCRIPT: Final = (
    Path(__file__).resolve().parents[2]
    / "golden"
    / "playthroughs"
    / "hegemonic"
    / "four-seats.folds"
)
ORANGE, PURPLE, YELLOW, GREEN = range(4)
NAMES: Final = ("ann", "bob", "cem", "dot")
SECRET: Final = "we share the core when the others fight"
WORDS: Final = "think of the outer boards"
LAST: Final = 262  # decisions of the record that are played: round 3 has begun
SUPPORT_LENT: Final = 172  # Green supports Orange, as it has promised

Bargain: TypeAlias = tuple[Seat, Decision, str]  # whose, what, and which deal it is about


def promise(seat: Seat, to: Seat, what: Any, **said: Any) -> Promise:
    return Promise(seat=seat, to=to, what=what, **said)


def offer(name: str, *parties: Seat, text: str = "", pays: int = 0, **said: Any) -> Bargain:
    """The first of the parties offers a deal to the others, and pays the second at once."""
    payments = (Payment(seat=parties[0], to=parties[1], amount=pays),) if pays else ()
    terms = Terms(text=text, payments=payments, promises=tuple(said.pop("promises", ())))
    part = "private" if said.pop("private", False) else "terms"
    return parties[0], Propose(tuple(sorted(parties)), **{part: terms}, **said), name


def deal(name: str, *parties: Seat, **said: Any) -> tuple[Bargain, ...]:
    """A deal that is offered, and accepted by all others."""
    return offer(name, *parties, **said), *(yes(name, seat) for seat in parties[1:])


def yes(name: str, seat: Seat) -> Bargain:
    return seat, Accept(""), name


# What is put in before the decision of a number.
BARGAINS: Final[Mapping[int, tuple[Bargain, ...]]] = {
    38: (
        # Purple attacks Orange with decision 189.
        *deal("truce", PURPLE, ORANGE, promises=[promise(PURPLE, ORANGE, "spare", due=(2, 6))]),
        # Yellow never attacks Purple.
        *deal(
            "border", YELLOW, PURPLE,
            promises=[promise(YELLOW, PURPLE, "spare", subject="S5", due=(2, 6))],
        ),
        # No aggression in a sector: Yellow attacks Orange there with decision 106.
        *deal(
            "sector", ORANGE, YELLOW, private=True, text=SECRET,
            promises=[
                promise(ORANGE, YELLOW, "spare", subject="S6a", due=(2, 6)),
                promise(YELLOW, ORANGE, "spare", subject="S6a", due=(2, 6)),
            ],
        ),
        # Orange is the arbiter, and names Green with decision 81.
        *deal("first", GREEN, ORANGE, promises=[promise(ORANGE, GREEN, "choose-starter")]),
        # Green attacks nobody on this board; it does elsewhere.
        *deal(
            "quiet", GREEN, YELLOW,
            promises=[promise(GREEN, YELLOW, "hold-fire", subject="S4", due=(2, 6))],
        ),
        # Nothing comes of these.
        offer("declined", GREEN, PURPLE, promises=[promise(PURPLE, GREEN, "spare")]),
        (PURPLE, Reject(""), "declined"),
        offer("withdrawn", GREEN, PURPLE, text="peace at last"),
        (GREEN, Withdraw(""), "withdrawn"),
        offer("expired", GREEN, PURPLE, text="peace in this phase", expires=(1, 3)),
        offer("greedy", GREEN, ORANGE, text="all your agents"),
        offer("answer", ORANGE, GREEN, text="none of them", counters="greedy"),
    ),
    90: (
        # Green has nothing to lend when Orange fights with decision 93; Yellow has, and does.
        *deal("empty", ORANGE, GREEN, private=True, promises=[promise(GREEN, ORANGE, "support")]),
        *deal("lent", ORANGE, YELLOW, promises=[promise(YELLOW, ORANGE, "support")]),
        # More than Yellow can lend: what it lends cannot be held against it.
        *deal("much", ORANGE, YELLOW, promises=[promise(YELLOW, ORANGE, "support", amount=9)]),
        # A loan: it is given back before anybody acts in round 2, but for what Green owes.
        *deal(
            "loan", PURPLE, ORANGE, GREEN, pays=2,
            promises=[
                promise(ORANGE, PURPLE, "pay-at-collection", amount=2),
                promise(GREEN, PURPLE, "pay-at-collection", amount=1),
            ],
        ),
        # Nobody asks Orange who the next arbiter shall be: Purple alone has most.
        *deal("token", ORANGE, YELLOW, promises=[promise(ORANGE, YELLOW, "choose-arbiter")]),
    ),
    120: (
        (ORANGE, Transfer(PURPLE, 1), "loan"),
        (ORANGE, Transfer(PURPLE, 1), "loan"),
        # It is paid, but nobody says for what.
        *deal(
            "debt", GREEN, PURPLE,
            promises=[promise(PURPLE, GREEN, "pay", amount=1, due=(2, 2))],
        ),
        (PURPLE, Transfer(GREEN, 1), ""),
        # Two debts, of which one is paid: that which is due first.
        *deal(
            "rates", GREEN, PURPLE, pays=1,
            promises=[
                promise(PURPLE, GREEN, "pay", amount=1, due=(2, 6)),
                promise(PURPLE, GREEN, "pay", amount=1, due=(2, 2)),
            ],
        ),
        (PURPLE, Transfer(GREEN, 1), "rates"),
        *deal(
            "words", PURPLE, GREEN, private=True, text=WORDS,
            promises=[promise(GREEN, PURPLE, "other", subject="to think of it")],
        ),
    ),
    136: (
        # Purple is the arbiter now, and never names Orange.
        *deal("vote", ORANGE, PURPLE, promises=[promise(PURPLE, ORANGE, "choose-starter")]),
        # Purple attacks Yellow in S6a with decision 143, and puts a complex there with 145.
        *deal(
            "raid", GREEN, PURPLE,
            promises=[
                promise(PURPLE, GREEN, "attack", subject="S6a", due=(2, 3)),
                promise(PURPLE, GREEN, "leave", subject="S6a", due=(2, 6)),
            ],
        ),
        # It outlasts what is played here.
        *deal(
            "long", YELLOW, GREEN,
            promises=[promise(YELLOW, GREEN, "spare", subject="S1", due=(9, 6))],
        ),
        # It is over before anybody agrees.
        *deal("late", YELLOW, GREEN, promises=[promise(GREEN, YELLOW, "spare", due=(1, 6))]),
        (
            ORANGE,
            StateOutcome("", (ORANGE, YELLOW), private=Statement(about=YELLOW, kept=False)),
            "sector",
        ),
    ),
}  # fmt: skip


@dataclass
class Bargained:
    """The match, and which event each decision of the record has become."""

    journal: Journal
    at: dict[int, int] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)  # the ids of the deals

    def say(self, seat: Seat, decision: Any, name: str) -> None:
        """A word on a deal."""
        if isinstance(decision, Propose):
            countered = self.names[decision.counters] if decision.counters else ""
            self.journal.decide(seat, msgspec.structs.replace(decision, counters=countered))
            self.names[name] = self.journal.match().state.deals[-1].id
        elif name:
            self.journal.decide(seat, msgspec.structs.replace(decision, deal=self.names[name]))
        else:
            self.journal.decide(seat, decision)

    @property
    def history(self) -> History:
        return self.journal.history

    def play(self, number: int) -> None:
        """A decision of the record, as it was or as it is called now."""
        seat, plain = recorded()[number - 1]
        plain = dict(plain)
        if "deal" in plain:
            plain["deal"] = self.names[plain["deal"]]
        if "epoch" in plain:
            plain["epoch"] = self.history.lines.epoch(self.history.tip.version)
        decision = ruleset("hegemonic").decision(plain)
        self.journal.decide(seat, decision, REFEREE if seat == CHANCE else None)
        self.at[number] = self.history.tip.version
        if plain["type"] == "deal.propose":
            nth = sum(one == seat and _is_deal(said) for one, said in recorded()[:number])
            self.names[f"s{seat}/{nth}"] = self.journal.match().state.deals[-1].id


def _is_deal(plain: Mapping[str, Any]) -> bool:
    return str(plain["type"]).startswith("deal.")


@cache
def recorded() -> list[tuple[Seat, dict[str, Any]]]:
    """The record, decision by decision."""
    lines = SCRIPT.read_text(encoding="utf-8").splitlines()[1:]
    return [(seat, plain) for seat, plain in map(json.loads, lines)]


def bargained(last: int = LAST, store: Store | None = None) -> Bargained:
    """The match as far as a decision of the record."""
    found = Bargained(begun(store))
    for number in range(1, last + 1):
        for bargain in BARGAINS.get(number, ()):
            found.say(*bargain)
        found.play(number)
    return found


def begun(store: Store | None = None) -> Journal:
    """The match at its start."""
    journal = Journal.create(around(8, store), Plan(ruleset="hegemonic", seats=4, entered=True))
    for seat, name in enumerate(NAMES):
        journal.join(seat, name)
    journal.start()
    return journal


@cache
def played() -> Bargained:
    """The whole of it; nobody writes to it."""
    return bargained()


def taken_back() -> Bargained:
    """The same, and then back to where Green was asked for its support; now it lends nothing."""
    found = bargained()
    journal, stream = found.journal, Stream.named(b"back", "falling")
    journal.rewind(found.at[SUPPORT_LENT] - 1, ORGANIZER, "the support was never meant")
    journal.decide(GREEN, DeclineSupport())
    found.at[-1] = found.history.tip.version
    while journal.match().state.contest is not None:
        match = journal.match()
        chance, seat = match.chance(), match.asked()[0]
        if chance is None:
            journal.decide(seat, match.options(seat)[0])
        else:
            wish, address = chance.wish(match.state), chance.address(match.state)
            epoch = journal.history.lines.epoch(journal.history.tip.version)
            journal.decide(CHANCE, wish.answer(stream.take(32), epoch, address), REFEREE)
    return found
