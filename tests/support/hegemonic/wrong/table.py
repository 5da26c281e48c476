"""Wrong reactions, and wrong decisions of arbitration, deals, transfers, and leaders."""

from __future__ import annotations

from functools import partial
from typing import Any

from ledger.games.hegemonic.actions.advancing import DiscardOrAdvance, Keep
from ledger.games.hegemonic.actions.building import PlaceComplex, StartBuild
from ledger.games.hegemonic.actions.choosing import ActionPhase, CommitCard
from ledger.games.hegemonic.actions.piles import DiscardAdvanced
from ledger.games.hegemonic.actions.resolving import EndTurn
from ledger.games.hegemonic.conflicts.reactions import Decline
from ledger.games.hegemonic.conflicts.rescues import (
    BioAdaptiveHulls,
    PhasedTeleportation,
    PredictiveAlgorithms,
    StealthFieldEmitter,
    SubliminalTelepathy,
)
from ledger.games.hegemonic.deals.agreement import Terms
from ledger.games.hegemonic.deals.negotiation import ExpireOffers, Propose
from ledger.games.hegemonic.deals.transfers import Transfer
from ledger.games.hegemonic.leaders.activation import Activate, Pass, Resume, Window
from ledger.games.hegemonic.leaders.minds import OrderDeck
from ledger.games.hegemonic.rounds.arbitration import Arbitration, ChooseNextArbiter, Confirm
from ledger.parts.battle import Lost
from ledger.parts.deals.agreement import Payment, Statement
from ledger.parts.deals.answers import Accept, Reject, StateOutcome, Withdraw
from tests.ledger.games.hegemonic.conflicts.test_reactions import (
    HIDDEN_CAPS,
    agents_lost,
    attacked,
    gates_doomed,
    reacting,
    saving,
    stack_lost,
)
from tests.support.given import Given
from tests.support.hegemonic.leading import led
from tests.support.hegemonic.positions import falling, house, position
from tests.support.hegemonic.wrong.cases import NEXT, Wrong, asked, in_turn, over

OWNER = 1
RED, BLUE, YELLOW, GREEN = range(4)
PEACE = Terms(text="peace")
KEPT = Statement(about=RED, kept=True)
SOLD = Terms(payments=(Payment(seat=BLUE, to=RED, amount=7),))


# --- positions ------------------------------------------------------------------------------------


def hidden(*numbers: int) -> Given:
    """Agents were lost, and the owner, whose CAPs nobody sees, has none."""
    return reacting(agents_lost(*numbers, overlay=HIDDEN_CAPS))


def telepath() -> Given:
    return reacting(agents_lost(0).caps(0, 9))


def dropped(card: str) -> Given:
    """All that five technologies answer has happened, and their owner has just discarded one."""
    spot = attacked(OWNER, cards=("P1b-1", "P1a-1", "M1a-1")).tile("S2e", martial=1).caps(0, 9)
    spot.galaxy.contest.losses += [
        Lost(OWNER, "agent", "S2a", 1, 1), Lost(OWNER, "fleet", "S2a", 1, 0),
        Lost(OWNER, "outpost", "S2a", 3),
    ]  # fmt: skip
    if card == "M2c-1":
        spot.advanced(OWNER, card)
        spot.galaxy.houses[OWNER].advanced.remove("M1a-1")
    return reacting(spot).when(OWNER, DiscardAdvanced(card))


def hulls(**terms: Any) -> Given:
    return reacting(stack_lost(**terms))


def poor_hulls() -> Given:
    spot = stack_lost(overlay=HIDDEN_CAPS)
    spot.galaxy.accounts.move("caps", "seat.1", "bank", 2)
    return reacting(spot)


def stealth() -> Given:
    return reacting(attacked(OWNER))


def doomed(*cards: str) -> Given:
    return saving(gates_doomed(*(cards or ("I1a-1",))))


def poor_gates() -> Given:
    spot = gates_doomed("I1a-1", overlay=HIDDEN_CAPS)
    spot.galaxy.accounts.move("caps", "seat.1", "bank", 3)
    return saving(spot)


