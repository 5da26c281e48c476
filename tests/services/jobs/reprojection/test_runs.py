"""Runs over many matches: workers, limits, deaths, and going on where one was stopped."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from multiprocessing import Pipe
from pathlib import Path

import msgspec
import pytest

from ledger.games import ruleset
from ledger.games.tictactoe.play import Mark
from ledger.log.read.bundle import write_bundle
from ledger.log.read.history import History
from replays.reproject.change import Change
from replays.reproject.judge import reproject
from replays.reproject.policies import Policies
from replays.reproject.report import (
    RunReport,
    RunRow,
    compare_reports,
    csv_text,
    report_of,
    table_of,
    table_text,
)
from services.cli import main
from services.jobs.reprojection import worker
from services.jobs.reprojection.batches import (
    FileItem,
    Job,
    LogItem,
    MatchDone,
    RunTerms,
    log_of,
    work,
)
from services.jobs.reprojection.fleet import Processes
from services.jobs.reprojection.run import LocalFleet, OtherRun, Run, Source
from services.run.children import Child, python
from tests.support.log.matches import started
from tests.support.services.broken_games import rules_of

pytestmark = pytest.mark.process

BROKEN = "tests.support.services.broken_games:rules_of"
RULES = {"tictactoe": ruleset("tictactoe").source}
# With the centre, the row in the middle, and without it, the left column.
CENTRE, BESIDE = (4, 0, 3, 8, 5), (0, 1, 3, 2, 6)
RISING = (2, 0, 4, 1, 6)


def match(seed: int, cells: tuple[int, ...]) -> History:
    journal = started(seed=seed)
    for cell in cells:
        journal.decide(journal.match().asked()[0], Mark(cell))
    journal.close()
    return journal.history


def source(seed: int, cells: tuple[int, ...] = BESIDE, name: str = "") -> Source:
    history = match(seed, cells)
    name = name or f"m{seed:03}"
    item = LogItem(source=name, log=log_of(history))
    return Source(name, history.tip.head.hex(), lambda: item)


def terms(edition: str, **more: float) -> RunTerms:
    return RunTerms(change=Change(edition=edition), policies=Policies(), **more)


def test_a_worker_ends_quietly_when_its_parent_has_died():
    ours, theirs = Pipe()
    with theirs:
        ours.send_bytes(msgspec.msgpack.encode(Job(terms=terms("printed"), items=[])))
        ours.close()
        worker.main([str(os.dup(theirs.fileno()))])


def report(rows: list[RunRow]) -> RunReport:
    return report_of(rows, "tictactoe", "", Change(), Policies())


def environment(broken: str, tmp_path: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(Path.cwd()), os.environ.get("PYTHONPATH", "")]),
        "HEGEMON_TEST_BROKEN": broken,
        "HEGEMON_TEST_KILLED": str(tmp_path / "killed"),
    }


def by_name(rows: list[RunRow]) -> dict[str, str]:
    return {row.source: row.verdict.verdict for row in rows}


def test_workers_find_what_this_process_finds(tmp_path: Path):
    sources = [source(seed, RISING if seed % 3 == 0 else BESIDE) for seed in range(12)]
    here = Run(terms("e2"), RULES).over(sources, LocalFleet())
    there = Run(terms("e2"), RULES).over(sources, Processes(2))
    assert here == there
    assert table_of(here).classes["unchanged"] == 8


def test_a_bundle_is_read_checked_and_indexed_by_the_worker(tmp_path: Path):
    paths = []
    for seed, cells in enumerate((RISING, BESIDE)):
        paths.append(tmp_path / f"{seed}.hgm")
        with paths[-1].open("wb") as file:
            write_bundle(file, match(seed, cells))
    spoilt = tmp_path / "spoilt.hgm"
    packed = bytearray(paths[0].read_bytes())
    packed[len(packed) // 2] ^= 1
    spoilt.write_bytes(packed)
    index = tmp_path / "index"
    index.mkdir()
    items = [FileItem(source=path.name, path=str(path)) for path in (*paths, spoilt)]
    for proved in ("fold", "fold"), ("fold", "fold"):
        done = list(work(Job(terms=terms("e2", index=str(index)), items=items)))
        assert [one.verdict.proved for one in done[:2]] == list(proved)
        assert len(list(index.iterdir())) == 2
    assert done[0].verdict.resumed > 0
    assert done[2].verdict.verdict == "error"
    assert done[2].verdict.error.startswith("damaged: ")
    assert paths[0].read_bytes() != spoilt.read_bytes()
    unfit = Change(edition="e2", switch=3)
    ways = [
        list(
            work(Job(terms=RunTerms(change=unfit, policies=Policies(), index=one), items=items[:1]))
        )
        for one in (None, str(index))
    ]
    assert ways[0][0].verdict == ways[1][0].verdict
    assert ways[0][0].verdict.error.startswith("no_such_event")


@pytest.mark.parametrize("fleet", ["here", "processes"])
def test_an_endless_rule_is_stopped_and_holds_nothing_up(
    fleet: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    sources = [source(0), source(1, CENTRE), source(2)]
    monkeypatch.setenv("HEGEMON_TEST_BROKEN", "endless")
    who = (
        LocalFleet(rules_of)
        if fleet == "here"
        else Processes(1, environment("endless", tmp_path), rules_from=BROKEN)
    )
    rows = Run(terms("endless", limit_s=0.5), RULES).over(sources, who)
    assert by_name(rows) == {"m000": "unchanged", "m001": "error", "m002": "unchanged"}
    assert rows[1].verdict.error == "out_of_time: stopped after 0.5 s"


def test_a_rule_that_hears_no_signal_is_killed_and_holds_nothing_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("services.jobs.reprojection.batches.KILLED_AFTER_S", 5.0)
    sources = [source(0), source(1, CENTRE), source(2)]
    workers = Processes(1, environment("deaf", tmp_path), rules_from=BROKEN)
    began = time.monotonic()
    rows = Run(terms("deaf", limit_s=0.5), RULES).over(sources, workers)
    assert by_name(rows) == {"m000": "unchanged", "m001": "error", "m002": "unchanged"}
    assert rows[1].verdict.error == "out_of_time: it was killed"
    assert time.monotonic() - began < 60


def test_a_match_that_takes_its_worker_along_is_tried_twice_and_alone(tmp_path: Path):
    sources = [source(0), source(1, CENTRE), source(2), source(3)]
    started_workers: list[int] = []
    workers = Processes(
        1, environment("deadly", tmp_path), rules_from=BROKEN, started=started_workers.append
    )
    rows = Run(terms("deadly"), RULES).over(sources, workers)
    assert rows[1].verdict.error == "its worker died"
    assert [row.verdict.verdict for row in rows] == ["unchanged", "error", "unchanged", "unchanged"]
    assert len(started_workers) == 3


def test_a_worker_that_is_killed_once_costs_nothing(tmp_path: Path):
    sources = [source(seed, CENTRE if seed == 5 else BESIDE) for seed in range(8)]
    workers = Processes(2, environment("unlucky", tmp_path), rules_from=BROKEN)
    rows = Run(terms("unlucky"), RULES).over(sources, workers)
    assert set(by_name(rows).values()) == {"unchanged"}
    assert (tmp_path / "killed").exists()


def test_a_bug_in_a_rule_is_an_error_of_that_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HEGEMON_TEST_BROKEN", "broken")
    rows = Run(terms("broken"), RULES).over([source(0), source(1, CENTRE)], LocalFleet(rules_of))
    assert by_name(rows) == {"m000": "unchanged", "m001": "error"}
    assert rows[1].verdict.error.startswith("at event 5: AssertionError")


# --- going on -------------------------------------------------------------------------------------


class Stopping(LocalFleet):
    """A fleet whose machine goes down after so many matches."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self._after = after

    def run(self, jobs: Iterator[Job], tell: object) -> None:
        left = iter(range(self._after))

        def told(done: MatchDone) -> None:
            if next(left, None) is None:
                raise KeyboardInterrupt
            tell(done)  # type: ignore[operator]

        super().run(jobs, told)


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path):
    sources = [source(seed, RISING if seed % 3 == 0 else BESIDE) for seed in range(9)]
    whole = Run(terms("e2"), RULES).over(sources, LocalFleet())
    with pytest.raises(KeyboardInterrupt):
        Run(terms("e2"), RULES, tmp_path / "run").over(sources, Stopping(4))
    done = tmp_path / "run" / "done.jsonl"
    done.write_bytes(done.read_bytes() + b'{"source":"m004","ma')  # cut off in the middle
    run = Run(terms("e2"), RULES, tmp_path / "run")
    assert run.over(sources, LocalFleet()) == whole
    assert run.kept == 4
    again = Run(terms("e2"), RULES, tmp_path / "run")
    assert again.over(sources, LocalFleet()) == whole
    assert again.kept == 9
    assert done.read_bytes().count(b"\n") == 9


