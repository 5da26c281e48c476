"""Readings of the setup, of rounds, actions, building, arbitration, scoring, and the end."""

from __future__ import annotations

from typing import Any

from ledger.games.hegemonic.actions.building import PlaceEmbassy, StartBuild
from ledger.games.hegemonic.actions.choosing import ActionPhase, ChooseStarter, CommitCard
from ledger.games.hegemonic.actions.discover import Capitalize, CapitalizeFrom, Research
from ledger.games.hegemonic.actions.piles import DrawCard, DrawTechnology, PilesReshuffled
from ledger.games.hegemonic.actions.relocating import RelocateBase
from ledger.games.hegemonic.actions.research import DiscardForResearch
from ledger.games.hegemonic.conflicts.power import of_agents
from ledger.games.hegemonic.deals.agreement import Terms
from ledger.games.hegemonic.deals.negotiation import Propose
from ledger.games.hegemonic.deals.transfers import Transfer
from ledger.games.hegemonic.map.reach import Distance
from ledger.games.hegemonic.rounds.arbitration import Arbitration
from ledger.games.hegemonic.rounds.ending import CheckEnd, DeclareWinners, EndKnown, WinnersDeclared
from ledger.games.hegemonic.rounds.scoring import Award, BoardScored, Scoring
from ledger.games.hegemonic.rounds.sequence import Collection, Expansion, ExpansionSkipped
from ledger.games.hegemonic.setup.dealing import KeepCard
from ledger.games.hegemonic.state.tracks import Tier
from ledger.kernel.accounts import Transferred
from ledger.kernel.audience import view
from ledger.parts.battle import total
from tests.support.given import Given
from tests.support.hegemonic.positions import (
    Position,
    begun,
    committed,
    falling,
    position,
    set_up,
    settled,
    told,
)
from tests.support.hegemonic.readings.cases import played, said_to
from tests.support.hegemonic.wrong.cases import NEXT, asked, in_turn


def awards(spot: Position) -> list[Award]:
    return [one for fact in told(scored(spot), BoardScored) for one in fact.awards]


def scored(spot: Position) -> Given:
    return spot.doing(Scoring(), NEXT).given()


# --- options --------------------------------------------------------------------------------------


@played("learning", (False, 5), (True, 0))
def _(**terms: Any) -> int:
    """How many cards are dealt."""
    return len(settled(2, **terms).state.houses[0].hand)


@played("layout", ("suggested", "home"), ("free", "board"))
def _(**terms: Any) -> str:
    """Returns what is placed first."""
    sentence = begun(2, **terms)
    return sentence.match.key(sentence.match.asked()[0]).split("/")[1]


@played("opt.leaders", ("none", (0, "home")), ("dealt", (2, "home")), ("chosen", (0, "leader")))
def _(**terms: Any) -> tuple[int, str]:
    """How many leaders are dealt, and what is asked first."""
    sentence = begun(2, **terms)
    dealt = sum(bool(one.leader) for one in sentence.state.houses)
    return dealt, sentence.match.key(sentence.match.asked()[0]).split("/")[1]


@played("opt.piles", (False, ["all"]), (True, ["industrial", "martial", "political"]))
def _(**terms: Any) -> list[str]:
    """Which discard piles there are."""
    return sorted(settled(2, **terms).state.discards)


@played("opt.draft", (False, False), (True, True))
def _(**terms: Any) -> bool:
    """Whether cards are kept before homes are placed."""
    return begun(2, **terms).match.question.answers == (KeepCard,)


@played("opt.long", (False, [EndKnown("end.stack", 6)]), (True, []))
def _(**terms: Any) -> list[Any]:
    """With an empty stack, hexes left, and a tile in the pool."""
    spot = position(2, **terms).at(6, round_=6)
    spot.galaxy.stack, spot.galaxy.pool = 0, ["T01"]
    return told(spot.doing(CheckEnd(), NEXT).given(), EndKnown)


@played("opt.wild", (False, 1), (True, 2))
def _(**terms: Any) -> int:
    """Returns what an agent has that draws on a faction of which the player has the home alone."""
    galaxy = position(2, **terms).home(0, "S1d").has(0, embassies=["S1d"]).galaxy
    return total(of_agents(galaxy, 0, (0,), "S1a", "green"))


# --- setup and rounds -----------------------------------------------------------------------------


