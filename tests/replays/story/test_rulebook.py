"""Each row of a game's tables belongs to a paragraph, so a difference can name it."""

from __future__ import annotations

import msgspec
import pytest

from ledger.games import GAMES, ruleset
from replays.story.rulebook import list_cited_rules, words_of


@pytest.mark.parametrize("game", GAMES)
def test_every_cell_of_the_content_belongs_to_a_paragraph_of_the_game(game: str):
    rules = ruleset(game)
    cited = list_cited_rules(rules)
    for table in rules.tables:
        cells = [one.name for one in msgspec.structs.fields(table.row)]
        for row in rules.content[table.name]:
            assert {table.rule_at(row), *(table.rule_at(row, cell) for cell in cells)} <= {*cited}


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("board.income", "Over the right-most vacated space of each track."),
        ("card.martialize", "Outposts are built by Martialize."),  # one of three in a docstring
        ("advance.slot", "A player has three slots, with one card in each."),  # of two ids
        ("score.presence", "Points for the first, the second, and all others on a board."),
        ("LD01", "At any time, look at one other player's hand."),  # `LD01` level 1: ...
        ("setup.home-order", "Players place homes one by one, clockwise from the arbiter."),
        ("draw.reshuffle", "The discards become the draw pile."),
        ("gate.not-for-agents", "No gate saves a crossing."),
        ("general.piece-limits", "Bases on the map beyond the limit; units cannot exceed theirs."),
        ("leader.interrupt-paid", "A paid action and a conflict that has begun are completed."),
        ("move.agent-path", "An agent pays for the way that crosses the fewest borders."),
        ("opt.piles-reshuffle", "All piles are shuffled together."),
        ("tech.psi-subversion-probes", "A fleet with it reaches one further."),
        ("no.such", ""),
        ("", ""),
    ],
)
def test_a_paragraph_is_told_in_its_own_words(rule: str, words: str):
    assert words_of(ruleset("hegemonic"), rule) == words
