"""A game's story: one row for each fact, and no row without a fact."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from ledger.games import GAMES, ruleset
from ledger.games.tictactoe.play import Marked, Won
from ledger.kernel.lookup import Lookup
from ledger.kernel.records import Fact, tag_of
from ledger.kernel.ruleset import Ruleset, Shown
from ledger.kernel.story import Beat, HeadingRule, Seen, Story
from ledger.kernel.terms import Terms
from tests.support.kernel.workbench import Noted
from tests.support.tictactoe.positions import NAME


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_fact_has_a_row(game: str):
    rules = ruleset(game)
    assert {tag_of(kind) for kind in rules.facts} - set(rules.shown.story.by_tag) == set()


# Facts that list what adds up to a total, but have no recount: their totals are not audited.
UNCOUNTED = {"hegemonic": {"build.item-done"}}


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_fact_that_lists_the_items_of_a_total_is_counted_again(game: str):
    rules = ruleset(game)
    totals = {tag_of(kind) for kind in rules.facts if any(map(adds_up, records_in(kind)))}
    assert totals - set(rules.audit.recounts) == UNCOUNTED.get(game, set())


def records_in(kind: type[Fact]) -> Iterator[type[msgspec.Struct]]:
    """The records that the fields of a fact hold, alone or in tuples."""
    for hint in get_type_hints(kind).values():
        for inner in (hint, *get_args(hint)):
            if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
                yield inner


def adds_up(kind: type[msgspec.Struct]) -> bool:
    """Whether a record is an item of a total: an amount, and the rule that it follows from."""
    hints: dict[str, Any] = get_type_hints(kind)
    return hints.get("rule") is str and int in (hints[name] for name in hints if name != "seat")


def with_story(*beats: Beat) -> Ruleset:
    return replace(ruleset("tictactoe"), shown=Shown(story=Story(levels=("turn",), beats=beats)))


def says(_: Seen, __: Lookup) -> str:
    return "It is so."


def test_a_story_with_a_row_of_no_fact_is_refused():
    assert with_story(Beat(Marked, says, tags=("x",))).shown.story.by_tag["play.marked"].tags
    with pytest.raises(TypeError, match=r"facts that there are not: bench\.noted"):
        with_story(Beat(Marked, says), Beat(Noted, says))


def test_a_story_with_two_rows_of_a_fact_is_refused():
    with pytest.raises(TypeError, match="two rows of one fact"):
        with_story(Beat(Marked, says), Beat(Marked, says, ends="turn"))


def test_a_story_with_headings_of_levels_that_it_does_not_list_is_refused():
    with pytest.raises(TypeError, match="levels that it does not list: round"):
        with_story(Beat(Won, says, ends="round"))
    with pytest.raises(TypeError, match="levels that it does not list: round"):
        with_story(Beat(Won, says, begins=HeadingRule("round", "?")))


def test_a_row_has_a_sentence_or_a_reason_to_be_silent():
    for row in ({}, {"sentence": says, "silent": "it goes without saying"}):
        with pytest.raises(TypeError, match=r"play\.won needs a sentence or a reason"):
            Beat(Won, **row)  # type: ignore[arg-type]
    seen = {"type": "play.won"}
    assert Beat(Won, silent="it goes without saying").told(seen, Terms(ruleset(NAME)).silent) == ""