def test_a_log_that_has_changed_since_is_folded_again(tmp_path: Path):
    Run(terms("e2"), RULES, tmp_path).over([source(0), source(1)], LocalFleet())
    run = Run(terms("e2"), RULES, tmp_path)
    rows = run.over([source(0), source(7, RISING, name="m001")], LocalFleet())
    assert run.kept == 1
    assert rows[1].verdict.first is not None


def test_a_match_that_was_out_of_time_is_tried_again_with_more_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HEGEMON_TEST_BROKEN", "slow")
    sources = [source(0, CENTRE), source(1)]
    found = []
    for limit_s in (0.2, 0.2, 5.0, 0.2):
        run = Run(terms("slow", limit_s=limit_s), RULES, tmp_path)
        rows = run.over(sources, LocalFleet(rules_of))
        found.append((rows[0].verdict.verdict, run.kept))
    assert found == [("error", 0), ("error", 2), ("unchanged", 1), ("unchanged", 2)]


def test_a_folder_with_another_run_is_refused(tmp_path: Path):
    Run(terms("e2"), RULES, tmp_path).over([source(0)], LocalFleet())
    for asked, rules in ((terms("e3"), RULES), (terms("e2"), {"tictactoe": "newer"})):
        with pytest.raises(OtherRun):
            Run(asked, rules, tmp_path)
    assert Run(terms("e2", limit_s=9.0), RULES, tmp_path).over([source(0)], LocalFleet())


