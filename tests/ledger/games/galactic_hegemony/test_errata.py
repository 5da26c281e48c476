"""The published corrections: what each changes, and that it moves no die but its own."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import pytest

from ledger.games import ruleset
from ledger.games.galactic_hegemony.actions.building import Build
from ledger.games.galactic_hegemony.actions.choosing import EndActions
from ledger.games.galactic_hegemony.actions.fights import Attack, Suppress
from ledger.games.galactic_hegemony.phases.revolt import MoraleSet, RevoltEnded
from ledger.games.galactic_hegemony.phases.tracks import ResourceLimit
from ledger.kernel.bots import greedy_bot
from ledger.kernel.chance import Rolled, Stream
from ledger.kernel.records import CHANCE
from ledger.log.format.bodies import AnswerBody, Submitter
from ledger.log.stores.memory import MemoryStore
from ledger.log.write.founding import Plan, Surroundings
from ledger.log.write.journal import Journal
from tests.support.galactic_hegemony.positions import (
    HOME,
    NAME,
    acting,
    board_of,
    colony,
    hexed,
    shown,
    table,
    told,
)
from tests.support.given import terms_of

EDITIONS = ("printed", "e1", "e2", "e3", "e4")
ORGANIZER = Submitter(role="organizer")


def test_the_editions_are_as_printed_and_one_after_each_erratum():
    assert terms_of(NAME).rules.editions == EDITIONS


@pytest.mark.rule("combat.tie-loses", "military.win")
def test_e1_has_ties_win_in_military_action():
    sentence = acting(colony(1, -2), colony(2), ships=[HOME], stock=5, edition="e1")
    sentence.when(0, Suppress(1)).rolled(6, 4, 2).rolled(5, 4)
    assert told(sentence, MoraleSet) == [MoraleSet(1, -1), MoraleSet(1, 0)]
    assert told(sentence, RevoltEnded) == [RevoltEnded(1)]
    sentence.when(0, Suppress(1)).refused("not_in_revolt", "military.where")
    assert sentence.state.stock == 4


@pytest.mark.rule("combat.tie-loses", "sabfight.lose")
def test_e1_says_nothing_of_saboteurs():
    where = (2, 2)
    sentence = acting(colony(1), ships=[where] * 2, saboteurs={1: where, 2: where}, edition="e1")
    sentence.when(0, Attack(where, 2)).rolled(6, 4, 2).rolled(5, 4)
    assert (len(sentence.state.spacecraft), len(sentence.state.active())) == (1, 1)


@pytest.mark.rule("revolt.infrastructure-order", "infra.kinds")
def test_e2_leaves_the_shipyard_so_that_it_cannot_be_built_again():
    fallen = {"saboteurs": {1: None}, "turn": 1, "token": 10, "ships": [HOME]}
    for edition, lost in (("printed", "CF"), ("e2", "CS")):
        sentence = acting(colony(1, 1, "CFS"), colony(2), edition=edition, stock=6, **fallen)
        hexed(sentence.when(0, EndActions()), HOME)
        sentence.rolled(6, 6).rolled(4, 4)  # it comes out of revolt by its check
        assert shown(sentence, 1) == (0, lost)
        sentence.when(0, Build(1, "shipyard"))
        if edition == "e2":
            sentence.refused("already_built", "infra.kinds")


@pytest.mark.rule("track.limit")
@pytest.mark.parametrize(("edition", "limit"), [("e2", 12), ("e3", 11), ("e4", 11)])
def test_e3_makes_the_limit_at_size_5_eleven(edition: str, limit: int):
    board = board_of(table(*(colony(planet) for planet in range(1, 6)), edition=edition))
    assert ResourceLimit.of(board) == limit
    less = acting(*(colony(planet) for planet in range(1, 6)), stock=10, edition=edition)
    less.when(0, EndActions())
    assert less.state.stock == limit


@pytest.mark.rule("morale.table-zero", "morale.table-plus1")
def test_e4_has_a_total_of_10_raise_morale():
    """The home planet that was hit in turn 2 is out of revolt without a fight."""
    sentence = acting(
        colony(1, 1, "CFS"),
        ships=[HOME],
        saboteurs={1: None},
        turn=1,
        token=10,
        edition="e4",
        stock=2,
    )
    hexed(sentence.when(0, EndActions()), HOME)
    sentence.rolled(4, 4)
    assert (shown(sentence, 1)[0], sentence.state.size()) == (0, 1)
    sentence.when(0, Attack(HOME, 1)).rolled(6, 2).rolled(3)
    sentence.when(0, Suppress(1)).refused("not_in_revolt", "military.where")
    sentence.when(0, EndActions())
    assert sentence.state.stock == 2


# --- dice -----------------------------------------------------------------------------------------


def journal(edition: str, seed: int) -> Journal:
    """A match whose keys are the same in every edition."""
    entropy = Stream.named(seed.to_bytes(8, "big"), "keys of a match")
    ticks = itertools.count(1_700_000_000_000)
    around = Surroundings(
        store=MemoryStore(), rules_of=ruleset, clock=lambda: next(ticks), entropy=entropy.take
    )
    one = Journal.create(around, Plan(ruleset=NAME, seats=1, edition=edition))
    one.join(0, "player")
    one.start()
    return one


def fallen(one: Journal, first: int = 1) -> dict[str, Any]:
    """Returns the outcomes on the line of a match, by address."""
    return {
        moment.body.question: moment.decision
        for moment in one.history.replay()
        if isinstance(moment.body, AnswerBody)
        and moment.body.seat == CHANCE
        and moment.version >= first
    }


@cache
def played(edition: str, seed: int) -> Mapping[str, Any]:
    """Returns the outcomes in a match of the greedy bot, by address."""
    one = journal(edition, seed)
    stream = Stream.named(seed.to_bytes(8, "big"), "bot")
    while not (match := one.match()).ended:
        one.decide(0, greedy_bot(match.terms, partial(match.view, 0), match.options(0), stream))
    return fallen(one)


@pytest.mark.parametrize("erratum", EDITIONS[1:])
@pytest.mark.parametrize("seed", range(3))
def test_what_both_editions_ask_for_falls_alike(erratum: str, seed: int):
    """However far the two matches have gone apart by then."""
    before = EDITIONS[EDITIONS.index(erratum) - 1]
    here, there = played(before, seed), played(erratum, seed)
    both = here.keys() & there.keys()
    assert len(both) > 80
    for address in both:
        if isinstance(here[address], Rolled):  # a fight may have more dice in one of them
            few = min(len(here[address].values), len(there[address].values))
            assert here[address].values[:few] == there[address].values[:few], address
        else:
            assert here[address] == there[address], address


def test_the_matches_that_are_compared_did_go_apart():
    pairs = [(played("printed", seed), played("e4", seed)) for seed in range(3)]
    assert any(here.keys() != there.keys() for here, there in pairs)
    explored = [
        ([one for one in match if one.startswith("explore")]) for pair in pairs for match in pair
    ]
    assert any(here != there for here, there in zip(explored[::2], explored[1::2], strict=True))


def test_after_a_rewind_dice_fall_anew():
    one = journal("printed", 5)
    start = one.history.tip.version
    one.decide(0, EndActions())
    before = fallen(one, start)
    one.rewind(start, ORGANIZER, "played again")
    one.decide(0, EndActions())
    after = fallen(one, start + 1)
    both = before.keys() & after.keys()
    assert len(both) >= 6  # two dice for each saboteur at the least
    assert any(before[address] != after[address] for address in both)
