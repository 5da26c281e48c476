"""Pairs of matches that differ in one secret, and in nothing that anybody else may know.

A match is played from a seed. Then it is played again twice, from the same entropy and to the same
event: once as it was, and once with one hidden answer exchanged for another that looks alike. So
ids, times and everything public are the same; commitments, salts and heads are not.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

import msgspec

from ledger.club.table import Blocked, OrderGiven, TableEntry
from ledger.club.talk import Said
from ledger.kernel.audience import Viewer, audiences, view_decision
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision, Question, Seat, tag_of
from ledger.kernel.refusals import Refused
from ledger.log.format.bodies import Submitter
from ledger.log.format.secrets import KEPT_AS, Secrets
from ledger.log.stores.memory import MemoryStore
from ledger.log.stores.protocol import Answer, Appended, Batch, Store
from ledger.log.write.founding import Plan, Surroundings
from ledger.log.write.journal import Journal
from services.matches.play import make_seeded_surroundings
from tests.support.web.players import weight

SEATS: Final = 4
REFEREE: Final = Submitter(role="referee")
KEYS: Final = [bytes([number]) * 32 for number in range(1, 9)]
OFFERED: Final = 0.08
ENOUGH: Final = 8  # secrets in one match
DEALT: Final = "chance.dealt"
AFTER_DEALING: Final = 40
AFTER: Final = 3  # decisions that follow the secret one, while nobody has learned of it

# By what is exchanged: how the match is made in which it happens, and the type of the answer.
KINDS: Final[Mapping[str, tuple[dict[str, Any], str]]] = {
    "sealed action card": ({}, "action.commit-card"),
    "sealed technology card": ({}, "conflict.commit-card"),
    "private offer": ({}, "deal.propose"),
    "private word on a deal": ({}, "deal.state-outcome"),
    "hand dealt": ({"entered": True}, DEALT),
    "card kept in the draft": ({"options": (("opt.draft", True),)}, "draft.keep-card"),
    "order of what is unseen": ({}, ""),
    "whispering": ({}, ""),
}
BEFORE: Final = 1_699_999_000_000  # when it was whispered, long before anybody asks


class Remembering(MemoryStore):
    """Remembers what it was given, so that it can be given to another."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[Batch] = []
        self.put: dict[str, bytes] = {}

    def append(self, match: str, batch: Batch) -> Answer:
        answer = super().append(match, batch)
        if isinstance(answer, Appended):
            self.given.append(batch)
        return answer

    def keep(self, match: str, name: str, value: bytes) -> None:
        super().keep(match, name, value)
        self.put[name] = value

    def copy_to(self, store: Store, match: str) -> None:
        """The same match there."""
        for name, value in self.put.items():
            store.keep(match, name, value)
        for batch in self.given:
            again = msgspec.structs.replace(batch, after_close=True, decides=False)
            assert isinstance(store.append(match, again), Appended)


class Step(NamedTuple):
    """One answer of a match."""

    seat: Seat
    decision: Decision
    version: int  # of its event
    key: str  # of its question
    path: str  # of what is hidden in it; empty for nothing
    others: tuple[Decision, ...]  # that look alike to those who may not see it


class Beside(NamedTuple):
    """The records kept beside a match's log; persons are named by their seats."""

    said: tuple[Said, ...] = ()
    entries: tuple[TableEntry, ...] = ()  # by whose secret it is


class Twins(NamedTuple):
    """Two matches, and who cannot tell them apart."""

    kind: str
    match: str
    stores: tuple[Remembering, Remembering]
    blind: tuple[Viewer, ...]
    seat: Seat  # whose secret it is; -1 where it is nobody's
    secret: int  # the event that holds it
    last: int
    words: tuple[str, str]  # the secret, here and there: for planted leaks
    beside: tuple[Beside, Beside] = (Beside(), Beside())


def twins(kind: str, many: int, seed: int = 1) -> Iterator[Twins]:
    """So many pairs of a kind."""
    number = 0
    for run in range(10_000):
        for one in _of_run(kind, seed * 10_000 + run, many):
            yield one
            number += 1
            if number == many:
                return
    raise AssertionError(f"only {number} pairs of {kind}")