def arbitration(*caps: int) -> Given:
    after = DiscardOrAdvance(0, "x", optional=True)
    return position(len(caps)).caps(*caps).at(5).doing(Arbitration(), after).given()


def confirmed() -> Given:
    return arbitration(4, 9, 2).when(2, Confirm())


def table(*caps: int, **terms: Any) -> Given:
    return asked(position(4, **terms).caps(*(caps or (5, 6, 0, 2))))


def offered(terms: Terms = PEACE, status: str = "") -> Given:
    """Red has made Blue an offer."""
    sentence = table().when(RED, Propose((RED, BLUE), terms))
    answer = {"accepted": (BLUE, Accept("s0/1")), "declined": (BLUE, Reject("s0/1")),
              "withdrawn": (RED, Withdraw("s0/1"))}.get(status)  # fmt: skip
    return sentence.when(*answer) if answer else sentence


def expired() -> Given:
    """Red's offer was good for this phase, which is over."""
    now, later = (DiscardOrAdvance(0, name, optional=True) for name in "yx")
    sentence = position(2).doing(now, ExpireOffers(), later).given()
    return sentence.when(0, Propose((0, 1), PEACE, expires=(2, 3))).when(0, Keep())


def committing() -> Given:
    """One of two action cards lies face down, and the other player has a leader."""
    spot = led(position(2).at(2), {1: ("LD02", 3)})
    return spot.doing(ActionPhase(3), NEXT).given().when(0, CommitCard("assault"))


def led_by(leader: str, level: int, **terms: Any) -> Given:
    """The second player has a leader, the first is asked something."""
    return asked(led(position(2, **terms).caps(5, 5), {1: (leader, level)}))


def interrupted() -> Given:
    """The first player has begun to pay for a BUILD, and was interrupted."""
    spot = led(position(2), {1: ("LD02", 3)}).has(0, complexes={"S1a": 1}).caps(20)
    spot.tile("S1b", "S1c", industrial=1)
    sentence = in_turn(spot, 0, "industrialize").when(0, StartBuild())
    return sentence.when(0, PlaceComplex("S1b")).when(1, Activate(1))


def looking() -> Given:
    spot = led(position(2).at(2), {1: ("LD04", 1)})
    return falling(asked(spot).when(1, Activate(1)))


def window(level: int) -> Given:
    spot = led(position(2).at(3), {1: ("LD06", level)}).turn(0, "assault")
    spot.galaxy.houses[1].played = "subvert"
    return spot.doing(Window("revealed"), DiscardOrAdvance(0, "x", optional=True)).given()


# --- wrong ----------------------------------------------------------------------------------------

