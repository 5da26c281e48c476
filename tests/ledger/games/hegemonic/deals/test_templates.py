"""Promises of a deal: what each template comes to where the table stands, and what is refused."""

from __future__ import annotations

import msgspec
import pytest

from ledger.games.hegemonic import RULES
from ledger.games.hegemonic.conflicts.facts import ContestBegun
from ledger.games.hegemonic.deals.agreement import Promise, Terms
from ledger.games.hegemonic.deals.negotiation import Propose
from ledger.games.hegemonic.deals.templates import CLOCK, MEANINGS, TEMPLATES, meaning_of
from ledger.games.hegemonic.rounds.clock import PhaseBegun, RoundBegun
from ledger.kernel.audience import check_record
from ledger.kernel.pacts import PromiseMeaning
from ledger.parts.battle import Force
from tests.ledger.games.hegemonic.deals.test_negotiation import BLUE, GREEN, RED, YELLOW, table
from tests.support.hegemonic.positions import position

S1 = ("S1a", "S1b", "S1c", "S1d", "S1e")


def said(what: str, seat: int = RED, to: int = BLUE, **more) -> Promise:
    return Promise(seat=seat, to=to, what=what, **more)


def meant(promise: Promise) -> PromiseMeaning | None:
    return meaning_of(table().state, "s0/1", promise)


def begun(attacker: int, defender: int, sector: str) -> dict:
    """A conflict, as everybody sees it."""
    return {
        "type": "conflict.begun",
        "sector": sector,
        "attacker": {"seat": attacker},
        "defender": {"seat": defender},
    }


@pytest.mark.rule("deal.audit")
def test_every_template_is_judged_or_is_words():
    assert {one.name for one in TEMPLATES if one.judged} == set(MEANINGS)
    assert [one.name for one in TEMPLATES if not one.judged] == ["other"]
    for one in TEMPLATES:
        plain = {"seat": RED, "to": BLUE, "what": one.name}
        assert msgspec.convert(plain, Promise).what == one.name
    check_record(PromiseMeaning)
    assert meant(said("other", subject="S1d")) is None


@pytest.mark.rule("deal.audit")
@pytest.mark.parametrize(
    ("promise", "fits", "others"),
    [
        (said("spare"), [(RED, BLUE, "S1d"), (RED, BLUE, "K1")], [(RED, GREEN, "K1")]),
        (said("spare", subject="S1"), [(RED, BLUE, "S1e")], [(RED, BLUE, "K1")]),
        (said("spare", subject="S1d"), [(RED, BLUE, "S1d")], [(RED, BLUE, "S1e")]),
        (said("spare"), [(RED, BLUE, "S1d")], [(BLUE, RED, "S1d")]),
        (said("hold-fire", subject="S1"), [(RED, GREEN, "S1a")], [(RED, GREEN, "S2a")]),
        (said("attack", subject="S1"), [(RED, GREEN, "S1a")], [(RED, BLUE, "S1a")]),
    ],
    ids=str,
)
def test_which_attacks_are_meant(promise, fits, others):
    meaning = meant(promise)
    assert meaning is not None
    assert meaning.how == ("at-least" if promise.what == "attack" else "never")
    assert all(meaning.pattern.fits(begun(*one)) for one in fits)
    assert not any(meaning.pattern.fits(begun(*one)) for one in others)


@pytest.mark.rule("deal.audit")
@pytest.mark.parametrize("what", ["spare", "hold-fire", "leave", "support", "attack"])
def test_a_place_that_nobody_knows_is_for_people_to_judge(what):
    assert meant(said(what, subject="the northern part")) is None
    assert meant(said(what, subject="S1")) is not None


@pytest.mark.rule("deal.audit")
def test_to_leave_a_place_is_to_put_nothing_there():
    meaning = meant(said("leave", subject="S1"))
    assert meaning is not None
    for tag, where in (
        ("piece.base-placed", {"sector": "S1a"}),
        ("piece.base-moved", {"sector": "S1b", "origin": "K1"}),
        ("piece.unit-placed", {"sector": "S1c"}),
        ("piece.unit-moved", {"path": ["K1", "S1d"]}),
        ("piece.gate-placed", {"first": "K2", "second": "S1e"}),
    ):
        assert meaning.pattern.fits({"type": tag, "seat": RED, **where}), tag
        assert not meaning.pattern.fits({"type": tag, "seat": BLUE, **where}), tag
    through = {"type": "piece.unit-moved", "seat": RED, "path": ["S1d", "K1"]}
    assert not meaning.pattern.fits(through)


@pytest.mark.rule("deal.audit")
def test_support_is_meant_for_the_next_conflict_in_which_one_can_lend():
    meaning = meant(said("support", seat=YELLOW, to=RED, amount=2))
    assert meaning is not None
    (opens,) = meaning.window.opens
    assert opens.fits(begun(RED, BLUE, "S1d"))
    assert opens.fits(begun(BLUE, RED, "S1d"))
    assert not opens.fits(begun(YELLOW, RED, "S1d"))
    assert not opens.fits(begun(BLUE, GREEN, "S1d"))
    lent = {"type": "conflict.supported", "seat": YELLOW, "side": RED, "contributions": [{}, {}]}
    assert meaning.pattern.fits(lent)
    assert (meaning.amount(lent), meaning.count) == (2, 2)
    (chance,) = meaning.chances
    assert chance.fits({"type": "conflict.support", "side": RED, "count": 2})
    assert not chance.fits({"type": "conflict.support", "side": RED, "count": 1})
    assert not chance.fits({"type": "conflict.support", "side": BLUE, "count": 2})


