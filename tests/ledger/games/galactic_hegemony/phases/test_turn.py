"""Turns and phases: the sequence of play."""

from __future__ import annotations

import pytest

from ledger.games.galactic_hegemony.actions.choosing import EndActions
from ledger.games.galactic_hegemony.actions.fights import Attack, Suppress
from ledger.games.galactic_hegemony.phases.saboteurs import SaboteursLifted
from ledger.games.galactic_hegemony.phases.tracks import PhaseBegun, TurnBegun
from ledger.games.galactic_hegemony.phases.unrest import InfrastructureLost
from ledger.kernel.records import CHANCE
from tests.support.galactic_hegemony.positions import (
    HOME,
    acting,
    colony,
    hexed,
    laid_out,
    shown,
    through,
    told,
)


@pytest.mark.rule("turn.phases")
def test_the_six_phases_follow_each_other():
    sentence = acting(colony(1), colony(2, -1, "C"), saboteurs={1: (6, 6)})
    assert told(sentence, PhaseBegun) == [PhaseBegun(4)]
    sentence.when(0, EndActions())
    order = [one for one in sentence.facts if isinstance(one, PhaseBegun | TurnBegun)]
    assert order == [PhaseBegun(5), PhaseBegun(6), TurnBegun(3), PhaseBegun(1)]
    hexed(sentence, (6, 6))
    assert told(sentence, PhaseBegun) == [PhaseBegun(2), PhaseBegun(3)]
    assert told(sentence, InfrastructureLost) == [InfrastructureLost(2, "civil")]
    sentence.rolled(4, 4).rolled(4, 4)
    assert told(sentence, PhaseBegun) == [PhaseBegun(4)]


@pytest.mark.rule("turn.automatic")
def test_only_the_player_s_actions_wait_for_the_player():
    sentence = through(laid_out(), 5)
    for turn in range(1, 10):
        sentence.asks(0, key=f"turn/{turn}/act/1").when(0, EndActions())
        while sentence.match.chance() is not None:
            assert sentence.match.asked() == (CHANCE,)
            through(sentence, turn)


@pytest.mark.rule("turn.first")
def test_the_first_turn_is_a_whole_turn():
    sentence = laid_out()
    assert TurnBegun(1) in sentence.facts
    assert SaboteursLifted() in sentence.facts
    sentence.asks(CHANCE, key="sab/1/1/1/row")
    for _ in range(3):
        hexed(sentence, (6, 6))
    sentence.asks(CHANCE, key="morale/1/1").rolled(3, 3).asks(0, key="turn/1/act/1")


@pytest.mark.rule("revolt.infrastructure-same-turn", "military.success", "end.turn-down")
@pytest.mark.parametrize("edition", ["printed", "e1", "e2", "e3"])
def test_v07_home_hit_in_turn_2(edition: str):
    sentence = acting(
        colony(1, 1, "CFS"), ships=[HOME], saboteurs={1: None, 2: None, 3: None}, turn=1, token=10,
        edition=edition,
    )  # fmt: skip
    sentence.when(0, EndActions())
    sentence.state.accounts.balances["resources"] = {"bank": -4, "stockpile": 4}
    hexed(sentence, HOME)
    assert (shown(sentence, 1)[0], sentence.state.size(), sentence.state.stock) == (-1, 0, 2)
    hexed(sentence, (6, 6))
    hexed(sentence, (6, 6))
    lost = "factory" if edition in ("e2", "e3") else "shipyard"
    assert told(sentence, InfrastructureLost) == [InfrastructureLost(1, lost)]
    sentence.rolled(4, 4)
    assert shown(sentence, 1)[0] == -1
    sentence.when(0, Attack(HOME, 1)).rolled(6, 2).rolled(3)
    assert (len(sentence.state.active()), sentence.state.stock) == (2, 2)
    sentence.when(0, Suppress(1)).rolled(6, 3, 2).rolled(4)
    assert (shown(sentence, 1)[0], sentence.state.size(), sentence.state.stock) == (0, 1, 1)
    sentence.when(0, EndActions())
    assert (sentence.state.stock, sentence.state.token, sentence.state.turn) == (1, 8, 3)
