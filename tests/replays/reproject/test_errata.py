"""Over a corpus of bot matches, the published errata change exactly what they say."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import msgspec
import pytest

from ledger.kernel.records import CHANCE
from replays.reproject.judge import reproject
from replays.reproject.verdicts import EventVerdict, MatchVerdict
from tests.support.replays.reprojected_corpus import (
    FULL,
    LANDING,
    POLICIES,
    Corpus,
    alone,
    bot_match,
)

pytestmark = pytest.mark.long

HEGEMONIC, GALACTIC = "hegemonic", "galactic_hegemony"
GAMES = (HEGEMONIC, GALACTIC)
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
# What each erratum is about, as the rule-use index names it, and where that must first be noticed.
ABOUT = {
    "err.01": {"fates/draw.defending-units/fate"},
    "err.02": {"figures/score.tie-first/value"},
    "err.03": {"support.value"},
    "err.04": {f"orders/{card}/number" for card in ("martialize", "subvert", "discover")},
    "err.05": {"figures/cost.takeover/value"},
    "err.06": {"figures/move.agent-border/value"},
    "err.07": {"score.core-who"},
    "err.08": {"figures/score.home-embassy/value"},
    "e1": {"Suppression"},
    "e2": {"infrastructure/factory/lost", "infrastructure/shipyard/lost"},
    "e3": {"limits/5/limit"},
    "e4": {"morale/zero/most"},
}
# The paragraphs that it changes.
OF_RULES = {
    "err.01": {"step4.draw-defenders"},
    "err.02": {"score.tie-first"},
    "err.03": {"step2.value"},
    "err.04": {"card.martialize", "card.subvert", "card.discover"},
    "err.05": {"cost.takeover"},
    "err.06": {"move.agent-cost"},
    "err.07": {"score.core"},
    "err.08": {"score.home-embassy"},
    "e1": {"military.win"},
    "e2": {"revolt.infrastructure-order"},
    "e3": {"track.limit"},
    "e4": {"morale.table-zero"},
}
WHERE = {
    "err.01": ("card", "draw", "gates"),  # the step of a conflict that compares the two sides
    "err.02": ("confirm",),
    "err.05": ("declare", "move"),  # a fleet attacks where it stands as part of its move
    "err.06": ("move",),
    "err.07": ("confirm",),
    "err.08": ("confirm",),
}
FIGURES_ONLY = ("err.02", "err.07", "err.08")


Corpora = Callable[[str], Corpus]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the processes of one run of the tests keep the matches, for each other too."""
    base = tmp_path_factory.getbasetemp()
    found = (base.parent if WORKER else base) / "errata"
    found.mkdir(exist_ok=True)
    return found


@pytest.fixture(
    scope="module",
    params=["landing", pytest.param("full", marks=[pytest.mark.full, pytest.mark.timeout(7_200)])],
)
def corpora(request: pytest.FixtureRequest, folder: Path) -> Corpora:
    """The corpus of a game, made once for all who look at it."""
    seeds = LANDING if request.param == "landing" else FULL
    backwards = WORKER[-1:] in tuple("13579")

    @cache
    def corpus(game: str) -> Corpus:
        return Corpus(game, seeds[game], folder, backwards=backwards)

    return corpus


def touched(of: Corpus, erratum: str) -> list[MatchVerdict]:
    """The matches that do not come out the same."""
    return [one for one in of.verdicts[erratum] if one.verdict != "unchanged"]


def all_marked(found: Sequence[MatchVerdict], verdict: str) -> list[EventVerdict]:
    return [one for match in found for one in match.marked if one.verdict == verdict]


def first_illegal(found: Sequence[MatchVerdict]) -> Iterator[EventVerdict]:
    """Yields each match's first refused decision; later ones may follow from it."""
    for match in found:
        of_seats = (one for one in match.marked if one.verdict == "illegal" and one.seat != CHANCE)
        yield from list(of_seats)[:1]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", GAMES)
def test_every_match_is_folded_and_its_log_is_as_it_was(game: str, corpora: Corpora):
    of = corpora(game)
    assert len(of.matches) >= {HEGEMONIC: 120, GALACTIC: 80}[game]
    assert of.differing == []
    for erratum, found in of.verdicts.items():
        assert [one.error for one in found if one.error] == [], erratum
        assert len(found) == len(of.seeds)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", GAMES)
def test_the_first_difference_comes_from_what_the_erratum_is_about(game: str, corpora: Corpora):
    of = corpora(game)
    for erratum, found in of.verdicts.items():
        for match in found:
            assert (match.verdict == "unchanged") == (match.first is None)
            if match.first is None:
                continue
            names = {cause.name for cause in match.first.causes}
            assert names
            if erratum != "e1":  # editions have what was before them too; e1 is the first
                assert names <= ABOUT[erratum]
            assert ABOUT[erratum] & names
            about = {one.rule for one in match.first.causes if one.name in ABOUT[erratum]}
            assert about <= OF_RULES[erratum]
            if erratum in WHERE and match.first.exact and match.first.kind == "facts":
                asked = [part for part in match.first.question.split("/") if part.isalpha()]
                assert asked[-1] in WHERE[erratum], match.first
        assert touched(of, erratum), erratum


