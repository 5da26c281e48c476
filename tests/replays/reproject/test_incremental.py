"""In part or whole: an index never saves a fold that would have found something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from ledger.games.tictactoe.state import LINES
from ledger.kernel import fold as fold_module
from ledger.kernel.match import Match
from ledger.kernel.records import State
from ledger.kernel.ruleset import Erratum, Ruleset
from ledger.log.format.acts import EditionChanged, Rewound
from ledger.log.format.published import Published
from ledger.log.read.history import History
from ledger.log.read.seek import snapshot_of
from replays.reproject.change import Change, RulesUnder, basis_of
from replays.reproject.judge import reproject
from replays.reproject.policies import Policies
from replays.reproject.rule_use import index_in, index_of, read_index
from tests.support.hegemonic.houses import any_table
from tests.support.parlour.chapters import KINDS, Bid, Bidding, Room
from tests.support.parlour.game import PARLOUR
from tests.support.replays.reprojected import (
    Played,
    every_change,
    fitting,
    of,
    rules_of,
    some_changes,
)

BENT = Published(
    id="club.01",
    ruleset="tictactoe",
    date="2027-01-01",
    text="A bent line wins as well.",
    scope="from-now-on",
    content={"lines": {"bent": {"cells": [0, 1, 3]}}},
)
SKIP = Policies(illegal="skip", draws=2)
PLANTED_IN, CAUGHT_AT_LEAST = 6, 2  # matches


def apart(history: History, changes: Sequence[Change]) -> tuple[list[str], Counter[str]]:
    """The changes for which the two ways do not find the same; and what was found, and how."""
    index = index_of(history)
    found: list[str] = []
    seen: Counter[str] = Counter()
    for change in fitting(history, changes):
        whole = reproject(history, change, SKIP)
        part = reproject(history, change, SKIP, index)
        seen[whole.verdict] += 1
        seen["proved"] += part.proved == "index"
        seen["resumed"] += part.resumed > 0
        if whole.finding != part.finding:
            found.append(f"{change.named}: {whole.verdict} whole, {part.verdict} in part")
    return found, seen


def short_matches(seed: int) -> Iterator[Played]:
    """Each short game as printed, with pinned options, another edition on the way, a rewind."""
    chosen = (("begin.first", "rolled"), ("begin.stake", 2), ("opening", "sealed"))
    yield of("tictactoe", 2, seed)
    yield of("tictactoe", 2, seed, options=chosen, rewind_at=5)
    yield of("tictactoe", 2, seed, edition="e1", switch_at=3, switch_to="e3", rewind_at=4)
    yield of("tictactoe", 2, seed, most=3)
    yield of("tictactoe", 2, seed, switch_at=2, switch_to="e1", bringing=(BENT,), rewind_at=5)
    yield of("tictactoe", 2, seed, edition="e2", errata=(BENT,))
    yield of("parlour", 3, seed)
    yield of("parlour", 3, seed, edition="p2", rewind_at=9, switch_at=7, switch_to="p4")
    yield of("parlour", 3, seed, switch_at=8, switch_to="p3")
    yield of("parlour", 3, seed, edition="p4", most=8)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_in_part_as_whole_for_every_change_of_short_games(seed: int):
    seen: Counter[str] = Counter()
    for played in short_matches(seed):
        history = played.history()
        found, kinds = apart(history, some_changes(history.rules, seed, 40))
        assert found == [], played
        seen += kinds
    assert min(seen["proved"], seen["resumed"], seen["same result"]) > 20
    assert {"unchanged", "winner differs", "decision now illegal", "unfinished"} <= seen.keys()


def test_in_part_as_whole_for_galactic_hegemony():
    for seed, more in enumerate(({}, {"rewind_at": 8, "switch_at": 14, "switch_to": "e3"})):
        history = of("galactic_hegemony", 1, seed, **more).history()
        acts = {type(history.act(event.version)) for event in history.events}
        assert ({Rewound, EditionChanged} <= acts) == bool(more)
        found, seen = apart(history, some_changes(history.rules, seed, 6))
        assert found == []
        assert seen["resumed"]


def club_match(seed: int, **more: Any) -> Played:
    """Hegemonic as some club plays it: its own seats, edition, options, readings and content."""
    party = any_table(seed)
    terms = party.terms
    return of(
        "hegemonic",
        party.seats,
        seed,
        edition=terms.edition,
        options=tuple(sorted(terms.options.items())),
        overlay=terms.overlay or None,
        **more,
    )


def test_in_part_as_whole_for_hegemonic():
    history = club_match(5, rewind_at=60, switch_at=80, switch_to="err.06").history()
    found, seen = apart(history, some_changes(history.rules, 5, 4))
    assert found == []
    assert seen["proved"]
    assert seen["resumed"]


@pytest.mark.full
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("seed", range(20))
def test_in_part_as_whole_for_many_tables_of_hegemonic(seed: int):
    switch = {"switch_at": 70, "switch_to": f"err.0{1 + seed % 8}"} if seed % 2 else {}
    history = club_match(seed, rewind_at=50 if seed % 3 else None, **switch).history()
    found, _ = apart(history, some_changes(history.rules, seed, 60))
    assert found == []


# --- the cases that could go wrong ----------------------------------------------------------------


def only(history: History, change: Change) -> tuple[Any, Any]:
    """The verdict whole and in part, which must be the same."""
    whole = reproject(history, change, SKIP)
    part = reproject(history, change, SKIP, index_of(history))
    assert whole.finding == part.finding
    return whole, part


def test_a_row_that_is_added_matters_to_whoever_went_through_the_rows():
    history = of("tictactoe", 2, 4).history()
    change = Change(content={"lines": {"bent": {"cells": [0, 1, 5]}}})
    whole, part = only(history, change)
    assert part.proved == "fold"
    assert whole.error == ""
    dealt = of("parlour", 3, 4).history()
    row = Change(content={"kinds": {"new": {"copies": 1, "points": 9}}})
    assert only(dealt, row)[1].proved == "index"


class BiddingLow(Bidding, tag="Bidding"):
    """`parlour.bid` under erratum low: three coins at most."""

    def allows(self, room: Room, seat: int, bid: Bid) -> bool:
        return super().allows(room, seat, bid) and bid.coins <= 3


LOW = Erratum(
    id="low", date="2027-01-01", source="", text="Three at most.", replaces={Bidding: BiddingLow}
)


def test_a_class_that_waits_on_the_agenda_of_a_kept_position_is_replaced_there_too():
    """A bid is asked for all at once, so that the question waits while its answers come in."""
    rules = replace(PARLOUR, errata=(*PARLOUR.errata, LOW))
    for seed in range(4):
        history = replace(of("parlour", 3, seed), rules=rules).history()
        index = index_of(history)
        before = [held for held in index.held if b"Bidding" in held[2]]
        assert before
        whole, part = only(history, Change(edition="low"))
        first = index.first_uses()["record", "Bidding"]
        assert part.resumed < first
        assert whole.verdict != "error"


def test_a_change_of_the_last_rule_alone_goes_on_from_near_the_end():
    """The points of a match are counted when its last card is played."""
    history = of("hegemonic", 2, 3).history()
    index = index_of(history)
    used = index.first_uses()
    latest = max(
        (use for use in used if use[0] == "cell" and use[1] == "figures"), key=lambda use: used[use]
    )
    assert used[latest] > history.tip.version // 2
    change = Change(content={"figures": {latest[2]: {"value": 7}}})
    whole, part = only(history, change)
    assert part.resumed > used[latest] - 2 * history.tip.version // 16
    assert whole.resumed == 0


def test_a_thing_asked_for_before_an_edition_was_changed_counts_again_after_it():
    played = of("tictactoe", 2, 1, switch_at=3, switch_to="e2")
    history = played.history()
    switch = next(
        one.version for one in history.events if one.version > 4 and history.act(one.version)
    )
    _, part = only(history, Change(edition="printed", switch=switch))
    assert part.proved == "fold"
    assert part.resumed < switch + 2


def test_an_index_of_another_log_or_another_source_proves_nothing():
    history, other = of("parlour", 3, 1).history(), of("parlour", 3, 2).history()
    index = index_of(history)
    change = Change(content={"kinds": {"new": {"copies": 1, "points": 9}}})
    assert reproject(history, change, SKIP, index).proved == "index"
    assert reproject(other, change, SKIP, index).proved == "fold"
    newer = replace(PARLOUR, source="newer")
    again = History(history.match, lambda _: newer)
    again.know(history.openings.values())
    for event in history.events:
        again.add(event)
    assert reproject(again, change, SKIP, index).proved == "fold"
    assert read_index(index.packed()) == index
    assert read_index(index.packed()[:-3]) is None


# --- the recorder ---------------------------------------------------------------------------------


def past_the_lookup(state: State) -> Any:
    """Returns a value without noting its use."""
    lookup: Any = state.__dict__["lookup"]
    return getattr(lookup, "_silent", lookup)


def lines_gone_through(board: State) -> Mapping[str, Any]:
    """Each line is asked for by its name; which lines there are is not."""
    lines = board.table(LINES.name)
    return {line: lines[line] for line in past_the_lookup(board).table(LINES.name)}


def meet_all_but_bidding(match: Match, item: Any) -> int:
    """As the fold meets a record, but that somebody bids is noted nowhere."""
    treated = MEET(match, item)
    match.lookup.pending[:] = [
        one for one in match.lookup.pending if one[0] != ("record", "Bidding")
    ]
    return treated


MEET = fold_module._meet
BIDDING_LOW_ALONE = replace(PARLOUR, errata=(LOW,))
BOARD = rules_of("tictactoe")
SOME_LINES = [*combinations(range(9), 3)][1::7]
# What is asked for past the recorder: how, by the rules of which game, and what goes unnoticed.
PLANTS: dict[str, tuple[tuple[Any, str, Any], Ruleset, int, list[Change]]] = {
    "a reading": (
        (State, "reads", lambda state, name: past_the_lookup(state).reads(name)),
        BOARD,
        2,
        [one for one in every_change(BOARD) if one.readings],
    ),
    "a cell": (
        (KINDS, "of", lambda room: past_the_lookup(room).table(KINDS.name)),
        PARLOUR,
        3,
        [one for one in every_change(PARLOUR) if one.content],
    ),
    "which rows a table has": (
        (LINES, "of", lines_gone_through),
        BOARD,
        2,
        [Change(content={"lines": {"bent": {"cells": list(cells)}}}) for cells in SOME_LINES],
    ),
    "which class stands on the agenda": (
        (fold_module, "_meet", meet_all_but_bidding),
        BIDDING_LOW_ALONE,
        3,
        [Change(edition="low")],
    ),
}


@pytest.mark.parametrize("plant", PLANTS)
def test_what_the_recorder_is_not_told_of_is_caught(plant: str, monkeypatch: pytest.MonkeyPatch):
    """Part and whole part as soon as the rules ask for something past the recorder."""
    (where, name, planted), rules, seats, changes = PLANTS[plant]
    matches = [
        replace(of(rules.name, seats, seed), rules=rules).history() for seed in range(PLANTED_IN)
    ]
    assert [found for history in matches for found in apart(history, changes)[0]] == []
    with monkeypatch.context() as patched:
        patched.setattr(where, name, planted, raising=False)
        caught = [found for history in matches for found in apart(history, changes)[0]]
    assert len(caught) >= CAUGHT_AT_LEAST


def test_the_pool_gives_the_line_again_where_nothing_is_changed():
    for seed in range(4):
        for played in short_matches(seed):
            history = played.history()
            verdict = reproject(history, Change())
            assert (verdict.verdict, verdict.proved) == ("unchanged", "fold"), played
            assert RulesUnder(basis_of(history), Change()).pinned() == []


def test_the_snapshots_of_a_store_serve_as_an_index():
    """As the projector leaves them: some on an undone line, the last a while before the end."""
    journal = club_match(5, rewind_at=60, most=200).journal()
    store, history = journal.around.store, journal.history
    assert index_in(store, history) is None
    for moment in history.replay():
        if moment.version % 50 == 0 and moment.match is not None:
            head = history.events[moment.version - 1].head
            store.save(history.match, snapshot_of(moment.match, moment.version, head))
    index = index_in(store, history)
    assert index is not None
    assert index.first_uses() == index_of(history).first_uses()
    assert {one[0] for one in index.held} >= {50, 100, 150}
    resumed = 0
    for change in fitting(history, some_changes(history.rules, 3, 6)):
        part = reproject(history, change, SKIP, index)
        assert part.finding == reproject(history, change, SKIP).finding
        resumed += part.resumed > 0
    assert resumed


def won(history: History) -> str | None:
    """The line that won."""
    match = history.at()
    state: Any = None if match is None else match.state
    return getattr(state, "line", None)


def test_what_a_club_has_published_is_taken_away_or_stays_as_a_change_asks():
    """Another edition takes the place of all that was in force; a reading stands behind it."""
    every = (of("tictactoe", 2, seed, errata=(BENT,)).history() for seed in range(200))
    history = next(one for one in every if won(one) == "bent")
    whole, part = only(history, Change(edition="printed"))
    assert whole.verdict != "unchanged"
    assert whole.first is not None
    assert "club.01" in {name for one in whole.first.causes for name in one.errata}
    assert part.proved == "fold"
    whole, part = only(history, Change(readings={"begin.stake": 5}))
    assert whole.after is not None
    assert whole.after.reason == "line bent"
