"""A viewer is never served more than it may know, and never later something else."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from ledger.games import ruleset
from ledger.games.tictactoe.opening import Write
from ledger.kernel.audience import Viewer
from ledger.log.format.acts import Closed
from ledger.log.format.canonical import decode, encode
from ledger.log.format.chain import SEALED_PATH
from ledger.log.read.history import History, Undisclosed
from ledger.log.read.served import Served, know_outcomes, serve_log
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from tests.support.log.matches import (
    FULL_PLAN,
    ORGANIZER,
    SEALED,
    VIEWERS,
    around,
    asking_points,
    joined,
    played,
    started,
    step,
)
from tests.support.log.whisper import Whisper, rules_of
from tests.support.replays.saying import CLEAN, report_of, verdict_of

WHISPERS = Plan(ruleset="whisper", seats=2)


def growing(plan: Plan, seed: int) -> Iterator[Journal]:
    """A match after each of its appends, two rewinds among them."""
    rng = random.Random(seed)
    journal = Journal.create(around(seed), plan)
    yield journal
    for seat in (0, 1):
        journal.join(seat, f"seat {seat}")
        yield journal
    journal.start()
    yield journal
    rewinds = 2
    while not journal.match().ended:
        step(journal, rng)
        yield journal
        back = asking_points(journal.history)
        if rewinds and back and rng.random() < 0.4:
            rewinds -= 1
            journal.rewind(rng.choice(back), ORGANIZER, "back")
            yield journal
    journal.close()
    yield journal


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("viewer", VIEWERS)
def test_an_event_as_served_never_changes(viewer: Viewer, seed: int):
    before: list[Served] = []
    for journal in growing(FULL_PLAN, seed):
        now = list(serve_log(journal.history, viewer))
        assert now[: len(before)] == before
        assert len(now) > len(before)
        again = History.of(journal.around.store, journal.match_id, ruleset)
        assert list(serve_log(again, viewer)) == now
        before = now
    assert list(serve_log(journal.history, viewer, 5)) == before[4:]


@pytest.mark.parametrize("seed", range(6))
def test_all_viewers_get_the_same_events(seed: int):
    for journal in growing(FULL_PLAN, seed):
        streams = [[one.event for one in serve_log(journal.history, v)] for v in VIEWERS]
        assert streams[0] == streams[1] == streams[2] == journal.history.events


@pytest.mark.parametrize("seed", range(6))
def test_each_viewers_stream_verifies_to_the_same_head(seed: int):
    for journal in growing(FULL_PLAN, seed):
        for viewer in VIEWERS:
            report = report_of(journal.history, viewer)
            assert report.verdict in CLEAN, report.failed
            assert report.head == journal.history.tip.head.hex()


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("viewer", VIEWERS)
def test_openings_go_to_those_entitled(viewer: Viewer, seed: int):
    """To who decided it; to all once a fact has shown it, or the match is closed."""
    for journal in growing(FULL_PLAN, seed):
        history = journal.history
        for event, openings in serve_log(history, viewer):
            is_last = isinstance(history.act(event.version), Closed)
            shown = set(history.body(event.version).opens)
            for opening in openings:
                body: Any = history.body(opening.version)
                own = opening.path == SEALED_PATH and body.seat == viewer
                is_now = opening.version == event.version
                assert is_last or (opening.version, opening.path) in shown or (own and is_now)
                assert opening.version <= event.version


def test_a_seat_gets_the_opening_of_its_own_note_with_the_event():
    journal = started(SEALED)
    journal.decide(0, Write(3))
    paths = {v: [o.path for o in list(serve_log(journal.history, v))[-1].openings] for v in VIEWERS}
    assert paths == {0: ["decision"], 1: [], None: []}
    journal.decide(1, Write(5))
    for viewer in VIEWERS:
        last = list(serve_log(journal.history, viewer))[-1]
        assert sorted((o.version, o.path) for o in last.openings) == [
            (5, "decision"),
            (6, "decision"),
        ]


def stream_bytes(journal: Journal, viewer: Viewer) -> bytes:
    """Everything that a viewer is sent, as one piece."""
    parts: list[Any] = [
        [one.event.version, one.event.head, one.event.body,
         [[o.version, o.path, o.salt, o.plain] for o in one.openings]]
        for one in serve_log(journal.history, viewer)
    ]  # fmt: skip
    return encode(parts, 1 << 20)


def test_a_sealed_answer_is_nowhere_in_the_served_bytes():
    for seat in (0, 1):
        for cell in range(9):
            journal = started(FULL_PLAN)
            journal.decide(seat, Write(cell))
            know_outcomes(journal.history)
            opening = journal.history.openings[journal.history.tip.version, "decision"]
            outcome = journal.history.openings[journal.history.tip.version, "outcome"]
            for viewer in (1 - seat, None):
                sent = stream_bytes(journal, viewer)
                for secret in (opening.salt, opening.plain, outcome.salt, outcome.plain):
                    assert secret not in sent
                assert b"opening.write" not in sent
                assert journal.secrets.salt_key not in sent
            assert opening.plain in stream_bytes(journal, seat)


def blinded(journal: Journal, viewer: Viewer) -> Any:
    """Returns what a viewer is sent, with placeholders for values made from secrets."""
    sent = []
    for event, openings in serve_log(journal.history, viewer):
        body = decode(event.body)
        for name in ("outcome", "commitment"):
            if body.get(name) is not None:
                body[name] = len(body[name])
        body["private"] = {name: len(value) for name, value in body.get("private", {}).items()}
        shown = [(o.version, o.path, len(o.salt), o.plain) for o in openings]
        sent.append((event.version, len(event.head), len(event.body), body, shown))
    return sent


@pytest.mark.parametrize("seat", [0, 1])
def test_matches_that_differ_in_a_sealed_cell_look_alike_to_the_others(seat: int):
    for seed in range(4):
        seen: dict[Viewer, set[str]] = {viewer: set() for viewer in VIEWERS}
        for cell in range(9):
            journal = started(FULL_PLAN, seed)
            journal.decide(seat, Write(cell))
            for viewer in VIEWERS:
                seen[viewer].add(repr(blinded(journal, viewer)))
        assert {viewer: len(kinds) for viewer, kinds in seen.items()} == {
            seat: 9,
            1 - seat: 1,
            None: 1,
        }


def test_a_note_that_was_undone_looks_alike_too_until_the_close():
    seen = set()
    for cell in range(9):
        journal = started(SEALED)
        journal.decide(0, Write(cell))
        journal.rewind(4, ORGANIZER, "again")
        journal.decide(0, Write(2))
        journal.decide(1, Write(3))
        seen.add(repr(blinded(journal, None)))
        with pytest.raises(Undisclosed):
            reader(journal, None).at(5)
        assert reader(journal, None).at() is not None
    assert len(seen) == 1


def reader(journal: Journal, viewer: Viewer) -> History:
    """The history that a viewer can make from what it was served."""
    history = History(journal.match_id, journal.around.rules_of)
    for event, openings in serve_log(journal.history, viewer):
        history.add(event)
        history.know(openings)
    return history


# --- private fields, cards, policies --------------------------------------------------------------


def whispered(word: str = "word", thought: str = "thought") -> Journal:
    journal = joined(Journal.create(around(3, rules_of=rules_of), WHISPERS))
    journal.decide(0, Whisper(1, "aloud", word, thought))
    return journal


def test_cards_and_words_go_to_whom_they_are_for():
    history = whispered().history
    paths = {
        viewer: [(o.version, o.path) for one in serve_log(history, viewer) for o in one.openings]
        for viewer in VIEWERS
    }
    # 5 and 6 are the deals to seats 0 and 1; in 7 seat 0 has a word for seat 1's ear.
    assert paths == {
        0: [(5, "private/cards/0"), (7, "private/thought")],
        1: [(6, "private/cards/0"), (7, "private/word")],
        None: [],
    }


def test_matches_that_differ_in_a_word_look_alike_to_who_did_not_hear_it():
    seen: dict[Viewer, set[str]] = {viewer: set() for viewer in VIEWERS}
    for word, thought in (("yes", "a"), ("no", "a"), ("no", "b"), ("", "")):
        for viewer in VIEWERS:
            seen[viewer].add(repr(blinded(whispered(word, thought), viewer)))
    assert {viewer: len(kinds) for viewer, kinds in seen.items()} == {0: 3, 1: 3, None: 1}


def finished(plan: Plan) -> Journal:
    journal = joined(Journal.create(around(3, rules_of=rules_of), plan))
    while not journal.match().ended:
        seat = journal.match().asked()[0]
        journal.decide(seat, Whisper(1 - seat, "hm", "word", "thought"))
    journal.close()
    return journal


POLICIES: dict[str, tuple[Any, Callable[[str], bool]]] = {
    "nothing": ((), lambda _path: False),
    "decisions": (("decisions",), lambda path: path != "outcome"),
    "outcomes": (("outcomes",), lambda path: path == "outcome"),
    "chance": (("chance",), lambda _path: False),
    "all": (("decisions", "outcomes", "chance"), lambda _path: True),
}


@pytest.mark.parametrize("policy", POLICIES)
def test_the_close_opens_what_the_policy_says_to_everybody(policy: str):
    discloses, is_open = POLICIES[policy]
    journal = finished(replace(WHISPERS, discloses=discloses))
    for viewer in VIEWERS:
        last = list(serve_log(journal.history, viewer))[-1]
        right = sorted(place for place in journal.history.openings if is_open(place[1]))
        assert [(o.version, o.path) for o in last.openings] == right


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("viewer", ["all", *VIEWERS], ids=str)
def test_a_closed_match_is_valid_for_every_viewer_under_every_policy(policy: str, viewer: Any):
    """Values that stay closed are not disclosed, and are no contradiction."""
    journal = finished(replace(WHISPERS, discloses=POLICIES[policy][0]))
    assert verdict_of(journal.history, viewer, rules_of) == "clean"


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("viewer", ["all", *VIEWERS], ids=str)
def test_tictactoe_is_valid_for_every_viewer_under_every_policy(policy: str, viewer: Any):
    for seed in range(4):
        plan = replace(FULL_PLAN, discloses=POLICIES[policy][0])
        assert verdict_of(played(plan, seed, seed % 3).history, viewer) == "clean"
        journal = started(plan, seed)
        journal.decide(0, Write(4))
        journal.abandon(ORGANIZER, "rain")
        assert verdict_of(journal.history, viewer) == "clean"
