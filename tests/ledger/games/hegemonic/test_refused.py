"""Every kind of decision, in every way in which it can be wrong: refused, and nothing changes.

The rows are in the files of tests/support/hegemonic/wrong.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from ledger.games import ruleset
from ledger.games.hegemonic import RULES
from ledger.kernel import chance
from ledger.kernel.records import Decision
from ledger.kernel.refusals import Refused
from services.run.settings import ROOT
from tests.support.given import everything
from tests.support.hegemonic.positions import terms_of
from tests.support.hegemonic.wrong.actions import BASES, RELOCATIONS, TURNS, UNITS
from tests.support.hegemonic.wrong.cases import Wrong
from tests.support.hegemonic.wrong.conflicts import DECLARATIONS, MOVES, OUTCOMES, SUPPORT
from tests.support.hegemonic.wrong.setup import CARDS, SETUP
from tests.support.hegemonic.wrong.table import ARBITRATION, DEALS, LEADERS, REACTIONS

MATRIX = (
    *SETUP, *CARDS, *TURNS, *BASES, *UNITS, *RELOCATIONS, *MOVES, *DECLARATIONS, *SUPPORT,
    *OUTCOMES, *REACTIONS, *ARBITRATION, *DEALS, *LEADERS,
)  # fmt: skip


@pytest.mark.parametrize("wrong", MATRIX, ids=str)
def test_a_wrong_decision_is_refused_by_its_rule_and_nothing_changes(wrong: Wrong):
    sentence = wrong.standing()
    before = everything(sentence.match)
    sentence.when(wrong.seat, wrong.decision)
    sentence.refused(wrong.code, wrong.rule, **wrong.evidence)
    assert everything(sentence.match) == before


def test_no_way_is_told_twice():
    assert [one for one, count in Counter(map(str, MATRIX)).items() if count > 1] == []


def test_every_row_is_about_the_decision_that_it_names():
    assert [str(one) for one in MATRIX if tag(type(one.decision)) != one.event] == []


def test_every_kind_of_decision_is_wrong_somewhere():
    kinds = {tag(kind) for kind in RULES.decisions if kind.__module__ != chance.__name__}
    assert {one.event for one in MATRIX} == kinds


def test_every_refusal_names_a_rule_of_the_book_but_where_the_match_is_over():
    nameless = {one.code for one in MATRIX if not one.rule}
    assert nameless == {"match_over"}
    codes = {one.code for one in MATRIX}
    text = (ROOT / "docs" / "refusals.md").read_text("utf-8")
    assert [code for code in sorted(codes) if f"`{code}`" not in text] == []


def test_every_code_of_the_game_is_given_somewhere():
    """By a row here; or in a test of the chapter, where it takes more than a decision."""
    text = (ROOT / "docs" / "refusals.md").read_text("utf-8")
    section = text.partition("\n## Hegemonic\n")[2].partition("\n## ")[0]
    codes = {line.split("`")[1] for line in section.splitlines() if line.startswith("| `")}
    assert len(codes) > 80
    tests = "".join(path.read_text("utf-8") for path in Path(__file__).parent.rglob("test_*.py"))
    left = sorted(codes - {one.code for one in MATRIX})
    assert [code for code in left if f'refused("{code}"' not in tests] == []


def tag(kind: type[Decision]) -> str:
    return str(kind.__struct_config__.tag)


# --- before the first decision --------------------------------------------------------------------


@pytest.mark.rule("game.players")
@pytest.mark.parametrize("seats", [-1, 0, 1, 7, 48])
def test_two_to_six_players_and_no_other_number(seats: int):
    with pytest.raises(Refused) as refused:
        terms_of().open_match(seats)
    assert (refused.value.code, refused.value.evidence["seats"]) == ("bad_seats", seats)


@pytest.mark.rule("learn.layout", "learn.rest")
@pytest.mark.parametrize("option", [("opt.draft", True), ("opt.long", True), ("layout", "free")])
def test_the_learning_game_excludes(option: tuple[str, object]):
    with pytest.raises(Refused) as refused:
        terms_of(options={"learning": True, option[0]: option[1]})
    assert (refused.value.code, refused.value.rule) == ("bad_value", "learn.layout")
    assert refused.value.evidence == {"learning": True, option[0]: option[1]}


def test_there_is_no_other_ruleset_of_that_name():
    with pytest.raises(Refused) as refused:
        ruleset("hegemonik")
    assert refused.value.code == "unknown_ruleset"
    assert "\n" not in refused.value.sentence()