REACTIONS = (
    Wrong("react.predictive-algorithms", "gate not chosen for destruction", doomed, OWNER,
          PredictiveAlgorithms(1, "S4b", "S4d"), "not_threatened", "tech.predictive-algorithms"),
    Wrong("react.predictive-algorithms", "CAPs short", poor_gates, OWNER,
          PredictiveAlgorithms(0, "S4b", "S4d"), "unaffordable", "tech.predictive-algorithms",
          {"needed": 1, "has": 0}),
    Wrong("react.predictive-algorithms", "new position too far apart", doomed, OWNER,
          PredictiveAlgorithms(0, "S4b", "S6a"), "too_far_apart", "gate.distance"),
    Wrong("react.predictive-algorithms", "new position without an own complex", doomed, OWNER,
          PredictiveAlgorithms(0, "S4d", "S4b"), "no_own_complex", "gate.first-half"),
    Wrong("react.predictive-algorithms", "new position in a foreign home", doomed, OWNER,
          PredictiveAlgorithms(0, "S4b", "S5e"), "foreign_home", "gate.foreign-home"),
    Wrong("react.predictive-algorithms", "a half left in the conflict sector", doomed, OWNER,
          PredictiveAlgorithms(0, "S4b", "K6"), "stays_in_conflict", "tech.predictive-algorithms"),
    Wrong("react.predictive-algorithms", "technology not advanced",
          lambda: doomed().when(OWNER, DiscardAdvanced("I1a-1")), OWNER,
          PredictiveAlgorithms(0, "S4b", "S4d"), "not_advanced", "tech.predictive-algorithms"),
    Wrong("react.predictive-algorithms", "no gate about to be destroyed", telepath, OWNER,
          PredictiveAlgorithms(0, "S4b", "S4d"), "wrong_answer", "step4.reaction-order"),
    Wrong("react.subliminal-telepathy", "CAPs short", partial(hidden, 0), OWNER,
          SubliminalTelepathy(0), "unaffordable", "tech.subliminal-telepathy",
          {"needed": 1, "has": 0}),
    Wrong("react.subliminal-telepathy", "technology not advanced",
          partial(dropped, "P1a-1"), OWNER,
          SubliminalTelepathy(0), "not_advanced", "tech.subliminal-telepathy"),
    Wrong("react.subliminal-telepathy", "no agent destroyed", hulls, OWNER,
          SubliminalTelepathy(0), "nothing_to_answer", "tech.subliminal-telepathy"),
    Wrong("react.subliminal-telepathy", "no such agent", telepath, OWNER,
          SubliminalTelepathy(3), "no_such_unit", "tech.subliminal-telepathy"),
    Wrong("react.subliminal-telepathy", "not directly after the destruction", table, OWNER,
          SubliminalTelepathy(0), "not_asked", "expansion.finish"),
    Wrong("react.phased-teleportation", "technology not advanced", partial(dropped, "M1a-1"), OWNER,
          PhasedTeleportation(0), "not_advanced", "tech.phased-teleportation"),
    Wrong("react.phased-teleportation", "not directly after the destruction", table, OWNER,
          PhasedTeleportation(0), "not_asked", "expansion.finish"),
    Wrong("react.bio-adaptive-hulls", "technology not advanced", partial(dropped, "M2c-1"), OWNER,
          BioAdaptiveHulls("S2e"), "not_advanced", "tech.bio-adaptive-hulls"),
    Wrong("react.bio-adaptive-hulls", "CAPs short", poor_hulls, OWNER,
          BioAdaptiveHulls("S2e"), "unaffordable", "tech.bio-adaptive-hulls", {"needed": 1}),
    Wrong("react.bio-adaptive-hulls", "location not martial", hulls, OWNER,
          BioAdaptiveHulls("S2b"), "no_location", "build.location"),
    Wrong("react.bio-adaptive-hulls", "location full", hulls, OWNER,
          BioAdaptiveHulls("S1d"), "location_taken", "build.outpost-stack"),
    Wrong("react.bio-adaptive-hulls", "location another player's", hulls, OWNER,
          BioAdaptiveHulls("S2d"), "foreign_outposts", "build.outpost-single-owner"),
    Wrong("react.bio-adaptive-hulls", "the location just lost", hulls, OWNER,
          BioAdaptiveHulls("S2a"), "same_place", "tech.bio-adaptive-hulls"),
    Wrong("react.bio-adaptive-hulls", "out of range", hulls, OWNER,
          BioAdaptiveHulls("S4b"), "out_of_range", "tech.bio-adaptive-hulls"),
    Wrong("react.bio-adaptive-hulls", "foreign home", hulls, OWNER,
          BioAdaptiveHulls("S3d"), "foreign_home", "build.foreign-home"),
    Wrong("react.stealth-field-emitter", "technology not advanced",
          partial(dropped, "P1b-1"), OWNER,
          StealthFieldEmitter("S1d"), "not_advanced", "tech.stealth-field-emitter"),
    Wrong("react.stealth-field-emitter", "no own embassy there", stealth, OWNER,
          StealthFieldEmitter("S1c"), "no_own_base", "tech.stealth-field-emitter"),
    Wrong("react.stealth-field-emitter", "where it stands", stealth, OWNER,
          StealthFieldEmitter("S2a"), "same_place", "tech.stealth-field-emitter"),
    Wrong("react.decline", "no window open for the player", telepath, 0,
          Decline(), "not_asked", "step4.reaction-order"),
    Wrong("turn.end", "a reaction is still open", telepath, OWNER,
          EndTurn(), "wrong_answer", "step4.reaction-order"),
)  # fmt: skip