@pytest.mark.rule("deal.audit")
@pytest.mark.parametrize(
    ("subject", "seat", "at_once"),
    [("", YELLOW, True), ("S1d", YELLOW, True), ("S1", YELLOW, True), ("K1", YELLOW, False),
     ("", BLUE, False)],
)  # fmt: skip
def test_the_conflict_that_goes_on_is_the_next_one_for_who_can_lend_in_it(subject, seat, at_once):
    spot = position(4).turn(RED, "assault")
    forces = Force(RED, "political", "S1d"), Force(BLUE, "political", "S1d")
    ContestBegun("r2p3s0a1", "x", "destroy", "S1d", 0, forces[0], forces[1], "", (), 0, ()).apply(
        spot.galaxy
    )
    meaning = meaning_of(spot.galaxy, "s0/1", said("support", seat=seat, to=RED, subject=subject))
    assert meaning is not None
    assert (meaning.window.opens == ()) == at_once


@pytest.mark.rule("deal.audit")
def test_caps_count_that_name_the_deal_and_others_are_doubtful():
    for what in ("pay", "pay-at-collection"):
        meaning = meant(said(what, amount=3))
        assert meaning is not None
        assert meaning.doubtful is not None
        given = {"type": "deal.caps-given", "seat": RED, "to": BLUE, "amount": 2}
        assert meaning.pattern.fits({**given, "deal": "s0/1"})
        assert not meaning.pattern.fits({**given, "deal": "s0/2"})
        assert not meaning.doubtful.fits({**given, "deal": "s0/2"})
        assert meaning.doubtful.fits({**given, "deal": ""})
        assert (meaning.amount({**given}), meaning.count) == (2, 3)


@pytest.mark.rule("deal.audit", "arb.tie", "action.ties")
def test_a_choice_counts_only_if_it_was_theirs():
    arbiter, starter = meant(said("choose-arbiter")), meant(said("choose-starter"))
    assert arbiter is not None
    assert starter is not None
    found = {"type": "arbitration.arbiter-found", "seat": BLUE, "rule": "arb.tie"}
    assert arbiter.pattern.fits(found, RED)
    assert not arbiter.pattern.fits(found, GREEN)
    assert not arbiter.pattern.fits({**found, "rule": "arb.most-caps"}, RED)
    named = {"type": "action.starter-named", "number": 2, "seat": BLUE}
    assert starter.pattern.fits(named, RED)
    assert not starter.pattern.fits(named, YELLOW)


@pytest.mark.rule("round.tracker")
@pytest.mark.parametrize(
    ("due", "over"), [((2, 3), (2, 4)), ((2, 6), (3, 0)), ((1, 1), (1, 2)), ((9, 6), (10, 0))]
)
def test_a_moment_is_over_when_the_next_phase_begins(due, over):
    assert CLOCK.after(due) == at(*over)
    assert at(*due) < at(*over)
    assert CLOCK.after(None) is None


def at(round_: int, phase: int) -> int:
    """Returns the clock's time at the beginning of a phase."""
    assert RULES.audit.pacts is not None
    clock = RULES.audit.pacts.clock
    now = clock["round.begun"](0, RoundBegun(round_))
    return clock["round.phase-begun"](now, PhaseBegun(phase)) if phase else now


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.rule("deal.audit")
@pytest.mark.parametrize("what", ["hold-fire", "choose-arbiter", "choose-starter"])
def test_an_exact_promise_is_made_to_somebody_else(what):
    terms = Terms(promises=(said(what, to=RED, subject="S1"),))
    sentence = table().when(RED, Propose((RED, BLUE), terms))
    sentence.refused("bad_promise", "deal.audit", what=what)


@pytest.mark.rule("deal.audit")
def test_to_hold_fire_somewhere_names_a_place_on_the_map():
    for subject in ("", "everywhere", "S9", "s1"):
        terms = Terms(promises=(said("hold-fire", subject=subject),))
        sentence = table().when(RED, Propose((RED, BLUE), private=terms))
        sentence.refused("bad_promise", "deal.audit", subject=subject)
    good = Terms(promises=(said("hold-fire", subject="S1"),))
    assert table().when(RED, Propose((RED, BLUE), good)).state.deals[0].terms == good


@pytest.mark.rule("deal.caps", "learn.no-caps")
def test_caps_that_are_owed_after_the_collection_are_caps_too():
    owed = Terms(promises=(said("pay-at-collection", amount=0),))
    table().when(RED, Propose((RED, BLUE), owed)).refused("nothing_given", "deal.caps")
    some = Terms(promises=(said("pay-at-collection", amount=1),))
    learning = table(options={"learning": True}).when(RED, Propose((RED, BLUE), some))
    learning.refused("caps_stay", "learn.no-caps")
