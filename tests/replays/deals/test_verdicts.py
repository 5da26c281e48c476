"""Deals and their promises: what became of each, with which event, and who may know it."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest

from ledger.games import ruleset
from ledger.games.hegemonic.deals.agreement import Terms
from ledger.games.hegemonic.deals.negotiation import Propose
from ledger.kernel.audience import ALL_SEATS, Viewer
from ledger.kernel.pacts import Pledge
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from ledger.parts.deals.answers import Accept
from replays.deals.promise import (
    DONE,
    IMPOSSIBLE,
    LET_GO,
    NEVER_CAME,
    NOT_DONE,
    TOO_LATE,
    UNNAMED,
    Promised,
    closing,
    open_promise,
)
from replays.deals.statements import (
    DealsReport,
    SeenDeal,
    SeenPromise,
    deals_of,
    pack_deals_report,
    text,
    unpack_deals_report,
)
from replays.deals.verdicts import Judge, judge_deals
from replays.document.builder import build
from replays.story.sentences import tell
from replays.walk import walk
from tests.support.log.matches import PLAIN, around
from tests.support.log.matches import played as tictactoe_played
from tests.support.replays.bargaining import (
    GREEN,
    ORANGE,
    PURPLE,
    SECRET,
    SUPPORT_LENT,
    WORDS,
    YELLOW,
    Bargained,
    bargained,
    played,
    promise,
)

# By the name of the deal and the number of its promise: the verdict, and the decision of the record
# with which it was kept or broken. Read from the lines of the golden playthrough four-seats.
EXPECTED = {
    ("truce", 0): ("broken", 189),
    ("border", 0): ("kept", 250),  # round 3 begins
    ("sector", 0): ("kept", 250),
    ("sector", 1): ("broken", 106),
    ("first", 0): ("kept", 81),
    ("quiet", 0): ("kept", 250),
    ("empty", 0): ("void", 102),  # the conflict is over
    ("lent", 0): ("kept", 97),
    ("loan", 1): ("broken", 135),  # the first action phase of round 2 begins
    ("much", 0): ("void", 102),
    ("rates", 0): ("broken", 250),
    ("token", 0): ("void", 112),  # an arbiter is found
    ("debt", 0): ("needs a person", 135),
    ("words", 0): ("needs a person", None),
    ("vote", 0): ("broken", 212),  # the last time that Purple names somebody, Orange among others
    ("raid", 0): ("kept", 143),
    ("raid", 1): ("broken", 145),
    ("long", 0): ("open", None),
    ("late", 0): ("void", None),
    # Those that the bots of the record have made themselves.
    ("s0/1", 0): ("kept", 97),
    ("s1/1", 0): ("broken", 167),
    ("s0/4", 0): ("kept", SUPPORT_LENT),
}


@cache
def report(viewer: Viewer = ALL_SEATS) -> DealsReport:
    return deals_of(played().history, viewer)


def found(name: str, of: DealsReport | None = None, match: Bargained | None = None) -> SeenDeal:
    """A deal by its name."""
    deal = (match or played()).names[name]
    (one,) = (one for one in (of or report()).deals if one.id == deal and one.undone_by is None)
    return one


def promise_of(name: str, number: int = 0) -> SeenPromise:
    promises = found(name).promises
    assert promises is not None
    return promises[number]


def facts_of(one: SeenPromise) -> list[dict[str, Any]]:
    return [proof.fact for proof in one.facts]


# --- verdicts -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "number"), EXPECTED, ids=str)
def test_every_promise_has_the_verdict_that_the_record_shows_with_its_event(name, number):
    verdict, decision = EXPECTED[name, number]
    one = promise_of(name, number)
    assert one.verdict == verdict
    if decision is not None:
        assert one.at == played().at[decision]
        assert all(proof.n <= one.at for proof in one.facts)


def test_nothing_else_was_promised():
    named = {deal: name for name, deal in played().names.items()}
    others = {
        (named[deal.id], number)
        for deal in report().deals
        for number, one in enumerate(deal.promises or ())
        if one.verdict is not None
    }
    assert others - set(EXPECTED) == {("loan", 0), ("rates", 1)}
    made = [deal for deal in report().deals if deal.made is not None]
    assert len(made) == 20
    assert report().counts == {
        "deals": 28, "made": 20, "kept": 10, "broken": 7, "open": 1, "void": 4, "needs a person": 2,
    }  # fmt: skip


def test_a_loan_is_paid_back_in_two_parts_and_kept_with_the_second():
    one, version = promise_of("loan"), played().at[119]
    assert one.verdict == "kept"
    assert [proof.n for proof in one.facts] == [version + 1, version + 2]
    assert one.at == version + 2
    assert [fact["amount"] for fact in facts_of(one)] == [1, 1]
    deal = found("loan")
    assert deal.made is not None
    (lent, *back) = deal.paid
    assert (lent.n, lent.seat, lent.to, lent.amount) == (deal.made, PURPLE, ORANGE, 2)
    assert [(paid.seat, paid.to) for paid in back] == [(ORANGE, PURPLE)] * 2


def test_what_has_paid_one_debt_pays_no_other_and_the_first_that_is_due_is_paid_first():
    later, sooner = (promise_of("rates", number) for number in (0, 1))
    (given,) = facts_of(sooner)
    assert (sooner.verdict, sooner.why, given["deal"]) == ("kept", DONE, played().names["rates"])
    assert (later.verdict, later.why) == ("broken", NOT_DONE)
    assert [fact["type"] for fact in facts_of(later)] == ["round.begun"]


def test_an_income_that_never_comes_was_never_owed_from():
    pacts, owed = (
        ruleset("hegemonic").audit.pacts,
        promise(ORANGE, GREEN, "pay-at-collection", amount=2),
    )
    assert pacts is not None
    meaning = pacts.meaning(played().journal.match().state, "s0/1", owed)
    made = open_promise(
        Promised(Pledge(ORANGE, GREEN, owed.what, owed), "", meaning), meaning, 5, 0
    )
    over = closing(made, 9)
    assert (over.verdict, over.at, over.why) == ("void", 9, NEVER_CAME)
    paid_out = made._replace(closed=1)
    assert closing(paid_out, 9).verdict == "broken"


@pytest.mark.parametrize(
    ("name", "number", "fact"),
    [
        (
            "truce",
            0,
            {"type": "conflict.begun", "sector": "S6a", "attacker": PURPLE, "defender": ORANGE},
        ),
        (
            "sector",
            1,
            {"type": "conflict.begun", "sector": "S6a", "attacker": YELLOW, "defender": ORANGE},
        ),
        ("raid", 1, {"type": "piece.base-placed", "seat": PURPLE, "sector": "S6a"}),
        ("lent", 0, {"type": "conflict.supported", "seat": YELLOW, "side": ORANGE}),
        ("first", 0, {"type": "action.starter-named", "seat": GREEN, "number": 2}),
        ("loan", 1, {"type": "round.phase-begun", "phase": 3}),
    ],
    ids=str,
)
def test_the_fact_that_decides_it_is_named(name, number, fact):
    said = facts_of(promise_of(name, number))[-1]
    shown = {
        key: value["seat"] if isinstance(value, dict) else value
        for key, value in said.items()
        if key in fact
    }
    assert shown == fact


def test_why_it_is_so_is_said():
    why = {name: promise_of(name).why for name in ("empty", "token", "vote", "late", "debt")}
    assert why == {
        "empty": IMPOSSIBLE,
        "token": IMPOSSIBLE,
        "vote": LET_GO,
        "late": TOO_LATE,
        "debt": UNNAMED,
    }


def test_an_offer_that_was_not_accepted_promises_nothing():
    states = {
        name: found(name) for name in ("declined", "withdrawn", "expired", "greedy", "answer")
    }
    assert {name: deal.status for name, deal in states.items()} == {
        "declined": "declined",
        "withdrawn": "withdrawn",
        "expired": "expired",
        "greedy": "countered",
        "answer": "proposed",
    }
    assert states["answer"].counters == states["greedy"].id
    assert [one.verdict for one in states["declined"].promises or ()] == [None]
    assert [step.what for step in states["greedy"].steps] == ["proposed", "countered"]


def test_what_the_parties_say_stands_beside_the_verdict():
    (said,) = found("sector").said or ()
    assert (said.seat, said.about, said.kept) == (ORANGE, YELLOW, False)


# --- event by event -------------------------------------------------------------------------------


def test_a_verdict_is_there_with_the_event_that_settles_it_and_not_before():
    history = played().history
    judge, seen = Judge(history), {}
    for folded in walk(history, judge.before):
        judge.take(folded)
        for deal in judge.deals:
            for number, one in enumerate(deal.promises):
                if one.verdict not in (None, "open"):
                    seen.setdefault((deal.offer.deal, number), (folded.version, one.settled))
    assert len(seen) == 23
    assert all(first == settled for first, settled in seen.values())


def test_in_the_middle_of_the_match_it_is_still_open():
    history = played().history
    cut = history.up_to(played().at[189] - 1)
    early = deals_of(cut, ALL_SEATS)
    (one,) = found("truce", early).promises or ()
    assert (one.verdict, one.at, one.facts) == ("open", None, [])


def test_the_same_match_gives_the_same_bytes_and_they_can_be_read_again():
    again = deals_of(bargained().history, ALL_SEATS)
    assert pack_deals_report(again) == pack_deals_report(report())
    assert unpack_deals_report(pack_deals_report(again)) == again


# --- who may know ---------------------------------------------------------------------------------


def test_a_private_deal_is_told_to_its_parties_alone():
    for viewer in (ORANGE, YELLOW, ALL_SEATS):
        deal = found("sector", report(viewer))
        assert (deal.text, len(deal.promises or ())) == (SECRET, 2)
    for viewer in (PURPLE, GREEN, None):
        deal = found("sector", report(viewer))
        assert (deal.text, deal.payments, deal.promises, deal.said) == (None, None, None, None)
        assert (deal.private, deal.status, deal.parties) == (True, "accepted", [ORANGE, YELLOW])
        assert SECRET.encode() not in pack_deals_report(report(viewer))


def test_verdicts_on_private_promises_are_counted_for_who_may_read_them():
    assert report(None).counts["broken"] == report().counts["broken"] - 1
    assert report(YELLOW).counts["broken"] == report().counts["broken"]
    assert report(None).counts["needs a person"] == 1
    assert WORDS in text(report(PURPLE))
    assert WORDS not in text(report(ORANGE))


def privately(*promises: Any, words: str = SECRET) -> Bargained:
    """A match in which only what Orange and Yellow have said to each other differs."""
    match = bargained(37)
    terms = Terms(text=words, promises=promises)
    match.say(ORANGE, Propose((ORANGE, YELLOW), private=terms), "twin")
    match.say(YELLOW, Accept(""), "twin")
    return match


@pytest.mark.parametrize("viewer", [PURPLE, GREEN, None])
def test_what_two_have_agreed_on_changes_nothing_for_the_others(viewer: Viewer):
    twins = [
        privately(),
        privately(promise(YELLOW, ORANGE, "spare", subject="S6a", due=(1, 3)), words="x" * 300),
        privately(promise(ORANGE, YELLOW, "pay-at-collection", amount=3), words=""),
    ]
    assert len({one.history.tip.head for one in twins}) == 3
    cuts = [msgspec.structs.replace(deals_of(one.history, viewer), head="") for one in twins]
    assert cuts[0] == cuts[1] == cuts[2]
    theirs = [deals_of(one.history, YELLOW).counts["open"] for one in twins]
    assert theirs == [0, 1, 1]


# --- other matches --------------------------------------------------------------------------------


def test_a_game_without_deals_has_none():
    history = tictactoe_played(PLAIN).history
    none = deals_of(history, None)
    assert (none.deals, none.counts["deals"], none.rule) == ([], 0, "")


def test_before_the_start_there_is_nothing_to_tell():
    journal = Journal.create(around(1), Plan(ruleset="hegemonic", seats=4))
    assert deals_of(journal.history, None).deals == []


def test_bindingness_is_the_rulesets_word():
    assert (report().binding, report().rule) == (False, "deal.non-binding")
    assert report().source == ruleset("hegemonic").source


def test_the_judge_of_a_whole_match_knows_no_event_more_than_there_is():
    judge = judge_deals(played().history)
    assert (judge.last, judge.lost) == (played().history.tip.version, 0)


@pytest.mark.parametrize("viewer", [*range(4), None])
def test_a_report_for_people_says_who_promised_what_and_what_came_of_it(viewer: Viewer):
    said = text(report(viewer))
    assert f"broken with event {played().at[189]}: Purple will spare Orange" in said
    assert ("its terms are between them" in said) == (viewer != ALL_SEATS)


@pytest.mark.parametrize("viewer", [*range(4), None])
def test_the_log_and_the_replay_tell_it_to_who_may_know_it(viewer: Viewer):
    match = played()
    told = {one.version: one.sentences for one in tell(match.history, viewer)}
    document = build(match.history, viewer)
    broken = "A promise is broken: Purple will spare Orange in round 2, arbitration (deal s1/1)."
    assert told[match.at[189]][-1] == broken
    secret = any("Yellow will spare Orange (S6a)" in said for said in told[match.at[106]])
    assert secret == (viewer in (ORANGE, YELLOW))
    steps = {deal.id: [step.what for step in deal.steps] for deal in document.deals}
    assert steps["s1/1"][-1] == "promise broken"
    assert ("promise broken" in steps[match.names["sector"]]) == secret
