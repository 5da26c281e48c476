"""Rulings in the log: what they order stands there with them, or neither does."""

from __future__ import annotations

import pytest

from ledger.games.tictactoe.gifts import Give
from ledger.games.tictactoe.play import Mark
from ledger.kernel.refusals import Refused
from ledger.log.format.acts import Disputed, EditionChanged, Remedy, Resumed, Rewound, Ruled
from ledger.log.write.journal import Journal
from ledger.log.write.writer import Stale
from tests.support.log.matches import ORGANIZER, PLAIN, SEAT, STAKED, started


def disputed(plan=PLAIN) -> Journal:
    journal = started(plan)
    journal.decide(0, Mark(4))
    journal.decide(1, Mark(0))
    journal.record(Disputed(dispute="d1", first=5, last=6), SEAT)
    return journal


def ruling(remedy: Remedy | None, dispute: str = "d1") -> Ruled:
    return Ruled(dispute=dispute, finding="upheld", reason="so it was", remedy=remedy)


def code_of(journal: Journal, act: Ruled, **more) -> str:
    """The code with which a ruling is refused; nothing was written."""
    before = journal.history.tip
    with pytest.raises(Refused) as refused:
        journal.rule(act, ORGANIZER, **more)
    assert journal.around.store.tip(journal.match_id) == before
    return refused.value.code


def test_a_rewind_stands_behind_its_ruling_and_names_the_dispute():
    journal = disputed()
    last = journal.history.tip.version
    journal.rule(ruling(Remedy(kind="rewind", version=last - 2)), ORGANIZER)
    history = journal.history
    assert isinstance(history.act(last + 1), Ruled)
    back = history.act(last + 2)
    assert isinstance(back, Rewound)
    assert (back.to, back.because, back.reason) == (last - 2, "d1", "so it was")
    assert history.lines.undone() == [last - 1, last, last + 1]
    journal.decide(1, Mark(8))


def test_who_rules_has_seen_all_that_has_come():
    journal = disputed()
    looked = journal.history.tip.version
    journal.decide(0, Mark(8))
    with pytest.raises(Stale):
        journal.rule(ruling(None), ORGANIZER, at=looked)
    assert journal.history.tip.version == looked + 1
    journal.rule(ruling(None), ORGANIZER, at=looked + 1)


def test_an_edition_changes_with_its_ruling():
    journal = disputed()
    journal.rule(ruling(Remedy(kind="edition", text="e1")), ORGANIZER)
    changed = journal.history.act(journal.history.tip.version)
    assert isinstance(changed, EditionChanged)
    assert (changed.edition, changed.because) == ("e1", "d1")
    assert journal.match().terms.edition == "e1"


def test_a_payment_is_decided_in_the_place_of_the_seat():
    journal = disputed(STAKED)
    remedy = Remedy(kind="decision", text="seat 1 pays seat 0 1")
    before = journal.history.tip.version
    journal.rule(ruling(remedy), ORGANIZER, decided=(1, Give(1)))
    body = journal.history.body(before + 2)
    assert (body.seat, body.by) == (1, ORGANIZER)


def test_what_the_rules_refuse_leaves_no_ruling_behind():
    journal = disputed(STAKED)
    remedy = Remedy(kind="decision", text="seat 1 pays seat 0 99")
    assert code_of(journal, ruling(remedy), decided=(1, Give(99))) == "overdrawn"
    journal.decide(0, Mark(8))  # and the match in memory is as it was


def test_what_cannot_be_ordered_is_refused():
    journal = disputed()
    last = journal.history.tip.version
    for version in (None, 1, last + 1, 99):
        remedy = Remedy(kind="rewind", version=version)
        assert code_of(journal, ruling(remedy)) == "no_such_event"
    assert code_of(journal, ruling(Remedy(kind="edition", text="e9"))) == "unknown_edition"
    assert code_of(journal, ruling(None, "d9")) == "no_such_dispute"


def test_a_match_that_was_paused_for_it_goes_on_with_the_ruling():
    journal = disputed()
    journal.pause(ORGANIZER, "dispute d1 waits for its ruling")
    last = journal.history.tip.version
    journal.rule(ruling(None), ORGANIZER, resumes="dispute d1 has been ruled on")
    assert isinstance(journal.history.act(last + 2), Resumed)
    journal.decide(0, Mark(8))


def test_while_it_stays_paused_nothing_is_decided_for_anybody():
    journal = disputed(STAKED)
    journal.pause(ORGANIZER, "lunch")
    remedy = Remedy(kind="decision", text="seat 1 pays seat 0 1")
    assert code_of(journal, ruling(remedy), decided=(1, Give(1))) == "match_paused"


@pytest.mark.parametrize("remedy", [None, Remedy(kind="note", text="a pity")], ids=str)
def test_a_match_that_was_abandoned_while_it_waited_stays_as_it_is(remedy):
    journal = disputed()
    journal.pause(ORGANIZER, "dispute d1 waits for its ruling")
    journal.abandon(ORGANIZER, "rain")
    last = journal.history.tip.version
    journal.rule(ruling(remedy), ORGANIZER, resumes="dispute d1 has been ruled on")
    assert journal.history.tip.version == last + 1
    assert journal.history.life.closed
