"""Wrong decisions of the action phases: cards, turns, DISCOVER, BASIC, and what is built."""

from __future__ import annotations

from functools import partial

from ledger.games.hegemonic.actions.basic import BasicCollect, BasicDraw
from ledger.games.hegemonic.actions.building import (
    FinishBuild,
    PlaceAgent,
    PlaceComplex,
    PlaceEmbassy,
    PlaceFleet,
    PlaceOutpost,
    StartBuild,
)
from ledger.games.hegemonic.actions.choosing import ActionPhase, ChooseStarter, CommitCard
from ledger.games.hegemonic.actions.discover import Capitalize, CapitalizeFrom, Research, Survey
from ledger.games.hegemonic.actions.relocating import RelocateBase
from ledger.games.hegemonic.actions.research import DiscardForResearch
from ledger.games.hegemonic.actions.resolving import EndTurn
from ledger.games.hegemonic.actions.turn import CancelAction
from ledger.games.hegemonic.map.gates import PlaceGate, RelocateGate
from tests.support.given import Given
from tests.support.hegemonic.positions import Position, committed, house, position
from tests.support.hegemonic.wrong.cases import NEXT, Wrong, in_turn

FIVE = ("industrialize", "assault", "politicize", "industrialize", "discover")


def cards(*chosen: str) -> Given:
    return committed(position(2).at(2).doing(ActionPhase(3), NEXT).given(), *chosen)


def tied() -> Given:
    """V06: Red is arbiter, and tied at 2 with Yellow and Green; Orange is done."""
    sentence = committed(position(5).at(2).doing(ActionPhase(3), NEXT).given(), *FIVE)
    return sentence.when(1, EndTurn())


def turn(card: str, **options: bool) -> Given:
    return in_turn(position(2, options=options), 0, card)


def used_up(card: str) -> Given:
    """Two actions have been taken, and the other player is asked."""
    spot = position(2).home(0, "S1d").has(0, complexes={"S1d": 1}).hand(0, "I1a-1")
    sentence = in_turn(spot, 0, card)
    action = Capitalize() if card == "discover" else BasicCollect()
    return sentence.when(0, action).when(0, action)


def drained() -> Given:
    """Every technology card is in somebody's hand."""
    spot = position(2)
    return in_turn(spot.hand(1, *list(spot.galaxy.cards.unseen)), 0, "assault")


def nothing_to_survey(*, tiles: bool) -> Given:
    spot = position(2)
    spot.galaxy.stack = 0
    if tiles:
        unseen = iter(spot.galaxy.tiles.unseen)
        for sector in spot.galaxy.empty_sectors():
            spot.galaxy.sectors[sector].tile = next(unseen)
        spot.galaxy.pool = ["T01"]
    return in_turn(spot, 0, "discover")


def choosing_income() -> Given:
    spot = position(2, overlay=house(discover__capitalize="choice")).has(0, complexes={"S1d": 2})
    return in_turn(spot, 0, "discover").when(0, Capitalize())


def researching() -> Given:
    spot = position(2).hand(0, "I1a-1", "P1a-1").advanced(0, "M2a-1")
    return in_turn(spot, 0, "discover").when(0, Research())


def site() -> Position:
    """Blue at home, S1d; room at S1a; S1c full, S1b another's, S1e without a tile, S3d far."""
    spot = position(2).home(0, "S1d").home(1, "S2e").tile("S1a", faction="green", industrial=1)
    spot.tile("S1b", faction="orange", political=1, industrial=1, martial=1)
    spot.tile("S3d", industrial=1, faction="orange", martial=1).tile("S3e", industrial=3)
    spot.tile("S2a", martial=3)
    spot.has(0, complexes={"S1d": 1}, embassies=["S1d"], outposts={"S1d": 1})
    spot.has(0, agents=["S1d"], fleets=["S1d"], gates=[("S1d", "S1a")])
    spot.has(1, complexes={"S1b": 1}, embassies=["S1b"], outposts={"S1b": 1})
    return spot.has(1, complexes={"S2e": 1}, embassies=["S2e"], outposts={"S2e": 1})


