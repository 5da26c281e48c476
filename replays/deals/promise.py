"""Weighs one promise against the facts, one after another.

open ─┬─ a fact comes that was promised never to come ──────▶ broken, by that fact
      ├─ as much as was promised has come ──────────────────▶ kept, by those facts
      └─ its window closes ─┬─ promised never ──────────────▶ kept
                            ├─ might have been meant so ────▶ needs a person
                            ├─ could not have been done ────▶ void
                            └─ else ────────────────────────▶ broken
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from ledger.kernel.pacts import Pattern, Pledge, PromiseMeaning, Seen
from ledger.kernel.records import Fact, Seat

Verdict: TypeAlias = Literal["kept", "broken", "open", "void", "needs a person"]

KEPT: Final = "kept"
BROKEN: Final = "broken"
OPEN: Final = "open"
VOID: Final = "void"
PERSON: Final = "needs a person"

# Why it is so.
IN_WORDS: Final = "the promise is in words, which only people can judge"
NEVER_CAME: Final = "its condition never occurred"
TOO_LATE: Final = "its time was over before the deal was made"
IMPOSSIBLE: Final = "there was never a chance to keep it"
LET_GO: Final = "there was a chance to keep it, but the player did not"
NOT_DONE: Final = "its time ended before the player did it"
NOT_IN_FULL: Final = "its time ended before the player did all of it"
HELD: Final = "its time ended, and the player never broke it"
DONE: Final = "the player did it"
AGAINST: Final = "the player did what they promised not to do"
UNNAMED: Final = "the payment did not say that it was for this deal"
ABANDONED: Final = "the match was abandoned before its time was over"
ANNULLED: Final = "the deal was annulled by a ruling"
UNDONE: Final = "the deal was undone"


class PromiseProof(NamedTuple):
    n: int
    fact: Fact


class Promised(NamedTuple):
    """A promise and its state so far."""

    pledge: Pledge
    words: str
    meaning: PromiseMeaning | None
    verdict: Verdict | None = None  # None: nobody has agreed to it
    at: int = 0  # the event with which it was kept or broken
    settled: int = 0  # the event with which that was known
    why: str = ""
    proofs: tuple[PromiseProof, ...] = ()
    opened: int = 0  # of the patterns that open the window, those that have come
    closed: int = 0  # of those that close it
    total: int = 0
    doubts: tuple[PromiseProof, ...] = ()
    doubted: int = 0
    passed: tuple[PromiseProof, ...] = ()  # chances that were let go

    @property
    def is_open(self) -> bool:
        """Tells if facts may still decide it."""
        return self.verdict == OPEN

    @property
    def is_due(self) -> bool:
        """Tells if its window is open."""
        return (
            self.is_open
            and self.meaning is not None
            and self.opened == len(self.meaning.window.opens)
        )

    @property
    def hears(self) -> frozenset[str]:
        """Returns the types of facts that may matter to it."""
        meaning = self.meaning
        if not self.is_open or meaning is None:
            return frozenset()
        window = meaning.window
        patterns = [meaning.pattern, *window.opens, *window.closes]
        if meaning.doubtful is not None:
            patterns.append(meaning.doubtful)
        return frozenset(tag for one in patterns for tag in one.facts)

    def settle(
        self,
        verdict: Verdict,
        settled: int,
        why: str,
        proofs: tuple[PromiseProof, ...] | None = None,
        at: int | None = None,
    ) -> Promised:
        """Returns the promise with its verdict, which was certain with the event `settled`."""
        return self._replace(
            verdict=verdict,
            at=settled if at is None else at,
            settled=settled,
            why=why,
            proofs=self.proofs if proofs is None else proofs,
        )


def open_promise(promise: Promised, meaning: PromiseMeaning | None, at: int, now: int) -> Promised:
    """Opens the promise when its deal is made; `now` is the time of the game's clock."""
    if meaning is None:
        return promise._replace(verdict=PERSON, settled=at, why=IN_WORDS)
    taken = promise._replace(meaning=meaning, verdict=OPEN)
    if meaning.window.until is not None and now >= meaning.window.until:
        return taken.settle(VOID, at, TOO_LATE)
    return taken


def weigh_fact(
    promise: Promised, proof: PromiseProof, seen: Seen, by: Seat | None, spent: dict[Pattern, int]
) -> Promised:
    """Weighs a publicly visible fact of an event that seat `by` decided.

    `spent` holds how much of the fact other promises have used up; this one adds its own share.
    """
    meaning = promise.meaning
    if not promise.is_open or meaning is None:
        return promise
    window = meaning.window
    if not promise.is_due:
        comes = window.opens[promise.opened].fits(seen, by)
        return promise._replace(opened=promise.opened + 1) if comes else promise
    if meaning.pattern.fits(seen, by):
        amount = meaning.amount(seen)
        if meaning.spent:
            amount -= spent.get(meaning.pattern, 0)
            amount = min(amount, meaning.count - promise.total)
            spent[meaning.pattern] = spent.get(meaning.pattern, 0) + amount
        if amount:
            total = promise.total + amount
            promise = promise._replace(total=total, proofs=(*promise.proofs, proof))
        if meaning.how == "never":
            return promise.settle(BROKEN, proof.n, AGAINST)
        if promise.total >= meaning.count:
            return promise.settle(KEPT, proof.n, DONE)
    elif meaning.doubtful is not None and meaning.doubtful.fits(seen, by):
        doubted = promise.doubted + meaning.amount(seen)
        promise = promise._replace(doubted=doubted, doubts=(*promise.doubts, proof))
    if window.closes and window.closes[promise.closed].fits(seen, by):
        promise = promise._replace(closed=promise.closed + 1)
        if promise.closed == len(window.closes):
            return closing(promise, proof.n, proof)
    return promise


def close_if_late(promise: Promised, now: int, proof: PromiseProof) -> Promised:
    """Closes the promise if a fact moved the game's clock past its window."""
    meaning = promise.meaning
    until = None if meaning is None else meaning.window.until
    if not promise.is_open or until is None or now < until:
        return promise
    return closing(promise, proof.n, proof)


def closing(promise: Promised, at: int, last: PromiseProof | None = None) -> Promised:
    """Decides the promise when its window closes or the match ends."""
    meaning = promise.meaning
    if not promise.is_open or meaning is None:
        return promise
    if not promise.is_due:
        return promise.settle(VOID, at, NEVER_CAME)
    ended = () if last is None else (last,)
    if meaning.how == "never":
        return promise.settle(KEPT, at, HELD, ended)
    if last is None and meaning.window.closes and not promise.closed and not promise.passed:
        return promise.settle(VOID, at, NEVER_CAME)  # nothing of what ends its time has come
    if promise.doubted and promise.total + promise.doubted >= meaning.count:
        return promise.settle(PERSON, at, UNNAMED, promise.doubts)
    if meaning.chances:
        if not promise.passed:
            return promise.settle(VOID, at, IMPOSSIBLE, (*promise.proofs, *ended))
        missed, why = promise.passed[-1], NOT_IN_FULL if promise.total else LET_GO
        return promise.settle(BROKEN, at, why, promise.passed, missed.n)
    why = NOT_IN_FULL if promise.total else NOT_DONE
    return promise.settle(BROKEN, at, why, (*promise.proofs, *ended))


def passed(promise: Promised, proofs: Sequence[PromiseProof]) -> Promised:
    """Notes a chance that the promiser could have taken. An unkept promise was then let go."""
    if not promise.is_open or not proofs:
        return promise
    return promise._replace(passed=(*promise.passed, proofs[0]))
