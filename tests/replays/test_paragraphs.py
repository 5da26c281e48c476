"""Whatever a game's tables hold belongs to a paragraph, which a difference can then name."""

from __future__ import annotations

import msgspec
import pytest

from ledger.rules import GAMES, ruleset
from replays.paragraphs import cited_rules


@pytest.mark.parametrize("game", GAMES)
def test_every_cell_of_the_content_belongs_to_a_paragraph_of_the_game(game: str):
    rules = ruleset(game)
    cited = cited_rules(rules)
    for table in rules.tables:
        cells = [one.name for one in msgspec.structs.fields(table.row)]
        for row in rules.content[table.name]:
            assert {table.rule_at(row), *(table.rule_at(row, cell) for cell in cells)} <= {*cited}