def building(card: str, caps: int = 50, *advanced: str) -> Given:
    return in_turn(site().caps(caps).advanced(0, *advanced), 0, card).when(0, StartBuild())


def stacked() -> Given:
    """Both levels of the own home are taken."""
    spot = site().has(0, outposts={"S1d": 2}).caps(50)
    return in_turn(spot, 0, "martialize").when(0, StartBuild())


def begun(card: str = "industrialize") -> Given:
    """Something has been built in the action."""
    return building(card).when(0, PlaceComplex("S1a"))


def all_out(card: str) -> Given:
    """No base of any type, and no unit, is left on the player board."""
    spot = site().tile("S1c", faction="green", political=1, industrial=1, martial=1)
    one = spot.galaxy.houses[0]
    one.complexes["K4"], one.outposts["K4"] = 14, 11
    one.embassies += ["K1", "K2", "K3", "K4", "K5", "K6", "S3a", "S3b"]
    spot.has(0, agents=["S1d"] * 3, fleets=["S1d"] * 3, gates=[("S1d", "S1a")] * 3)
    return in_turn(spot.caps(50), 0, card).when(0, StartBuild())


def relocates(base: str, origin: str, sector: str, basis: str = "empty-supply") -> RelocateBase:
    return RelocateBase(base, origin, sector, basis)


def relocating(caps: int = 50) -> Given:
    """Twelve outposts: nine far away, two at home, one at S1c; room at S1a, S1e and S4d."""
    spot = position(4).home(0, "S1d").home(1, "S5e").tile("S1c", "S1a", martial=2)
    spot.tile("S1e", "S4d", martial=1).has(0, outposts={"S1d": 2, "S1c": 1})
    spot.has(0, outposts={"S3c": 2, "S3d": 2, "S3e": 2, "K5": 1, "K6": 1, "S3a": 1})
    spot.has(1, outposts={"S1b": 1})
    return in_turn(spot.caps(caps), 0, "martialize").when(0, StartBuild())