@pytest.mark.timeout(600)
@pytest.mark.rule("err.02", "err.07", "err.08")
def test_errata_of_points_change_points_and_nothing_else(corpora: Corpora):
    of = corpora(HEGEMONIC)
    for erratum in FIGURES_ONLY:
        for match in of.verdicts[erratum]:
            assert match.marked == ()
            assert match.accounts == {}
            assert match.verdict in ("unchanged", "same result", "score differs", "winner differs")
            ends = {path.rpartition("/")[2] for path, _, _ in match.positions}
            assert {one for one in ends if not one.isdigit()} <= {"score", "reason", "winners"}
    gained = [
        now - was
        for match in touched(of, "err.02")
        if match.before is not None and match.after is not None
        for was, now in zip(match.before.scores, match.after.scores, strict=True)
    ]
    assert min(gained) == 0
    assert max(gained) > 0
    for erratum in ("err.07", "err.08"):
        found = touched(of, erratum)
        assert any(match.before != match.after for match in found), erratum


@pytest.mark.timeout(600)
@pytest.mark.rule("err.04")
def test_err_04_sorts_turns_anew_so_that_they_are_moved_and_not_illegal(corpora: Corpora):
    of = corpora(HEGEMONIC)
    found = touched(of, "err.04")
    moved = all_marked(found, "moved")
    assert len([one for one in found if one.events.get("moved")]) > len(found) * 3 // 4
    # A turn is moved whole: actions, items, conflicts; what the seats choose at once stays.
    assert {len(one.question.split("/")) > 3 for one in moved} == {True}
    # What is refused or asked for in vain at first is who goes first in a tie that is another now,
    # or what the order of turns had decided: the tile of the pool, the card that was drawn.
    refused = Counter(one.code for one in first_illegal(found))
    assert refused.most_common(1)[0][0] == "not_tied"
    assert set(refused) <= {"not_tied", "not_in_pool", "card_not_in_hand", "sector_taken"} | {
        "unaffordable", "unit_placed", "nothing_possible", "not_advanced", "no_such_source",
    }  # fmt: skip
    unanswered = Counter(one.question.split("/")[2] for one in all_marked(found, "missing"))
    assert unanswered["tie"] == max(unanswered.values())
    before = sum(sum(one.events.get(name, 0) for name in ("moved", "applied")) for one in found)
    assert before > 0.9 * sum(
        sum(one.events.values()) - one.events.get("missing", 0) for one in found
    )


@pytest.mark.timeout(600)
@pytest.mark.rule("err.01", "err.05", "err.06")
def test_errata_of_outcomes_and_prices_change_accounts_and_may_make_decisions_illegal(
    corpora: Corpora,
):
    of = corpora(HEGEMONIC)
    spared = touched(of, "err.01")
    assert {one.code for one in first_illegal(spared)} <= {
        "unit_placed", "no_unit", "unit_away",  # what was built again for a unit that now stays
        "not_a_path", "card_not_in_hand",  # a sector that is held on, a reaction that nobody makes
        "nothing_possible",  # an attack for which there is no room where a unit has stayed
    }  # fmt: skip
    dearer, cheaper = touched(of, "err.05"), touched(of, "err.06")
    for found, sign in ((dearer, -1), (cheaper, 1)):
        differences = [
            now - was
            for match in found
            if not match.marked  # where nothing else followed from it
            for account, (was, now) in match.accounts.get("caps", {}).items()
            if account != "bank"
        ]
        assert differences
        assert all(sign * one > 0 for one in differences)
    assert {one.verdict for one in dearer} & {"decision now illegal"}


@pytest.mark.timeout(600)
@pytest.mark.rule("military.win", "track.limit", "morale.table-zero")
def test_errata_of_the_solo_game_change_what_they_say(corpora: Corpora):
    of = corpora(GALACTIC)
    ties = touched(of, "e1")
    assert all(match.first is not None and match.first.kind == "facts" for match in ties)
    assert all(
        match.first is not None and match.first.question.startswith("fight/") for match in ties
    )
    refused = Counter(one.code for match in ties for one in first_illegal([match]))
    assert refused["not_in_revolt"] == max(refused.values())
    less = [match.positions for match in touched(of, "e3") if not match.marked]
    assert less
    lifted = Counter(one.code for one in first_illegal(touched(of, "e4")))
    assert lifted["not_in_revolt"]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", GAMES)
def test_a_sample_of_the_corpus_is_the_same_whole_as_in_part(game: str, corpora: Corpora):
    of = corpora(game)
    for place in (1, 6):
        history = bot_match(game, of.seeds[place])
        for erratum in of.rules.errata:
            whole = reproject(history, alone(erratum), POLICIES)
            kept = of.verdicts[erratum.id][place].finding  # it may have been read from a file
            assert msgspec.json.encode(whole.finding) == msgspec.json.encode(kept)
