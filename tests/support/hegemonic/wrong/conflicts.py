"""Wrong decisions of a conflict: moving, declaring, drawing on, supporting, cards, its outcome."""

from __future__ import annotations

from functools import partial
from typing import Any

from ledger.games.hegemonic.actions.resolving import EndTurn
from ledger.games.hegemonic.actions.turn import CancelAction
from ledger.games.hegemonic.conflicts.cleanup import CleanUp
from ledger.games.hegemonic.conflicts.committing import CommitTechnology
from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.moving import MoveUnit
from ledger.games.hegemonic.conflicts.outcome import ChooseGates
from ledger.games.hegemonic.conflicts.sequence import SkipConflict, StartConflict
from ledger.games.hegemonic.conflicts.starting_power import ChooseDraw, ChooseDrawSealed
from ledger.games.hegemonic.conflicts.support import DeclineSupport, LendSupport, SealSupport
from ledger.games.hegemonic.conflicts.takeover import FillTaken, PlaceTaken
from ledger.games.hegemonic.deals.transfers import Transfer
from tests.support.given import Given
from tests.support.hegemonic.conflicts import (
    BLUE,
    GREEN,
    INVADE,
    LEVERAGE,
    RED,
    SABOTAGE,
    SIEGE,
    YELLOW,
    draws,
    fight,
    invasion,
    leverage,
    play,
    sabotage,
    siege,
)
from tests.support.hegemonic.positions import Position, house, position
from tests.support.hegemonic.wrong.actions import turn, used_up
from tests.support.hegemonic.wrong.cases import Wrong, in_turn

SEALED = house(step1__order="simultaneous")
STRIKE, INFILTRATE = "martialize.strike", "politicize.infiltrate"
RAZE, EXPLOIT = "assault.raze-political", "assault.industrial-political"


# --- positions ------------------------------------------------------------------------------------


def squadron(*cards: str, caps: int = 1) -> Given:
    """Red's fleets at home, S1d, and at K1; Blue's home at S1b; tiles at S2b, S2e, S3b, K4."""
    spot = position(4).home(RED, "S1d").home(BLUE, "S1b").tile("S2b", "S2e", "S3b", "K4")
    spot.has(RED, fleets=["S1d", "K1"]).advanced(RED, *cards).caps(caps)
    return in_turn(spot, RED, "martialize").when(RED, StartConflict(STRIKE))


def moved() -> Given:
    """Red's second fleet has moved, beside Blue's."""
    spot = facing().has(RED, fleets=["S2a", "S1d"])
    sentence = in_turn(spot, RED, "assault").when(RED, StartConflict(RAZE))
    return sentence.when(RED, MoveUnit("fleet", 1, ("S1b", "S2a")))


def envoy(caps: int = 9) -> Given:
    """Red's agent at home, S1d; Blue's home at S4d; a tile at S2a, none at S1a."""
    spot = position(4).home(RED, "S1d").home(BLUE, "S4d").tile("S2a", "S4b")
    spot.has(RED, embassies=["S1d"], agents=["S1d"]).caps(caps)
    return in_turn(spot, RED, "politicize").when(RED, StartConflict(INFILTRATE))


def facing() -> Position:
    """V13: Blue has an embassy, an agent, a fleet at S2a, where Red has an agent and a fleet."""
    spot = position(4).home(RED, "S1d").home(BLUE, "S3d").tile("S2a", political=2)
    spot.has(RED, complexes={"S1d": 1, "S3b": 1}, embassies=["S1b"])
    spot.has(RED, agents=["S2a"], fleets=["S2a"])
    spot.has(BLUE, embassies=["S2a", "S3d"], agents=["S2a", "S1a"], fleets=["S2a"])
    return spot.caps(9, 9, 9, 9)


def declaring(pattern: str, **attacked: Any) -> Given:
    spot = facing()
    if attacked:
        spot.galaxy.houses[RED].attacked.append(attacked["attacked"])
    card = pattern.partition(".")[0]
    return in_turn(spot, RED, card).when(RED, StartConflict(pattern))