@played("setup.caps", (0, 6), (5, 11))
def _(**terms: Any) -> int:
    """Returns what everybody has with the first income, which is 6."""
    return int(set_up(2, **terms).state.accounts.balance("caps", "seat.1"))


@played("setup.tiles-small", ("8-per-player", 12), ("whole-set", 20))
def _(**terms: Any) -> int:
    """How many tiles are left in the stack of two players, once two are dealt to each."""
    return int(settled(2, **terms).state.stack)


@played("info.caps", ("open", [4, 9, 2]), ("hidden", []))
def _(**terms: Any) -> Any:
    """Returns what an onlooker is told of the comparison of CAPs."""
    sentence = position(3, **terms).caps(4, 9, 2).at(5).doing(Arbitration(), NEXT).given()
    (compared,) = (one for one in sentence.facts if one.__class__.__name__ == "CapsCompared")
    return view(compared, None)["caps"]


@played("caps.bank", ("unlimited", [6]), ("201", [2]))
def _(**terms: Any) -> list[int]:
    """An income of 6, with 199 CAPs in play."""
    spot = position(2, **terms).home(0, "S1d").caps(0, 199)
    spot.has(0, complexes={"S1d": 1}, embassies=["S1d"], outposts={"S1d": 1})
    return [one.amount for one in told(spot.doing(Collection(), NEXT).given(), Transferred)]


@played("board.zero-tier", (1, 1), (0, 0))
def _(**terms: Any) -> int:
    """The martial tier without an outpost."""
    return Tier.of(position(2, **terms).galaxy, 0, "martial")


@played("expansion.empty", ("skip-flip", (0, 0)), ("skip-turn", (2, 1)))
def _(**terms: Any) -> tuple[int, int]:
    """How many turns are left out with an empty stack, and who is asked."""
    spot = position(2, **terms).at(1)
    spot.galaxy.stack, spot.galaxy.pool = 0, ["T01", "T02"]
    sentence = spot.doing(Expansion(), NEXT).given()
    return len(told(sentence, ExpansionSkipped)), sentence.match.asked()[0]


@played("draw.reshuffle", ("on-demand", 0), ("when-emptied", 1))
def _(**terms: Any) -> int:
    """How often the discards are shuffled when the last card of the pile is drawn."""
    spot = position(2, **terms).discarded("I1a-1", "P1a-1").hand(0, "M1a-1")
    spot.hand(1, *list(spot.galaxy.cards.unseen)[1:])
    sentence = spot.doing(DrawTechnology(0, "x"), NEXT).given()
    return len(told(falling(sentence.when(0, DrawCard("deck"))), PilesReshuffled))


@played("research.discard-pile", (False, "no_such_source"), (True, ""))
def _(**terms: Any) -> str:
    """A card of the discards, drawn in RESEARCH."""
    spot = position(2, **terms).hand(0, "I1a-1", "P1a-1").discarded("I3a-1").advanced(0, "M2a-1")
    sentence = in_turn(spot, 0, "discover").when(0, Research())
    return said_to(sentence.when(0, DiscardForResearch(("P1a-1",))), 0, DrawCard("discard"))


@played("learn.research", ("off", "no_research"), ("on", ""))
def _(**terms: Any) -> str:
    """RESEARCH in the Learning Game."""
    spot = position(2, options={"learning": True}, **terms)
    return said_to(in_turn(spot, 0, "discover"), 0, Research())


# --- actions --------------------------------------------------------------------------------------


@played("action.recommit", ("off", "not_asked"), ("on", ""))
def _(**terms: Any) -> str:
    """A second thought about the card."""
    sentence = position(2, **terms).at(2).doing(ActionPhase(3), NEXT).given()
    return said_to(sentence.when(0, CommitCard("assault")), 0, CommitCard("discover"))


@played("order.tie", ("arbiter", (0, "")), ("random", (-1, "chance_pending")))
def _(**terms: Any) -> tuple[int, str]:
    """Returns who is asked about a tie, and what the arbiter is told who names one."""
    sentence = position(2, **terms).at(2).doing(ActionPhase(3), NEXT).given()
    committed(sentence, "politicize", "martialize")
    return sentence.match.asked()[0], said_to(sentence, 0, ChooseStarter(2, 1))


