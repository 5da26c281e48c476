"""The published tables say what the sources say, and their tests see a changed rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.games import GAMES
from services.run.settings import ROOT
from tests.support.rulebook.paragraphs import Game
from tests.support.rulebook.running import traced
from tests.support.rulebook.survival import fates, sample
from tests.support.rulebook.table import (
    MUTANTS,
    SEED,
    UNSEEN,
    page_of,
    shown_by,
    statuses,
    survivors_on,
    table_of,
)

MUTANTS_LANDING, MUTANTS_FULL = 2, 50
LANDING_SEED = 11


def game(name: str) -> Game:
    return Game(ROOT, name)


def page(name: str) -> str:
    return page_of(name).read_text("utf-8")


@pytest.mark.parametrize("name", GAMES)
def test_the_page_is_in_step_with_classes_and_tests(name: str):
    """All but whether a rule is shown follows from the sources."""
    before, _, _ = page(name).partition(MUTANTS)
    assert before == table_of(game(name), statuses(before)), f"run `hegemon rules-table {name}`"


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_on_the_page_has_a_place(name: str):
    assert {*statuses(page(name))} - {*game(name).cited()} == set()


def test_a_function_that_checks_a_rule_is_a_place_of_it_beside_the_classes():
    places = {
        rule: [str(one) for one in found] for rule, found in game("hegemonic").cited().items()
    }
    assert "actions/choosing.py:order_number" in places["action.order"]
    assert "state/locations.py:check_location" in places["build.location"]
    assert "actions/piles.py:sources_of" in places["draw.sources"]


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_on_the_page_is_shown(name: str):
    shown = statuses(page(name))
    assert set(shown) == {*game(name).cited(), *game(name).marked()}
    assert [rule for rule, is_shown in shown.items() if not is_shown] == []


def test_a_class_is_shown_by_lines_of_the_part_on_which_it_is_built():
    one = game("hegemonic")
    place = next(place for place in one.cited()["deal.any"] if place.name == "Offer")
    files = [str(path.relative_to(ROOT / "ledger")) for path, _ in one.bodies_of(place)]
    assert files == ["games/hegemonic/deals/negotiation.py", "parts/deals/offers.py"]


@pytest.mark.parametrize("name", GAMES)
def test_every_change_on_the_page_was_seen_by_some_test(name: str):
    _, _, mutants = page(name).partition(MUTANTS)
    tried = {line.split("`")[1] for line in mutants.splitlines() if line.startswith("| `")}
    assert set(game(name).marked()) >= tried
    assert len(tried) == min(MUTANTS_FULL, len(game(name).cited()))
    assert UNSEEN not in mutants


@pytest.mark.parametrize("name", GAMES)
def test_a_few_rules_are_changed_and_their_tests_see_it(name: str):
    one = game(name)
    met = list(fates(one, sample(one, MUTANTS_LANDING, LANDING_SEED), LANDING_SEED))
    assert len(met) == MUTANTS_LANDING
    assert [str(fate) for fate in met if fate.survived] == []


@pytest.mark.full
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("name", GAMES)
def test_the_whole_page_is_what_the_tests_show(name: str):
    one = game(name)
    shown = {rule: bool(tests) for rule, tests in shown_by(one, traced(one)).items()}
    assert shown == statuses(page(name))
    met = list(fates(one, sample(one, MUTANTS_FULL, SEED), SEED))
    assert {fate.rule for fate in met if fate.survived} == survivors_on(page(name))


def test_the_pages_are_those_of_the_games():
    folder = Path(page_of(GAMES[0])).parent
    assert sorted(folder.glob("*.md")) == sorted(page_of(name) for name in GAMES)
