"""Corners of conflicts, leaders and editions: what no usual match comes to, and what all must hold.

Random matches are counted again by the book (recount.py); small choices are tried out whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import accumulate, chain, combinations, product
from typing import Any

import pytest

from ledger.games.hegemonic.actions.advancing import Advance
from ledger.games.hegemonic.actions.building import (
    FinishBuild,
    PlaceAgent,
    PlaceComplex,
    PlaceEmbassy,
    PlaceFleet,
    PlaceOutpost,
    StartBuild,
)
from ledger.games.hegemonic.actions.choosing import ChooseStarter, CommitCard, StarterNamed
from ledger.games.hegemonic.actions.items import ItemDone
from ledger.games.hegemonic.actions.resolving import EndTurn
from ledger.games.hegemonic.actions.turn import ActionUsed, CancelAction, TurnBegun
from ledger.games.hegemonic.conflicts.cleanup import ChooseCleanup, CleanUp
from ledger.games.hegemonic.conflicts.committing import CommitTechnologies, CommitTechnology
from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.facts import UnitSaved
from ledger.games.hegemonic.conflicts.moving import MoveUnit
from ledger.games.hegemonic.conflicts.outcome import ChooseGates, Compared, WhichGates
from ledger.games.hegemonic.conflicts.rescues import Reacted, StealthFieldEmitter
from ledger.games.hegemonic.conflicts.sequence import BeginConflict, SkipConflict, StartConflict
from ledger.games.hegemonic.conflicts.starting_power import ChooseDraw, ChooseDraws
from ledger.games.hegemonic.conflicts.support import (
    ChooseSupport,
    DeclineSupport,
    LendSupport,
    Supported,
)
from ledger.games.hegemonic.leaders.activation import Activate, Resume
from ledger.games.hegemonic.rounds.arbitration import ChooseArbiter, ChooseNextArbiter
from ledger.kernel.chance import Stream
from ledger.kernel.fold import begin, fold
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision, Fact, Question, Seat
from ledger.kernel.refusals import Refused
from ledger.parts.prices import Part
from tests.ledger.games.hegemonic.test_in_the_log import ORGANIZER, rules_of, started, until
from tests.support.hegemonic.leading import (
    BLUE,
    FIGHT,
    GREEN,
    RED,
    YELLOW,
    attacking,
    led,
    sabotage,
)
from tests.support.hegemonic.positions import position, terms_of, told
from tests.support.hegemonic.recount import Recount
from tests.support.replays.saying import verdict_of

# --- random matches -------------------------------------------------------------------------------

RICH = {
    "figures": {"basic.caps": {"value": 6}},
    "readings": {"values": {"setup.caps": 5}},
}
VARIANTS = [
    (4, {}), (3, {"opt.leaders": "dealt"}), (2, {"learning": True}),
    (5, {"opt.wild": True, "opt.leaders": "dealt"}), (6, {"opt.piles": True}),
]  # fmt: skip
KEEN: dict[type[Decision], int] = {
    StartConflict: 60, Declare: 30, StartBuild: 30, PlaceComplex: 25, PlaceEmbassy: 25,
    PlaceOutpost: 25, PlaceAgent: 25, PlaceFleet: 25, LendSupport: 20, Activate: 20, Advance: 40,
    MoveUnit: 6, EndTurn: 1, CancelAction: 1,
}  # fmt: skip
CARDS = {"assault": 20, "subvert": 25, "discover": 3}


def chosen(stream: Stream, options: list[Decision]) -> Decision:
    """One of them, rather what leads to conflicts."""
    keen = [
        CARDS.get(one.card, 10) if isinstance(one, CommitCard) else KEEN.get(type(one), 4)
        for one in options
    ]
    place = stream.below(sum(keen))
    return next(one for one, sum_ in zip(options, accumulate(keen), strict=True) if place < sum_)


def played(
    seats: int, options: dict[str, Any], seed: int, seen: Counter[type[Fact]]
) -> Iterator[Match]:
    """A whole match, recounted: before each decision, and at its end."""
    terms = terms_of(options=options, overlay=RICH)
    match, table = terms.open_match(seats), terms.open_match(seats).state
    recount, stream = Recount(terms), Stream.named(bytes([seats, seed]), "corners")
    facts = begin(match)
    while True:
        for fact in facts:
            recount.before(table, fact)
            fact.apply(table)
            table.__dict__.pop("chart", None)
            recount.after(table)
        yield match
        if match.ended:
            break
        question = match.chance()
        if question is not None:
            wish, address = question.wish(match.state), question.address(match.state)
            facts = fold(match, CHANCE, wish.answer(stream.take(32), 0, address))
        else:
            seat = stream.choose(match.asked())
            facts = fold(match, seat, chosen(stream, match.options(seat)))
    seen += recount.seen


@pytest.mark.long
@pytest.mark.rule(
    "conflict.steps", "step1.count-once", "step2.value", "step3.value", "step4.compare",
    "step4.takeover-count", "step4.takeover-free", "step4.draw-attackers", "step4.draw-defenders",
    "cost.base-power", "general.caps", "score.power",
)  # fmt: skip
@pytest.mark.parametrize(("seats", "options"), VARIANTS)
def test_conflicts_explain_themselves_and_every_cap_moves_by_a_rule(seats: int, options):
    seen: Counter[type[Fact]] = Counter()
    for seed in range(4):
        for match in played(seats, options, seed, seen):
            assert match.state.accounts.out_of_balance() == {}
    short = "learning" in options
    assert seen[Compared] >= (5 if short else 20), "matches without conflicts show nothing"
    assert seen[Supported] >= (5 if seats > 3 else 0)


# --- what is offered and what is allowed ----------------------------------------------------------


def subsets(of: int) -> Iterator[tuple[int, ...]]:
    """Rising numbers below one, of any count."""
    return chain.from_iterable(combinations(range(of), count) for count in range(of + 1))


def thinkable(match: Match, seat: Seat, question: Question) -> list[Decision] | None:
    """All that could be said to a question of a conflict; nothing for other questions."""
    state, cards = match.state, ["", *match.terms.tables["cards"]]
    sectors, factions = ["", "Z9", *state.sectors], list(match.terms.tables["factions"])
    seats = range(-1, len(state.houses) + 1)
    if isinstance(question, BeginConflict):
        whom = list(product(seats, sectors))
        with_units = [Declare(who, at, "", units) for who, at in whom for units in subsets(3)]
        groups = list(state.houses[seat].complexes)
        others = [SkipConflict(), CancelAction(), Resume(go_on=True), Resume(go_on=False)]
        return [*with_units, *(Declare(who, at, g) for who, at in whom for g in groups), *others]
    if isinstance(question, ChooseDraws):
        pairs = [*product(factions, repeat=2), *((one,) for one in [*sectors, *factions])]
        return [ChooseDraw(), *map(ChooseDraw, pairs)]
    if isinstance(question, ChooseSupport):
        lent = [LendSupport(side, count) for side in seats for count in range(-1, 10)]
        return [DeclineSupport(), *lent]
    if isinstance(question, CommitTechnologies):
        return list(map(CommitTechnology, cards))
    if isinstance(question, WhichGates):
        return list(map(ChooseGates, subsets(4)))
    if isinstance(question, ChooseCleanup):
        sources, piles = ("", "deck", "discard", "advanced"), ("", "all", *state.discards)
        return list(dict.fromkeys(map(_cleanup, product(sources, cards, piles))))
    if isinstance(question, ChooseArbiter):
        return list(map(ChooseNextArbiter, seats))
    return None


def _cleanup(said: tuple[str, str, str]) -> CleanUp:
    return CleanUp(*said)


def allows(match: Match, seat: Seat, question: Question, decision: Decision) -> bool:
    try:
        return question.allows(match.state, seat, decision)
    except Refused:
        return False


@pytest.mark.long
@pytest.mark.rule(
    "target.attacker", "target.range", "step1.agent", "step1.fleet", "step2.partial",
    "step3.commit", "step5.choice", "gates.destroy", "arb.tie",
)  # fmt: skip
@pytest.mark.parametrize(("seats", "options"), VARIANTS[:4])
def test_what_a_conflict_offers_is_all_that_it_allows(seats: int, options):
    tried: set[type[Question]] = set()
    for match in played(seats, options, 7, Counter()):
        question = match.question
        if question is None or match.chance() is not None:
            continue
        for seat in match.asked():
            offered = [one for one in match.options(seat) if not isinstance(one, MoveUnit)]
            every = thinkable(match, seat, question)
            if every is not None:
                tried.add(type(question))
                allowed = [one for one in every if allows(match, seat, question, one)]
                assert sorted(map(repr, offered)) == sorted(map(repr, allowed))
    assert {BeginConflict, ChooseDraws} <= tried


# --- editions that change in the middle -----------------------------------------------------------


def turns(one: Any) -> list[Seat]:
    """Whose turns the rest of the phase brings, each ended at once."""
    phase, order = one.match().state.phase, []
    while one.match().state.phase == phase:
        (seat,) = one.match().asked()
        options = one.match().options(seat)
        end = next((option for option in options if isinstance(option, EndTurn)), options[0])
        facts = one.decide(seat, end)
        order += [fact.seat for fact in facts if isinstance(fact, TurnBegun)]
    return order


@pytest.mark.rule("err.04", "action.order", "action.two")
@pytest.mark.parametrize(("before", "after"), [("printed", "err.04"), ("err.04", "printed")])
def test_order_numbers_that_are_corrected_while_cards_resolve_hold_from_the_next_phase(
    before: str, after: str
):
    one = started()
    if before != "printed":
        one.change_edition(before, ORGANIZER, "agreed", consents=(0, 1, 2))
    until(one, 1, 3)
    for seat, card in enumerate(("assault", "martialize", "subvert")):
        one.decide(seat, CommitCard(card))
    one.change_edition(after, ORGANIZER, "published", consents=(0, 1, 2))
    assert turns(one) == [1, 2]
    for seat, card in enumerate(("subvert", "industrialize", "martialize")):
        facts = one.decide(seat, CommitCard(card))
    tied = after == "printed"
    assert [fact.seat for fact in facts if isinstance(fact, TurnBegun)] == ([] if tied else [1])
    if tied:
        one.decide(one.match().state.arbiter, ChooseStarter(2, 2))
        assert turns(one) == [1, 0]
    else:
        assert turns(one) == [2, 0]
    assert verdict_of(one.history, "all", rules_of) == "clean"


@pytest.mark.rule("err.04", "action.ties", "arbiter.ties")
def test_a_tie_that_is_being_settled_stays_one_when_its_number_is_corrected():
    one = until(started(), 1, 3)
    for seat, card in enumerate(("martialize", "industrialize", "discover")):
        one.decide(seat, CommitCard(card))
    one.change_edition("err.04", ORGANIZER, "published", consents=(0, 1, 2))
    arbiter = one.match().state.arbiter
    assert one.match().options(arbiter) == [ChooseStarter(2, 0), ChooseStarter(2, 1)]
    facts = one.decide(arbiter, ChooseStarter(2, 1))
    assert [fact.seat for fact in facts if isinstance(fact, StarterNamed | TurnBegun)] == [1, 1]
    assert turns(one) == [0, 2]


# --- leaders --------------------------------------------------------------------------------------


@pytest.mark.rule("LD05", "tech.stealth-field-emitter", "leader.choose")
def test_an_agent_that_a_leader_saved_from_a_lost_attack_has_survived_it():
    spot = sabotage(blue=("LD05", 3)).advanced(BLUE, "P1b-2")
    spot.has(RED, outposts={"S3b": 2, "S3a": 3})
    sentence = attacking(spot)
    for seat in (YELLOW, GREEN):
        sentence.when(seat, DeclineSupport())
    sentence.when(BLUE, CommitTechnology("P1b-1")).when(RED, CommitTechnology("M1a-1"))
    (compared,) = told(sentence, Compared)
    assert compared.winner == RED
    sentence.asks(BLUE, key=f"{FIGHT}/leader/unit-falls/s0/agent/0").when(BLUE, Activate(3))
    assert told(sentence, UnitSaved) == [UnitSaved(BLUE, "agent", 0)]
    sentence.asks(BLUE, key=f"{FIGHT}/react/s0/1").when(BLUE, StealthFieldEmitter("S6d"))
    assert told(sentence, Reacted) == [Reacted(BLUE, "stealth-field-emitter", 0)]
    assert sentence.state.houses[BLUE].agents[0] == "S6d"


@pytest.mark.rule("LD10", "build.any-quantity", "leader.choose")
def test_a_build_in_which_a_leader_relocated_a_base_counts_and_is_not_taken_back():
    spot = led(position(2), {0: ("LD10", 2)}).tile("S1b", industrial=1)
    spot.has(0, complexes={"S1a": 1, "S1c": 1}).turn(0, "industrialize")
    sentence = spot.given().when(0, StartBuild())
    sentence.when(0, Activate(2, piece="complex", path=("S1c", "S1b")))
    assert told(sentence, ItemDone) == [
        ItemDone(0, "complex", True, 0, (Part("leader.choose", 0),)),
    ]
    sentence.offers(0, FinishBuild())
    sentence.when(0, CancelAction()).refused("action_begun", "build.any-quantity", done=1)
    sentence.when(0, FinishBuild())
    assert told(sentence, ActionUsed) == [ActionUsed(0)]
