"""Content: every parameter of the rules stands in a table and takes any value of its range.

What no match could be played with is refused in one line; what a club has written down of its own
copy of the game is played like the printed one.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

import ledger.games.hegemonic
from ledger.games.hegemonic import RULES
from ledger.games.hegemonic.state.components import FATED, FIGURED, SWITCHED
from ledger.games.hegemonic.state.fitting import LARGEST, MOST_PIECES
from ledger.kernel.refusals import Refused
from ledger.kernel.terms import Terms
from tests.support.hegemonic.positions import expanded, terms_of

GAME = Path(str(ledger.games.hegemonic.__file__)).parent

# --- the parameters -------------------------------------------------------------------------------

FIGURES: dict[str, int | None] = {
    "action.max": 2, "advance.slots": 3, "basic.caps": 2, "build.max-items": None,
    "build.relocate-cost": None, "conflict.attacks-per-phase": 1, "cost.destroy": 1,
    "cost.takeover": 2, "end.extra-rounds": 0, "final.vp-per-tier": 2, "fleet.outpost-uses": 1,
    "move.agent-border": 2, "move.fleet-cost": 1, "move.fleet-range": 3, "range.agent": 0,
    "range.complex": 1, "range.embassy": 1, "range.fleet": 0, "score.control": 6,
    "score.core": 1, "score.exclusive": 2, "score.home-embassy": 1, "score.influence": 3,
    "score.presence": 1, "score.tie-first": 3, "score.tie-second": 1, "setup.hand": 5,
    "setup.pool-extra-2p": 1, "setup.tiles-per-player": 8, "tech.brane": 2, "tech.drones": 1,
    "tech.dyson": 1, "tech.efficiency": 1, "tech.emergent": 6, "tech.ftl-cost": 0,
    "tech.ftl-range": 5, "tech.hyper": 1, "tech.nanoacc": 1, "tech.nanofab": 1, "tech.psi": 1,
    "tech.psionic": 3, "tech.relay": 1, "tech.sentient": 1, "tech.transcend": 3,
    # Printed in the texts of four technologies, and in the chapter of the Learning Game
    "tech.predictive": 1, "tech.telepathy": 1, "tech.phased": 1, "tech.bio": 1,
    "learn.tiles-per-player": 4,
}  # fmt: skip
SWITCHES = {"advance.unique": True, "end.hexes": True, "end.stack": True, "retention.on": True,
            "setup.home-adjacent-ban": True}  # fmt: skip
FATES = {"draw.attacking-units": "destroyed", "draw.bases": "survive",
         "draw.defending-units": "destroyed"}  # fmt: skip
READINGS = (
    "action.recommit", "agent.faction-uses", "arb.tie-incumbent", "board.zero-tier",
    "build.from-units", "caps.bank", "cleanup.order", "conflict.draws-per-side",
    "conflict.multi-unit", "conflict.unit-group", "deal.caps", "deal.visibility",
    "discover.capitalize", "draw.gates", "draw.reshuffle", "draw.winner", "expansion.empty",
    "gates.destroy", "info.caps", "learn.research", "order.tie", "patterns.same-type-destroy",
    "range.center", "relocate.self-range", "research.discard-pile", "score.core-who",
    "score.tie-first-blocks-second", "setup.caps", "setup.tiles-small", "step1.order",
    "step3.mandatory", "support.order", "support.partial", "support.value",
    "takeover.mandatory", "takeover.place-cost", "takeover.relocate-cost", "tiebreak.last",
)  # fmt: skip
OPTIONS = ("learning", "layout", "opt.leaders", "opt.piles", "opt.draft", "opt.long", "opt.wild")
TABLES = terms_of().tables


def column(table: str, field: str) -> list[Any]:
    """Returns a column of a table, row by row."""
    return [getattr(row, field) for row in TABLES[table].values()]


def test_figures_switches_and_fates_are_those_of_the_book():
    assert {row.id: row.value for row in TABLES["figures"].values()} == FIGURES
    assert {row.id: row.on for row in TABLES["switches"].values()} == SWITCHES
    assert {row.id: row.fate for row in TABLES["fates"].values()} == FATES


NAMING = ("figure", "limit", "in_force", "_falls")  # functions that name a row


def test_the_rows_that_the_rules_need_are_those_that_the_code_names():
    """The code is read here: a row that it names cannot be missing, and no other is needed."""
    needed = {*FIGURED, *SWITCHED, *FATED}
    named: set[str] = set()  # in a call that reads a row; may have a * in it
    other: set[str] = set()  # elsewhere, such as a class's own name of its price
    for path in sorted(GAME.rglob("*.py")):
        if path.name == "components.py" or "shown" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in NAMING:
                given = [text_of(part) for argument in node.args for part in ast.walk(argument)]
                named |= {text for text in given if "." in text.rstrip(".")}
            other.add(text_of(node))
    assert {name for name in named if "*" not in name} <= needed
    known = [*named, *(name for name in other if "*" not in name)]
    assert [row for row in sorted(needed) if not any(fnmatch(row, name) for name in known)] == []


def text_of(node: ast.AST) -> str:
    """Returns a text in the code, with * for what is filled in; or "" of anything else."""
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(part) or "*" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


@pytest.mark.parametrize(
    ("table", "row"),
    [("figures", "tech.psi"), ("figures", "cost.takeover"), ("switches", "end.stack"),
     ("fates", "draw.bases"), ("tiers", "2"), ("players", "6"), ("pieces", "gate")],
)  # fmt: skip
def test_printed_content_that_lacks_a_row_or_has_another_is_refused(table: str, row: str):
    """Printed content is compared with what the code needs, not with itself."""
    rows = dict(RULES.content[table])
    lost = rows.pop(row)
    more = {**RULES.content[table], "tech.pssionic": lost}
    for changed, message in ((rows, "need is missing"), (more, "do not know this")):
        rules = replace(RULES, content={**RULES.content, table: changed}, errata=())
        with pytest.raises(Refused, match="bad_value") as reason:
            Terms(rules)
        assert message in reason.value.sentence()


def test_every_other_parameter_is_a_reading_or_stands_in_a_table_of_its_own():
    assert set(RULES.readings) == {*READINGS, *OPTIONS}
    assert len(TABLES["core"]) == 6
    assert column("tiers", "gate") == [2, 3, 4]
    assert column("players", "boards") == [3, 5, 6, 8, 9]
    assert dict(zip(TABLES["orders"], column("orders", "number"), strict=True)) == {
        "assault": 1, "industrialize": 2, "politicize": 2, "martialize": 2, "subvert": 3,
        "discover": 4,
    }  # fmt: skip
    units = {row.id: row.cost for row in TABLES["pieces"].values() if row.cost is not None}
    assert units == {"gate": 4, "agent": 3, "fleet": 3}
    # The four rows of the tracks, and the prices of the technologies
    assert (len(TABLES["spaces"]), len(TABLES["technologies"])) == (15 + 9 + 12, 24)
    assert min(column("technologies", "cost")) > 0


def test_the_printed_components_are_all_there():
    assert (len(TABLES["tiles"]), sum(column("tiles", "small"))) == (48, 24)
    assert (sum(column("tiles", "industrial")), sum(column("tiles", "martial"))) == (52, 39)
    assert sum(column("tiles", "political")) == 54
    assert (len(TABLES["cards"]), sum(column("cards", "small"))) == (54, 30)
    for type_ in ("industrial", "political", "martial"):
        assert sum(column("cards", type_)) == 162
    assert (len(TABLES["leaders"]), sum(column("leaders", "named"))) == (12, 6)
    assert column("pieces", "number") == [15, 9, 12, 3, 3, 3]


# --- any value of its range -----------------------------------------------------------------------


# What the setup takes from the stack and the deck must be there; a hand is dealt from the deck.
SETS_UP = {"setup.hand", "setup.tiles-per-player", "setup.pool-extra-2p", "learn.tiles-per-player"}


@pytest.mark.parametrize("value", [0, LARGEST])
@pytest.mark.parametrize("name", sorted(set(FIGURES) - SETS_UP))
def test_a_figure_is_any_whole_number(name: str, value: int):
    sentence = expanded(2, overlay={"figures": {name: {"value": value}}})
    assert sentence.asks(0, 1, key="r1/p3/card").state.phase == 3
    assert set(RULES.audit.conserved(sentence.state).values()) == {0}


@pytest.mark.parametrize(
    ("name", "value"),
    [("setup.hand", 0), ("setup.hand", 8), ("setup.tiles-per-player", 3),
     ("setup.tiles-per-player", 8), ("setup.pool-extra-2p", 0), ("learn.tiles-per-player", 3)],
)  # fmt: skip
def test_a_figure_of_the_setup_is_whatever_can_be_dealt(name: str, value: int):
    options = {"learning": True} if name.startswith("learn") else {}
    sentence = expanded(2, options=options, overlay={"figures": {name: {"value": value}}})
    assert set(RULES.audit.conserved(sentence.state).values()) == {0}


@pytest.mark.parametrize(("name", "on"), [(name, not on) for name, on in SWITCHES.items()])
def test_a_switch_is_on_or_off(name: str, on: bool):
    assert expanded(2, overlay={"switches": {name: {"on": on}}}).state.phase == 3


@pytest.mark.parametrize(
    ("table", "row", "field", "value"),
    [
        ("orders", "assault", "number", LARGEST), ("orders", "discover", "number", -LARGEST),
        ("tiers", "1", "gate", 0), ("tiers", "3", "gate", LARGEST),
        ("pieces", "agent", "cost", 1), ("pieces", "gate", "cost", LARGEST),
        ("pieces", "fleet", "number", 0), ("pieces", "agent", "number", MOST_PIECES),
        ("pieces", "complex", "number", 1), ("technologies", "nano-fabricants", "cost", 0),
        ("technologies", "nano-fabricants", "cost", LARGEST),
        ("technologies", "polymorphic-matter", "tier", 1),
        ("spaces", "political-1", "cost", 0), ("spaces", "martial-12", "retention", LARGEST),
        ("spaces", "industrial-1", "income", LARGEST), ("spaces", "industrial-2", "tier", 3),
        ("tiles", "T31", "industrial", 0), ("tiles", "T43", "martial", LARGEST),
        ("tiles", "T01", "political", LARGEST), ("cards", "I1a-1", "political", -LARGEST),
        ("cards", "M3c-2", "martial", LARGEST), ("players", "2", "small", False),
        ("players", "3", "small", False), ("homes", "home", "martial", 3),
    ],
)  # fmt: skip
def test_a_cell_of_another_table_takes_its_extremes(table: str, row: str, field: str, value: Any):
    sentence = expanded(4, overlay={table: {row: {field: value}}})
    assert set(RULES.audit.conserved(sentence.state).values()) == {0}


# --- nonsense -------------------------------------------------------------------------------------


def refused(overlay: dict[str, Any], **options: Any) -> Refused:
    with pytest.raises(Refused) as reason:
        terms_of(overlay=overlay, options=options)
    return reason.value


NONSENSE: list[dict[str, Any]] = [
    {"figures": {"basic.caps": None}}, {"figures": {"basic.caps": {"value": None}}},
    {"figures": {"basic.caps": {"value": -1}}}, {"figures": {"basic.cups": {"value": 1}}},
    {"figures": {"basic.caps": {"value": LARGEST + 1}}},
    {"figures": {"basic.caps": {"value": 2**70}}}, {"figures": {"basic.caps": {"value": "two"}}},
    {"figures": {"basic.caps": {"value": 1.5}}}, {"figures": {"basic.caps": {"amount": 2}}},
    {"figures": {"setup.hand": {"value": 50}}},
    {"figures": {"setup.tiles-per-player": {"value": 0}}},
    {"figures": {"setup.pool-extra-2p": {"value": LARGEST}}},
    {"switches": {"retention.on": None}}, {"switches": {"retention.on": {"on": "maybe"}}},
    {"fates": {"draw.bases": {"fate": "buried"}}}, {"fates": {"draw.bases": None}},
    {"pieces": {"agent": None}}, {"pieces": {"agent": {"cost": 0}}},
    {"pieces": {"agent": {"number": -1}}}, {"pieces": {"agent": {"number": MOST_PIECES + 1}}},
    {"pieces": {"complex": {"number": 0}}}, {"pieces": {"complex": {"number": 16}}},
    {"spaces": {"martial-7": None}}, {"spaces": {"martial-7": {"cost": -1}}},
    {"spaces": {"martial-7": {"tier": 4}}}, {"spaces": {"martial-7": {"tier": 0}}},
    {"tiles": {"T01": {"political": -1}}}, {"tiles": {"T01": {"faction": "pink"}}},
    {"tiles": {"T01": {"faction": None}}}, {"tiles": {"T31": {"faction": "orange"}}},
    {"tiles": {f"T{number:02}": None for number in range(1, 30)}},
    {"homes": {"home": None}}, {"homes": {"home": {"martial": 0}}},
    {"homes": {"home": {"faction": "green"}}}, {"homes": {"second": {"industrial": 1}}},
    {"technologies": {"nano-fabricants": None}},
    {"technologies": {"nano-fabricants": {"cost": -1}}},
    {"technologies": {"nano-fabricants": {"tier": 4}}},
    {"technologies": {"nano-fabricants": {"type": "magic"}}},
    {"cards": {"I1a-1": {"technology": "steam"}}}, {"cards": {"I1a-1": {"political": "x"}}},
    {"leaders": {"LD01": None, "LD02": None, "LD03": None, "LD04": None, "LD05": None,
                 "LD06": None, "LD07": None}},
    {"leaders": {"LD02": {"amount_1": None}}}, {"leaders": {"LD02": {"amount_1": -1}}},
    {"colors": {"red": None}}, {"factions": {"green": None}}, {"tiers": {"2": None}},
    {"tiers": {"4": {"gate": 5}}}, {"players": {"6": None}}, {"players": {"7": {"boards": 9}}},
    {"players": {"2": {"boards": 1}}}, {"players": {"4": {"boards": 5}}},
    {"orders": {"assault": None}}, {"orders": {"assault": {"actions": ["dance"]}}},
    {"orders": {"industrialize": {"builds": None}}},
    {"patterns": {"martialize.strike": {"card": "charge"}}},
    {"patterns": {"martialize.strike": {"attacker": "gate"}}},
    {"layouts": {"L2": None}}, {"layouts": {"L2": {"slots": ["S1", "S2"]}}},
    {"layouts": {"L2": {"slots": ["S1", "S2", "S2"]}}},
    {"layouts": {"L2": {"slots": ["S1", "S2", "S99"]}}},
    {"layouts": {"L2": {"homes": ["S1d"]}}}, {"layouts": {"L2": {"homes": ["S1d", "S9d"]}}},
    {"slots": {"S1": {"q": 0, "r": 0}}}, {"slots": {"S1": None}},
    {"boards": {"K": {}}}, {"figures": "many"}, {"figures": {"basic.caps": "two"}},
]  # fmt: skip


@pytest.mark.parametrize("overlay", NONSENSE, ids=str)
def test_nonsense_is_refused_in_one_line(overlay: dict[str, Any]):
    reason = refused(overlay)
    assert reason.code == "bad_value"
    assert "\n" not in reason.sentence()
    assert len(reason.sentence()) < 300
