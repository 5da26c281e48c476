"""A replay exports a report, a table and lines of JSON."""

from __future__ import annotations

import csv
import json
from io import StringIO

import pytest

from ledger.log.stores.memory import MemoryStore
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from replays.document.builder import build
from replays.document.report import lines, path, text
from replays.document.spreadsheet import csv as table
from replays.document.structs import Replay, ndjson
from services.matches.play import make_seeded_surroundings
from tests.support.replays.gathered import curve, flagship, gathered, named, value_at

NAMES = (*gathered(), "flagship")


@pytest.fixture(scope="module")
def sample() -> Replay:
    return build(flagship(), None)


@pytest.mark.parametrize("name", NAMES)
def test_a_report_holds_every_sentence_under_its_heading(name: str):
    document = build(named(name), None)
    told = [found for _, _, found in lines(document)]
    assert [one for one in told if isinstance(one, str)] == [
        sentence for event in document.events for sentence in event.said
    ]
    assert [one for one in told if not isinstance(one, str)] == document.headings
    report = text(document)
    assert report.startswith(f"{document.title}\n")
    assert document.head in report
    assert all(sentence in report for event in document.events for sentence in event.said)


@pytest.mark.long
def test_a_report_reads_as_it_is_meant_to(sample: Replay):
    report = text(sample)
    assert "Hegemonic, edition printed; match jsqv3c4736awfw4e." in report
    assert "\nRound 2\n=======\n" in report
    assert "\nThird action phase\n------------------\n" in report
    assert "\n          Purple against Green at K4:\n    98  Purple pays 2 CAPs" in report
    assert "Result: greedy bot 2 won 123 : 73 : 169 : 55 (most points)\n" in report
    undone = text(build(gathered()["tictactoe"], None))
    assert undone.count("[undone]") >= 7


def test_a_table_has_a_row_for_each_event_and_a_column_for_each_figure(sample: Replay):
    rows = list(csv.reader(StringIO(table(sample))))
    assert rows[0][:6] == ["n", "heading", "seat", "sentence", "victory points Purple",
                           "victory points Yellow"]  # fmt: skip
    assert rows[0][8:] == ["CAPs Purple", "CAPs Yellow", "CAPs Green", "CAPs Orange"]
    assert len(rows) == 1 + sample.last
    row = rows[100]
    assert row[:4] == [
        "100", "Round 1 / Third action phase / Purple: Subvert / Purple against Green at K4",
        "Purple", "Purple commits a card.",
    ]  # fmt: skip
    assert rows[-1][4:8] == ["123", "73", "169", "55"]
    for one in sample.events[::50]:
        caps = [value_at(curve(sample, "caps"), seat, one.n) for seat in range(4)]
        assert rows[one.n][8:] == ["" if value is None else str(value) for value in caps]


@pytest.mark.parametrize("begins", ["=", "\n=", "\t=", "\r="])
def test_a_spreadsheet_takes_names_for_names(begins: str):
    around = make_seeded_surroundings(MemoryStore(), 1)
    journal = Journal.create(around, Plan(ruleset="tictactoe", seats=2))
    journal.join(0, "Ann")
    replay = build(journal.history, None)
    replay.events[1].said = [f"{begins}1+1", "takes seat 0."]
    rows = list(csv.reader(StringIO(table(replay), newline="")))
    assert rows[2][3] == f"'{begins}1+1 takes seat 0."


def test_lines_of_json_begin_with_a_header_and_end_with_the_head(sample: Replay):
    read = [json.loads(line) for line in ndjson(sample)]
    assert [one["line"] for one in read] == ["header", *["event"] * sample.last, "end"]
    assert read[0]["as"] == "spectator"
    assert {"headings", "curves", "deals", "conflicts"} <= set(read[0])
    assert "events" not in read[0]
    assert [one["n"] for one in read[1:-1]] == list(range(1, sample.last + 1))
    assert read[-1] == {"line": "end", "events": sample.last, "head": sample.head}


def test_the_path_of_an_event_begins_with_the_highest_heading(sample: Replay):
    assert path(sample, sample.events[99])[0] == "Round 1"
    assert path(sample, sample.events[0]) == ()
