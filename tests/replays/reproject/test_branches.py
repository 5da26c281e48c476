"""Other rules on lines with rewinds, changes of edition, options of their own, and in forks."""

from __future__ import annotations

from dataclasses import replace

from ledger.games.tictactoe.play import Mark
from ledger.kernel.readings import Value
from ledger.kernel.ruleset import Result
from ledger.log.read.history import History
from ledger.log.write.fork import fork
from replays.reproject.change import Change
from replays.reproject.judge import reproject
from tests.replays.reproject.test_one_match import CENTRE, RISING, SKIP, played, told
from tests.support.log.matches import ORGANIZER, PLAIN, ROLLED, around


def test_only_the_line_that_play_went_on_is_folded():
    journal = played(CENTRE[:3], closed=False)
    journal.rewind(6, ORGANIZER, "a slip")
    for cell in (2, 1, 6, 5, 7):
        journal.decide(journal.match().asked()[0], Mark(cell))
        if journal.match().ended:
            break
    journal.close()
    verdict = reproject(journal.history, Change(edition="e2"), SKIP)
    assert verdict.events["undone"] == 1
    assert reproject(journal.history, Change()).verdict == "unchanged"


def changed_on_the_way() -> History:
    """The diagonal counts at first; before it is completed, it no longer does."""
    journal = played(RISING[:3], closed=False)
    journal.change_edition("e2", ORGANIZER, "an erratum")
    for cell in (1, 6, 3, 5, 8, 7):
        journal.decide(journal.match().asked()[0], Mark(cell))
    journal.close()
    return journal.history


def test_an_edition_replaces_what_was_in_force_for_the_whole_match_or_one_switch():
    history = changed_on_the_way()
    switch = 8
    assert reproject(history, Change()).verdict == "unchanged"
    whole = reproject(history, Change(edition="printed"), SKIP)
    assert whole.verdict == "winner differs"
    assert whole.after == Result(winners=(0,), scores=(1, 0), reason="line rising")
    assert whole.first is not None
    assert whole.first.version == 10
    assert {one.verdict for one in whole.marked} == {"unasked"}
    only_first = Change(edition="e2", switch=1)
    assert reproject(history, only_first).verdict == "unchanged"
    only_second = Change(edition="printed", switch=switch)
    assert reproject(history, only_second, SKIP).after == whole.after


def test_what_a_match_has_chosen_for_itself_stays_unless_it_is_laid_over():
    sealed: tuple[tuple[str, Value], ...] = (("begin.first", "first-seat"),)
    history = played(CENTRE, replace(PLAIN, options=sealed)).history
    change = Change(readings={"begin.first": "rolled"})
    verdict = reproject(history, change)
    assert (verdict.verdict, verdict.pinned) == ("unchanged", ("begin.first",))
    over = reproject(history, Change(readings={"begin.first": "rolled"}, over_options=True))
    assert told(over, "missing")[0].question == "begin"
    assert over.pinned == ()


def test_a_fork_is_folded_with_what_it_copied():
    original = played(CENTRE, ROLLED, seed=2)
    copy = fork(around(9), original.history, 8)
    for cell in (7, 6, 1, 2, 5):
        if not copy.match().ended and cell in copy.match().state.empty():
            copy.decide(copy.match().asked()[0], Mark(cell))
    assert reproject(copy.history, Change()).verdict == "unchanged"
    change = Change(readings={"begin.stake": 2, "opening.clash": "rolled"})
    assert reproject(copy.history, change).error == ""
