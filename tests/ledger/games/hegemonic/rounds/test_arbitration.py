"""Phase 6, Arbitration: the next arbiter, CAPs given before the cut, retention."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic.actions.advancing import DiscardOrAdvance, Keep
from ledger.games.hegemonic.conflicts.inactive import InactiveReturned
from ledger.games.hegemonic.deals.transfers import Transfer
from ledger.games.hegemonic.rounds.arbitration import (
    ArbiterFound,
    Arbitration,
    CapsCompared,
    ChooseNextArbiter,
    Confirm,
    RetentionCut,
    TransfersConfirmed,
)
from ledger.games.hegemonic.rounds.ending import CheckEnd
from ledger.games.hegemonic.rounds.scoring import Scoring
from ledger.games.hegemonic.rounds.sequence import NextRound
from ledger.kernel.accounts import Transferred
from ledger.kernel.audience import view
from tests.support.hegemonic.positions import Position, falling, house, position, told

SWITCHED_OFF = {"switches": {"retention.on": {"on": False}}}


def phase(spot: Position, arbiter: int = 0):
    """The arbitration phase begins."""
    after = DiscardOrAdvance(0, "x", optional=True)
    return spot.at(5, arbiter=arbiter).doing(Arbitration(), after).given()


def confirmed(sentence, *seats: int):
    """These players are done with giving CAPs away."""
    for seat in seats:
        sentence.when(seat, Confirm())
    return sentence


# --- the arbiter ----------------------------------------------------------------------------------


@pytest.mark.rule("arb.sequence", "arb.most-caps", "inactive.return-arbitration")
def test_inactive_piles_return_and_the_richest_becomes_arbiter():
    spot = position(3).caps(4, 9, 2).hand(1, "I1a-1").inactive(1, "P1a-1", "M1a-1")
    sentence = phase(spot).asks(0, 1, 2, key="r2/p6/confirm")
    assert told(sentence, InactiveReturned, CapsCompared, ArbiterFound) == [
        InactiveReturned(1, ("P1a-1", "M1a-1"), "inactive.return-arbitration"),
        CapsCompared((1,), (4, 9, 2)),
        ArbiterFound(1, "arb.most-caps"),
    ]
    assert sentence.state.houses[1].hand == ["I1a-1", "P1a-1", "M1a-1"]
    assert sentence.state.houses[1].inactive == []
    assert sentence.state.arbiter == 1


@pytest.mark.rule("arb.most-caps")
def test_an_arbiter_alone_at_the_top_keeps_the_token():
    sentence = phase(position(3).caps(4, 9, 2), arbiter=1)
    assert told(sentence, ArbiterFound) == [ArbiterFound(1, "arb.most-caps")]


@pytest.mark.rule("arb.tie", "arbiter.successor")
def test_the_arbiter_chooses_among_those_with_most():
    sentence = phase(position(4).caps(1, 5, 5, 3)).asks(0, key="r2/p6/arbiter")
    sentence.offers(0, ChooseNextArbiter(1), ChooseNextArbiter(2))
    for other in (0, 3, 7):
        sentence.when(0, ChooseNextArbiter(other)).refused("not_richest", "arb.tie", richest=[1, 2])
    sentence.when(1, ChooseNextArbiter(1)).refused("not_asked", "arb.tie")
    sentence.when(0, ChooseNextArbiter(2))
    assert told(sentence, ArbiterFound) == [ArbiterFound(2, "arb.tie")]


@pytest.mark.rule("arb.tie-incumbent")
def test_a_tied_arbiter_gives_the_token_to_another_of_them():
    sentence = phase(position(4).caps(5, 5, 1, 5)).asks(0, key="r2/p6/arbiter")
    sentence.offers(0, ChooseNextArbiter(1), ChooseNextArbiter(3))
    sentence.when(0, ChooseNextArbiter(0)).refused("must_pass_on", "arb.tie-incumbent")
    sentence.when(0, ChooseNextArbiter(3))
    assert sentence.state.arbiter == 3


@pytest.mark.rule("arb.tie-incumbent")
def test_where_one_other_is_tied_nobody_is_asked():
    sentence = phase(position(3).caps(5, 1, 5)).asks(0, 1, 2, key="r2/p6/confirm")
    assert told(sentence, ArbiterFound) == [ArbiterFound(2, "arb.tie-incumbent")]
    sentence.when(0, ChooseNextArbiter(2)).refused("wrong_answer")


@pytest.mark.rule("arb.tie-incumbent")
def test_by_a_reading_a_tied_arbiter_may_keep_the_token():
    sentence = phase(position(3, overlay=house(arb__tie_incumbent="may-keep")).caps(5, 1, 5))
    sentence.offers(0, ChooseNextArbiter(0), ChooseNextArbiter(2))
    sentence.when(0, ChooseNextArbiter(0))
    assert told(sentence, ArbiterFound) == [ArbiterFound(0, "arb.tie")]


@pytest.mark.rule("arb.caps-between", "arb.most-caps")
def test_caps_given_while_the_arbiter_chooses_do_not_change_who_was_richest():
    sentence = phase(position(4).caps(1, 5, 5, 3))
    sentence.when(1, Transfer(3, 5)).asks(0, key="r2/p6/arbiter")
    sentence.offers(0, ChooseNextArbiter(1), ChooseNextArbiter(2))
    assert sentence.when(0, ChooseNextArbiter(1)).state.arbiter == 1


@pytest.mark.rule("arbiter.expansion", "arb.sequence", "round.phases")
def test_the_new_arbiter_is_first_in_the_next_expansion():
    spot = position(3).caps(1, 2, 9).at(5)
    sentence = spot.doing(Arbitration(), Scoring(), CheckEnd(), NextRound()).given()
    falling(confirmed(sentence, 0, 1, 2)).asks(2, key="r3/p2/s2/place")


@pytest.mark.rule("general.information")
def test_by_a_reading_only_who_has_most_is_told_and_not_how_much():
    sentence = phase(position(3, overlay=house(info__caps="hidden")).caps(4, 9, 2))
    compared = told(sentence, CapsCompared)
    assert compared == [CapsCompared((1,), ())]
    assert view(compared[0], None) == {"type": "arbitration.compared", "richest": [1], "caps": []}


@pytest.mark.rule("learn.arbiter", "learn.no-retention")
def test_in_the_learning_game_the_token_goes_counter_clockwise_and_nothing_is_cut():
    spot = position(3, options={"learning": True}).caps(40, 9, 2)
    spot.home(0, "S1d").has(0, complexes={"S1d": 1})
    sentence = phase(spot, arbiter=1).asks(0, key="x/finish")
    assert told(sentence, ArbiterFound) == [ArbiterFound(0, "learn.arbiter")]
    sentence.holds("caps", seat_0=40, seat_1=9, seat_2=2)
    assert told(phase(position(3, options={"learning": True})), ArbiterFound) == [
        ArbiterFound(2, "learn.arbiter")
    ]


# --- retention ------------------------------------------------------------------------------------


def rich(**terms) -> Position:
    """Two players with their first bases, who may keep 12 CAPs, and one without a base."""
    spot = position(3, **terms).home(0, "S1d").home(1, "S3d").caps(15, 12, 30)
    for seat, home in ((0, "S1d"), (1, "S3d")):
        spot.has(seat, complexes={home: 1}, embassies=[home], outposts={home: 1})
    return spot


@pytest.mark.rule("arb.retention", "arb.caps-between")
def test_all_are_cut_together_when_the_last_has_confirmed():
    sentence = phase(rich())
    confirmed(sentence, 2).asks(0, 1, key="r2/p6/confirm").then(TransfersConfirmed(2))
    sentence.when(2, Confirm()).refused("not_asked", "arb.caps-between")
    confirmed(sentence, 0)
    sentence.when(2, Transfer(1, 3)).holds("caps", seat_0=15, seat_1=15, seat_2=27)
    confirmed(sentence, 1).asks(0, key="x/finish")
    sentence.then(
        TransfersConfirmed(1),
        RetentionCut(0, 12, 3),
        Transferred("caps", "seat.0", "bank", 3, "arb.retention"),
        RetentionCut(1, 12, 3),
        Transferred("caps", "seat.1", "bank", 3, "arb.retention"),
    )
    sentence.holds("caps", seat_0=12, seat_1=12, seat_2=27)


@pytest.mark.rule("arb.caps-between")
def test_nobody_is_given_caps_behind_its_own_cut():
    sentence = confirmed(phase(rich()), 1, 2)
    sentence.when(0, Transfer(1, 15)).holds("caps", seat_0=0, seat_1=27, seat_2=30)
    confirmed(sentence, 0).holds("caps", seat_0=0, seat_1=12, seat_2=30)


@pytest.mark.rule("arb.retention", "board.retention")
def test_v01_a_player_with_three_complexes_four_embassies_eight_outposts_keeps_four():
    spot = position(2).home(0, "S1d").caps(16, 0)
    spot.has(0, complexes={"S2a": 3}, embassies=["S1d", "S2b", "S2c", "S2d"])
    spot.has(0, outposts={"S1a": 3, "S1b": 3, "S3b": 1, "S1d": 1})
    sentence = confirmed(phase(spot), 0, 1)
    assert told(sentence, RetentionCut) == [RetentionCut(0, 4, 12)]


@pytest.mark.rule("arb.retention", "tech.emergent-economics")
def test_emergent_economics_keeps_six_more():
    sentence = confirmed(phase(rich().advanced(0, "I3b-1")), 0, 1, 2)
    assert told(sentence, RetentionCut) == []
    sentence.holds("caps", seat_0=15)


@pytest.mark.rule("arb.retention")
def test_where_retention_is_off_nothing_is_cut_and_nobody_asked():
    sentence = phase(rich(overlay=SWITCHED_OFF)).asks(0, key="x/finish")
    sentence.holds("caps", seat_0=15, seat_1=12, seat_2=30)


@pytest.mark.rule("deal.caps")
@pytest.mark.parametrize("value", ["never", "not-in-arbitration"])
def test_by_a_reading_no_caps_move_in_arbitration_and_nobody_has_to_confirm(value: str):
    sentence = phase(rich(overlay=house(deal__caps=value))).asks(0, key="x/finish")
    assert told(sentence, RetentionCut) == [RetentionCut(0, 12, 3)]
    sentence.when(2, Transfer(0, 1)).refused("caps_stay", "deal.caps")
    assert sentence.when(0, Keep()).match.ended