def poor() -> Given:
    """Yellow has given all but three CAPs away since it opened the action."""
    sentence = in_turn(leverage(), YELLOW, "subvert").when(YELLOW, StartConflict(LEVERAGE[0]))
    return sentence.when(YELLOW, Transfer(GREEN, 6))


def out_of_range() -> Given:
    spot = leverage(gates=False)
    return in_turn(spot, YELLOW, "subvert").when(YELLOW, StartConflict(LEVERAGE[0]))


def drawing(*drawn: str) -> Given:
    """V15 at its first step; Blue has drawn on these in this phase."""
    spot = sabotage()
    spot.galaxy.houses[BLUE].drawn_on += drawn
    return fight(spot, SABOTAGE)


def both_drawing() -> Given:
    """V17, read so that both sides choose at once."""
    return fight(siege(overlay=SEALED), SIEGE, "S4e")


def fleet_drawing(*drawn: str) -> Given:
    """V16 at its first step; Red has drawn on these in this phase; K5 reaches the fleet too."""
    spot = invasion().has(RED, outposts={"K5": 3})
    spot.galaxy.houses[RED].drawn_on += drawn
    return fight(spot, INVADE, "S5d")


def besieged(
    *faction: str, options: Any = None, overlay: Any = None, spoken: bool = False
) -> Given:
    """V17 at its second step, in which Yellow, and Green with an embassy at S1a, are asked."""
    spot = siege(options=options, overlay=overlay).tile("S1a", faction="orange", political=1)
    spot.has(GREEN, embassies=["S1a"])
    for seat, kind in enumerate(("I1a", "P1a", "M1a", "M1b")):
        if not options:
            spot.hand(seat, f"{kind}-1", f"{kind}-2")
    sentence = draws(draws(fight(spot, SIEGE, "S4e"), RED, "S4b"), BLUE, *faction)
    return sentence.when(YELLOW, DeclineSupport()) if spoken else sentence


def barred() -> Given:
    """Red's agent attacks Blue's embassy, and Blue has an Empathy Transmitter."""
    spot = position(4).home(RED, "S1d").tile("S2a", faction="orange", political=2)
    spot.tile("S2b", faction="orange", political=1).has(RED, agents=["S2a"])
    spot.has(BLUE, embassies=["S2a"]).has(YELLOW, embassies=["S2b"]).advanced(BLUE, "P2c-1")
    spot.caps(9, 9, 9).turn(RED, "politicize")
    return draws(fight(spot, (INFILTRATE, Declare(BLUE, "S2a", units=(0,)))), RED, "orange")


def armed(*committed: int, options: Any = None) -> Given:
    """V14 at its third step, with two cards in each hand."""
    spot = leverage(options=options)
    if not options:
        spot.hand(YELLOW, "I1a-1", "I3c-1").hand(BLUE, "P1a-2", "M1a-1").inactive(BLUE, "P3b-1")
    sentence = fight(spot, LEVERAGE)
    for seat in committed:
        sentence.when(seat, CommitTechnology({YELLOW: "I1a-1", BLUE: "P1a-2"}[seat]))
    return sentence


def cleaning() -> Given:
    """V14 won by Yellow, who decides about the card; nothing is on the discards."""
    return play(armed(), {YELLOW: "I1a-1", BLUE: "M1a-1"})


def gates_lost(**terms: Any) -> Given:
    """V16 with three gates of Yellow's, two of them at S5d."""
    spot = invasion(**terms).has(YELLOW, gates=[("S5d", "S5b"), ("S4d", "S5d"), ("S5a", "S5e")])
    return draws(fight(spot, INVADE, "S5d"), RED, "S6a")


