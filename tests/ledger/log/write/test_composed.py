"""Decisions composed at a version that has passed, and how often the store is asked."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from ledger.games.tictactoe.gifts import Give
from ledger.games.tictactoe.opening import Write
from ledger.games.tictactoe.play import Mark
from ledger.kernel.accounts import account_of, holder
from ledger.kernel.refusals import Refused
from ledger.log.format.acts import SeatGiven
from ledger.log.stores.memory import MemoryStore
from ledger.log.stores.protocol import Answer, Batch
from ledger.log.write.journal import Journal
from ledger.log.write.lifecycle import Composed, disturbing
from tests.support.log.matches import FULL_PLAN, ORGANIZER, PLAIN, SEALED, STAKED, started
from tests.support.log.standing import code_of, fresh_position, position


def refusal_of(journal: Journal, *asked: Any, **more: Any) -> Refused:
    with pytest.raises(Refused) as refusal:
        journal.decide(*asked, **more)
    return refusal.value


# --- what does not disturb ------------------------------------------------------------------------


def test_what_was_composed_at_the_newest_version_goes_in():
    journal = started()
    journal.decide(0, Mark(4), composed=Composed(4, journal.match().key(0)))
    assert journal.history.tip.version == 5


def test_the_others_sealed_answer_to_the_same_question_does_not_disturb():
    journal = started(SEALED)
    key = journal.match().key(0)
    journal.decide(1, Write(4))
    journal.decide(0, Write(8), composed=Composed(4, key))
    assert journal.history.tip.version >= 6


def test_a_sealed_answer_disturbs_whoever_does_not_name_the_question():
    journal = started(SEALED)
    journal.decide(1, Write(4))
    refusal = refusal_of(journal, 0, Write(8), composed=Composed(4))
    assert refusal.code == "stale"
    assert dict(refusal.evidence) == {"composed_at": 4, "version": 5, "because": 5}


def test_pauses_and_seats_given_do_not_disturb():
    journal = started()
    journal.pause(ORGANIZER, "tea")
    journal.record(SeatGiven(seat=1, to="bot", name="greedy"), ORGANIZER)
    journal.resume(ORGANIZER)
    journal.decide(0, Mark(4), composed=Composed(4))
    assert journal.history.tip.version == 8


def test_a_decision_is_stale_for_those_whose_accounts_another_touched():
    journal = started(STAKED)
    journal.decide(1, Give(1))
    assert code_of(lambda: journal.decide(0, Mark(4), composed=Composed(4))) == "stale"
    # A third seat, had the game one, would not be disturbed.
    assert disturbing(journal.history, 4, 2, None) == 0


def test_accounts_have_holders():
    assert [holder(one) for one in (account_of(3), account_of(0, "caps"), "bank", "seat.x")] == [
        3, 0, None, None,
    ]  # fmt: skip


# --- what does ------------------------------------------------------------------------------------


def test_another_turn_disturbs():
    journal = started()
    journal.decide(0, Mark(4))
    refusal = refusal_of(journal, 1, Mark(0), composed=Composed(4))
    assert refusal.code == "stale"
    assert position(journal) == fresh_position(journal)


def test_ones_own_decision_disturbs():
    journal = started(STAKED)
    journal.decide(0, Give(1))
    assert code_of(lambda: journal.decide(0, Mark(4), composed=Composed(4))) == "stale"


def test_dice_disturb():
    journal = started(SEALED)
    key = journal.match().key(0)
    journal.decide(0, Write(4))
    journal.decide(1, Write(4))
    assert code_of(lambda: journal.decide(0, Write(8), composed=Composed(4, key))) in (
        "stale", "not_asked", "wrong_answer",
    )  # fmt: skip
    rolled = started(FULL_PLAN)
    fell = rolled.history.life.started
    assert fell < rolled.history.tip.version
    assert disturbing(rolled.history, fell, 0, None) == fell + 1


def test_a_rewind_disturbs_and_so_does_what_it_undid():
    journal = started()
    journal.decide(0, Mark(4))
    journal.decide(1, Mark(0))
    journal.rewind(4, ORGANIZER, "a slip")
    assert code_of(lambda: journal.decide(0, Mark(8), composed=Composed(4))) == "stale"
    assert code_of(lambda: journal.decide(0, Mark(8), composed=Composed(6))) == "stale"
    journal.decide(0, Mark(8), composed=Composed(7))


def test_another_edition_disturbs():
    journal = started()
    journal.change_edition("e2", ORGANIZER, "agreed", (0, 1))
    assert code_of(lambda: journal.decide(0, Mark(4), composed=Composed(4))) == "stale"


@pytest.mark.parametrize("at", [0, 3, 6, 1 << 60, -1])
def test_nobody_composed_at_a_version_that_there_is_not(at: int):
    journal = started()
    journal.decide(0, Mark(4))
    refused = code_of(lambda: journal.decide(1, Mark(0), composed=Composed(at)))
    assert refused == "no_such_event"


def test_a_question_that_is_not_open_is_refused_and_nothing_is_changed():
    journal = started()
    before = position(journal)
    refusal = refusal_of(journal, 0, Mark(4), composed=Composed(4, "turn/7"))
    assert refusal.code == "question_gone"
    assert position(journal) == before
    journal.decide(0, Mark(4))


def test_a_command_that_went_in_is_answered_again_however_stale_it_is():
    journal = started()
    command = journal.command("c1", 0, Mark(4))
    composed = Composed(4, journal.match().key(0))
    first = journal.decide(0, Mark(4), command=command, composed=composed)
    journal.decide(1, Mark(0))
    assert journal.decide(0, Mark(4), command=command, composed=composed) == first
    other = Journal(journal.around, journal.match_id)
    assert other.decide(0, Mark(4), command=command, composed=composed) == first


def test_a_commands_fingerprint_tells_seats_and_decisions_apart():
    journal, other = started(), started(seed=1)
    asked = [(0, Mark(4)), (1, Mark(4)), (0, Mark(5))]
    prints = {one.command("c", *ask).fingerprint for one in (journal, other) for ask in asked}
    assert len(prints) == 6


# --- how often the store is asked -----------------------------------------------------------------


class Counting(MemoryStore):
    """Counts what it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Counter[str] = Counter()

    def append(self, match: str, batch: Batch) -> Answer:
        self.asked["append"] += 1
        return super().append(match, batch)

    def events(self, *asked: Any, **more: Any) -> Any:
        self.asked["events"] += 1
        return super().events(*asked, **more)

    def answered(self, *asked: Any) -> Any:
        self.asked["answered"] += 1
        return super().answered(*asked)

    def tip(self, match: str) -> Any:
        self.asked["tip"] += 1
        return super().tip(match)


