"""How the full sizes are run and told of: a run goes on where it was, a table goes to its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.durability import measuring
from tests.support.durability.measuring import MEASURED, PAGE, Cut, put, run, tell_cuts


def test_a_run_that_was_broken_off_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(measuring, "DONE", tmp_path / "done")
    made: list[int] = []

    def make(key: int, folder: Path) -> Cut:
        if len(made) == 2:
            raise KeyboardInterrupt
        made.append(key)
        return Cut(offset=key, wrong=["torn"] if key == 5 else [])

    with pytest.raises(KeyboardInterrupt):
        run("cuts-1", Cut, [5, 6, 7], make)
    made[:] = []
    found = run("cuts-1", Cut, [5, 6, 7], make)
    assert made == [7]
    assert [piece.offset for piece in found.pieces] == [5, 6, 7]
    assert tell_cuts({"valkey": found}).endswith("| valkey | 3 | 1 | 0.0 min |")


def test_a_table_goes_to_its_place_and_replaces_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    page = tmp_path / "page.md"
    page.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(measuring, "PAGE", page)
    for what in (*MEASURED, *MEASURED):
        put(what, f"the table of {what}")
    text = page.read_text(encoding="utf-8")
    for what in MEASURED:
        assert text.count(f"<!-- {what} -->\nthe table of {what}\n<!-- /{what} -->") == 1
    assert "| server |" not in text
