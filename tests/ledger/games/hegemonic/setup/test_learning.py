"""The Learning Game: what it leaves out, and that all else is as in the full game."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic import RULES
from ledger.games.hegemonic.conflicts.committing import TopCardTurned
from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.outcome import Compared
from ledger.games.hegemonic.conflicts.sequence import StartConflict
from ledger.games.hegemonic.conflicts.starting_power import ChooseDraw
from ledger.games.hegemonic.deals.transfers import Transfer
from ledger.games.hegemonic.rounds.arbitration import CapsCompared, RetentionCut
from ledger.games.hegemonic.rounds.ending import EndKnown, RoundEnded, WinnersDeclared
from ledger.games.hegemonic.rounds.scoring import BoardScored
from ledger.games.hegemonic.state.components import CARDS
from ledger.kernel.records import CHANCE
from tests.support.hegemonic.playing import idle, idle_round
from tests.support.hegemonic.positions import position, set_up, told

LEARNING = {"learning": True}


def learning(seats: int):
    """A learning match at the first placing of its first round."""
    return set_up(seats, options=LEARNING)


@pytest.mark.rule("learn.rest", "learn.tiles", "learn.pool", "learn.first-tile")
@pytest.mark.parametrize(
    ("seats", "stack", "pool"), [(2, 3, 3), (3, 6, 3), (4, 8, 4), (5, 10, 5), (6, 12, 6)]
)
def test_a_whole_learning_match(seats: int, stack: int, pool: int):
    sentence = learning(seats)
    # The first tile of round 1 is turned already.
    assert (sentence.state.stack, len(sentence.state.pool)) == (stack - 1, pool + 1)
    arbiters = [sentence.state.arbiter]
    while not sentence.match.ended:
        idle_round(sentence)
        arbiters.append(sentence.state.arbiter)
        assert told(sentence, CapsCompared, RetentionCut) == []
        assert set(RULES.audit.conserved(sentence.state).values()) == {0}
    # Four tiles a player: two rounds, and the token goes counter-clockwise.
    assert told(sentence, EndKnown) == [EndKnown("end.stack", 2)]
    assert arbiters == [0, seats - 1, (seats - 2) % seats]
    assert told(sentence, RoundEnded)[0].round == 2
    assert len(told(sentence, BoardScored)) == len({one.home for one in sentence.state.houses})
    assert told(sentence, WinnersDeclared)[0].scores == (16,) * seats


@pytest.mark.rule("learn.no-hand", "learn.draws")
def test_no_hand_is_kept_from_one_turn_to_the_next():
    sentence = learning(3)
    while sentence.state.round < 2:
        idle(sentence)
        hands = [len(one.hand) for one in sentence.state.houses]
        asked = sentence.match.asked()[0]
        assert sum(hands) <= 1
        assert not any(hands) or hands[asked] == 1


@pytest.mark.rule("learn.no-caps", "learn.no-retention", "learn.arbiter")
def test_what_the_learning_game_leaves_out_is_refused_and_the_rest_is_there():
    sentence = idle_round(learning(2))
    sentence.when(0, Transfer(1, 1)).refused("caps_stay", "learn.no-caps")
    assert [one.score for one in sentence.state.houses] == [8, 8]


@pytest.mark.rule("learn.no-support", "learn.step3", "learn.step5", "learn.rest")
def test_a_conflict_without_support_and_with_the_top_cards_of_the_draw_pile():
    spot = position(4, options=LEARNING).home(0, "S1d").caps(5, 5, 5, 5)
    spot.tile("S6d", "S5d", faction="orange", political=2)
    spot.has(0, outposts={"S4b": 2}, fleets=["S4e"]).has(1, embassies=["S6d"], agents=["S4e"])
    spot.has(2, embassies=["S5d"])
    sentence = spot.turn(0, "assault").given().when(0, StartConflict("assault.raze-political"))
    sentence.when(0, Declare(1, "S4e", units=(0,))).when(0, ChooseDraw(("S4b",)))
    sentence.when(1, ChooseDraw(("orange",))).asks(CHANCE)
    turned: list[TopCardTurned] = []
    while sentence.match.chance() is not None:
        wish = sentence.match.chance().wish(sentence.state)
        sentence.when(CHANCE, wish.answer(bytes(32), 0, "x"))
        turned += told(sentence, TopCardTurned)
    assert [one.seat for one in turned] == [0, 1]
    rows = [CARDS.of(sentence.state)[one.card] for one in turned]
    assert [one.contribution.amount for one in turned] == [rows[0].martial, rows[1].political]
    compared = told(sentence, Compared)[0]
    assert (compared.attack, compared.defense) == (1 + 2 + rows[0].martial, 3 + rows[1].political)
    assert sentence.state.discards["all"] == [one.card for one in turned]
    assert sentence.asks(0).state.contest is None