def test_a_journal_that_is_up_to_date_asks_the_store_once_for_a_decision():
    store = Counting()
    journal = started(store=store)
    store.asked.clear()
    for place, cell in enumerate((4, 0, 8)):
        command = journal.command(f"c{place}", place % 2, Mark(cell))
        journal.decide(place % 2, Mark(cell), command=command, composed=Composed(4 + place))
    assert store.asked == {"append": 3}


def test_a_journal_that_is_behind_catches_up_and_goes_on():
    store = Counting()
    one = started(store=store)
    two = Journal(one.around, one.match_id)
    one.decide(0, Mark(4))
    store.asked.clear()
    two.decide(1, Mark(0))  # its memory says that seat 0 is asked
    assert store.asked["append"] == 1
    one.decide(0, Mark(8))
    assert position(one) == position(two) == fresh_position(one)


def test_a_parked_match_takes_no_decisions_and_still_takes_acts():
    journal = started(PLAIN)
    store = journal.around.store
    store.park(journal.match_id, b"event 4: engine differs")
    refusal = refusal_of(journal, 0, Mark(4))
    assert refusal.code == "match_parked"
    assert dict(refusal.evidence) == {"version": 4, "folded": 3}
    journal.pause(ORGANIZER, "parked")
    journal.resume(ORGANIZER)
    store.unpark(journal.match_id)
    journal.decide(0, Mark(4))


def test_a_parked_match_is_not_closed_with_a_result_and_may_be_abandoned():
    journal = started(PLAIN)
    for seat, cell in ((0, 0), (1, 3), (0, 1), (1, 4), (0, 2)):
        journal.decide(seat, Mark(cell))
    store = journal.around.store
    store.park(journal.match_id, b"event 9: engine differs")
    assert code_of(journal.close) == "match_parked"
    assert not journal.history.life.closed
    store.unpark(journal.match_id)
    journal.close()
    other = started(PLAIN, seed=1, store=store)
    store.park(other.match_id, b"event 4: engine differs")
    other.abandon(ORGANIZER, "it cannot be folded")
    assert other.history.life.closed
