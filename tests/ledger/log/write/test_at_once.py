"""Asked twice, or by two at once: one event, one answer, and nobody's work is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ledger.games.tictactoe.gifts import Give
from ledger.games.tictactoe.opening import Write
from ledger.games.tictactoe.play import Mark
from ledger.kernel.records import CHANCE
from ledger.log.stores.memory import MemoryStore
from ledger.log.stores.protocol import Answer, Batch, Command, Unavailable
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from ledger.log.write.writer import Stale
from tests.support.log.dicey import RULES
from tests.support.log.matches import (
    FULL_PLAN,
    ORGANIZER,
    PLAIN,
    SEALED,
    STAKED,
    around,
    started,
    stored_bytes,
)
from tests.support.log.standing import code_of, fresh, fresh_position, marked, position

# --- commands -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plan", "seat", "decision"),
    [(STAKED, 0, Give(1)), (PLAIN, 0, Mark(4)), (SEALED, 1, Write(4))],
    ids=["standing question", "turn", "sealed question"],
)
def test_a_command_given_twice_is_one_event_with_one_answer(plan: Plan, seat: int, decision: Any):
    journal = started(plan)
    command = Command("c1", b"fingerprint")
    first = journal.decide(seat, decision, command=command)
    before = stored_bytes(journal.around.store)
    again = Journal(journal.around, journal.match_id).decide(seat, decision, command=command)
    assert again == first
    assert stored_bytes(journal.around.store) == before
    assert position(journal) == fresh_position(journal)


def test_a_command_that_ended_the_match_can_be_given_twice():
    journal = marked(0, 3, 1, 4)
    command = Command("c1", b"fingerprint")
    first = journal.decide(0, Mark(2), command=command)
    journal.close()
    assert journal.decide(0, Mark(2), command=command) == first


def test_a_command_id_with_another_body_is_refused():
    journal = started()
    journal.decide(0, Mark(4), command=Command("c1", b"mark 4"))
    changed = Command("c1", b"mark 5")
    assert code_of(lambda: journal.decide(1, Mark(5), command=changed)) == "command_changed"
    journal.decide(1, Mark(5), command=Command("c2", b"mark 5"))
    assert journal.match().version == 6


# --- two at once ----------------------------------------------------------------------------------


class Interrupted(MemoryStore):
    """A store in which somebody else appends first, when told so."""

    def __init__(self) -> None:
        super().__init__()
        self.others: list[Callable[[], object]] = []

    def append(self, match: str, batch: Batch) -> Answer:
        if self.others:
            self.others.pop()()
        return super().append(match, batch)


def two_journals(plan: Plan) -> tuple[Interrupted, Journal, Journal]:
    store = Interrupted()
    one = started(plan, store=store)
    return store, one, Journal(one.around, one.match_id)


def test_who_comes_second_goes_on_from_there():
    store, one, two = two_journals(STAKED)
    store.others.append(lambda: one.decide(0, Mark(4)))
    two.decide(1, Give(1))
    assert position(two) == fresh_position(two)
    one.decide(1, Mark(0))
    assert fresh(one).tip == two_tip(two) == one.history.tip
    assert fresh(one).tip.version == 7


def two_tip(journal: Journal) -> Any:
    journal.match()
    return journal.history.tip


def test_an_act_that_comes_second_is_stale_too():
    store, one, two = two_journals(PLAIN)
    store.others.append(lambda: one.decide(0, Mark(4)))
    with pytest.raises(Stale):
        two.pause(ORGANIZER, "tea")
    assert not fresh(two).life.paused
    two.pause(ORGANIZER, "tea")
    assert fresh(two).life.paused


def test_a_closed_log_refuses_who_did_not_know():
    store, one, two = two_journals(PLAIN)
    store.others.append(lambda: one.abandon(ORGANIZER, "rain"))
    assert code_of(lambda: two.decide(0, Mark(4))) == "match_closed"


@pytest.mark.parametrize("before", [0, 1], ids=["at once", "after another event"])
def test_the_same_command_twice_at_the_same_time_is_one_event(before: int):
    store, one, two = two_journals(STAKED)
    command = Command("c1", b"give 1")
    answers = []

    def first() -> None:
        for _ in range(before):
            one.decide(0, Mark(4))
        answers.append(one.decide(0, Give(1), command=command))

    store.others.append(first)
    assert [two.decide(0, Give(1), command=command)] == answers
    assert fresh(one).tip.version == 5 + before
    assert position(two) == fresh_position(two) == position(one)


# --- a process that ends between two appends ------------------------------------------------------


class Failing(MemoryStore):
    """A store that takes so many more appends and no more: the disk is full, the process ends."""

    left = 1_000_000

    def append(self, match: str, batch: Batch) -> Answer:
        if not self.left:
            raise OSError("no space left")
        self.left -= 1
        return super().append(match, batch)


def cut_short(journal: Journal, work: Callable[[Journal], object]) -> Journal:
    """Do some work of which only the first append gets through; open the match again."""
    store = journal.around.store
    assert isinstance(store, Failing)
    store.left = 1
    try:
        work(journal)
    except OSError:
        assert store.left == 0
    store.left = 1_000_000
    return Journal(journal.around, journal.match_id)


class Unreachable(MemoryStore):
    """A store that takes one more append and is then not to be reached."""

    left = 1_000_000

    def append(self, match: str, batch: Batch) -> Answer:
        if not self.left:
            raise Unavailable("not there")
        self.left -= 1
        return super().append(match, batch)

    def answered(self, match: str, command: Command) -> Any:
        if not self.left:
            raise Unavailable("not there")
        return super().answered(match, command)


def test_of_what_goes_in_in_parts_nobody_says_that_nothing_was_written():
    store = Unreachable()
    around_dicey = around(store=store, rules_of=lambda _: RULES)
    journal = Journal.create(around_dicey, Plan(ruleset="dicey", seats=1))
    journal.join(0, "ann")
    store.left = 1
    with pytest.raises(Unavailable) as failure:
        journal.start()
    assert failure.value.unknown
    assert store.tip(journal.match_id).version == 34


def test_what_became_of_a_command_is_unknown_where_nobody_can_be_asked():
    store = Unreachable()
    journal = started(PLAIN, store=store)
    store.left = 0
    command = journal.command("c1", 1, Mark(4))
    with pytest.raises(Unavailable) as failure:
        journal.decide(1, Mark(4), command=command)  # it is not this seat's turn, as far as known
    assert failure.value.unknown


def test_an_abandonment_is_whole_or_can_be_finished():
    """A match that is abandoned and never closed would keep its secrets for ever."""
    journal = cut_short(started(FULL_PLAN, store=Failing()), lambda j: j.abandon(ORGANIZER, "rain"))
    if not journal.history.life.closed:
        journal.abandon(ORGANIZER, "rain")
    assert journal.history.life.closed


def test_a_rewind_to_a_roll_is_whole_or_can_be_finished():
    """A match that waits for its own keys would wait for ever."""
    made = started(FULL_PLAN, store=Failing())
    journal = cut_short(made, lambda j: j.rewind(4, ORGANIZER, "again"))
    asked = journal.match().asked()
    if CHANCE in asked:
        journal.let_chance_fall()
    assert journal.match().asked() == (0, 1)


def test_a_rewind_to_a_roll_lets_nobody_between_itself_and_the_dice():
    store = Interrupted()
    one = started(FULL_PLAN, store=store)
    two = Journal(one.around, one.match_id)
    store.others += [lambda: two.pause(ORGANIZER, "tea"), lambda: None]
    one.rewind(4, ORGANIZER, "again")
    assert CHANCE not in one.match().asked()