TURNS = (
    Wrong("action.commit-card", "not one of the six", cards, 0,
          CommitCard("dance"), "not_allowed", "action.choose"),
    Wrong("action.commit-card", "already committed in this phase", partial(cards, "assault"), 0,
          CommitCard("subvert"), "not_asked", "action.choose"),
    Wrong("action.choose-tie-starter", "not the arbiter", tied, 2,
          ChooseStarter(2, 2), "not_asked", "action.ties"),
    Wrong("action.choose-tie-starter", "number not tied", tied, 0,
          ChooseStarter(4, 4), "not_tied", "action.ties", {"number": 2}),
    Wrong("action.choose-tie-starter", "player not among the tied", tied, 0,
          ChooseStarter(2, 4), "not_tied", "action.ties", {"tied": [0, 2, 3]}),
    Wrong("turn.basic-collect", "card is DISCOVER", partial(turn, "discover"), 0,
          BasicCollect(), "not_on_card", "action.two", {"card": "discover"}),
    Wrong("turn.basic-collect", "two actions used", partial(used_up, "assault"), 0,
          BasicCollect(), "not_asked", "expansion.finish"),
    Wrong("turn.basic-collect", "not the turn player", partial(turn, "assault"), 1,
          BasicCollect(), "not_asked", "action.any-order"),
    Wrong("turn.basic-draw", "card is DISCOVER", partial(turn, "discover"), 0,
          BasicDraw(), "not_on_card", "action.two", {"card": "discover"}),
    Wrong("turn.basic-draw", "two actions used", partial(used_up, "assault"), 0,
          BasicDraw(), "not_asked", "expansion.finish"),
    Wrong("turn.basic-draw", "no source available", drained, 0,
          BasicDraw(), "no_such_source", "basic.draw"),
    Wrong("turn.capitalize", "other card", partial(turn, "assault"), 0,
          Capitalize(), "not_on_card", "action.two", {"card": "assault"}),
    Wrong("turn.capitalize", "two actions used", partial(used_up, "discover"), 0,
          Capitalize(), "not_asked", "expansion.finish"),
    Wrong("turn.capitalize-from", "no such income", choosing_income, 0,
          CapitalizeFrom("luck"), "not_allowed", "discover.capitalize"),
    Wrong("turn.survey", "other card", partial(turn, "subvert"), 0,
          Survey(), "not_on_card", "action.two", {"card": "subvert"}),
    Wrong("turn.survey", "two actions used", partial(used_up, "discover"), 0,
          Survey(), "not_asked", "expansion.finish"),
    Wrong("turn.survey", "no tile", partial(nothing_to_survey, tiles=False), 0,
          Survey(), "nothing_to_survey", "discover.survey"),
    Wrong("turn.survey", "no free hex", partial(nothing_to_survey, tiles=True), 0,
          Survey(), "nothing_to_survey", "discover.survey"),
    Wrong("turn.research", "other card", partial(turn, "martialize"), 0,
          Research(), "not_on_card", "action.two", {"card": "martialize"}),
    Wrong("turn.research", "two actions used", partial(used_up, "discover"), 0,
          Research(), "not_asked", "expansion.finish"),
    Wrong("turn.research", "learning game", partial(turn, "discover", learning=True), 0,
          Research(), "no_research", "learn.draws"),
    Wrong("turn.research-discard", "card not in hand", researching, 0,
          DiscardForResearch(("M2a-1",)), "card_not_in_hand", "discover.research"),
    Wrong("turn.research-discard", "one card twice", researching, 0,
          DiscardForResearch(("I1a-1", "I1a-1")), "card_not_in_hand", "discover.research"),
    Wrong("turn.start-build", "other card", partial(turn, "assault"), 0,
          StartBuild(), "not_on_card", "action.two", {"card": "assault"}),
    Wrong("turn.start-build", "two actions used", partial(used_up, "industrialize"), 0,
          StartBuild(), "not_asked", "expansion.finish"),
    Wrong("turn.start-build", "another action still open", partial(building, "politicize"), 0,
          StartBuild(), "wrong_answer", "build.any-quantity"),
    Wrong("turn.end", "an action is still open", partial(building, "politicize"), 0,
          EndTurn(), "wrong_answer", "build.any-quantity"),
    Wrong("turn.cancel-action", "no action open", partial(turn, "politicize"), 0,
          CancelAction(), "wrong_answer", "action.any-order"),
    Wrong("turn.cancel-action", "something already built in it", begun, 0,
          CancelAction(), "action_begun", "build.any-quantity", {"done": 1}),
    Wrong("build.finish", "nothing built or relocated", partial(building, "politicize"), 0,
          FinishBuild(), "nothing_done", "build.any-quantity"),
)  # fmt: skip


def _base(
    event: str, kind: type, card: str, taken: str, full: tuple[str, str]
) -> tuple[Wrong, ...]:
    """Returns the wrong decisions that complexes, embassies and outposts share."""
    at, code, rule = partial(building, card), *full
    others = {"industrialize": "martialize"}.get(card, "industrialize")
    near = "S1d" if card == "martialize" else "S1a"
    return (
        Wrong(event, "no tile", at, 0, kind("S1e"), "no_tile", "build.location"),
        Wrong(event, "no board", at, 0, kind("S9a"), "no_such_sector", "build.location"),
        Wrong(event, "no free location", at, 0, kind(taken), code, rule),
        Wrong(event, "out of range", at, 0, kind("S3d"), "out_of_range", "build.range",
              {"sector": "S3d"}),
        Wrong(event, "foreign home", at, 0, kind("S2e"), "foreign_home", "build.foreign-home"),
        Wrong(event, "none left", partial(all_out, card), 0, kind("S1c"),
              "none_left", "general.piece-limits"),
        Wrong(event, "CAPs short", partial(building, card, 1), 0, kind(near),
              "unaffordable", "build.base-cost", {"has": 1}),
        Wrong(event, "BUILD of another card", partial(building, others), 0, kind("S1a"),
              "not_built_by_card", "build.by-card", {"card": others}),
    )  # fmt: skip


