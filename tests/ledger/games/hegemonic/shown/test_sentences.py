"""Each fact has a sentence; each listener gets what it may know."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from ledger.games.hegemonic import RULES
from ledger.games.hegemonic.actions.choosing import CardCommitted, CardRevealed
from ledger.games.hegemonic.actions.items import ItemDone
from ledger.games.hegemonic.actions.piles import CardDrawn
from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.facts import ContestBegun
from ledger.games.hegemonic.conflicts.outcome import Compared, PieceLost
from ledger.games.hegemonic.conflicts.sequence import StartConflict
from ledger.games.hegemonic.conflicts.starting_power import DrawChosen, StartingPowerCounted
from ledger.games.hegemonic.deals.agreement import Promise, Terms
from ledger.games.hegemonic.deals.negotiation import DealProposed
from ledger.games.hegemonic.deals.transfers import CapsGiven
from ledger.games.hegemonic.leaders.activation import LeaderActivated
from ledger.games.hegemonic.map.placing import UnitMoved
from ledger.games.hegemonic.map.tiles import TilePlaced
from ledger.games.hegemonic.rounds.arbitration import ArbiterFound, CapsCompared
from ledger.games.hegemonic.rounds.ending import FinalScored, WinnersDeclared
from ledger.games.hegemonic.rounds.scoring import Award, BoardScored
from ledger.games.hegemonic.setup.dealing import HandDealt
from ledger.kernel.accounts import Transferred
from ledger.kernel.bots import greedy_bot, random_bot
from ledger.kernel.records import Fact, tag_of
from ledger.log.stores.memory import MemoryStore
from ledger.log.write.founding import Plan
from ledger.parts.battle import Contribution, Force
from ledger.parts.deals.agreement import Payment, Statement
from ledger.parts.prices import Part
from replays.story.sentences import fact_sentence, tell
from services.matches.play import make_seeded_surroundings, play_whole_match
from tests.support.hegemonic.matches import play
from tests.support.hegemonic.positions import position, terms_of

CALLED = ("Blue", "Green", "Orange", "Purple", "Red", "Yellow")


def told(fact: Fact, viewer: int | None = None) -> str:
    return fact_sentence(terms_of(), fact, viewer, CALLED)


ROWS = RULES.shown.story.by_tag
SILENT = {tag for tag, beat in ROWS.items() if beat.silent}


# Facts that are passed over in some cases, because the sentence beside says the same.
SOMETIMES = {"accounts.transferred", "build.item-done"}
# What no player would write: ids of rules, purses, patterns, decisions; holes; double points.
UGLY = re.compile(r"[a-z]\.[a-z]|seat\.\d|[{}_]|\.\.| ,|  |None|True|False|\ba [aeiou]\w|s\d/\d")
PLAYED = [
    (4, 2, greedy_bot, {"opt.leaders": "dealt", "opt.wild": True}),
    (3, 1, random_bot, {"learning": True}),
    (2, 1, random_bot, {"layout": "free", "opt.draft": True, "opt.leaders": "chosen"}),
]  # fmt: skip


@pytest.mark.long
def test_all_that_happens_in_matches_reads_like_a_report():
    heard: set[str] = set()
    for seats, seed, bot, options in PLAYED:
        for match, facts in play(seats, seed, [bot], options):
            for fact in facts:
                tag, called = tag_of(fact), match.called()
                heard.add(tag)
                for viewer in (*range(seats), None):
                    said = fact_sentence(match.terms, fact, viewer, called)
                    if not said:
                        assert tag in SILENT or tag in SOMETIMES, tag
                        continue
                    assert tag not in SILENT, tag
                    assert said[0].isupper() or said[0].isdigit(), said
                    assert said[-1] in ".:,", said
                    assert not UGLY.search(said), said
    assert len(heard) > 80, sorted(set(ROWS) - heard)


def test_what_goes_without_saying_leaves_no_gap_in_the_report():
    around = make_seeded_surroundings(MemoryStore(), 1)
    plan = Plan(ruleset=RULES.name, seats=2, options=(("learning", True),))
    journal = play_whole_match(around, plan, {0: "random", 1: "random"})
    told_ = [sentence for one in tell(journal.history) for sentence in one.sentences]
    assert all(told_)
    assert any(" wins with " in sentence for sentence in told_)


@pytest.mark.long
def test_the_sentence_of_the_winner_says_that_it_wins():
    (*_, (match, facts)) = play(2, 1, [greedy_bot])
    said = [fact_sentence(match.terms, fact, None, match.called()) for fact in facts]
    (winner,) = match.result().winners
    assert any(f"{match.called()[winner]} wins with" in sentence for sentence in said)


def begun(attacker: Force, defender: Force, pattern: str, cost: int = 4) -> ContestBegun:
    return ContestBegun(
        key="r2/p3/s5/a1", pattern=pattern, action="takeover", sector=defender.sector, distance=1,
        attacker=attacker, defender=defender, faction="", attacked_with=(), cost=cost, price=(),
    )  # fmt: skip


SENTENCES = [
    # Conflicts
    (begun(Force(5, "industrial", "S2b", 3), Force(0, "political", "S4a", 1),
           "subvert.industrial-political"),
     "Yellow's three complexes at S2b attack Blue's embassy at S4a (Leverage)."),
    (begun(Force(4, "martial", "S4e", 0, (1,)), Force(0, "political", "S4e", 0, (0, 2)),
           "subvert.invade-political"),
     "Red's fleet at S4e attacks Blue's two agents at S4e (Invade)."),
    (begun(Force(0, "political", "S3d", 0, (0,)), Force(4, "martial", "S3d", 3, (0,)),
           "assault.sabotage-martial"),
     "Blue's agent at S3d attacks Red's three outposts and fleet at S3d (Sabotage)."),
    (StartingPowerCounted(5, (
        Contribution("step1.complex", "complex", 3, "S2b", 0, 3),
        Contribution("step1.complex", "complex", 1, "S2d", 1, 1),
        Contribution("tech.dyson-sphere-assembly", "dyson-sphere-assembly", 1, "S2b", 0, 1))),
     ("Yellow starts with 5: 3 complexes at S2b +3, 1 complex at S2d +1, "
      "Dyson Sphere Assembly at S2b +1.")),
    (DrawChosen(0, ("orange",)), "Blue draws on Grex."),
    (DrawChosen(4, ("S6a",)), "Red draws on the outposts at S6a."),
    (DrawChosen(4, ()), "Red draws on nothing."),
    (Compared(5, 7, 0, 5, 5, "step4.compare"),
     "Yellow against Blue: 7 against 5. Yellow prevails."),
    (Compared(4, 8, 0, 8, None, "step4.compare"), "Red against Blue: 8 against 8. It is a draw."),
    (Compared(4, 8, 0, 8, 0, "tech.polymorphic-matter"),
     "Red against Blue: 8 against 8. Blue prevails, by Polymorphic Matter."),
    (PieceLost(0, "embassy", "S4a", 1, "step4.attacker-takeover", taken_over=True),
     "An embassy of Blue's at S4a is taken over."),
    (PieceLost(4, "outpost", "S3d", 3, "step4.attacker-destroy"),
     "Three outposts of Red's at S3d are destroyed."),
    # CAPs
    (Transferred("caps", "bank", "seat.0", 6, "collection.income"), "Blue collects 6 CAPs."),
    (Transferred("caps", "seat.5", "bank", 1, "cost.destroy"), "Yellow pays 1 CAP for the attack."),
    (Transferred("caps", "seat.5", "bank", 4, "build.base-cost"), "Yellow pays 4 CAPs."),
    (Transferred("caps", "seat.5", "seat.0", 2, "deal.caps"), ""),
    (CapsGiven(5, 0, 2, "s5/3"), "Yellow gives Blue 2 CAPs for Yellow's offer 3."),
    (Transferred("caps", "bank", "seat.0", 3, "tech.psionic-ecology"),
     "Blue gains 3 CAPs by Psionic Ecology."),
    (Transferred("caps", "seat.0", "bank", 1, "tech.subliminal-telepathy"), "Blue pays 1 CAP."),
    # Building, moving, tiles
    (ItemDone(0, "complex", relocated=False, price=1,
              parts=(Part("build.base-cost", 2), Part("tech.nano-fabricants", -1))),
     "The complex costs 1 CAP less by Nano-Fabricants."),
    (UnitMoved(4, "fleet", 0, ("S1d", "S1b", "K1")),
     "Red's fleet goes from S1d to K1 by way of S1b."),
    (TilePlaced(0, "T14", "S3a"),
     "Blue puts tile T14 (Turinians 1, industrial 1, martial 1) at S3a."),
    (TilePlaced(0, "T48", "S3a"), "Blue puts tile T48 (empty space) at S3a."),
    # Arbitration, scoring, the end
    (CapsCompared((0, 1), (5, 5, 2, 0)), "CAPs: Blue 5, Green 5, Orange 2, Purple 0."),
    (CapsCompared((0, 1), ()), "Blue and Green have most CAPs."),
    (ArbiterFound(1, "arb.tie"), "Green is chosen as arbiter among those with most CAPs."),
    (BoardScored("S2", ((4, 5), (0, 4)), (
        Award(4, "score.control", 6), Award(0, "score.influence", 3))),
     "Board S2: Red 6 (power 5: control), Blue 3 (power 4: influence)."),
    (BoardScored("K", ((0, 3),), (
        Award(0, "score.control", 6), Award(0, "score.exclusive", 2), Award(0, "score.core", 1))),
     "The core: Blue 9 (power 3: control, alone, core)."),
    (FinalScored(0, (("I1a-1", 2), ("I2b-1", 4)), 6),
     ("Blue's advanced technologies are worth 6 points: Predictive Algorithms 2 and "
      "Nano-Fabricants 4.")),
    (WinnersDeclared((1,), "most points", (40, 52)),
     "Green wins with 52 points: most points. Final scores: Blue 40, Green 52."),
    (WinnersDeclared((0, 1), "equal points and income", (52, 52), (16, 16)),
     ("Blue and Green share the victory: each of them wins with 52 points: equal points and "
      "income. Final scores: Blue 52, Green 52. Incomes: Blue 16, Green 16.")),
    (LeaderActivated(2, "LD02", 3), "Thor's Will acts for Orange, at level 3."),
]  # fmt: skip


@pytest.mark.parametrize(("fact", "sentence"), SENTENCES, ids=lambda one: str(one)[:40])
def test_a_fact_is_told_in_a_sentence(fact: Fact, sentence: str):
    assert told(fact) == sentence


ONE = Contribution("step3.value", "I1a-1", 1, "", 0, 3)
# A value for the fields of this name, from which a fact of any class is made that has no others.
VALUES: dict[str, Any] = {
    "seat": 0, "of": 1, "to": 1, "side": 1, "starter": 1, "attacker": "complex", "key": "r1/p3/c",
    "card": "I1a-1", "back": "I1b-1", "cards": ("I1a-1", "I1b-1"), "nobody": (), "pile": "all",
    "tile": "T14", "tiles": ("T14", "T15"), "faction": "orange", "leader": "LD02", "moment": "tied",
    "leaders": ("LD01", "LD02"), "sector": "S2b", "origin": "S2a", "first": "S2b", "second": "S3a",
    "board": "S2",
    "on": ("orange",), "unit": "agent", "piece": "embassy", "color": "red", "epoch": 0,
    "action": "basic", "pattern": "", "income": "political", "contribution": ONE,
    "contributions": (ONE,), "deal": "s0/1", "statement": Statement(1, kept=True), "private": None,
    "parties": (0, 1), "made": True, "not_again": True, "technology": "brane-manipulation",
    "gates": (0,), "sectors": (("S2a", 1, 1),), "rule": "arb.tie", "taken_over": True,
    "amount": 2, "number": 1, "count": 2, "most": 3, "level": 2, "limit": 9, "phase": 4, "round": 2,
    "last_round": 6, "scores": (4, 2), "industrial": 2, "political": 2, "martial": 2, "step": 2,
    "price": 2, "richest": (0, 1), "caps": (3, 3), "layout": "L4", "homes": ("S1d", "S2e"),
    "aside": 24, "box": ("T05",), "piles": ("all",), "path": ("S1a", "S1b"), "attack": 3,
    "agents": 3, "fleets": 3,
}  # fmt: skip
ODD: dict[str, dict[str, Any]] = {"piece.supplied": {"gates": 3}}


def test_every_class_of_facts_has_its_sentence():
    written = {tag_of(fact) for fact, _ in SENTENCES}
    for kind in RULES.facts:
        values, names = VALUES | ODD.get(tag_of(kind), {}), kind.__struct_fields__
        if not set(names) <= set(values):
            assert tag_of(kind) in written | {"deal.proposed", "conflict.begun"}, kind
            continue
        if tag_of(kind) in written:
            continue
        said = told(kind(**{name: values[name] for name in names}))
        assert bool(said) == (tag_of(kind) not in SILENT), kind
        assert said == "" or said[-1] in ".:,", said
        assert not UGLY.search(said), said


def test_before_colours_are_taken_players_go_by_their_seats():
    assert fact_sentence(terms_of(), ArbiterFound(1, "arb.most-caps"), None) == (
        "Seat 1, who has most CAPs, is the arbiter."
    )


PRIVATE = [
    (CardDrawn(1, "I1a-1", 0), "Green draws Predictive Algorithms.", "Green draws a card."),
    (HandDealt(1, ("I1a-1", "I2b-1"), 0),
     "Green is dealt Predictive Algorithms and Nano-Fabricants.", "Green is dealt 2 cards."),
    (CardCommitted(1, "subvert", "r1/p3/card"),
     "Green chooses Subvert.", "Green has chosen an action card."),
]  # fmt: skip


@pytest.mark.parametrize(("fact", "own", "others"), PRIVATE, ids=lambda one: str(one)[:30])
def test_what_is_not_for_all_is_told_to_its_owner_alone(fact: Fact, own: str, others: str):
    assert told(fact, 1) == own
    assert told(fact, 0) == told(fact) == others


def test_a_deal_is_told_with_its_terms_to_those_who_may_read_them():
    terms = Terms(
        text="a trade",
        payments=(Payment(seat=5, to=0, amount=2),),
        promises=(Promise(seat=0, to=5, what="support", subject="S4a", due=(3, 4)),),
    )
    whole = (
        "Yellow offers a deal to Blue (offer 1): a trade, Yellow pays Blue 2 CAPs and "
        "Blue will support Yellow (S4a) in round 3, second action phase."
    )
    assert told(DealProposed(5, "s5/1", (5, 0), terms, None, "", None)) == whole
    ended = msgspec.structs.replace(terms, text="a trade.")
    assert told(DealProposed(5, "s5/1", (5, 0), ended, None, "", None)) == whole
    private = DealProposed(5, "s5/1", (5, 0), None, terms, "", None)
    assert told(private, 0) == whole
    assert told(private, 3) == "Yellow offers a deal to Blue (offer 1): its terms are between them."


def test_a_conflict_is_told_from_its_declaration_on():
    sentence = (
        position()
        .tile("S2b", industrial=3)
        .tile("S4a", faction="green", political=2)
        .has(0, complexes={"S2b": 3}, gates=[("S2b", "S4a")])
        .has(1, embassies=["S4a"])
        .caps(9, 4)
        .turn(0, "subvert")
        .given()
        .when(0, StartConflict("subvert.industrial-political"))
    )
    assert [told(fact) for fact in sentence.facts] == ["Blue turns to Leverage."]
    sentence.when(0, Declare(1, "S4a", "S2b"))
    said = [said for fact in sentence.facts if (said := told(fact))]
    assert said[:4] == [
        "Blue pays 4 CAPs for the takeover.",
        "Blue's three complexes at S2b attack Green's embassy at S4a (Leverage).",
        "Blue starts with 3: 3 complexes at S2b +3.",
        "Green starts with 2: 1 embassy at S4a +2.",
    ]
    assert "Blue against Green: 3 against 2. Blue prevails." in said
    assert "An embassy of Green's at S4a is taken over." in said


def test_a_card_that_is_revealed_is_told_to_all():
    assert told(CardRevealed(1, "subvert", "r1/p3/card"), 3) == "Green reveals Subvert."
