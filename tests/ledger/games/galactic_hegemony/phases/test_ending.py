"""Phase 6, Check end game conditions."""

from __future__ import annotations

import pytest

from ledger.games.galactic_hegemony.actions.choosing import EndActions
from ledger.games.galactic_hegemony.actions.fights import Suppress
from ledger.games.galactic_hegemony.actions.spacecraft import Colonise
from ledger.games.galactic_hegemony.phases.ending import CheckEndGame, GameLost, GameWon
from ledger.games.galactic_hegemony.phases.saboteurs import MoveSaboteurs
from ledger.games.galactic_hegemony.phases.tracks import PhaseBegun, TokenMoved
from tests.support.galactic_hegemony.positions import HOME, acting, colony, hexed, house, table
from tests.support.given import Given, given

ALL = [colony(planet) for planet in range(1, 13)]
ELEVEN = ALL[:11]


def checking(*colonies, up: bool = False, **rest) -> Given:
    match = table(*colonies, agenda=[CheckEndGame()], **rest)
    match.state.counts_up = up
    return given(match)


@pytest.mark.rule("end.win", "end.order")
def test_v29_win_beats_the_clock():
    sentence = checking(*ALL, turn=10, token=1).then(PhaseBegun(6), GameWon(10, 1))
    sentence.ends(winners=(0,), scores=(1,), reason="the hegemony is complete")
    assert sentence.state.token == 1


@pytest.mark.rule("end.win")
@pytest.mark.parametrize("twelfth", [None, colony(12, -1)])
def test_all_twelve_must_be_colonised_and_none_in_revolt(twelfth):
    colonies = ELEVEN if twelfth is None else [*ELEVEN, twelfth]
    assert checking(*colonies).state.outcome is None


@pytest.mark.rule("end.time-loss", "end.turn-down", "track.turn")
def test_v31_time_loss():
    sentence = checking(*ELEVEN, turn=10, token=1)
    sentence.then(PhaseBegun(6), TokenMoved(0, counts_up=False), GameLost("time"))
    sentence.ends(winners=(), scores=(0,), reason="out of time")


@pytest.mark.rule("end.turn-down")
def test_while_there_is_time_the_token_goes_down_and_the_game_goes_on():
    sentence = checking(*ELEVEN, token=2).then(PhaseBegun(6), TokenMoved(1, counts_up=False))
    assert sentence.state.outcome is None


@pytest.mark.rule("end.revolt-loss", "end.order")
def test_with_every_colony_in_revolt_the_game_is_lost_before_the_token_moves():
    sentence = checking(colony(1, -1), colony(2, -3), turn=10, token=1)
    sentence.then(PhaseBegun(6), GameLost("revolt"))
    sentence.ends(winners=(), scores=(0,), reason="every colony is in revolt")


@pytest.mark.rule("end.no-ships")
def test_to_have_no_spacecraft_is_no_loss():
    assert checking(colony(1), ships=[]).state.outcome is None


@pytest.mark.rule("end.only-here")
def test_what_comes_about_in_mid_turn_decides_nothing():
    sentence = acting(*ELEVEN, explored=[12], ships=[(4, 3)], turn=5, token=6)
    sentence.when(0, Colonise(12)).asks(0)
    sentence.when(0, EndActions()).ends(winners=(0,), scores=(1,))
    lone = given(table(colony(1), saboteurs={1: None}, agenda=[MoveSaboteurs()]))
    assert hexed(lone, HOME).state.outcome is None


@pytest.mark.rule("end.only-here")
def test_read_as_at_once_it_does():
    overlay = house(end_only_phase6="at-once")
    sentence = acting(*ELEVEN, explored=[12], ships=[(4, 3)], turn=5, overlay=overlay)
    sentence.when(0, Colonise(12)).ends(winners=(0,), scores=(1,))
    by_arms = acting(*ELEVEN, colony(12, -1), ships=[(4, 3)], turn=5, overlay=overlay)
    by_arms.when(0, Suppress(12)).rolled(6, 1, 1).rolled(1).ends(winners=(0,), scores=(1,))
    there = {1: None, 2: None}
    match = table(colony(1), saboteurs=there, agenda=[MoveSaboteurs()], overlay=overlay)
    hexed(given(match), HOME).ends(winners=(), scores=(0,), reason="every colony is in revolt")


@pytest.mark.rule("end.only-here", "end.revolt-loss")
def test_a_hegemony_without_a_planet_can_be_won_back_in_its_turn():
    sentence = acting(colony(1, -1), ships=[HOME], stock=2)
    sentence.when(0, Suppress(1)).rolled(6, 1, 1).rolled(1)
    sentence.when(0, EndActions())
    assert sentence.state.outcome is None


# --- Play to Win ----------------------------------------------------------------------------------


@pytest.mark.rule("variant.play-to-win-score")
@pytest.mark.parametrize(("turn", "token"), [(7, 6), (12, 11)])
def test_v32_play_to_win_score(turn: int, token: int):
    sentence = checking(*ALL, up=True, turn=turn, token=token)
    sentence.then(PhaseBegun(6), GameWon(turn, turn)).ends(winners=(0,), scores=(turn,))
    assert sentence.state.token == token


@pytest.mark.rule("variant.play-to-win-score")
def test_read_by_the_token_the_score_is_one_less():
    overlay = house(play_to_win_score="token")
    checking(*ALL, up=True, turn=7, token=6, overlay=overlay).ends(winners=(0,), scores=(6,))


@pytest.mark.rule("variant.play-to-win-time", "variant.play-to-win-count", "end.turn-down")
def test_there_is_no_time_loss_where_turns_are_counted_up():
    sentence = checking(*ELEVEN, up=True, turn=10, token=9)
    sentence.then(PhaseBegun(6), TokenMoved(10, counts_up=True))
    assert sentence.state.outcome is None
    overlay = house(play_to_win_time="ten-turns")
    ended = checking(*ELEVEN, up=True, turn=10, token=9, overlay=overlay)
    ended.ends(winners=(), scores=(0,), reason="out of time")


@pytest.mark.rule("variant.play-to-win-time", "end.revolt-loss")
def test_the_loss_to_revolt_stays():
    checking(colony(1, -1), up=True).ends(winners=(), scores=(0,))