def short(**terms: Any) -> Given:
    """V16 taken over by Red, who has one complex too few on its player board."""
    spot = invasion(**terms).tile("S2a", "S2b", "S1b", industrial=3)
    spot.tile("S1a", "S3b", industrial=2)
    spot.has(RED, complexes={"S2a": 3, "S2b": 3, "S1b": 3, "S1a": 2, "S3b": 2, "S2d": 1})
    return draws(fight(spot, INVADE, "S5d"), RED, "S6a")


def filling() -> Given:
    spot = invasion(overlay=house(takeover__mandatory=False))
    return draws(fight(spot, INVADE, "S5d"), RED, "S6a")


AT_ONCE = house(support__order="simultaneous")
LEARNING = {"learning": True}
BY_FLEET = Declare(BLUE, "S2a", units=(0,))


# --- wrong ----------------------------------------------------------------------------------------

MOVES = (
    Wrong("turn.start-conflict", "pattern not on the played card", partial(turn, "assault"), 0,
          StartConflict(STRIKE), "no_such_pattern", "pattern.one-per-action", {"card": "assault"}),
    Wrong("turn.start-conflict", "card without conflicts", partial(turn, "discover"), 0,
          StartConflict(STRIKE), "not_on_card", "action.two", {"card": "discover"}),
    Wrong("turn.start-conflict", "no such pattern", partial(turn, "assault"), 0,
          StartConflict("assault.bluff"), "no_such_pattern", "pattern.one-per-action"),
    Wrong("turn.start-conflict", "own type, unless read otherwise", partial(turn, "assault"), 0,
          StartConflict("assault.raze-martial"), "own_type", "pattern.one-per-action"),
    Wrong("turn.start-conflict", "two actions used", partial(used_up, "assault"), 0,
          StartConflict(RAZE), "not_asked", "expansion.finish"),
    Wrong("turn.start-conflict", "nothing that could move or attack", partial(turn, "assault"), 0,
          StartConflict(RAZE), "nothing_possible", "move.optional", {"pattern": RAZE}),
    Wrong("conflict.move-unit", "no such unit", squadron, RED,
          MoveUnit("fleet", 2, ("S1a",)), "no_such_unit", "move.when"),
    Wrong("conflict.move-unit", "unit of the wrong type", squadron, RED,
          MoveUnit("agent", 0, ("S1b",)), "wrong_unit", "move.when", {"unit": "agent"}),
    Wrong("conflict.move-unit", "complexes do not move", partial(declaring, EXPLOIT), RED,
          MoveUnit("fleet", 0, ("S1b",)), "no_movement", "move.when", {"pattern": EXPLOIT}),
    Wrong("conflict.move-unit", "fleet: destination without tile", squadron, RED,
          MoveUnit("fleet", 0, ("S1e",)), "no_tile", "move.end-on-tile", {"sector": "S1e"}),
    Wrong("conflict.move-unit", "agent: destination without tile", envoy, RED,
          MoveUnit("agent", 0, ("S1a",)), "no_tile", "move.end-on-tile", {"sector": "S1a"}),
    Wrong("conflict.move-unit", "fleet: foreign home", squadron, RED,
          MoveUnit("fleet", 0, ("S1b",)), "foreign_home", "move.foreign-home"),
    Wrong("conflict.move-unit", "agent: foreign home", envoy, RED,
          MoveUnit("agent", 0, ("S4d",)), "foreign_home", "move.foreign-home"),
    Wrong("conflict.move-unit", "fleet: centre", squadron, RED,
          MoveUnit("fleet", 1, ("K", "K4")), "no_such_sector", "move.fleet"),
    Wrong("conflict.move-unit", "agent: centre", envoy, RED,
          MoveUnit("agent", 0, ("K",)), "no_such_sector", "move.agent"),
    Wrong("conflict.move-unit", "path longer than 3", squadron, RED,
          MoveUnit("fleet", 0, ("S1b", "S2a", "S2d", "S2b")), "too_far", "move.fleet",
          {"hexes": 4, "most": 3}),
    Wrong("conflict.move-unit", "path longer than 5 with FTL", partial(squadron, "M2a-1"), RED,
          MoveUnit("fleet", 0, ("S1b", "S2a", "S2d", "S2b", "K3", "K4")), "too_far", "move.fleet",
          {"hexes": 6, "most": 5}),
    Wrong("conflict.move-unit", "path not contiguous", squadron, RED,
          MoveUnit("fleet", 0, ("S2b",)), "not_a_path", "move.fleet"),
    Wrong("conflict.move-unit", "agent: a path instead of an end", envoy, RED,
          MoveUnit("agent", 0, ("S1b", "S2a")), "not_a_path", "move.agent"),
    Wrong("conflict.move-unit", "where it stands", envoy, RED,
          MoveUnit("agent", 0, ("S1d",)), "same_place", "move.end-on-tile"),
    Wrong("conflict.move-unit", "agent: CAPs short", partial(envoy, 3), RED,
          MoveUnit("agent", 0, ("S4b",)), "unaffordable", "move.agent-cost",
          {"needed": 4, "has": 3}),
    Wrong("conflict.move-unit", "second move in the action", moved, RED,
          MoveUnit("fleet", 0, ("S1b",)), "already_moved", "move.when"),
    Wrong("conflict.skip", "no move was made in this action", partial(declaring, RAZE), RED,
          SkipConflict(), "nothing_done", "move.optional"),
    Wrong("turn.cancel-action", "something moved in it", moved, RED,
          CancelAction(), "action_begun", "move.optional", {"done": 1}),
    Wrong("turn.end", "a conflict is still open", armed, YELLOW,
          EndTurn(), "wrong_answer", "step3.commit"),
    Wrong("turn.cancel-action", "declared already", armed, YELLOW,
          CancelAction(), "wrong_answer", "step3.commit"),
)  # fmt: skip

