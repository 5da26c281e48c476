"""Every paragraph of the rulebook has its class, and every paragraph is shown by a test."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from ledger.games import ruleset
from ledger.kernel.records import rule_of

RULES = Path(__file__).parents[4] / "ledger" / "games" / "galactic_hegemony"
TESTS = Path(__file__).parent
CITED = re.compile(r"`([a-z]+(?:[.-][a-z0-9-]+)+)`")

PARAGRAPHS_TEXT = """
setup.tiles-shuffled setup.place-roll setup.place-collision setup.explored setup.saboteurs-aside
setup.home-card setup.home-infrastructure setup.home-morale setup.home-spacecraft
setup.home-colony setup.tracks map.size map.adjacency map.distance map.stack map.orbit
track.hegemony track.resources track.limit track.limit-zero track.turn track.phase
card.morale-track card.production card.no-production card.zero-production card.infrastructure
card.special-modifier combat.roll combat.compare combat.win combat.tie-loses combat.stop-defenders
combat.stop-ships combat.stop-pairs combat.again revolt.trigger revolt.enter-hegemony
revolt.enter-trim revolt.enter-token revolt.once revolt.leave-hegemony revolt.leave-token
turn.phases turn.automatic turn.first saboteur.skip saboteur.lift saboteur.roll saboteur.incite
saboteur.worsen saboteur.floor saboteur.sequential saboteur.no-effect saboteur.first-turn-home
saboteur.stays saboteur.removed revolt.infrastructure-loss revolt.infrastructure-order
revolt.infrastructure-none revolt.infrastructure-same-turn morale.who morale.order
morale.sequential morale.roll morale.mod-special morale.mod-revolt morale.mod-civil
morale.mod-spacecraft morale.table-minus2 morale.table-minus1 morale.table-zero morale.table-plus1
morale.clamp morale.bonus morale.bonus-cap morale.enter-revolt morale.leave-revolt
action.any-order action.pay action.orbit action.pass move.cost move.adjacent move.explore
move.repeat move.saboteur-free sabfight.where sabfight.cost sabfight.commit sabfight.attack-dice
sabfight.defence-dice sabfight.lose sabfight.win sabfight.continue sabfight.ship-back
colonise.where colonise.cost colonise.card colonise.token colonise.size colonise.bare
colonise.saboteur boost.where boost.cost boost.effect military.where military.saboteur-bar
military.cost military.attack-dice military.revolt-dice military.win military.lose
military.success military.again planet.not-revolt infra.cost infra.kinds infra.shipyard-limit
infra.rebuild ship.where ship.cost ship.place ship.limit collect.planets collect.factory
collect.no-production collect.limit end.order end.win end.revolt-loss end.turn-down end.time-loss
end.only-here end.no-ships variant.fewer-turns variant.random-home variant.random-home-infra
variant.play-to-win-count variant.play-to-win-score variant.play-to-win-time
variant.four-saboteurs variant.combine
"""
PARAGRAPHS = PARAGRAPHS_TEXT.split()
EXAMPLES = (
    1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20, 22, 23, 25, 26, 28, 29, 31, 32, 34, 35, 37,
    38, 40, 41, 43, 44,
)  # fmt: skip
AMBIGUITIES_TEXT = """
limit-table limit-at-zero hex-layout d10-zero range zero-morale-production revolt-once
sab-sequential first-turn-reroll loss-same-turn morale-sequential stop-committed commit-per-round
move-each colonise-saboteur boost-amount military-dice-fixed military-spacecraft infra-once
shipyard-limit end-only-phase6 play-to-win-score play-to-win-time time-turns bonus-timing
unaffordable fourth-token saboteur-identity entered-tiles
"""
AMBIGUITIES = AMBIGUITIES_TEXT.split()
VARIANTS = {"turns", "random-home", "play-to-win", "saboteurs"}


def cited_by_classes() -> set[str]:
    return {
        rule
        for path in RULES.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
        for rule in CITED.findall(ast.get_docstring(node) or "")
    }


def every_test() -> Iterator[ast.FunctionDef]:
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield node


def marked(test: ast.FunctionDef) -> Iterator[str]:
    for mark in test.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
            yield from (argument.value for argument in mark.args)


def test_there_are_143_paragraphs_and_a_class_for_each():
    assert len(PARAGRAPHS) == len(set(PARAGRAPHS)) == 143
    assert set(PARAGRAPHS) - cited_by_classes() == set()


def test_no_class_cites_a_paragraph_that_there_is_not():
    assert cited_by_classes() - set(PARAGRAPHS) == {"game.note"}


def test_every_paragraph_is_shown_by_a_test():
    shown = {rule for test in every_test() for rule in marked(test)}
    assert shown == {*PARAGRAPHS, "setup", "game.note"}


def test_every_example_is_a_test_under_its_number():
    names = [test.name for test in every_test() if re.match(r"test_v\d\d_", test.name)]
    assert sorted(int(name[6:8]) for name in names) == sorted(EXAMPLES)


def test_every_ambiguity_is_a_reading_with_another_way_to_read_it():
    readings = ruleset("galactic_hegemony").readings
    assert set(readings) == {*AMBIGUITIES, *VARIANTS}
    assert all(reading.also or reading.range for reading in readings.values())
    assert {name for name, one in readings.items() if one.option} == {*VARIANTS, "hex-layout"}


def test_every_reading_is_asked_for_in_one_place():
    """But for the layout of the map, which the scene asks for too, and what only options say."""
    asked: dict[str, list[str]] = {}
    for path in sorted(RULES.rglob("*.py"), key=lambda path: path.name):
        for name in re.findall(r'\.reads\("([a-z0-9-]+)"\)', path.read_text("utf-8")):
            asked.setdefault(name, []).append(path.stem)
    several = {name: places for name, places in asked.items() if len(places) > 1}
    assert set(asked) == set(ruleset("galactic_hegemony").readings)
    assert several == {
        "hex-layout": ["hexes", "scene"],
        "play-to-win": ["components", "setup"],
        "turns": ["components", "setup"],
        "time-turns": ["components", "components"],
    }


def test_every_rule_of_the_agenda_is_a_paragraph():
    rules = {rule_of(kind) for kind in ruleset("galactic_hegemony").agenda}
    assert rules <= {*PARAGRAPHS, "setup", "game.note"}
