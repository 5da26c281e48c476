"""`hegemon dice`: bundles are verified, and what fell in them is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ledger.kernel.chance import Roll
from services.cli import dice
from tests.support.cli.calls import Hegemon

ROLLED = ("--option", "begin.first=rolled")
TABLE = """match tictactoe begin.first=rolled
chance begin 2
1 mark cell=4
"""


@pytest.fixture
def bundles(hegemon: Hegemon) -> list[str]:
    """Twenty matches that began with a die of two sides."""
    names = [f"{seed}.hgm" for seed in range(20)]
    for seed, name in enumerate(names):
        hegemon.done("play", "tictactoe", "--seed", seed, *ROLLED, "--out", name)
    return names


def test_dice_are_counted_over_bundles(hegemon: Hegemon, bundles: list[str]):
    said = hegemon.done("dice", *bundles, "--json").json
    assert said["bundles"] == 20
    assert said["answers"] == [{"domain": "dice", "how": "recomputed", "count": 20}]
    (row,) = said["rows"]
    assert (row["domain"], row["kind"], row["values"], row["freedom"]) == ("dice", "d2", 20, 1)
    one, other = row["counts"]
    assert one + other == 20
    assert row["chi_square"] == pytest.approx((one - other) ** 2 / 20, abs=1e-4)
    assert said["p"] == row["p"]


def test_it_is_told_as_a_table(hegemon: Hegemon, bundles: list[str]):
    lines = hegemon.done("dice", *bundles).out.splitlines()
    assert lines[0] == "20 bundles verified; dice: 20 recomputed"
    assert lines[1].split() == ["domain", "kind", "values", "chi-square", "df", "p", "counts"]
    assert lines[2].split()[:3] == ["dice", "d2", "20"]
    assert lines[3].startswith("together")


def test_of_one_die_nothing_can_be_said(hegemon: Hegemon, bundles: list[str]):
    lines = hegemon.done("dice", bundles[0]).out.splitlines()
    assert lines[0] == "1 bundle verified; dice: 1 recomputed"
    assert lines[2].split()[3:6] == ["-", "-", "-"]
    assert len(lines) == 3


def test_a_match_without_chance_has_nothing_to_count(hegemon: Hegemon):
    hegemon.done("play", "tictactoe", "--seed", 1, "--out", "plain.hgm")
    assert hegemon.done("dice", "plain.hgm").out == "1 bundle verified; no dice or cards\n"
    assert hegemon.done("dice", "plain.hgm", "--list").out == ""


def test_what_fell_is_listed_a_line_each(hegemon: Hegemon, bundles: list[str]):
    lines = hegemon.done("dice", *bundles, "--list").lines
    assert len(lines) == 20
    for line in lines:
        assert (line["how"], line["address"], line["sides"]) == ("recomputed", "begin", 2)
        answer = Roll(2).answer(bytes.fromhex(line["key"]), line["epoch"], "begin")
        assert list(answer.values) == line["values"]


def test_of_a_running_match_no_key_is_listed(hegemon: Hegemon):
    match = hegemon.new(*ROLLED)
    hegemon.done("export", match, "--as", "all", "--out", "running.hgm")
    (line,) = hegemon.done("dice", "running.hgm", "--list").lines
    assert (line["how"], line["key"]) == ("not disclosed", None)


def test_what_was_entered_at_a_table_is_counted_too(hegemon: Hegemon):
    Path("table.txt").write_text(TABLE, encoding="utf-8")
    match = hegemon.done("enter", "table.txt").out.strip()
    hegemon.done("export", match, "--as", "all", "--out", "table.hgm")
    said = hegemon.done("dice", "table.hgm", "--json").json
    assert said["answers"] == [{"domain": "dice", "how": "entered or copied", "count": 1}]
    assert said["rows"][0]["counts"] == [0, 1]


def test_a_bundle_that_is_not_valid_is_named_and_nothing_is_counted(
    hegemon: Hegemon, bundles: list[str]
):
    whole = bytearray(Path(bundles[3]).read_bytes())
    whole[len(whole) // 2] ^= 1
    Path(bundles[3]).write_bytes(whole)
    assert "3.hgm is INVALID" in hegemon.refused("dice", *bundles, code=4)
    hegemon.refused("dice", *bundles, "--list", code=4)
    Path("other.txt").write_text("no bundle", encoding="utf-8")
    hegemon.refused("dice", "other.txt", code=2)
    hegemon.refused("dice", code=2)


@pytest.mark.parametrize(("least", "most"), [(0.999, 1.0), (0.0, 0.0001)])
def test_dice_that_are_not_even_end_with_one(
    hegemon: Hegemon, bundles: list[str], monkeypatch: pytest.MonkeyPatch, least, most
):
    """Our own dice are even, so it is the bounds that are moved."""
    monkeypatch.setattr(dice, "P_MIN", least)
    monkeypatch.setattr(dice, "P_MAX", most)
    ran = hegemon("dice", *bundles, "--json")
    assert ran.code == 1
    assert "less even than they should be" in ran.err
    assert json.loads(ran.out)["bundles"] == 20