DECLARATIONS = (
    Wrong("conflict.declare", "pattern of complexes, attack of a unit", partial(declaring, EXPLOIT),
          RED, BY_FLEET, "no_attackers", "target.attacker"),
    Wrong("conflict.declare", "pattern of a fleet, attack of complexes", partial(declaring, RAZE),
          RED, Declare(BLUE, "S2a", "S1d"), "no_attackers", "target.attacker"),
    Wrong("conflict.declare", "two units", partial(declaring, RAZE), RED,
          Declare(BLUE, "S2a", units=(0, 1)), "no_attackers", "target.attacker"),
    Wrong("conflict.declare", "embassies and outposts never attack", partial(declaring, EXPLOIT),
          RED, Declare(BLUE, "S2a", "S1b"), "no_attackers", "target.attacker"),
    Wrong("conflict.declare", "attacker not the moved unit", moved, RED,
          BY_FLEET, "not_the_mover", "move.same-unit", {"moved": 1}),
    Wrong("conflict.declare", "attacker already attacked this phase",
          partial(declaring, RAZE, attacked="fleet 0"), RED,
          BY_FLEET, "has_attacked", "target.once-per-phase", {"attacked": "fleet 0"}),
    Wrong("conflict.declare", "sector out of range", out_of_range, YELLOW,
          LEVERAGE[1], "out_of_range", "target.range", {"range": 1}),
    Wrong("conflict.declare", "defender is oneself", partial(declaring, EXPLOIT), RED,
          Declare(RED, "S1b", "S1d"), "own_pieces", "target.no-self"),
    Wrong("conflict.declare", "home of the defender", partial(declaring, EXPLOIT), RED,
          Declare(BLUE, "S3d", "S3b"), "home_protected", "target.no-home"),
    Wrong("conflict.declare", "no piece of the target type there", partial(declaring, EXPLOIT), RED,
          Declare(BLUE, "S1b", "S1d"), "no_target", "target.bases-and-units"),
    Wrong("conflict.declare", "no piece of that player there", partial(declaring, EXPLOIT), RED,
          Declare(GREEN, "S2a", "S3b"), "no_target", "target.bases-and-units"),
    Wrong("conflict.declare", "no such sector", partial(declaring, EXPLOIT), RED,
          Declare(BLUE, "X", "S3b"), "no_target", "target.one-sector"),
    Wrong("conflict.declare", "no such player", partial(declaring, EXPLOIT), RED,
          Declare(7, "S2a", "S3b"), "no_target", "target.one-sector"),
    Wrong("conflict.declare", "only some of what stands there", partial(declaring, RAZE), RED,
          Declare(BLUE, "S2a", units=(0,), targets=(0,)), "whole_group", "target.bases-and-units"),
    Wrong("conflict.declare", "CAPs short for the conflict cost", poor, YELLOW,
          LEVERAGE[1], "unaffordable", "cost.takeover", {"needed": 4, "has": 3}),
    Wrong("conflict.choose-draw", "faction already used this phase", partial(drawing, "orange"),
          BLUE, ChooseDraw(("orange",)), "already_lent", "step1.agent-limit", {"on": "orange"}),
    Wrong("conflict.choose-draw", "outpost already lent this phase",
          partial(fleet_drawing, "S6a"), RED,
          ChooseDraw(("S6a",)), "already_lent", "step1.fleet-limit", {"on": "S6a"}),
    Wrong("conflict.choose-draw", "outpost does not reach the fleet", fleet_drawing, RED,
          ChooseDraw(("S2d",)), "cannot_draw_on", "step1.fleet"),
    Wrong("conflict.choose-draw", "no such faction", drawing, BLUE,
          ChooseDraw(("red",)), "cannot_draw_on", "step1.agent"),
    Wrong("conflict.choose-draw", "two factions for a side", drawing, BLUE,
          ChooseDraw(("orange", "green")), "too_many_draws", "step1.agents-many"),
    Wrong("conflict.choose-draw", "side of complexes", armed, YELLOW,
          ChooseDraw(("orange",)), "wrong_answer", "step3.commit"),
    Wrong("conflict.choose-draw", "defender before the attacker", fleet_drawing, YELLOW,
          ChooseDraw(), "not_asked", "step1.agent"),
    Wrong("conflict.choose-draw-sealed", "no such faction", both_drawing, BLUE,
          ChooseDrawSealed(("red",)), "cannot_draw_on", "step1.agent"),
)  # fmt: skip