ARBITRATION = (
    Wrong("arbitration.choose-arbiter", "player not tied", partial(arbitration, 1, 5, 5, 3), 0,
          ChooseNextArbiter(3), "not_richest", "arb.tie", {"richest": [1, 2]}),
    Wrong("arbitration.choose-arbiter", "the arbiter when tied", partial(arbitration, 5, 5, 1, 5),
          0, ChooseNextArbiter(0), "must_pass_on", "arb.tie-incumbent"),
    Wrong("arbitration.choose-arbiter", "not the arbiter", partial(arbitration, 1, 5, 5, 3), 1,
          ChooseNextArbiter(1), "not_asked", "arb.tie"),
    Wrong("arbitration.choose-arbiter", "no tie", partial(arbitration, 1, 5, 4), 0,
          ChooseNextArbiter(1), "wrong_answer", "arb.caps-between"),
    Wrong("arbitration.confirm", "already confirmed", confirmed, 2,
          Confirm(), "not_asked", "arb.caps-between"),
    Wrong("caps.transfer", "amount above own CAPs", table, BLUE,
          Transfer(YELLOW, 7), "unaffordable", "deal.caps", {"needed": 7, "has": 6}),
    Wrong("caps.transfer", "to oneself", table, BLUE,
          Transfer(BLUE, 1), "no_such_player", "deal.caps"),
    Wrong("caps.transfer", "to nobody", table, BLUE,
          Transfer(4, 1), "no_such_player", "deal.caps"),
    Wrong("caps.transfer", "nothing", table, BLUE,
          Transfer(YELLOW, 0), "nothing_given", "deal.caps"),
    Wrong("caps.transfer", "less than nothing", table, BLUE,
          Transfer(YELLOW, -1), "nothing_given", "deal.caps"),
    Wrong("caps.transfer", "for a deal that there is not", table, BLUE,
          Transfer(YELLOW, 1, "s1/1"), "no_such_deal", "deal.audit"),
    Wrong("caps.transfer", "learning game", partial(table, options={"learning": True}), BLUE,
          Transfer(RED, 1), "caps_stay", "learn.no-caps"),
    Wrong("caps.transfer", "never, as a table reads it",
          partial(table, overlay=house(deal__caps="never")), BLUE,
          Transfer(RED, 1), "caps_stay", "deal.caps"),
    Wrong("caps.transfer", "game over", lambda: over(position(4).caps(5, 6)), BLUE,
          Transfer(RED, 1), "match_over", ""),
)  # fmt: skip

