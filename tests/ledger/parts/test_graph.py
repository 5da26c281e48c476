"""Charts: steps on a map with and without links, and the borders of its regions."""

from __future__ import annotations

from ledger.parts.graph import Chart, Ground

#  a - b | c - d      and e, to which no way leads
BESIDE = {"a": ("b",), "b": ("a", "c"), "c": ("b", "d"), "d": ("c",), "e": ()}
REGIONS = {"a": "west", "b": "west", "c": "east", "d": "east", "e": "isle"}
GROUND = Ground(BESIDE, REGIONS)


def test_a_link_makes_two_places_neighbours():
    chart = Chart(GROUND, [("a", "d"), ("a", "e")])
    assert (chart.hexes("a")["d"], chart.steps("a")["d"]) == (3, 1)
    assert chart.joined["a"] == ("b", "d", "e")
    assert "e" not in chart.hexes("a")
    assert chart.steps("e")["c"] == 3


def test_charts_of_one_ground_do_not_know_each_others_links():
    linked, plain = Chart(GROUND, [("a", "d")]), Chart(GROUND, [])
    assert (linked.steps("a")["d"], plain.steps("a")["d"]) == (1, 3)


def test_no_link_saves_a_border():
    assert Chart(GROUND, [("a", "d")]).borders("a") == {"a": 0, "b": 0, "c": 1, "d": 1}