SUPPORT = (
    Wrong("conflict.support", "involved player", partial(besieged, "orange"), RED,
          LendSupport(BLUE, 1), "not_asked", "step2.who"),
    Wrong("conflict.support", "side not political", partial(besieged, "orange"), YELLOW,
          LendSupport(RED, 1), "not_supportable", "step2.whom", {"side": RED}),
    Wrong("conflict.support", "side not in the conflict", partial(besieged, "orange"), YELLOW,
          LendSupport(GREEN, 1), "not_supportable", "step2.whom", {"side": GREEN}),
    Wrong("conflict.support", "no faction named by that side", besieged, YELLOW,
          LendSupport(BLUE, 1), "not_asked", "step3.commit"),
    Wrong("conflict.support", "more than the own embassies of the faction",
          partial(besieged, "orange"), YELLOW,
          LendSupport(BLUE, 3), "too_much_support", "step2.faction", {"most": 2}),
    Wrong("conflict.support", "none at all", partial(besieged, "orange"), YELLOW,
          LendSupport(BLUE, 0), "too_much_support", "step2.faction"),
    Wrong("conflict.support", "out of turn", partial(besieged, "orange"), GREEN,
          LendSupport(BLUE, 1), "not_asked", "step2.who"),
    Wrong("conflict.support", "opponent holds an Empathy Transmitter", barred, YELLOW,
          LendSupport(RED, 1), "support_barred", "tech.empathy-transmitter", {"side": RED}),
    Wrong("conflict.support", "learning game",
          partial(besieged, "orange", options=LEARNING), YELLOW,
          LendSupport(BLUE, 1), "chance_pending", "learn.step3"),
    Wrong("conflict.support", "already answered", partial(besieged, "orange", spoken=True), YELLOW,
          LendSupport(BLUE, 1), "not_asked", "step2.who"),
    Wrong("conflict.support", "all or none, as a table reads it",
          partial(besieged, "orange", overlay=house(support__partial=False)), YELLOW,
          LendSupport(BLUE, 1), "all_or_none", "step2.partial"),
    Wrong("conflict.decline-support", "already answered",
          partial(besieged, "orange", spoken=True), YELLOW,
          DeclineSupport(), "not_asked", "step2.who"),
    Wrong("conflict.support-sealed", "more than the own embassies of the faction",
          partial(besieged, "orange", overlay=AT_ONCE), GREEN,
          SealSupport(BLUE, 2), "too_much_support", "step2.faction", {"most": 1}),
)  # fmt: skip

