"""Content: tables of rows, and overlays that change cells, add rows and take rows away."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.content import Row, Table, cells_that_differ, lay_over, read_rows
from ledger.kernel.refusals import Refused


class Ship(Row):
    cost: int
    name: str = ""
    holds: tuple[int, ...] = ()


SHIPS = Table("ships", Ship)
PRINTED = {"ships": read_rows("sloop = { cost = 2 }\nbrig = { cost = 5, holds = [1, 2] }", SHIPS)}


def laid(overlay: Any) -> dict[str, Any]:
    return lay_over(PRINTED, {"ships": SHIPS}, overlay)["ships"]


class TalkingShip(Row):
    cost: int

    def double(self) -> int:
        return 2 * self.cost


class ShipWithWorth(Row):
    cost: int

    @property
    def worth(self) -> int:
        return self.cost + 1


@pytest.mark.parametrize("row", [TalkingShip, ShipWithWorth])
def test_a_row_is_cells_and_nothing_else(row: type[Row]):
    """The rule-use index would miss what a method of a row reads."""
    with pytest.raises(TypeError, match="cells and nothing else"):
        Table("ships", row)


def test_a_table_says_which_paragraph_a_row_or_a_cell_is_of():
    rules = {"": "ships.all", "*": "ships.{row}", "/cost": "ships.prices", "raft": "ships.free"}
    table = Table("ships", Ship, rules)
    assert table.rule_at() == "ships.all"
    assert (table.rule_at("brig"), table.rule_at("brig", "name")) == ("ships.brig", "ships.brig")
    assert (table.rule_at("brig", "cost"), table.rule_at("raft", "cost")) == (
        "ships.prices",
        "ships.free",
    )
    assert Table("ships", Ship, {"": "ships.all"}).rule_at("brig", "cost") == "ships.all"
    assert SHIPS.rule_at("brig", "cost") == ""


def test_a_row_has_the_key_as_its_id():
    assert PRINTED["ships"] == {
        "sloop": Ship(id="sloop", cost=2),
        "brig": Ship(id="brig", cost=5, holds=(1, 2)),
    }


def test_rows_keep_the_printed_order():
    assert [*PRINTED["ships"]] == ["sloop", "brig"]
    assert [*laid({"ships": {"brig": {"cost": 1}, "sloop": {"cost": 1}}})] == ["sloop", "brig"]


@pytest.mark.parametrize(
    ("overlay", "rows"),
    [
        ({}, [Ship(id="sloop", cost=2), Ship(id="brig", cost=5, holds=(1, 2))]),
        (
            {"ships": {"brig": {"cost": 6}}},
            [Ship(id="sloop", cost=2), Ship(id="brig", cost=6, holds=(1, 2))],
        ),
        ({"ships": {"sloop": None}}, [Ship(id="brig", cost=5, holds=(1, 2))]),
        (
            {"ships": {"sloop": None, "ark": {"cost": 0, "name": "Ark"}}},
            [Ship(id="brig", cost=5, holds=(1, 2)), Ship(id="ark", cost=0, name="Ark")],
        ),
    ],
    ids=["nothing", "a cell", "a row less", "a row more"],
)
def test_an_overlay_changes_cells_and_rows(overlay: Any, rows: list[Ship]):
    assert list(laid(overlay).values()) == rows
    assert [*PRINTED["ships"]] == ["sloop", "brig"], "the printed rows are not touched"


def test_an_overlay_cannot_give_a_row_another_id():
    assert laid({"ships": {"brig": {"id": "sloop"}}})["brig"].id == "brig"


@pytest.mark.parametrize(
    ("overlay", "evidence"),
    [
        ({"boats": {}}, {"table": "boats"}),
        ({"ships": {"brig": {"cost": "much"}}}, {"table": "ships", "row": "brig"}),
        ({"ships": {"brig": {"cost": 1.5}}}, {"table": "ships", "row": "brig"}),
        ({"ships": {"brig": {"cost": None}}}, {"table": "ships", "row": "brig"}),
        ({"ships": {"brig": {"speed": 3}}}, {"table": "ships", "row": "brig"}),
        ({"ships": {"ark": {"name": "Ark"}}}, {"table": "ships", "row": "ark"}),
        ({"ships": {"brig": {"holds": 3}}}, {"table": "ships", "row": "brig"}),
    ],
    ids=["table", "text", "float", "nothing", "no such cell", "a cell missing", "no tuple"],
)
def test_an_overlay_that_does_not_fit_is_refused(overlay: Any, evidence: dict[str, str]):
    with pytest.raises(Refused) as refusal:
        laid(overlay)
    assert refusal.value.code == "bad_value"
    assert refusal.value.evidence == evidence


@pytest.mark.parametrize("overlay", [{"ships": 5}, {"ships": None}, {"ships": {"brig": 5}},
                                     {"ships": {"brig": [1]}}], ids=str)  # fmt: skip
def test_an_overlay_that_is_no_overlay_is_refused(overlay: Any):
    """It comes from outside, as the options do: what is wrong with it is the sender's doing."""
    with pytest.raises(Refused) as refusal:
        laid(overlay)
    assert refusal.value.code == "bad_value"


@pytest.mark.parametrize(
    ("overlay", "differences"),
    [
        ({}, set()),
        ({"ships": {"brig": {"cost": 5}}}, set()),
        ({"ships": {"brig": {"cost": 6}}}, {("ships", "brig", "cost")}),
        (
            {"ships": {"brig": {"cost": 6, "name": "B"}}},
            {("ships", "brig", "cost"), ("ships", "brig", "name")},
        ),
    ],
    ids=["nothing", "the same", "a cell", "two cells"],
)
def test_cells_that_differ_are_named(overlay: Any, differences: set[tuple[str, ...]]):
    other = {"ships": laid(overlay)}
    assert set(cells_that_differ(PRINTED, other)) == differences
    assert set(cells_that_differ(other, PRINTED)) == differences


@pytest.mark.parametrize("overlay", [{"ships": {"ark": {"cost": 0}}}, {"ships": {"brig": None}}])
def test_a_row_more_or_less_is_another_set(overlay: Any):
    other = {"ships": laid(overlay)}
    assert ("ships",) in set(cells_that_differ(PRINTED, other))
    assert ("ships",) in set(cells_that_differ(other, PRINTED))
