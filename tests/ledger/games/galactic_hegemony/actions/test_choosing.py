"""Phase 4, Player actions: which, how often, at what price; conceding; notes."""

from __future__ import annotations

import pytest

from ledger.games.galactic_hegemony.actions.building import Build, Launch
from ledger.games.galactic_hegemony.actions.choosing import (
    Concede,
    EndActions,
    Notes,
    NoteTaken,
    TakeNote,
)
from ledger.games.galactic_hegemony.actions.spacecraft import Boost, Colonise, Move
from ledger.games.galactic_hegemony.phases.ending import GameLost
from ledger.games.galactic_hegemony.phases.tracks import PhaseBegun
from tests.support.galactic_hegemony.positions import HOME, acting, allowed, colony, told


@pytest.mark.rule("action.any-order", "action.pay")
def test_actions_come_in_any_order_as_long_as_they_can_be_paid():
    sentence = acting(colony(1, 0, "S"), ships=[HOME], stock=9)
    sentence.when(0, Build(1, "civil")).when(0, Move(HOME, (3, 6))).when(0, Move((3, 6), HOME))
    sentence.when(0, Boost(1)).when(0, Build(1, "factory")).when(0, Move(HOME, (3, 4)))
    assert sentence.state.stock == 1
    sentence.when(0, Launch(1)).refused("unaffordable", "ship.cost", price=3, resources=1)
    sentence.asks(0, key="turn/2/act/7")


@pytest.mark.rule("action.pass")
def test_the_player_may_take_none():
    sentence = acting(colony(1), ships=[HOME], stock=0)
    assert sentence.match.options(0) == [EndActions()]
    sentence.when(0, EndActions())
    assert told(sentence, PhaseBegun)[0] == PhaseBegun(5)
    assert sentence.state.turn == 3


@pytest.mark.rule("action.any-order")
def test_every_action_that_is_allowed_is_offered_and_each_once():
    sentence = acting(
        colony(1, 1, "CF"), colony(2, 0), colony(3, -1), ships=[HOME, (1, 1), (1, 4), (4, 3)],
        explored=[12], saboteurs={1: HOME}, stock=6,
    )  # fmt: skip
    kinds = {type(option).__name__ for option in sentence.match.options(0)}
    assert kinds == {"EndActions", "Move", "Attack", "Colonise", "Boost", "Suppress", "Build"}
    options = sentence.match.options(0)
    assert len(set(map(repr, options))) == len(options)
    assert Colonise(12) in options
    every = [Build(planet, kind) for planet in range(1, 13) for kind in ("civil", "shipyard")]
    every += [kind(planet) for planet in range(1, 13) for kind in (Colonise, Boost, Launch)]
    assert [one for one in every if allowed(sentence, one)] == [
        one for one in every if one in options
    ]


@pytest.mark.rule("end.order")
def test_to_concede_ends_the_game():
    sentence = acting(colony(1)).when(0, Concede()).then(GameLost("conceded"))
    sentence.ends(winners=(), scores=(0,), reason="conceded")


def test_to_concede_is_offered_only_where_the_turns_have_no_end():
    """No time-out and no bot gives up; but a game that cannot be won must be able to end."""
    sentence = acting(colony(1))
    assert Concede() not in sentence.match.options(0)
    sentence.state.counts_up = True
    assert sentence.match.options(0)[-1] == Concede()


@pytest.mark.rule("game.note")
def test_a_note_has_no_effect_and_can_be_taken_at_any_time_of_the_player_s():
    sentence = acting(colony(1))
    before = sentence.match.options(0)
    sentence.when(0, TakeNote("held back")).then(NoteTaken("held back")).asks(0, key="turn/2/act/1")
    assert sentence.match.options(0) == before
    assert Notes().key(sentence.state, 0) == "note/2"
    sentence.when(0, TakeNote("x" * 500))
    for text in ("", "x" * 501):
        sentence.when(0, TakeNote(text)).refused("not_allowed", "game.note")
    sentence.when(0, Concede()).when(0, TakeNote("so it goes")).refused("match_over")


@pytest.mark.rule("game.note")
def test_a_note_cannot_be_listed():
    assert Notes().options(acting(colony(1)).state, 0) == []
