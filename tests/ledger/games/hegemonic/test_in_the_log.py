"""A match in the log: private deals and who can read them, offers that come late, editions."""

from __future__ import annotations

import itertools

import pytest

from ledger.games.hegemonic import RULES
from ledger.games.hegemonic.actions.advancing import Discard
from ledger.games.hegemonic.actions.resolving import EndTurn
from ledger.games.hegemonic.deals.agreement import Terms
from ledger.games.hegemonic.deals.negotiation import Propose
from ledger.games.hegemonic.deals.transfers import Transfer
from ledger.games.hegemonic.rounds.arbitration import Confirm
from ledger.games.hegemonic.rounds.scoring import BoardScored
from ledger.kernel.accounts import Transferred
from ledger.kernel.chance import Stream
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Ruleset
from ledger.log.format.bodies import Submitter
from ledger.log.stores.memory import MemoryStore
from ledger.log.write.founding import Plan, Surroundings
from ledger.log.write.journal import Journal
from ledger.log.write.lifecycle import Composed
from ledger.parts.deals.agreement import Payment, Statement
from ledger.parts.deals.answers import Accept, Reject, StateOutcome
from tests.support.log.matches import bundled
from tests.support.replays.saying import verdict_of

ORGANIZER = Submitter(role="organizer")
SECRET = "strike at the core in the next round"


def rules_of(name: str) -> Ruleset:
    assert name == RULES.name
    return RULES


def started(seats: int = 3, seed: int = 1) -> Journal:
    """A match in the log."""
    entropy = Stream.named(seed.to_bytes(8, "big"), "entropy")
    ticks = itertools.count(1_700_000_000_000)
    around = Surroundings(
        store=MemoryStore(), rules_of=rules_of, clock=lambda: next(ticks), entropy=entropy.take
    )
    one = Journal.create(around, Plan(ruleset=RULES.name, seats=seats))
    for seat in range(seats):
        one.join(seat, f"player {seat}")
    one.start()
    return one


def until(one: Journal, round_: int, phase: int) -> Journal:
    """Everybody does as little as the rules allow, up to a phase."""
    while (one.match().state.round, one.match().state.phase) < (round_, phase):
        idle(one)
    return one


def idle(one: Journal):
    match = one.match()
    seat = match.asked()[0]
    options = match.options(seat)
    plain = [option for option in options if isinstance(option, EndTurn | Discard)]
    return one.decide(seat, (plain or options)[0])


# --- deals ----------------------------------------------------------------------------------------


def dealt() -> Journal:
    """Seats 0 and 1 have made a private deal, and one of them says that it was broken."""
    one = until(started(), 1, 3)
    terms = Terms(text=SECRET, payments=(Payment(seat=0, to=1, amount=2),))
    one.decide(0, Propose((0, 1), private=terms))
    one.decide(1, Accept("s0/1"))
    said = Statement(about=0, kept=False, note=f"no {SECRET}")
    one.decide(1, StateOutcome("s0/1", (0, 1), private=said))
    return one


@pytest.mark.rule("deal.audit")
def test_only_the_parties_can_read_a_private_deal_in_the_record():
    one = dealt()
    read = {viewer: bundled(one.history, viewer) for viewer in (0, 1, 2, None)}
    assert [SECRET.encode() in read[viewer] for viewer in read] == [True, True, False, False]
    assert [b"s0/1" in read[viewer] for viewer in read] == [True] * 4


@pytest.mark.rule("deal.audit", "deal.caps")
@pytest.mark.parametrize("viewer", ["all", 0, 2, None])
def test_a_match_with_a_private_deal_verifies_for_whoever_has_it(viewer):
    assert verdict_of(dealt().history, viewer, rules_of) == "clean"


@pytest.mark.rule("deal.any", "deal.caps")
def test_an_offer_is_no_reason_to_look_again_and_a_gift_is_for_whom_it_moves():
    one = until(started(4), 1, 3)
    seen = Composed(one.history.tip.version)
    one.decide(0, Propose((0, 1), Terms(text="peace")))
    one.decide(1, Reject("s0/1"))
    one.decide(1, Transfer(3, 1))
    one.decide(2, Transfer(0, 1), composed=seen)
    with pytest.raises(Refused, match="stale"):
        one.decide(3, Transfer(0, 1), composed=seen)


@pytest.mark.rule("arb.caps-between")
def test_confirming_at_once_is_no_reason_to_look_again():
    one = until(started(), 1, 6)
    idle(one)  # equal incomes: the arbiter chooses the next one
    seen = Composed(one.history.tip.version)
    assert one.match().asked() == (0, 1, 2)
    for seat in (0, 1, 2):
        facts = one.decide(seat, Confirm(), composed=seen)
    assert any(isinstance(fact, BoardScored) for fact in facts)


# --- editions -------------------------------------------------------------------------------------


def scored(one: Journal) -> list[BoardScored]:
    """The boards as the next round scores them."""
    round_, facts = one.match().state.round, []
    while one.match().state.round == round_:
        facts += idle(one)
    return [fact for fact in facts if isinstance(fact, BoardScored)]


@pytest.mark.rule("err.08", "score.home-embassy")
def test_an_edition_that_changes_in_a_running_match_is_in_force_from_there_on():
    one = until(started(), 1, 3)
    assert {power for fact in scored(one) for _, power in fact.powers} == {3}
    one.change_edition("err.08", ORGANIZER, "published", consents=(0, 1, 2))
    assert {power for fact in scored(one) for _, power in fact.powers} == {2}
    assert verdict_of(one.history, "all", rules_of) == "clean"


@pytest.mark.rule("deal.caps")
def test_every_cap_in_the_record_moved_by_a_rule():
    one = dealt()
    moves = [f for m in one.history.replay() for f in m.facts if isinstance(f, Transferred)]
    assert {fact.rule for fact in moves} == {"collection.income", "deal.caps"}
