"""Deals that were taken back: by a rewind, by a ruling, with the match; and what is left then."""

from __future__ import annotations

from functools import cache
from typing import Any

from ledger.kernel.audience import ALL_SEATS
from ledger.log.format.acts import Disputed, Remedy, Ruled
from ledger.log.format.bodies import ActBody, body_bytes
from ledger.log.format.chain import link
from ledger.log.read.history import History
from replays.deals.promise import ABANDONED, ANNULLED, LET_GO, UNDONE
from replays.deals.statements import deals_of
from tests.replays.deals.test_verdicts import facts_of, found, report
from tests.support.log.matches import ORGANIZER
from tests.support.replays.bargaining import (
    GREEN,
    PURPLE,
    Bargained,
    bargained,
    offer,
    played,
    promise,
    taken_back,
    yes,
)


@cache
def back() -> Bargained:
    return taken_back()


def test_a_rewind_takes_verdicts_back_and_another_event_gives_another():
    after = deals_of(back().history, ALL_SEATS)
    lent = found("s0/4", after, back()).promises or []
    assert [(one.verdict, one.at, one.why) for one in lent] == [("broken", back().at[-1], LET_GO)]
    assert facts_of(lent[0])[0]["type"] == "conflict.support-declined"
    truce = found("truce", after, back()).promises or []  # the attack has never been
    assert [(one.verdict, one.at) for one in truce] == [("open", None)]
    sector = found("sector", after, back()).promises or []  # that one came before
    assert sector[1].verdict == "broken"


def test_deals_that_were_undone_are_void_and_still_told():
    match = bargained(250)
    match.journal.rewind(match.at[112], ORGANIZER, "round 2 anew")
    tip = match.history.tip.version
    after = deals_of(match.history, ALL_SEATS)
    gone = [deal for deal in after.deals if deal.undone_by is not None]
    assert {deal.id for deal in gone} == {
        match.names[name]
        for name in ("debt", "rates", "words", "vote", "raid", "long", "late", "s1/1", "s0/3",
                     "s0/4", "s3/2", "s3/3")
    }  # fmt: skip
    assert {deal.undone_by for deal in gone} == {tip}
    verdicts = {(one.verdict, one.why) for deal in gone for one in deal.promises or () if deal.made}
    assert verdicts == {("void", UNDONE)}
    loan = found("loan", after, match)
    assert [one.verdict for one in loan.promises or ()] == ["open", "open"]
    assert after.counts["deals"] == 16


def test_a_ruling_annuls_a_deal():
    history = played().history
    deal = played().names["truce"]
    ruling = Ruled(
        dispute="d1",
        finding="upheld",
        reason="under duress",
        remedy=Remedy(kind="annul-deal", text=deal),
    )
    ruled = deals_of(with_act(history, ruling), ALL_SEATS)
    one = found("truce", ruled)
    assert (one.status, one.steps[-1].what) == ("annulled", "annulled")
    assert [(p.verdict, p.at, p.why) for p in one.promises or ()] == [
        ("void", history.tip.version + 1, ANNULLED)
    ]
    others = [deal for deal in ruled.deals if deal.id != one.id]
    assert others == [deal for deal in report().deals if deal.id != one.id]


def test_an_offer_that_was_annulled_binds_nobody_who_accepts_it():
    match = bargained(38)
    match.say(*offer("peace", GREEN, PURPLE, promises=[promise(PURPLE, GREEN, "spare")]))
    name, journal = match.names["peace"], match.journal
    journal.record(Disputed(dispute="d1", first=1, last=2), ORGANIZER)
    remedy = Remedy(kind="annul-deal", text=name)
    journal.rule(Ruled(dispute="d1", finding="upheld", reason="bribes", remedy=remedy), ORGANIZER)
    match.say(*yes("peace", PURPLE))
    (one,) = (deal for deal in deals_of(match.history, ALL_SEATS).deals if deal.id == name)
    (said,) = one.promises or ()
    assert (one.status, one.made) == ("annulled", match.history.tip.version)
    assert (said.verdict, said.why) == ("void", ANNULLED)


def test_when_a_match_is_abandoned_what_was_open_is_void():
    match = bargained(150)
    match.journal.abandon(ORGANIZER, "rain")
    after = deals_of(match.history, ALL_SEATS)
    why = {one.why for deal in after.deals for one in deal.promises or () if one.verdict == "void"}
    assert ABANDONED in why
    assert after.counts["open"] == 0
    assert (found("raid", after, match).promises or [])[0].verdict == "kept"


def with_act(history: History, act: Any) -> History:
    """The same log, and an act more."""
    told = history.up_to(history.tip.version)
    last = told.body(told.tip.version)
    body = ActBody(at=last.at + 1, by=ORGANIZER, parent=told.tip.version, act=act)
    event = link(told.match, told.tip, body_bytes(body))
    told.add(event)
    told.know(history.openings.values())
    return told
