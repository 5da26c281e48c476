"""docs/walks.md: a page from traces of real runs, which `python -m tests.support.walks` writes."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from services.run.settings import ROOT
from tests.support.starting import surroundings

PAGE = (ROOT / "docs" / "walks.md").read_text(encoding="utf-8")


def test_the_page_names_only_files_that_there_are() -> None:
    named = re.findall(r"^\| \d+ \| `([^`]+)`", PAGE, re.MULTILINE)
    assert len(named) > 100
    assert [path for path in named if not (ROOT / path).is_file()] == []


def test_the_counts_of_the_page_are_those_of_its_lists() -> None:
    counts = re.findall(r"^\| (\d)\. .*?\| \*\*(\d+)\*\* \|", PAGE, re.MULTILINE)
    sections = re.split(r"^## (\d)\. ", PAGE, flags=re.MULTILINE)[1:]
    listed = {
        number: len(re.findall(r"^\| \d+ \| `[^`]+` \| the rest \|", text, re.MULTILINE))
        for number, text in zip(sections[::2], sections[1::2], strict=True)
    }
    assert {number: int(count) for number, count in counts} == listed


@pytest.mark.full
@pytest.mark.timeout(900)
def test_the_walks_are_traced_as_the_page_has_them(tmp_path) -> None:
    traced = subprocess.run(
        [sys.executable, "-m", "tests.support.walks"],
        cwd=ROOT,
        env=surroundings(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert traced.stdout == PAGE