@played("discover.capitalize", ("min", (0, "")), ("max", (4, "")), ("choice", (0, "industrial")))
def _(**terms: Any) -> tuple[int, str]:
    """Returns what CAPITALIZE brings with incomes of 4, 2 and 0, and the first option then."""
    spot = position(2, **terms).home(0, "S1d").has(0, complexes={"S2a": 3}, embassies=["S1d"])
    sentence = in_turn(spot, 0, "discover").when(0, Capitalize())
    offered = sentence.match.options(0)[0]
    chosen = offered.income if isinstance(offered, CapitalizeFrom) else ""
    return sentence.state.accounts.balance("caps", "seat.0"), chosen


@played("build.from-units", (True, ""), (False, "out_of_range"))
def _(**terms: Any) -> str:
    """An embassy beside an agent alone."""
    spot = position(4, **terms).tile("S2a", faction="green").home(0, "S1d").caps(9)
    spot.has(0, embassies=["S1d"], agents=["S2a"])
    sentence = in_turn(spot, 0, "politicize").when(0, StartBuild())
    return said_to(sentence, 0, PlaceEmbassy("S2a"))


@played("relocate.self-range", (True, ""), (False, "out_of_range"))
def _(**terms: Any) -> str:
    """One of two outposts that reach the place together, and not one by one."""
    spot = position(4, **terms).home(0, "S1d").tile("S1e", martial=1).caps(9)
    spot.has(0, outposts={"S1d": 2, "S3c": 2, "S3d": 2, "S3e": 2, "K5": 1, "K6": 1, "S3a": 2})
    sentence = in_turn(spot, 0, "martialize").when(0, StartBuild())
    return said_to(sentence, 0, RelocateBase("martial", "S1d", "S1e"))


@played("range.center", ("blocked", 3), ("open", 2))
def _(**terms: Any) -> int | None:
    """From one side of the core to the other."""
    return Distance.of(position(4, **terms).galaxy, "K1", "K4")


# --- arbitration, scoring, the end ----------------------------------------------------------------


@played("arb.tie-incumbent", ("must-give", []), ("may-keep", [0, 2]))
def _(**terms: Any) -> list[int]:
    """Among whom a tied arbiter may choose, with one other tied."""
    sentence = position(3, **terms).caps(5, 1, 5).at(5).doing(Arbitration(), NEXT).given()
    return [one.seat for one in sentence.match.options(0) if hasattr(one, "seat")]


@played(
    "deal.caps",
    ("any-time", ("", "")),
    ("never", ("caps_stay", "caps_stay")),
    ("not-in-arbitration", ("", "caps_stay")),
)
def _(**terms: Any) -> tuple[str, str]:
    """A gift in an action phase, and one in arbitration."""
    gifts = [asked(position(2, **terms).caps(5, 5).at(phase)) for phase in (3, 6)]
    early, late = (said_to(sentence, 0, Transfer(1, 1)) for sentence in gifts)
    return early, late


@played("deal.visibility", ("choice", ""), ("public", "bad_visibility"))
def _(**terms: Any) -> str:
    """An offer that only its parties can read."""
    private = Propose((0, 1), private=Terms(text="x"))
    return said_to(asked(position(3, **terms)), 0, private)


@played("score.core-who", ("all", [6, 3, 1, 1, 1, 1]), ("controller", [6, 3, 1, 1]))
def _(**terms: Any) -> list[int]:
    """Powers of 3, 2 and 1 on the core: points, place by place and then what it adds."""
    spot = position(3, **terms).has(0, outposts={"K1": 3}).has(1, outposts={"K2": 2})
    return [one.points for one in awards(spot.has(2, outposts={"K3": 1}))]


@played(
    "score.tie-first-blocks-second",
    (True, ["score.tie-first", "score.tie-first", "score.presence"]),
    (False, ["score.tie-first", "score.tie-first", "score.influence"]),
)
def _(**terms: Any) -> list[str]:
    """Powers of 3, 3 and 1."""
    spot = position(3, **terms).has(0, outposts={"S1a": 3}).has(1, outposts={"S1b": 3})
    return [one.rule for one in awards(spot.has(2, outposts={"S1c": 1}))]


@played("tiebreak.last", ("shared", (0, 1, 2)), ("caps", (2,)), ("arbiter-order", (1,)))
def _(**terms: Any) -> tuple[int, ...]:
    """Equal points, equal incomes; the last has most CAPs, the second is the arbiter."""
    spot = position(3, **terms).caps(1, 2, 3).at(6, arbiter=1)
    (declared,) = told(spot.doing(DeclareWinners()).given(), WinnersDeclared)
    return tuple(declared.winners)