def _of_run(kind: str, seed: int, many: int) -> Iterator[Twins]:
    made, tag = KINDS[kind]
    plan = Plan(ruleset="hegemonic", seats=SEATS, **made)
    until = 60 if tag in ("draft.keep-card", DEALT, "") else 400
    steps = played(begun(Remembering(), plan, seed, f"{kind} {seed}"), seed, until, tag)
    if not tag:
        yield (_whispered if kind == "whispering" else _reordered)(plan, seed, steps)
        return
    places = [n for n, one in enumerate(steps) if one.path and tag_of(type(one.decision)) == tag]
    if tag == DEALT:
        for place in places:
            steps[place] = steps[place]._replace(others=_undrawn(steps, steps[place]))
    places = [place for place in places if steps[place].others]
    random.Random(seed).shuffle(places)
    found = (_exchanged(kind, plan, seed, steps, place) for place in places)
    yield from islice(filter(None, found), max(1, min(4, many // 8)))


def _undrawn(steps: list[Step], dealt: Step) -> tuple[Decision, ...]:
    """Another hand, of cards that nobody draws in this match: so it goes on with either."""
    drawn = {card for one in steps for card in getattr(one.decision, "cards", ())}
    found = dict.fromkeys(card for one in dealt.others for card in getattr(one, "cards", ()))
    count = len(getattr(dealt.decision, "cards", ()))
    cards = tuple(card for card in found if card not in drawn)[:count]
    if not count or len(cards) < count:
        return ()
    return (msgspec.structs.replace(dealt.decision, cards=cards),)


def begun(store: Remembering, plan: Plan, seed: int, name: str) -> Journal:
    """A match that has just begun. Its name alone gives its id, its seed all else."""
    around = make_seeded_surroundings(store, seed)
    letters = (byte for n in range(99) for byte in hashlib.sha256(f"{name}{n}".encode()).digest())
    rest = around.entropy
    around = Surroundings(
        store=store,
        rules_of=around.rules_of,
        clock=around.clock,
        entropy=lambda n: bytes([next(letters)]) if n == 1 else rest(n),
    )
    journal = Journal.create(around, plan)
    for seat in range(plan.seats):
        journal.join(seat, f"Player {seat}")
    journal.start()
    return journal


def played(journal: Journal, seed: int, until: int, tag: str) -> list[Step]:
    """The answers of a match, up to an event or to where enough secrets are in it."""
    chosen = random.Random(seed)
    steps: list[Step] = []
    found = 0
    most = until if tag == DEALT else ENOUGH
    while journal.history.tip.version < until and not journal.match().ended and found < most:
        match = journal.match()
        seat, decision, question = _answer(match, chosen, len(steps))
        version, key = journal.history.tip.version + 1, question.key(match.state, seat)
        others = tuple(_alike(match, question, seat, decision))
        path = _hidden(question, decision)
        _decide(journal, seat, decision)
        steps.append(Step(seat, decision, version, key, path, others))
        found += bool(tag) and tag_of(type(decision)) == tag
    return steps


def _answer(match: Match, chosen: random.Random, number: int) -> tuple[Seat, Decision, Question]:
    question = match.question
    assert question is not None
    chance = match.chance()
    if chance is not None:
        key = hashlib.sha256(chosen.randbytes(8)).digest()
        return CHANCE, chance.wish(match.state).answer(key, 0, "entered"), question
    if chosen.random() < OFFERED:
        found = _word_on_a_deal(match, chosen, number)
        if found is not None:
            return found
    seat = chosen.choice(match.asked())
    options = match.options(seat)
    weights = [weight(str(view_decision(one, seat, seat))) for one in options]
    return seat, chosen.choices(options, weights)[0], question


def _word_on_a_deal(
    match: Match, chosen: random.Random, number: int
) -> tuple[Seat, Decision, Question] | None:
    """A private offer; or an answer to one, or a word on one that was accepted."""
    seat = chosen.randrange(SEATS)
    for question in match.standing(seat):
        kinds = {tag_of(kind) for kind in question.answers}
        if "deal.propose" in kinds:
            options = [
                one
                for one in question.options(match.state, seat)
                if tag_of(type(one)) in ("deal.accept", "deal.state-outcome")
            ]
            if options:
                return seat, chosen.choice(options), question
            other = chosen.choice([one for one in range(SEATS) if one != seat])
            terms = {"text": f"a secret plan {number}", "payments": [], "promises": []}
            said = {"type": "deal.propose", "parties": sorted((seat, other)), "private": terms}
            return seat, match.terms.rules.decision(said), question
    return None


def _hidden(question: Question, decision: Decision) -> str:
    if question.sealed:
        return "decision"
    names = [f.name for f in audiences(type(decision)) if not f.admits(decision, None, CHANCE)]
    return f"private/{names[0]}" if names else ""


def _alike(match: Match, question: Question, seat: Seat, decision: Decision) -> Iterator[Decision]:
    """Other answers that look alike to those who may not see."""
    options = [] if seat == CHANCE else list(question.options(match.state, seat))
    chance = match.chance()
    if chance is not None and seat == CHANCE:
        options = [chance.wish(match.state).answer(key, 0, "exchanged") for key in KEYS]
    if tag_of(type(decision)) in ("deal.propose", "deal.state-outcome"):
        options = [_with_other_words(match, decision)]
    seen = view_decision(decision, None, seat)
    for option in options:
        same = question.sealed or view_decision(option, None, seat) == seen
        if same and option != decision and type(option) is type(decision):
            yield option


def _with_other_words(match: Match, decision: Decision) -> Decision:
    plain = msgspec.to_builtins(decision)
    said = plain["private"]
    if said is not None:
        said["text" if "text" in said else "note"] = "something else altogether, and longer" * 3
    return match.terms.rules.decision(plain)


def _decide(journal: Journal, seat: Seat, decision: Decision) -> None:
    journal.decide(seat, decision, REFEREE if seat == CHANCE else None)


def _exchanged(kind: str, plan: Plan, seed: int, steps: list[Step], place: int) -> Twins | None:
    """The pair that differs in one answer."""
    secret = steps[place]
    other = secret.others[seed % len(secret.others)]
    name = f"{kind} {seed} {place}"
    last = place + (AFTER_DEALING if secret.seat == CHANCE else AFTER)
    while last >= place:  # as far as nobody has learned of it
        made = []
        for decision in (secret.decision, other):
            store = Remembering()
            journal = begun(store, plan, seed, name)
            script = [*steps[:place], secret._replace(decision=decision), *steps[place + 1 :]]
            went = _went(journal, script[: last + 1])
            if went < len(script[: last + 1]) or _is_told(journal, secret):
                last = min(last, went) - 1
                break
            made.append((journal, store))
        else:
            here, there = made[0][0], made[1][0]
            assert here.history.tip.version == there.history.tip.version
            assert here.history.tip.head != there.history.tip.head
            return Twins(
                kind=kind,
                match=here.match_id,
                stores=(made[0][1], made[1][1]),
                blind=tuple(_blind(secret, other, sealed=secret.path == "decision")),
                seat=secret.seat,
                secret=secret.version,
                last=here.history.tip.version,
                words=(repr(secret.decision), repr(other)),
            )
    return None  # it was told at once: the last of several sealed answers


def _went(journal: Journal, script: list[Step]) -> int:
    """How many of these answers went in."""
    for number, step in enumerate(script):
        try:
            _decide(journal, step.seat, step.decision)
        except Refused:
            return number
    return len(script)


def _is_told(journal: Journal, secret: Step) -> bool:
    """Whether somebody may have learned of it: it was opened, or all have answered in secret.

    Nor is it a good moment where cards are to be entered that nobody has: then nobody decides.
    """
    if journal.match().chance() is not None:
        return True
    versions = range(secret.version, journal.history.tip.version + 1)
    if any((secret.version, secret.path) in journal.history.body(one).opens for one in versions):
        return True
    match = journal.match()
    asked = match.asked()
    return secret.path == "decision" and (not asked or match.key(asked[0]) != secret.key)


def _blind(secret: Step, other: Decision, *, sealed: bool) -> Iterator[Viewer]:
    for viewer in (*range(SEATS), None):
        seen = [view_decision(one, viewer, secret.seat) for one in (secret.decision, other)]
        if (viewer != secret.seat) if sealed else seen[0] == seen[1]:
            yield viewer


def _reordered(plan: Plan, seed: int, steps: list[Step]) -> Twins:
    """The pair of which only the service knows that anything differs: what will be drawn."""
    stores = (Remembering(), Remembering())
    for store in stores:
        journal = begun(store, plan, seed, f"unseen {seed}")
        for step in steps:
            _decide(journal, step.seat, step.decision)
    kept = Secrets.read(stores[1].put[KEPT_AS])
    seeds = (kept.server_seed, hashlib.sha256(kept.server_seed).digest())
    stores[1].put[KEPT_AS] = msgspec.structs.replace(kept, server_seed=seeds[1]).kept()
    return Twins(
        kind="order of what is unseen",
        match=journal.match_id,
        stores=stores,
        blind=(*range(SEATS), None),
        seat=CHANCE,
        secret=journal.history.tip.version,
        last=journal.history.tip.version,
        words=(seeds[0].hex(), seeds[1].hex()),
    )


def _whispered(plan: Plan, seed: int, steps: list[Step]) -> Twins:
    """The pair of one and the same match, at which two seats whisper: much here, little there.

    Here one of them also blocks somebody and gives an order, which nobody else is told.
    """
    stores = (Remembering(), Remembering())
    for store in stores:
        journal = begun(store, plan, seed, f"whispering {seed}")
        for step in steps:
            _decide(journal, step.seat, step.decision)
    last = journal.history.tip.version
    chosen = random.Random(seed)
    two = chosen.sample(range(SEATS), 2)
    openly = [_said(chosen, last, range(SEATS), None) for _ in range(4)]
    to = tuple(sorted(two))
    here = [_said(chosen, last, two, to) for _ in range(chosen.randrange(12, 24))]
    there = [_said(chosen, last, two, to) for _ in range(chosen.randrange(3))]
    quiet = (Blocked(person=str((two[0] + 1) % SEATS)), OrderGiven(seat=two[0], only_option=True))
    return Twins(
        kind="whispering",
        match=journal.match_id,
        stores=stores,
        blind=(*(seat for seat in range(SEATS) if seat not in two), None),
        seat=two[0],
        secret=last,
        last=last,
        words=(repr(here), repr(there)),
        beside=(Beside(_in_order(openly + here), quiet), Beside(_in_order(openly + there))),
    )


def _said(
    chosen: random.Random, version: int, seats: Sequence[Seat], to: tuple[Seat, ...] | None
) -> Said:
    seat = chosen.choice(seats)
    return Said(
        version=chosen.randint(1, version),
        at=BEFORE + chosen.randrange(100_000),
        by=Submitter(role="seat", name=str(seat), seat=seat),
        text="a word " * chosen.randint(1, 9),
        to=to,
    )


def _in_order(lines: list[Said]) -> tuple[Said, ...]:
    return tuple(sorted(lines, key=lambda one: one.at))