def test_a_killed_run_of_workers_is_finished_by_the_next(tmp_path: Path):
    """Not a worker but the run itself is killed, with its workers at work."""
    names = []
    for seed in range(40):
        path = tmp_path / f"{seed}.hgm"
        with path.open("wb") as file:
            write_bundle(file, match(seed, RISING if seed % 4 == 0 else BESIDE))
        names.append(str(path))
    words = ("-m", "services.cli", "reproject", str(tmp_path), "--edition", "e2")
    more = ("--workers", "2", "--run", str(tmp_path / "run"))
    child = Child(
        "run",
        python(*words, *more),
        folder=Path.cwd(),
        environment=environment("", tmp_path),
    )
    done = tmp_path / "run" / "done.jsonl"
    until = time.monotonic() + 60
    while child.ended() is None and time.monotonic() < until:
        if done.exists() and done.stat().st_size:
            os.kill(child.pid, signal.SIGKILL)
            break
        time.sleep(0.002)
    child.wait(time.monotonic() + 10)
    sources = []
    for name in names:
        item = FileItem(source=name, path=name)
        sources.append(Source(name, "", lambda item=item: item))
    rows = Run(terms("e2"), RULES).over(sources, LocalFleet())
    assert table_of(rows).classes["unchanged"] == 30
    assert main([*words[2:], *more, "--out", str(tmp_path / "table.csv")]) == 0
    assert done.read_bytes().count(b"\n") == 40
    lines = (tmp_path / "table.csv").read_text().splitlines()
    assert len(lines) == 41
    assert lines == csv_text(rows).splitlines()


# --- tables ---------------------------------------------------------------------------------------


def test_the_table_counts_by_class_and_by_cause():
    rows = Run(terms("e2"), RULES).over([source(0, RISING), source(1), source(2)], LocalFleet())
    table = table_of(rows)
    assert (table.matches, table.change) == (3, "e2")
    ((name, cause, count),) = table.causes
    assert (cause, count) == ("rows lines", 1)
    assert table.classes == {"unchanged": 2, name: 1}
    text = table_text(table)
    assert text.startswith("e2: 3 matches\n")
    assert f"{name}: rows lines" in text
    header, *lines = csv_text(rows).splitlines()
    assert header.startswith("source,match,ruleset,edition,verdict,first,")
    assert lines[0].startswith("m000,")
    assert ",9,facts,turn/5," in lines[0]


def test_two_runs_can_be_compared():
    sources = [source(0, RISING), source(1)]
    before = Run(terms("e2"), RULES).over(sources, LocalFleet())
    after = Run(terms("e1"), RULES).over(sources, LocalFleet())
    assert compare_reports(report(before), report(before)) == []
    (found,) = compare_reports(report(before), report(after))
    assert (found.match, found.after) == ("m000", "unchanged")
    assert [one.before for one in compare_reports(report(before[1:]), report(after))] == [""]


def test_what_a_spreadsheet_would_take_for_a_formula_is_no_formula():
    (row,) = Run(terms("e1"), RULES).over([source(0, name="=1+1")], LocalFleet())
    assert csv_text([row]).splitlines()[1].startswith("'=1+1,")


def test_a_log_as_bytes_is_the_same_match():
    history = match(3, RISING)
    (done,) = work(Job(terms=terms("e2"), items=[LogItem(source="m", log=log_of(history))]))
    assert done.verdict == reproject(history, Change(edition="e2"))
