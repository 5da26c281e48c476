"""Laws of verdicts, over deals of any kind, anywhere in a match that may go back."""

from __future__ import annotations

from typing import Any, NamedTuple

import hypothesis.strategies as st
from hypothesis import given, settings

from ledger.games.hegemonic.deals.agreement import Promise, Terms
from ledger.games.hegemonic.deals.negotiation import Propose
from ledger.games.hegemonic.deals.templates import TEMPLATES
from ledger.kernel.refusals import Refused
from ledger.parts.deals.answers import Accept
from replays.deals.promise import IMPOSSIBLE, OPEN, PERSON, VOID
from replays.deals.verdicts import Judge, JudgedDeal, judge_deals
from replays.walk import walk
from tests.support.log.matches import ORGANIZER
from tests.support.replays.bargaining import Bargained, begun

FIRST, LAST = 24, 150  # decisions of the record: from the first expansion into round 2
PLACES = ("", "S6a", "S6", "S4", "K1", "S5e", "somewhere")
seats = st.integers(0, 3)


class Put(NamedTuple):
    """A deal, and before which decision of the record it is made."""

    number: int
    parties: tuple[int, int]
    promises: tuple[Promise, ...]
    private: bool
    accepted: bool


promises = st.builds(
    lambda what, amount, subject, due: Promise(
        seat=0, to=0, what=what, amount=amount, subject=subject, due=due
    ),
    st.sampled_from([one.name for one in TEMPLATES]),
    st.integers(1, 2),
    st.sampled_from(PLACES),
    st.none() | st.tuples(st.integers(1, 3), st.integers(1, 6)),
)


@st.composite
def puts(draw: Any) -> Put:
    giver = draw(seats)
    getter = draw(seats.filter(lambda seat: seat != giver))
    made = draw(st.lists(promises, min_size=1, max_size=3))
    said = [Promise(**{**_plain(one), "seat": giver, "to": getter}) for one in made]
    return Put(
        draw(st.integers(FIRST, LAST)),
        (giver, getter),
        tuple(said),
        draw(st.booleans()),
        draw(st.integers(0, 5)) > 0,
    )


def _plain(one: Promise) -> dict[str, Any]:
    return {name: getattr(one, name) for name in one.__struct_fields__}


def put_in(match: Bargained, deal: Put) -> None:
    """Make it, where the rules let it be made."""
    if match.journal.match().chance() is not None:
        return
    part = {"private" if deal.private else "terms": Terms(promises=deal.promises)}
    try:
        match.say(deal.parties[0], Propose(tuple(sorted(deal.parties)), **part), "put")
    except Refused:
        return  # a place that there is not
    if deal.accepted:
        match.say(deal.parties[1], Accept(""), "put")


def played(deals: list[Put], back: tuple[int, int] | None) -> Bargained:
    """The record with these deals, and perhaps from one decision back to another."""
    match = Bargained(begun())
    number = 1
    while number <= LAST:
        for deal in deals:
            if deal.number == number:
                put_in(match, deal)
        match.play(number)
        if back is not None and number == back[0]:
            match.journal.rewind(match.at[back[1]], ORGANIZER, "once more")
            number, back = back[1], None
        number += 1
    return match


ways_back = st.none() | st.tuples(st.integers(100, LAST), st.integers(FIRST, 99))


@settings(max_examples=5, deadline=None)
@given(st.lists(puts(), min_size=1, max_size=6), ways_back, st.lists(st.floats(0, 1), max_size=4))
def test_verdicts_are_the_same_event_by_event_and_all_at_once(deals, back, cuts):
    history = played(deals, back).history
    judge, after = Judge(history), {}
    for folded in walk(history, judge.before):
        judge.take(folded)
        after[folded.version] = judge.deals
    last = history.tip.version
    for cut in {last, *(1 + round(part * (last - 1)) for part in cuts)}:
        assert judge_deals(history.up_to(cut)).deals == after[cut]


@settings(max_examples=5, deadline=None)
@given(st.lists(puts(), min_size=1, max_size=6), ways_back)
def test_a_verdict_stands_until_the_match_goes_back_and_rests_on_its_own_line(deals, back):
    history = played(deals, back).history
    judge = Judge(history)
    before: dict[tuple[str, int], JudgedDeal] = {}
    for folded in walk(history, judge.before):
        judge.take(folded)
        now = {(deal.offer.deal, deal.proposed): deal for deal in judge.deals}
        if folded.parent == folded.version - 1:
            for key, deal in before.items():
                for was, one in zip(deal.promises, now[key].promises, strict=True):
                    assert was.verdict in (None, OPEN) or one == was
        line = set(history.lines.line(folded.version))
        for deal in now.values():
            if deal.undone_by:
                assert deal.proposed not in line
                continue
            for one in deal.promises:
                assert (one.verdict is None) == (not deal.made)
                assert {proof.n for proof in one.proofs} <= line
                assert (one.settled == 0) == (one.verdict in (None, OPEN))
                # What has come of one that is open is shown before it is decided.
                until = one.settled or folded.version
                assert all(deal.made < proof.n <= until for proof in one.proofs)
                assert one.verdict != PERSON or one.meaning is None or one.doubts
        before = now


def test_what_has_come_of_a_promise_is_shown_while_it_is_still_open():
    # Yellow promises two embassies for the conflict of decision 93, has one to lend, and lends it.
    two = Promise(seat=2, to=0, what="support", amount=2)
    match = played([Put(90, (0, 2), (two,), private=False, accepted=True)], None)
    lent, over = match.at[97], match.at[102]
    judge, after = Judge(match.history), {}
    for folded in walk(match.history, judge.before):
        judge.take(folded)
        after[folded.version] = [deal.promises[0] for deal in judge.deals]
    short, *_ = after[lent]
    assert (short.verdict, short.settled, [proof.n for proof in short.proofs]) == (OPEN, 0, [lent])
    late, *_ = after[over]
    assert (late.verdict, late.settled, late.why) == (VOID, over, IMPOSSIBLE)
    assert [proof.n for proof in late.proofs] == [lent, over]
