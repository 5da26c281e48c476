"""Who plays alone: positions that fit what is seen, and a greedy player that does something."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from ledger.kernel.bots import greedy_bot, random_bot
from ledger.kernel.chance import Stream
from ledger.kernel.fold import begin, fold
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision, Fact, tag_of
from ledger.rules.hegemonic import RULES
from ledger.rules.hegemonic.actions import ChooseActions
from ledger.rules.hegemonic.bots import ideas, score
from ledger.rules.hegemonic.building import FinishBuild, PlaceComplex, StartBuild
from ledger.rules.hegemonic.conflict import StartConflict
from ledger.rules.hegemonic.deal import Terms
from ledger.rules.hegemonic.deals import Accept, Propose
from ledger.rules.hegemonic.declaring import Declare
from ledger.rules.hegemonic.resolving import EndTurn
from ledger.rules.hegemonic.sampling import sample
from ledger.rules.hegemonic.starting_power import ChooseDraw
from ledger.rules.hegemonic.support import DeclineSupport, LendSupport
from ledger.rules.hegemonic.turn import CancelAction
from tests.given import Given
from tests.rules.hegemonic.positions import Position, house, position, terms_of


def fallen(match: Match, stream: Stream) -> Decision:
    question = match.chance()
    assert question is not None
    return question.wish(match.state).answer(stream.take(32), 0, question.address(match.state))


# --- positions that fit ---------------------------------------------------------------------------

PLAYS: list[tuple[int, dict[str, Any]]] = [
    (2, {"opt.long": True}), (3, {"opt.long": True}), (3, {"learning": True}),
    (4, {"opt.draft": True, "opt.leaders": "chosen"}), (5, {"layout": "free"}),
    (6, {"opt.leaders": "dealt", "opt.piles": True}),
]  # fmt: skip


@pytest.mark.parametrize(("seats", "options"), PLAYS)
def test_a_sample_fits_what_each_seat_sees_all_through_a_match(seats: int, options: dict[str, Any]):
    terms = terms_of(options)
    match, stream = terms.open_match(seats), Stream.named(bytes([seats]), "sample")
    begin(match)
    for number in range(400):
        if match.ended:
            break
        if match.chance() is not None:
            fold(match, CHANCE, fallen(match, stream))
            continue
        for seat in {*match.asked(), number % seats}:
            check_sample(match, seat, stream)
        seat = stream.choose(match.asked())
        offered = [
            option
            for question in match.standing(seat)
            for option in question.options(match.state, seat)
        ]
        often = offered if offered and not stream.below(8) else match.options(seat)
        fold(match, seat, stream.choose(often))


def check_sample(match: Match, seat: int, stream: Stream) -> None:
    seen = match.view(seat)
    state, agenda = sample(seen, stream, match.terms.silent)
    imagined = match.terms.match(seen["version"], state, agenda)
    assert imagined.view(seat) == seen
    assert set(RULES.conserved(state).values()) == {0}
    held = match.terms.snapshot(imagined)
    assert match.terms.snapshot(match.terms.restore(held)) == held


def test_a_sample_guesses_what_it_cannot_see():
    built = position().hand(0, "I1a-1").hand(1, "P1a-1").turn(0, "assault")
    match, stream = built.given().match, Stream(b"guess")
    seen, door = match.view(0), match.terms.silent
    hands = {tuple(sample(seen, stream, door)[0].houses[1].hand) for _ in range(200)}
    assert len(hands) > 30
    assert all("I1a-1" not in hand for hand in hands)
    assert {len(hand) for hand in hands} == {1}


def test_a_deal_of_others_is_sampled_without_its_terms():
    sentence = position().turn(0, "assault").given()
    sentence.when(1, Propose((1, 2), private=Terms(text="between us")))
    seen, door = sentence.match.view(0), sentence.match.terms.silent
    state, _ = sample(seen, Stream(b"deal"), door)
    assert state.deals[0].agreed_on.text == ""


# --- what a position is worth ---------------------------------------------------------------------


def after(match: Match, seat: int, *decisions: Decision) -> int:
    beside = match.terms.restore(match.terms.snapshot(match))
    for decision in decisions:
        fold(beside, seat, decision)
    return score(beside.state, seat)


def chosen(sentence: Given, seat: int) -> Decision:
    match = sentence.match
    return greedy_bot(match.terms, match.view(seat), match.options(seat), Stream(b"greedy"))


def builder() -> Position:
    return (
        position()
        .home(0, "S1d")
        .home(1, "S4d")
        .tile("S1b", industrial=3)
        .tile("K2", industrial=2)
        .has(0, complexes={"S1d": 1, "S1b": 1}, embassies=["S1d"], outposts={"S1d": 1})
        .has(1, complexes={"S4d": 1}, embassies=["S4d"], outposts={"S4d": 1})
        .caps(8, 8, 8, 8)
        .turn(0, "industrialize")
    )


def test_the_bot_would_rather_build_than_end_its_turn():
    built = builder()
    assert built.galaxy.turn is not None
    built.galaxy.turn.used = built.galaxy.turn.opened = 1
    sentence = built.given()
    assert chosen(sentence, 0) == StartBuild()
    sentence.when(0, StartBuild())
    sentence.state.accounts.move("caps", "seat.0", "bank", 5)  # too few for a gate
    match = sentence.match
    assert after(match, 0, PlaceComplex("K2")) > after(match, 0, CancelAction())
    assert chosen(sentence, 0) == PlaceComplex("K2")


def test_the_bot_does_not_build_what_brings_less_than_it_costs():
    sentence = builder().given().when(0, StartBuild()).when(0, PlaceComplex("K2"))
    sentence.state.stack, sentence.state.last_round = 0, sentence.state.round
    sentence.state.accounts.move("caps", "seat.0", "bank", 6)
    assert chosen(sentence, 0) == FinishBuild()


def attacker(power: int) -> Position:
    return (
        position()
        .home(0, "S1d")
        .home(1, "S4d")
        .tile("S2b", industrial=3)
        .tile("S2a", faction="green", political=2)
        .has(0, complexes={"S2b": power, "S1d": 1})
        .has(1, embassies=["S4d", "S2a"])
        .caps(8, 8, 8, 8)
        .turn(0, "subvert")
    )


def test_the_bot_attacks_where_it_is_stronger_and_not_where_it_is_weaker():
    built = attacker(3)
    assert built.galaxy.turn is not None
    built.galaxy.turn.used = built.galaxy.turn.opened = 1
    sentence = built.given()
    assert chosen(sentence, 0) == StartConflict("subvert.industrial-political")
    sentence.when(0, StartConflict("subvert.industrial-political"))
    assert chosen(sentence, 0) == Declare(1, "S2a", "S2b")
    weak = attacker(1).given()
    assert not isinstance(chosen(weak, 0), StartConflict)


def test_a_win_scores_above_all_and_a_loss_below():
    galaxy = builder().given().state
    middle = score(galaxy, 0)
    galaxy.winners, galaxy.reason = (0,), "most points"
    assert score(galaxy, 0) > middle > score(galaxy, 1)


# --- deals ----------------------------------------------------------------------------------------


def supported() -> Given:
    """Blue's agent attacks an embassy of Green's; Orange has an embassy of that faction."""
    return (
        position()
        .home(0, "S1d")
        .tile("S2a", faction="green", political=1)
        .tile("S3a", faction="green", political=1)
        .tile("S3b", faction="green", political=2)
        .has(0, embassies=["S1d", "S3b"], agents=["S2a"])
        .has(1, embassies=["S2a"])
        .has(2, embassies=["S3a"])
        .caps(8, 8, 8, 8)
        .hand(0, "P1a-1")
        .hand(1, "P1a-2")
        .turn(0, "politicize")
        .given()
        .when(0, StartConflict("politicize.infiltrate"))
        .when(0, Declare(1, "S2a", units=(0,)))
    )


def test_the_bot_offers_caps_for_support_and_whoever_takes_them_supports():
    sentence = supported()
    offer = chosen(sentence, 0)
    assert isinstance(offer, Propose)
    assert offer.parties == (0, 2)
    sentence.when(0, offer).when(0, ChooseDraw(("green",)))
    assert sentence.match.asked() == (2,)
    assert isinstance(chosen(sentence, 2), Accept)
    sentence.when(2, chosen(sentence, 2)).holds("caps", seat_2=10)
    assert chosen(sentence, 2) == LendSupport(0, 1)
    match = sentence.match
    assert after(match, 2, LendSupport(0, 1)) > after(match, 2, DeclineSupport())


def test_nobody_is_offered_the_same_twice():
    sentence = supported()
    sentence.when(0, chosen(sentence, 0))
    assert not isinstance(chosen(sentence, 0), Propose)


def test_peace_is_bought_once_a_round_from_who_is_ahead():
    built = builder().has(1, fleets=["S4d"]).at(3)
    built.galaxy.turn, built.galaxy.houses[0].played = None, ""
    built.galaxy.houses[1].score = 20
    sentence = built.doing(ChooseActions((0, 1, 2, 3))).given()
    match = sentence.match
    (offer,) = ideas(match.view(0), match.terms.silent)
    assert isinstance(offer, Propose)
    assert offer.parties == (0, 1)
    sentence.when(0, offer)
    assert ideas(match.view(0), match.terms.silent) == []
    assert [type(one) for one in ideas(match.view(1), match.terms.silent)] == [Accept]


@pytest.mark.parametrize("reading", ["never", "not-in-arbitration"])
def test_no_offer_is_made_where_caps_stay(reading: str):
    built = builder().has(1, fleets=["S4d"])
    terms = terms_of(overlay=house(deal__caps=reading))
    seen = built.given().match.view(0)
    seen["state"]["turn"] = None
    assert ideas(seen, terms.silent) == []


# --- whole matches --------------------------------------------------------------------------------


def played(seats: int, seed: int, bots: list[Any]) -> tuple[Match, Counter[str]]:
    terms = terms_of()
    match, stream = terms.open_match(seats), Stream.named(bytes([seed]), "bots")
    counted: Counter[str] = Counter()
    facts: list[Fact] = begin(match)
    for _ in range(5_000):
        counted.update(tag_of(fact) for fact in facts)
        if match.ended:
            return match, counted
        if match.chance() is not None:
            facts = fold(match, CHANCE, fallen(match, stream))
            continue
        seat = match.asked()[0]
        bot = bots[seat % len(bots)]
        facts = fold(match, seat, bot(terms, match.view(seat), match.options(seat), stream))
    raise AssertionError("no end")


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_random_bots_come_to_an_end(seats: int):
    match, counted = played(seats, seats, [random_bot])
    assert match.result().winners
    assert counted["end.winners"] == 1


def test_greedy_bots_build_fight_support_trade_and_advance():
    match, counted = played(4, 1, [greedy_bot])
    assert match.result().winners
    assert counted["conflict.begun"] >= 12
    assert counted["conflict.supported"] >= 1
    assert counted["piece.gate-placed"] >= 1
    assert counted["tech.advanced"] >= 1
    assert counted["deal.accepted"] >= 1


def test_a_greedy_bot_beats_a_random_one():
    winners = [played(2, seed, [greedy_bot, random_bot])[0].result().winners for seed in range(3)]
    assert winners == [(0,)] * 3


def test_a_bot_whose_turn_is_over_has_nothing_to_look_forward_to():
    sentence = builder().given()
    match = sentence.match
    assert after(match, 0, EndTurn()) < score(match.state, 0)
