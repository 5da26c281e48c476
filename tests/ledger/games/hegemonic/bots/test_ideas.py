"""Bots sample positions that fit what they see, and the greedy bot does something."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from ledger.games.hegemonic import RULES
from ledger.games.hegemonic.actions.building import FinishBuild, PlaceComplex, StartBuild
from ledger.games.hegemonic.actions.choosing import ChooseActions
from ledger.games.hegemonic.actions.pile_views import cards_in_pile
from ledger.games.hegemonic.actions.resolving import EndTurn
from ledger.games.hegemonic.actions.turn import CancelAction
from ledger.games.hegemonic.bots.evaluation import Balance
from ledger.games.hegemonic.bots.foresight import prospects
from ledger.games.hegemonic.bots.ideas import ideas, promising, score
from ledger.games.hegemonic.bots.sample import sample
from ledger.games.hegemonic.conflicts.committing import CommitTechnology
from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.sequence import StartConflict
from ledger.games.hegemonic.conflicts.starting_power import ChooseDraw
from ledger.games.hegemonic.conflicts.support import DeclineSupport, LendSupport
from ledger.games.hegemonic.deals.agreement import Terms
from ledger.games.hegemonic.deals.negotiation import Propose
from ledger.games.hegemonic.map.gates import PlaceGate
from ledger.games.hegemonic.state.galaxy import Turn
from ledger.kernel.bots import greedy_bot, pending
from ledger.kernel.chance import Stream
from ledger.kernel.fold import begin, fold
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision
from ledger.parts.deals.answers import Accept
from tests.support.given import Given
from tests.support.hegemonic.positions import Position, house, position, terms_of


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
    state, agenda = sample(seen, stream, match.terms.silent), pending(seen, RULES.agenda)
    imagined = match.terms.match(seen["version"], state, agenda)
    assert imagined.view(seat) == seen
    assert set(RULES.audit.conserved(state).values()) == {0}
    held = match.terms.snapshot(imagined)
    assert match.terms.snapshot(match.terms.restore(held)) == held


def test_a_sample_guesses_what_it_cannot_see():
    built = position().hand(0, "I1a-1").hand(1, "P1a-1").turn(0, "assault")
    match, stream = built.given().match, Stream(b"guess")
    seen, lookup = match.view(0), match.terms.silent
    hands = {tuple(sample(seen, stream, lookup).houses[1].hand) for _ in range(200)}
    assert len(hands) > 30
    assert all("I1a-1" not in hand for hand in hands)
    assert {len(hand) for hand in hands} == {1}


def test_a_deal_of_others_is_sampled_without_its_terms():
    sentence = position().turn(0, "assault").given()
    sentence.when(1, Propose((1, 2), private=Terms(text="between us")))
    seen, lookup = sentence.match.view(0), sentence.match.terms.silent
    state = sample(seen, Stream(b"deal"), lookup)
    assert state.deals[0].agreed_on.text == ""


# --- what a position is worth ---------------------------------------------------------------------


def after(match: Match, seat: int, *decisions: Decision) -> int:
    beside = match.terms.restore(match.terms.snapshot(match))
    for decision in decisions:
        fold(beside, seat, decision)
    return score(beside.state, seat)


def chosen(sentence: Given, seat: int) -> Decision:
    match = sentence.match
    return greedy_bot(
        match.terms, partial(match.view, seat), match.options(seat), Stream(b"greedy")
    )


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


def test_nobody_takes_caps_for_what_it_cannot_do_any_more():
    sentence = supported()
    sentence.when(0, chosen(sentence, 0))
    match = sentence.match
    assert [type(one) for one in ideas(match.view(2), match.terms.silent)] == [Accept]
    sentence.when(0, ChooseDraw(("green",))).when(2, DeclineSupport())
    match.state.contest, match.state.phase = None, 3  # the same phase, and the conflict is over
    assert ideas(match.view(2), match.terms.silent) == []


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


# --- what is still to come ------------------------------------------------------------------------


def test_a_bot_whose_turn_is_over_has_nothing_to_look_forward_to():
    sentence = builder().given()
    match = sentence.match
    assert after(match, 0, EndTurn()) < score(match.state, 0)


def test_a_card_that_lies_face_up_is_looked_forward_to_until_its_turn_is_over():
    built = attacker(3)
    galaxy = built.galaxy
    galaxy.houses[0].played, galaxy.houses[1].played = "subvert", "assault"
    galaxy.turn = Turn(1, "assault")
    before = prospects(galaxy, Balance(galaxy, 0))
    assert before > prospects(galaxy, Balance(galaxy, 1)) > 0
    galaxy.turn = Turn(2, "discover")
    galaxy.houses[2].played = "discover"
    assert prospects(galaxy, Balance(galaxy, 0)) == 0


def test_between_turns_only_those_look_forward_who_have_not_had_theirs():
    galaxy = attacker(3).galaxy
    galaxy.turn = None
    for seat, card in enumerate(("assault", "subvert", "subvert", "discover")):
        galaxy.houses[seat].played = card
    seen = [prospects(galaxy, Balance(galaxy, seat)) > 0 for seat in galaxy.seats]
    assert seen == [False, True, True, True]


@pytest.mark.parametrize("committed", ["I1a-1", "I1a-2"])
def test_a_card_that_lies_sealed_in_a_conflict_is_counted_once(committed: str):
    sentence = supported().when(0, ChooseDraw(("green",)))
    for seat, card in ((0, committed), (1, "M1a-1")):
        sentence.state.houses[seat].hand.append(card)
        del sentence.state.cards.made_of[card], sentence.state.cards.unseen[card]
    sentence.when(2, DeclineSupport()).when(0, CommitTechnology(committed))
    assert sentence.state.houses[0].has_committed
    match, lookup = sentence.match, sentence.match.terms.silent
    for viewer in (*range(4), None):
        seen = match.view(viewer)
        assert cards_in_pile(seen["state"], lookup) == match.state.draw_pile
        state, agenda = sample(seen, Stream(b"sealed"), lookup), pending(seen, RULES.agenda)
        match.terms.match(seen["version"], state, agenda)  # so that it knows what to ask
        assert state.draw_pile == match.state.draw_pile
        assert set(RULES.audit.conserved(state).values()) == {0}
        held = [card for one in state.houses for card in (*one.hand, one.committed) if card]
        assert len(held) == len(set(held))
    assert sample(match.view(0), Stream(b"s"), lookup).houses[0].committed == committed


def test_of_gates_that_come_to_the_same_a_bot_looks_at_one():
    sentence = builder().given().when(0, StartBuild())
    match = sentence.match
    listed = [one for one in match.options(0) if isinstance(one, PlaceGate)]
    looked_at = list(promising(match.view(0), match.options(0)))
    gates = [one for one in looked_at if isinstance(one, PlaceGate)]
    assert len(gates) < len(listed)
    assert {one.second for one in gates} == {one.second for one in listed}
    assert [one for one in looked_at if not isinstance(one, PlaceGate)] == [
        one for one in match.options(0) if not isinstance(one, PlaceGate)
    ]