BASES = (
    *_base("build.place-complex", PlaceComplex, "industrialize", "S1b",
           ("location_taken", "build.complex-location")),
    *_base("build.place-embassy", PlaceEmbassy, "politicize", "S1b",
           ("location_taken", "build.embassy-location")),
    *_base("build.place-outpost", PlaceOutpost, "martialize", "S1b",
           ("foreign_outposts", "build.outpost-single-owner")),
    Wrong("build.place-complex", "no industrial location", partial(building, "industrialize"), 0,
          PlaceComplex("S2a"), "no_location", "build.location"),
    Wrong("build.place-complex", "out of range of any piece, with Quantum Tunnel Lattice",
          partial(building, "industrialize", 50, "I3c-1"), 0,
          PlaceComplex("S3d"), "out_of_range", "build.range", {"sector": "S3d"}),
    Wrong("build.place-embassy", "no political location", partial(building, "politicize"), 0,
          PlaceEmbassy("S3e"), "no_location", "build.location"),
    Wrong("build.place-outpost", "no martial location", partial(building, "martialize"), 0,
          PlaceOutpost("S3e"), "no_location", "build.location"),
    Wrong("build.place-outpost", "location full", stacked, 0,
          PlaceOutpost("S1d"), "location_taken", "build.outpost-stack"),
)  # fmt: skip

UNITS = (
    Wrong("build.place-agent", "no own embassy there", partial(building, "politicize"), 0,
          PlaceAgent(1, "S1a"), "no_own_base", "build.agent", {"needs": "embassy"}),
    Wrong("build.place-agent", "no agent left", partial(all_out, "politicize"), 0,
          PlaceAgent(1, "S1d"), "unit_placed", "build.unit-limit", {"left": 0}),
    Wrong("build.place-agent", "no such agent", partial(building, "politicize"), 0,
          PlaceAgent(3, "S1d"), "no_such_unit", "build.unit-limit"),
    Wrong("build.place-agent", "foreign home", partial(building, "politicize"), 0,
          PlaceAgent(1, "S2e"), "foreign_home", "build.foreign-home"),
    Wrong("build.place-agent", "CAPs short", partial(building, "politicize", 2), 0,
          PlaceAgent(1, "S1d"), "unaffordable", "build.unit-cost", {"needed": 3, "has": 2}),
    Wrong("build.place-fleet", "no own outpost there", partial(building, "martialize"), 0,
          PlaceFleet(1, "S1a"), "no_own_base", "build.fleet", {"needs": "outpost"}),
    Wrong("build.place-fleet", "no fleet left", partial(all_out, "martialize"), 0,
          PlaceFleet(1, "S1d"), "unit_placed", "build.unit-limit", {"left": 0}),
    Wrong("build.place-fleet", "CAPs short", partial(building, "martialize", 2), 0,
          PlaceFleet(1, "S1d"), "unaffordable", "build.unit-cost", {"needed": 3, "has": 2}),
    Wrong("build.place-gate", "no own complex in the first sector",
          partial(building, "industrialize"), 0,
          PlaceGate(1, "S1a", "S1d"), "no_own_complex", "gate.first-half"),
    Wrong("build.place-gate", "no industrial location in the second",
          partial(building, "industrialize"), 0,
          PlaceGate(1, "S1d", "K1"), "no_tile", "gate.second-half"),
    Wrong("build.place-gate", "same sector", partial(building, "industrialize"), 0,
          PlaceGate(1, "S1d", "S1d"), "same_sector", "gate.distance"),
    Wrong("build.place-gate", "too far for the tier", partial(building, "industrialize"), 0,
          PlaceGate(1, "S1d", "S3d"), "too_far_apart", "gate.distance", {"limit": 2}),
    Wrong("build.place-gate", "too far, with Mass Translation Relay",
          partial(building, "industrialize", 50, "I1b-1"), 0,
          PlaceGate(1, "S1d", "S3d"), "too_far_apart", "gate.distance", {"limit": 3}),
    Wrong("build.place-gate", "untiled hex", partial(building, "industrialize"), 0,
          PlaceGate(1, "S1d", "S1e"), "no_tile", "gate.second-half"),
    Wrong("build.place-gate", "foreign home", partial(building, "industrialize"), 0,
          PlaceGate(1, "S1d", "S2e"), "foreign_home", "gate.foreign-home"),
    Wrong("build.place-gate", "no pair left", partial(all_out, "industrialize"), 0,
          PlaceGate(1, "S1d", "S1c"), "unit_placed", "build.unit-limit", {"left": 0}),
    Wrong("build.place-gate", "CAPs short", partial(building, "industrialize", 3), 0,
          PlaceGate(1, "S1d", "S1b"), "unaffordable", "build.unit-cost", {"needed": 4, "has": 3}),
    Wrong("build.relocate-gate", "gate not placed", partial(building, "industrialize"), 0,
          RelocateGate(1, "S1d", "S1b"), "unit_not_placed", "gate.relocate"),
    Wrong("build.relocate-gate", "same two sectors as before", partial(building, "industrialize"),
          0, RelocateGate(0, "S1d", "S1a"), "same_place", "gate.relocate"),
    Wrong("build.relocate-gate", "no own complex in the first sector",
          partial(building, "industrialize"), 0,
          RelocateGate(0, "S1b", "S1d"), "no_own_complex", "gate.first-half"),
    Wrong("build.relocate-gate", "too far for the tier", partial(building, "industrialize"), 0,
          RelocateGate(0, "S1d", "S3d"), "too_far_apart", "gate.distance"),
    Wrong("build.relocate-gate", "foreign home", partial(building, "industrialize"), 0,
          RelocateGate(0, "S1d", "S2e"), "foreign_home", "gate.foreign-home"),
    Wrong("build.relocate-gate", "CAPs short", partial(building, "industrialize", 3), 0,
          RelocateGate(0, "S1d", "S1b"), "unaffordable", "build.unit-cost", {"needed": 4}),
)  # fmt: skip

