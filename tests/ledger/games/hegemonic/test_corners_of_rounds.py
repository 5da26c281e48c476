"""Corners of setup, expansion, technologies and building: what no usual match comes to.

Decisions that name what there is not, and content and readings that no match could be played with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ledger.games.hegemonic.actions.advancing import Advance, DiscardOrAdvance
from ledger.games.hegemonic.actions.building import StartBuild
from ledger.games.hegemonic.actions.piles import DrawCard, DrawTechnology
from ledger.games.hegemonic.actions.relocating import RelocateBase
from ledger.games.hegemonic.state.components import BASE_OF
from ledger.kernel.refusals import Refused
from tests.support.hegemonic.playing import idle_round
from tests.support.hegemonic.positions import house, position, set_up, terms_of


def figures(**values: int | None) -> dict[str, Any]:
    """An overlay of figures; `__` stands for a dot, `_` for a dash."""
    named = {name.replace("__", ".").replace("_", "-"): v for name, v in values.items()}
    return {"figures": {name: {"value": value} for name, value in named.items()}}


# --- decisions that name what there is not --------------------------------------------------------


@pytest.mark.rule("build.relocate", "build.by-card")
@pytest.mark.parametrize("base", ["complex", "gate", "agent", "", "industrious", "political"])
def test_a_relocation_of_what_is_no_type_of_the_card_is_refused(base: str):
    spot = position(4).home(0, "S1d").has(0, complexes={"S1d": 1, "S1c": 1}).tile("S1b")
    sentence = spot.caps(9).turn(0, "industrialize").given().when(0, StartBuild())
    sentence.when(0, RelocateBase(base, "S1c", "S1d"))
    sentence.refused("not_built_by_card", "build.by-card", piece=BASE_OF.get(base, ""))


@pytest.mark.rule("discover.research-sources", "draw.sources", "draw.nothing-left")
def test_a_source_is_refused_by_the_rule_that_closes_it():
    spot = position(4).discarded("M1a-1", "M1a-2").advanced(0, "I1a-1").advanced(1, "I1b-1")
    after = DiscardOrAdvance(0, "x")
    sentence = spot.doing(DrawTechnology(0, "x", research=True), after).given()
    sentence.offers(0, DrawCard("deck"), DrawCard("advanced", "I1a-1"))
    sentence.when(0, DrawCard("discard")).refused("no_such_source", "discover.research-sources")
    for absent in (DrawCard("advanced", "I1b-1"), DrawCard("discard", pile="martial")):
        sentence.when(0, absent).refused("no_such_source", "draw.sources")


@pytest.mark.rule("advance.swap", "draw.discard")
def test_what_makes_room_is_discarded_in_the_order_in_which_it_is_named():
    for first, second in (("I1a-1", "P1a-1"), ("P1a-1", "I1a-1")):
        spot = position(4).advanced(0, "I1a-1", "P1a-1").hand(0, "I1b-1").caps(9)
        sentence = spot.doing(DiscardOrAdvance(0, "x"), DiscardOrAdvance(1, "y", True)).given()
        sentence.when(0, Advance("I1b-1", (first, second)))
        assert sentence.state.discards == {"all": [first, second]}


# --- what could not be played ---------------------------------------------------------------------


STACK_OFF = {"switches": {"end.stack": {"on": False}}}


@pytest.mark.rule("expansion.flip-empty", "opt.long-end", "end.hexes", "end.stack")
@pytest.mark.parametrize("empty", ["skip-turn", "skip-flip"])
@pytest.mark.parametrize(
    ("seats", "options", "overlay"), [(3, {"opt.long": True}, {}), (6, {"opt.long": True}, {}),
        (2, {}, STACK_OFF)],
)  # fmt: skip
def test_where_only_a_full_galaxy_ends_the_game_no_turn_is_left_out(seats, options, overlay, empty):
    overlay = overlay | house(expansion__empty=empty)
    sentence, without_a_stack = set_up(seats, options=options, overlay=overlay), 0
    while not sentence.match.ended:
        without_a_stack += not sentence.state.stack
        assert sentence.state.round < 12, "it goes on for ever"
        idle_round(sentence)
    assert without_a_stack > 0
    assert not sentence.state.empty_sectors() or not sentence.state.pool


UNPLAYABLE: list[tuple[Mapping[str, Any], Mapping[str, Any], str]] = [
    ({}, figures(setup__tiles_per_player=1), "setup.tiles-per-player"),
    ({}, figures(setup__tiles_per_player=2), "setup.tiles-per-player"),
    ({"learning": True}, figures(learn__tiles_per_player=2), "learn.tiles-per-player"),
    ({"learning": True}, figures(setup__pool_extra_2p=5), "learn.tiles-per-player"),
    ({}, figures(setup__hand=10), "3"),
    ({}, figures(setup__hand=9), "6"),
    ({}, {"pieces": {"complex": {"number": 0}}}, "complex"),
    ({}, {"orders": {"assault": {"actions": ["build", "basic"]}}}, "assault"),
    ({}, {"figures": {"action.max": None}}, "action.max"),
    ({}, figures(action__most=3), "action.most"),
    ({}, {"switches": {"end.stack": None}}, "end.stack"),
]  # fmt: skip


@pytest.mark.rule("setup.deal-tiles", "learn.pool", "setup.tech-deck", "opt.draft", "build.by-card")
@pytest.mark.parametrize(("options", "overlay", "row"), UNPLAYABLE)
def test_content_that_no_match_could_be_played_with_is_refused(options, overlay, row: str):
    with pytest.raises(Refused, match="bad_value") as refused:
        terms_of(options, overlay)
    assert refused.value.evidence["row"] == row


PLAYABLE: list[tuple[int, Mapping[str, Any], Mapping[str, Any]]] = [
    (2, {}, figures(setup__tiles_per_player=3)),
    (2, {"learning": True}, figures(learn__tiles_per_player=3)),
    (3, {"learning": True}, figures(learn__tiles_per_player=3)),
    (6, {"opt.draft": True}, figures(setup__hand=8)),
]  # fmt: skip


@pytest.mark.rule("setup.deal-tiles", "learn.pool", "opt.draft")
@pytest.mark.parametrize(("seats", "options", "overlay"), PLAYABLE)
def test_the_least_tiles_and_the_most_cards_can_be_played_with(seats, options, overlay):
    sentence = set_up(seats, options=options, overlay=overlay)
    assert sentence.state.stack >= 0
    idle_round(sentence)
    assert sentence.state.round == 2 or sentence.match.ended
