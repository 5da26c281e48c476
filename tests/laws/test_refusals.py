"""Law 4: a refusal changes nothing: no byte, no note, nothing the door remembers."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from ledger.kernel.chance import Drawn, Rolled
from ledger.kernel.fold import fold
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision
from ledger.kernel.refusals import Refused
from ledger.rules.galactic_hegemony.actions import EndActions, TakeNote
from ledger.rules.galactic_hegemony.building import Build, Launch
from ledger.rules.galactic_hegemony.fights import Attack, Suppress
from ledger.rules.galactic_hegemony.spacecraft import Boost, Colonise, Move
from ledger.rules.galactic_hegemony.state import Board
from ledger.rules.tictactoe.gifts import Give
from ledger.rules.tictactoe.opening import Write
from ledger.rules.tictactoe.play import Mark
from tests.given import everything
from tests.laws.parlour_chapters import Bid, Play, Tip
from tests.laws.play import ANY_SEED, ANY_VARIANT, VARIANTS, Variant, beginning, whole

STRANGER = 99
# Random play seldom comes to where these are refused; the tests of the game show them.
SELDOM = {"saboteur_in_orbit", "too_many_spacecraft", "no_token_left"}
WRONG: tuple[Decision, ...] = (
    Rolled((0,)), Rolled((1, 1)), Drawn(0, ()), Mark(-1), Mark(9), Mark(0), Mark(4), Write(9),
    Write(0), Give(0), Give(1), Give(99), Bid(-1), Bid(99), Play("no such card"), Tip(0), Tip(99),
    Move((1, 1), (1, 2)), TakeNote(""), EndActions(), Suppress(1), Attack((1, 1), 1),
)  # fmt: skip
# What is tried of a line is limited in long matches: so many places, so many of its decisions.
PLACES_MAX, DECISIONS_MAX = 30, 30


def wrong_here(match: Match) -> list[Decision]:
    """Decisions of Galactic Hegemony that are wrong because of where the pieces are."""
    board = match.state
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


def refusals(match: Match, attempts: list[Decision]) -> list[str]:
    """The codes of all attempts that are refused now; none of them has changed anything."""
    codes = []
    attempts = [*attempts, *wrong_here(match)]
    before = everything(match)
    held = match.terms.snapshot(match)
    for seat in (*range(match.terms.rules.seats.stop - 1), CHANCE, STRANGER):
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
    terms = variant.terms()
    events = whole(terms, seed)
    decided = [event.decision for event in events if event.decision is not None]
    attempts = [*WRONG, *decided[:: 1 + len(decided) // DECISIONS_MAX]]
    attempts = list({repr(attempt): attempt for attempt in attempts}.values())
    tried_every = 1 + len(events) // PLACES_MAX
    match, _ = beginning(terms)
    codes = Counter(refusals(match, attempts))
    undisturbed, _ = beginning(terms)
    for place, event in enumerate(events[1:], 1):
        assert event.decision is not None
        assert fold(match, event.seat, event.decision) == event.facts
        fold(undisturbed, event.seat, event.decision)
        assert everything(match) == everything(undisturbed)
        # A place where a seat is asked, and not chance, has more to be refused.
        if place % tried_every == 0 or match.ended or match.chance() is None:
            codes.update(refusals(match, attempts))
    return codes


@settings(max_examples=30)
@given(ANY_VARIANT, ANY_SEED)
def test_a_refusal_changes_nothing(variant: Variant, seed: int):
    codes = refused_on_the_way(variant, seed)
    assert {"match_over", "not_asked", "wrong_answer"} <= codes.keys()


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
    for variant in VARIANTS:
        if variant.rules == rules:
            seen |= refused_on_the_way(variant, 6).keys()
    codes |= {"match_over", "not_asked", "wrong_answer"}
    assert codes <= seen <= codes | SELDOM