DEALS = (
    Wrong("deal.propose", "no other party", table, RED,
          Propose((RED,), PEACE), "bad_parties", "deal.any"),
    Wrong("deal.propose", "between others", table, RED,
          Propose((BLUE, YELLOW), PEACE), "bad_parties", "deal.any"),
    Wrong("deal.propose", "CAPs in the learning game",
          partial(table, options={"learning": True}), RED,
          Propose((RED, BLUE), SOLD), "caps_stay", "learn.no-caps"),
    Wrong("deal.propose", "over before it begins", table, RED,
          Propose((RED, BLUE), PEACE, expires=(2, 2)), "bad_expiry", "deal.any"),
    Wrong("deal.propose", "counters what there is not", table, RED,
          Propose((RED, BLUE), PEACE, counters="s1/1"), "no_such_deal", "deal.audit"),
    Wrong("deal.propose", "neither open nor private", table, RED,
          Propose((RED, BLUE)), "bad_visibility", "deal.audit"),
    Wrong("deal.accept", "not a party", offered, GREEN,
          Accept("s0/1"), "not_a_party", "deal.any"),
    Wrong("deal.accept", "no such deal", offered, BLUE,
          Accept("s3/1"), "no_such_deal", "deal.audit"),
    Wrong("deal.accept", "withdrawn", partial(offered, status="withdrawn"), BLUE,
          Accept("s0/1"), "deal_closed", "deal.any", {"status": "withdrawn"}),
    Wrong("deal.accept", "rejected", partial(offered, status="declined"), BLUE,
          Accept("s0/1"), "deal_closed", "deal.any", {"status": "declined"}),
    Wrong("deal.accept", "expired", expired, 1,
          Accept("s0/1"), "deal_closed", "deal.any", {"status": "expired"}),
    Wrong("deal.accept", "by its proposer", offered, RED,
          Accept("s0/1"), "already_accepted", "deal.any"),
    Wrong("deal.accept", "CAPs short", partial(offered, SOLD), BLUE,
          Accept("s0/1"), "unaffordable", "deal.caps", {"seat": BLUE}),
    Wrong("deal.reject", "not a party", offered, GREEN,
          Reject("s0/1"), "not_a_party", "deal.any"),
    Wrong("deal.reject", "withdrawn", partial(offered, status="withdrawn"), BLUE,
          Reject("s0/1"), "deal_closed", "deal.any", {"status": "withdrawn"}),
    Wrong("deal.withdraw", "not its proposer", offered, BLUE,
          Withdraw("s0/1"), "not_a_party", "deal.any"),
    Wrong("deal.withdraw", "already accepted by all", partial(offered, status="accepted"), RED,
          Withdraw("s0/1"), "deal_closed", "deal.any", {"status": "accepted"}),
    Wrong("deal.state-outcome", "not a party", partial(offered, status="accepted"), GREEN,
          StateOutcome("s0/1", (RED, BLUE), KEPT), "not_a_party", "deal.any"),
    Wrong("deal.state-outcome", "not accepted", offered, BLUE,
          StateOutcome("s0/1", (RED, BLUE), KEPT), "deal_closed", "deal.audit",
          {"status": "proposed"}),
)  # fmt: skip

LEADERS = (
    Wrong("leader.activate", "leaders off", table, RED,
          Activate(1), "no_leader", "leader.assign"),
    Wrong("leader.activate", "level above the position", partial(led_by, "LD02", 2), 1,
          Activate(3), "level_not_reached", "leader.choose", {"position": 2}),
    Wrong("leader.activate", "no such level", partial(led_by, "LD02", 2), 1,
          Activate(0), "level_not_reached", "leader.choose"),
    Wrong("leader.activate", "the ability's window is not open", partial(led_by, "LD12", 3), 1,
          Activate(1), "not_the_moment", "leader.anytime", {"leader": "LD12"}),
    Wrong("leader.activate", "between a commit and its reveal", committing, 1,
          Activate(3), "not_the_moment", "leader.anytime", {"leader": "LD02"}),
    Wrong("leader.activate", "no such target", partial(led_by, "LD01", 1), 1,
          Activate(1, seat=1), "no_such_target", "leader.choose", {"seat": 1}),
    Wrong("leader.activate", "needless parameters", partial(led_by, "LD02", 1), 1,
          Activate(1, seat=0), "not_needed", "leader.choose", {"field": "seat"}),
    Wrong("leader.resume", "action already paid", interrupted, 0,
          Resume(go_on=False), "action_begun", "leader.interrupt-paid", {"done": 1}),
    Wrong("leader.resume", "nobody has interrupted",
          lambda: in_turn(position(2).has(0, complexes={"S1a": 1}), 0, "industrialize").when(
              0, StartBuild()), 0,
          Resume(go_on=True), "not_interrupted", "leader.interrupt-unpaid"),
    Wrong("leader.pass", "no such window", partial(led_by, "LD06", 2), 1,
          Pass(), "not_asked", "expansion.finish"),
    Wrong("leader.pass", "position too low, so no window", partial(window, 1), 1,
          Pass(), "not_asked", "expansion.finish"),
    Wrong("leader.order-deck", "not exactly the cards looked at", looking, 1,
          OrderDeck(("I1a-1",)), "other_cards", "leader.choose", {"count": 3}),
)  # fmt: skip