OUTCOMES = (
    Wrong("conflict.commit-card", "not in hand", armed, BLUE,
          CommitTechnology("I1a-1"), "card_not_in_hand", "step3.commit"),
    Wrong("conflict.commit-card", "inactive", armed, BLUE,
          CommitTechnology("P3b-1"), "card_not_in_hand", "step3.commit"),
    Wrong("conflict.commit-card", "none, with a card in hand", armed, BLUE,
          CommitTechnology(), "card_due", "step3.mandatory"),
    Wrong("conflict.commit-card", "already committed", partial(armed, BLUE), BLUE,
          CommitTechnology("M1a-1"), "not_asked", "step3.commit"),
    Wrong("conflict.commit-card", "not in the conflict", armed, RED,
          CommitTechnology("I1a-1"), "not_asked", "step3.commit"),
    Wrong("conflict.commit-card", "learning game", partial(armed, options=LEARNING), YELLOW,
          CommitTechnology("I1a-1"), "chance_pending", "learn.step3"),
    Wrong("conflict.choose-gates", "not in the sector", gates_lost, RED,
          ChooseGates((2,)), "no_such_gates", "gates.destroy"),
    Wrong("conflict.choose-gates", "one gate twice", gates_lost, RED,
          ChooseGates((0, 0)), "no_such_gates", "gates.destroy"),
    Wrong("conflict.choose-gates", "the loser chooses", gates_lost, YELLOW,
          ChooseGates((0,)), "not_asked", "gates.destroy"),
    Wrong("conflict.takeover-place", "more than are missing while one was unbuilt", short, RED,
          PlaceTaken(("S2a", "S2a")), "too_many_bases", "step4.takeover-short", {"missing": 1}),
    Wrong("conflict.takeover-place", "no such base in the from sector", short, RED,
          PlaceTaken(("K6",)), "no_such_bases", "step4.takeover-short"),
    Wrong("conflict.takeover-place", "from the sector itself", short, RED,
          PlaceTaken(("S5d",)), "no_such_bases", "step4.takeover-short"),
    Wrong("conflict.takeover-fill", "more than were destroyed", filling, RED,
          FillTaken(3), "not_allowed", "step4.takeover-free"),
    Wrong("conflict.cleanup", "source empty", cleaning, YELLOW,
          CleanUp("discard"), "no_such_source", "step5.replace"),
    Wrong("conflict.cleanup", "the played card itself", cleaning, YELLOW,
          CleanUp("discard", "I1a-1"), "no_such_source", "step5.replace"),
    Wrong("conflict.cleanup", "advanced card not own", cleaning, YELLOW,
          CleanUp("advanced", "P2a-1"), "no_such_source", "step5.replace"),
    Wrong("conflict.cleanup", "defender before the attacker", cleaning, BLUE,
          CleanUp(), "not_asked", "step5.choice"),
)  # fmt: skip