RELOCATIONS = (
    Wrong("build.relocate-base", "unbuilt bases left", partial(building, "martialize"), 0,
          relocates("martial", "S1d", "S1a"), "bases_left", "build.relocate", {"left": 11}),
    Wrong("build.relocate-base", "out of range", relocating, 0,
          relocates("martial", "S3c", "S4d"), "out_of_range", "build.relocate-range"),
    Wrong("build.relocate-base", "location full", relocating, 0,
          relocates("martial", "S3c", "S1d"), "location_taken", "build.outpost-stack"),
    Wrong("build.relocate-base", "another player's outposts there", relocating, 0,
          relocates("martial", "S3c", "S1b"), "foreign_outposts", "build.outpost-single-owner"),
    Wrong("build.relocate-base", "foreign home", relocating, 0,
          relocates("martial", "S3c", "S5e"), "foreign_home", "build.relocate-home"),
    Wrong("build.relocate-base", "from and to the same", relocating, 0,
          relocates("martial", "S1d", "S1d"), "same_place", "build.relocate"),
    Wrong("build.relocate-base", "no own base in the from sector", relocating, 0,
          relocates("martial", "S1a", "S1e"), "no_own_base", "build.relocate"),
    Wrong("build.relocate-base", "technology not advanced", relocating, 0,
          relocates("martial", "S3c", "S1a", "brane"), "not_advanced", "tech.brane-manipulation"),
    Wrong("build.relocate-base", "no such basis", relocating, 0,
          relocates("martial", "S3c", "S1a", "magic"), "no_such_basis", "build.relocate"),
    Wrong("build.relocate-base", "base of another card", relocating, 0,
          relocates("political", "S3c", "S1a"), "not_built_by_card", "build.by-card"),
    Wrong("build.relocate-base", "CAPs short", partial(relocating, 1), 0,
          relocates("martial", "S3c", "S1a"), "unaffordable", "build.relocate-cost",
          {"needed": 2, "has": 1}),
)  # fmt: skip
