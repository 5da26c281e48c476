"""The cells module quotes texts that a spreadsheet would compute, and changes no other."""

from __future__ import annotations

import csv
import io

import pytest

from replays.report.cells import safe_cell
from services.web.tournaments.answers import csv_of

BEGINNINGS = ("=", "+", "-", "@", "\t", "\r", "\n", "  =", " \n")


@pytest.mark.parametrize("begins", BEGINNINGS)
def test_a_text_that_looks_like_a_formula_is_quoted(begins: str):
    assert safe_cell(f"{begins}1+1") == f"'{begins}1+1"
    (row,) = csv.reader(io.StringIO(csv_of([[f"{begins}1+1", -1]]), newline=""))
    assert row == [f"'{begins}1+1", "-1"]


@pytest.mark.parametrize("cell", ["Ann", "", " Ann", "1+1", 3, -3, None, "a\nb"])
def test_what_does_not_is_not_changed(cell: object):
    assert safe_cell(cell) == cell
