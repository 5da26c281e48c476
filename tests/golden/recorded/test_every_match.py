"""No change of code changes a fact of a recorded match: what is wanted is an erratum."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.games import GAMES, ruleset
from ledger.games.galactic_hegemony.actions.fights import Suppression
from ledger.games.galactic_hegemony.errata import SuppressionTies
from ledger.kernel.content import lay_over
from ledger.kernel.ruleset import PRINTED, Ruleset
from ledger.log.format.acts import EditionChanged, Rewound
from ledger.log.format.chain import OUTCOME_PATH
from ledger.log.read.bundle import read_history
from ledger.log.read.history import History, RulesOf
from replays.verify.verifier import Verdict, verify
from tests.support.recorded.recording import FOLDER, bundles

LIST = FOLDER / "recorded.txt"
# Of the fact types of a game, so many in a hundred are in its recorded matches at least.
FACTS_AT_LEAST = {"tictactoe": 90, "galactic_hegemony": 70, "hegemonic": 70}


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def troubles(path: Path, rules_of: RulesOf = ruleset) -> list[str]:
    """Returns the differences from the recording: match, event and fact."""
    report = verify(BytesIO(path.read_bytes()), rules_of)
    failed = sorted(report.failed, key=lambda one: one.version or 0)
    found = [f"{named(path)}, match {report.match}: {one.detail}" for one in failed]
    if not found and report.verdict != Verdict.NOT_ANCHORED.value:
        found = [f"{named(path)}, match {report.match}: {report.verdict}: not all was compared"]
    return found


@pytest.mark.parametrize("path", bundles(), ids=named)
def test_a_recorded_match_comes_to_the_very_facts_that_it_came_to(path: Path):
    assert troubles(path) == [], (
        "the code makes something else of a stored match: undo that, or publish an erratum "
        "(docs/errata.md, Old code)"
    )


def test_the_recorded_matches_are_those_of_the_list_byte_for_byte():
    """A match is added, and never taken away or recorded anew: this list would have to say so."""
    listed = dict(reversed(line.split()) for line in LIST.read_text("utf-8").splitlines())
    found = {named(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in bundles()}
    assert found == listed


# --- what they hold -------------------------------------------------------------------------------


@cache
def recorded(game: str) -> list[History]:
    found = [path for path in bundles() if path.parent.name == game]
    return [read_history(BytesIO(path.read_bytes()), ruleset) for path in found]


@pytest.mark.parametrize("game", GAMES)
def test_every_ruleset_has_recorded_matches_of_several_kinds(game: str):
    histories = recorded(game)
    acts = [history.act(event.version) for history in histories for event in history.events]
    assert any(isinstance(act, Rewound) for act in acts)
    assert any(isinstance(act, EditionChanged) for act in acts)
    assert any(history.created.options for history in histories)
    assert any(history.life.closed for history in histories)
    editions = {history.created.edition for history in histories}
    editions |= {act.edition for act in acts if isinstance(act, EditionChanged)}
    assert {PRINTED, ruleset(game).editions[-1]} <= editions


@pytest.mark.parametrize("game", GAMES)
def test_most_kinds_of_facts_of_a_ruleset_are_in_its_recorded_matches(game: str):
    kinds = {kind.__struct_config__.tag for kind in ruleset(game).facts}
    seen: Counter[str] = Counter()
    for history in recorded(game):
        for (_, path), opening in history.openings.items():
            if path == OUTCOME_PATH:
                seen.update(fact["type"] for fact in msgspec.msgpack.decode(opening.plain))
    assert seen.keys() <= kinds
    assert 100 * len(seen) >= FACTS_AT_LEAST[game] * len(kinds), sorted(kinds - seen.keys())


# --- the check itself -----------------------------------------------------------------------------


def with_content(rules: Ruleset, laid: Mapping[str, Any]) -> Ruleset:
    """The rules with other figures, as if somebody had edited the content."""
    declared = {table.name: table for table in rules.tables}
    return replace(rules, content=lay_over(rules.content, declared, laid))


def test_a_figure_that_somebody_edits_is_refused_with_match_event_and_fact():
    dearer = with_content(ruleset("hegemonic"), {"figures": {"basic.caps": {"value": 4}}})
    path = FOLDER / "hegemonic" / "random-five.hgm"
    (line, *_) = troubles(path, lambda _: dearer)
    match = recorded("hegemonic")[-1].match
    assert line.startswith(f"hegemonic/random-five.hgm, match {match}: engine differs at ")
    assert "transferred: amount was" in line


def test_a_rule_that_somebody_rewrites_is_refused(monkeypatch: pytest.MonkeyPatch):
    """The printed class is given the behaviour of erratum e1."""
    monkeypatch.setattr(Suppression, "beats", SuppressionTies.beats)
    here = [path for path in bundles() if path.parent.name == "galactic_hegemony"]
    found = {path.stem: troubles(path) for path in here}
    assert found["e4"] == []  # equal dice win there: the edition has the erratum
    (line, *_) = found["greedy"]
    match = next(one.match for one in recorded("galactic_hegemony") if one.tip.version == 200)
    what = "the fold gives other facts: fact 2, revolt.morale-set, is new"
    assert line.startswith(
        f"galactic_hegemony/greedy.hgm, match {match}: engine differs at 159: {what}"
    )
