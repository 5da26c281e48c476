"""Law 4: a refusal changes nothing: no byte, no note, nothing the door remembers."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from msgspec import structs

from ledger.games.galactic_hegemony.actions.building import Build, Launch
from ledger.games.galactic_hegemony.actions.choosing import EndActions, TakeNote
from ledger.games.galactic_hegemony.actions.fights import Attack, Suppress
from ledger.games.galactic_hegemony.actions.spacecraft import Boost, Colonise, Move
from ledger.games.galactic_hegemony.state.board import Board
from ledger.games.hegemonic.deals.negotiation import Propose
from ledger.games.hegemonic.deals.transfers import Transfer
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.tictactoe.gifts import Give
from ledger.games.tictactoe.opening import Write
from ledger.games.tictactoe.play import Mark
from ledger.kernel.chance import Drawn, Rolled
from ledger.kernel.fold import fold
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision
from ledger.kernel.refusals import Refused
from ledger.parts.deals.answers import Accept
from tests.support.given import everything
from tests.support.laws.play import (
    ANY_SEED,
    ANY_VARIANT,
    ONE_IN,
    VARIANTS,
    Variant,
    beginning,
    whole,
)
from tests.support.parlour.chapters import Bid, Play, Tip

STRANGER = 99
# Random play seldom comes to where these are refused; the tests of the game show them.
SELDOM = {"saboteur_in_orbit", "too_many_spacecraft", "no_token_left"}
WRONG: tuple[Decision, ...] = (
    Rolled((0,)), Rolled((1, 1)), Drawn(0, ()), Mark(-1), Mark(9), Mark(0), Mark(4), Write(9),
    Write(0), Give(0), Give(1), Give(99), Bid(-1), Bid(99), Play("no such card"), Tip(0), Tip(99),
    Move((1, 1), (1, 2)), TakeNote(""), EndActions(), Suppress(1), Attack((1, 1), 1),
    Transfer(0, 0), Transfer(99, 1), Transfer(1, 999), Accept("no such deal"), Propose((0, 99)),
)  # fmt: skip
# What is tried of a line is limited in long matches: so many places, so many of its decisions.
VARIANTS_MAX = 30
PLACES_MAX, PLACES_IN_A_HURRY, DECISIONS_MAX = 20, 20, 30


def wrong_here(match: Match, seats: range) -> list[Decision]:
    """Decisions of a game of many pieces that are wrong because of where these are."""
    board = match.state
    if isinstance(board, Galaxy):
        return amiss(match, seats)
    if not isinstance(board, Board) or not board.spacecraft:
        return []
    here = board.spacecraft[0]
    planets = range(1, 13)
    return [
        Move(here, here), Move(here, (0, here[1])), Move(here, (here[0], here[1] + 1), 2),
        *(Move(place, place, 2) for place in board.spacecraft[1:]),
        *(Attack(place, commit) for place in board.spacecraft for commit in (0, 1)),
        *(kind(planet) for kind in (Colonise, Boost, Suppress, Launch) for planet in planets),
        *(Build(planet, "shipyard") for planet in planets),
    ]  # fmt: skip


def amiss(match: Match, seats: range) -> list[Decision]:
    """Returns an option of each kind with each of its fields changed in turn."""
    kinds = {type(option): option for seat in match.asked() for option in match.options(seat)}
    for seat in seats:
        for question in match.standing(seat):
            kinds |= {type(option): option for option in question.options(match.state, seat)}
    return [
        structs.replace(option, **{field: wrong})
        for option in kinds.values()
        for field in option.__struct_fields__
        for wrong in _other_than(getattr(option, field))
    ]


def _other_than(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, -1, 99]
    if isinstance(value, str):
        return ["", f"{value}'"]
    if isinstance(value, tuple) and value:
        instead = [(one, *value[1:]) for one in _other_than(value[0])]
        return [value[:-1], (*value, value[0]), *instead]
    return []


def refusals(match: Match, seats: range, attempts: list[Decision]) -> list[str]:
    """The codes of all attempts that are refused now; none of them has changed anything."""
    codes = []
    attempts = [*attempts, *wrong_here(match, seats)]
    before = everything(match)
    held = match.terms.snapshot(match)
    for seat in (*seats, CHANCE, STRANGER):
        for attempt in attempts:
            beside = match.terms.restore(held, match.used)
            try:
                fold(beside, seat, attempt)
            except Refused:
                with pytest.raises(Refused) as refusal:
                    fold(match, seat, attempt)
                codes.append(refusal.value.code)
    assert everything(match) == before
    return codes


def refused_on_the_way(variant: Variant, seed: int) -> Counter[str]:
    """All refusals at each point of a line, which afterwards is the line without them."""
    party = variant.party()
    events = whole(party, seed)
    decided = [event.decision for event in events if event.decision is not None]
    attempts = [*WRONG, *decided[:: 1 + len(decided) // DECISIONS_MAX]]
    attempts = list({repr(attempt): attempt for attempt in attempts}.values())
    in_a_hurry = variant.rules in ONE_IN
    tried_every = 1 + len(events) // (PLACES_IN_A_HURRY if in_a_hurry else PLACES_MAX)
    match, _ = beginning(party)
    codes = Counter(refusals(match, party.everybody, attempts))
    undisturbed, _ = beginning(party)
    for place, event in enumerate(events[1:], 1):
        assert event.decision is not None
        assert fold(match, event.seat, event.decision) == event.facts
        fold(undisturbed, event.seat, event.decision)
        tried = place % tried_every == 0 or match.ended
        if tried or not in_a_hurry:
            assert everything(match) == everything(undisturbed)
        # A place where a seat is asked, and not chance, has more to be refused.
        if tried or (match.chance() is None and not in_a_hurry):
            codes.update(refusals(match, party.everybody, attempts))
    return codes


@settings(max_examples=15)
@given(ANY_VARIANT, ANY_SEED)
def test_a_refusal_changes_nothing(variant: Variant, seed: int):
    codes = refused_on_the_way(variant, seed)
    assert {"match_over", "not_asked", "wrong_answer"} <= codes.keys()


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules", "codes"),
    [
        ("tictactoe", {"no_such_cell", "cell_taken", "centre_first", "chance_pending",
                       "not_allowed", "overdrawn"}),
        ("galactic_hegemony", {
            "already_built", "already_colonised", "bad_commitment", "chance_pending", "in_revolt",
            "morale_highest", "no_saboteur", "no_shipyard", "no_spacecraft", "not_adjacent",
            "not_allowed", "not_colonised", "not_in_orbit", "not_in_revolt", "off_map",
            "one_at_a_time", "unaffordable", "unexplored",
        }),
        ("parlour", {"too_much", "chance_pending", "not_allowed", "overdrawn"}),
    ],
)  # fmt: skip
def test_every_code_that_a_fold_can_raise_is_among_those_tried(rules: str, codes: set[str]):
    seen: set[str] = set()
    every = [variant for variant in VARIANTS if variant.rules == rules]
    for variant in every[:: 1 + len(every) // VARIANTS_MAX]:
        seen |= refused_on_the_way(variant, 7).keys()
    codes |= {"match_over", "not_asked", "wrong_answer"}
    assert codes <= seen <= codes | SELDOM


@pytest.mark.long
def test_hegemonic_refuses_what_is_a_little_wrong_in_many_ways():
    """Options with one changed field give most of the reasons for a refusal."""
    long_ones = [variant for variant in VARIANTS if variant.rules == "hegemonic"]
    seen: Counter[str] = Counter()
    for variant in long_ones[::4]:
        seen += refused_on_the_way(variant, 7)
    known = {
        "already_accepted", "bad_parties", "card_not_in_hand", "deal_closed", "no_such_deal",
        "no_such_player", "no_such_sector", "no_such_target", "not_in_pool",
        "not_on_card", "nothing_given", "unaffordable", "unit_placed", "wrong_unit",
    }  # fmt: skip
    assert known <= seen.keys()
