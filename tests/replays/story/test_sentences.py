"""A match told as sentences: to each listener what it may know, and undone lines marked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import pytest

from ledger.games import ruleset
from ledger.games.tictactoe.gifts import Give
from ledger.games.tictactoe.opening import Write
from ledger.games.tictactoe.play import Mark, Marked
from ledger.kernel.audience import Viewer
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, CONTROL
from ledger.kernel.ruleset import Shown
from ledger.kernel.story import Beat, Story
from ledger.kernel.terms import Terms
from ledger.log.format.acts import AnyAct, Disputed, Ruled, SeatGiven
from ledger.log.read.history import History, Moment
from ledger.log.read.served import serve_log
from ledger.log.write.journal import Journal
from replays.story.sentences import Told, act_sentence, by_text, fact_sentence, seat_text, tell
from tests.support.log.matches import (
    FULL_PLAN,
    ORGANIZER,
    PLAIN,
    SEALED,
    VIEWERS,
    eventful,
    played,
    started,
)

PLACES = (
    "the top left", "the top", "the top right",
    "the left", "the centre", "the right",
    "the bottom left", "the bottom", "the bottom right",
)  # fmt: skip


def said(history: History, viewer: Viewer = None) -> list[str]:
    return [sentence for told in tell(history, viewer) for sentence in told.sentences]


def reader(journal: Journal, viewer: Viewer) -> History:
    """Returns the history that a viewer can read from what it was served."""
    history = History(journal.match_id, journal.around.rules_of, journal.history.overlay)
    for event, openings in serve_log(journal.history, viewer):
        history.add(event)
        history.know(openings)
    return history


def test_a_whole_match_is_told():
    journal = started()
    for cell in (0, 3, 1, 4, 2):
        journal.decide(journal.match().asked()[0], Mark(cell))
    journal.close()
    assert said(journal.history) == [
        "A match of Tic-tac-toe, edition printed, for 2 seats (live).",
        "ann takes seat 0.",
        "bob takes seat 1.",
        "The match begins.",
        "X begins.",
        "X marks the top left.",
        "O marks the left.",
        "X marks the top.",
        "O marks the centre.",
        "X marks the top right.",
        "X wins with the top line.",
        "The match is closed: ann wins (line top).",
    ]


def test_chips_and_options_are_told():
    journal = started(replace(PLAIN, options=(("begin.stake", 2), ("opening", "sealed"))))
    journal.decide(1, Give(1))
    journal.decide(0, Give(2))
    told = said(journal.history)
    assert "with begin.stake=2, opening=sealed" in told[0]
    assert told[-4:] == [
        "O gives 1 chip away.",
        "1 chip from O to X.",
        "X gives 2 chips away.",
        "2 chips from X to O.",
    ]


def test_a_note_is_told_to_its_writer_alone():
    journal = started(SEALED)
    journal.decide(0, Write(4))
    assert said(journal.history, 0)[-1] == "X writes down a cell: the centre."
    for viewer in (1, None):
        assert said(journal.history, viewer)[-1] == "X writes down a cell."
        assert said(reader(journal, viewer), viewer)[-1] == (
            "This decision has not been disclosed."
        )
    assert said(reader(journal, 0), 0)[-1] == "X writes down a cell: the centre."


@pytest.mark.parametrize("cell", range(9))
def test_a_hidden_cell_is_never_told(cell: int):
    journal = started(SEALED)
    journal.decide(1, Write(cell))
    for viewer in (0, None):
        for history in (journal.history, reader(journal, viewer)):
            told = " ".join(said(history, viewer))
            assert not any(place in told for place in PLACES)
    journal.decide(0, Write((cell + 1) % 9))
    for viewer in VIEWERS:
        assert f"O shows {PLACES[cell]}." in said(reader(journal, viewer), viewer)


@pytest.mark.parametrize("seed", range(6))
def test_what_a_viewer_was_served_is_told_as_the_service_would(seed: int):
    """After the close everything is disclosed, so all tellings agree but for one's own notes."""
    journal = played(FULL_PLAN, seed, seed % 3)
    for viewer in VIEWERS:
        assert list(tell(reader(journal, viewer), viewer)) == list(tell(journal.history, viewer))


def test_every_event_is_told_once_and_in_order():
    for journal in (played(FULL_PLAN, 3, 3), eventful(FULL_PLAN, 2)):
        told = list(tell(journal.history))
        assert [one.version for one in told] == list(range(1, len(journal.history.events) + 1))
        assert all(one.sentences or one.seat == CHANCE for one in told)
        assert [one.at for one in told] == [body.at for body in journal.history.bodies]


def test_undone_events_are_told_and_marked():
    journal = started()
    for cell in (4, 0, 8):
        journal.decide(journal.match().asked()[0], Mark(cell))
    journal.rewind(5, ORGANIZER, "a slip of the hand")
    journal.decide(1, Mark(2))
    told = {one.version: one for one in tell(journal.history)}
    assert {version for version, one in told.items() if one.undone} == {6, 7}
    assert told[6].sentences == ("O marks the top left.",)
    assert told[8] == Told(
        version=8,
        at=journal.history.body(8).at,
        seat=None,
        by="organizer the house",
        sentences=("Back to event 5: a slip of the hand.",),
    )
    assert told[9].sentences == ("O marks the top right.",)


def test_each_event_is_folded_once_however_often_lines_go_back(monkeypatch: pytest.MonkeyPatch):
    journal = started()
    for _ in range(12):
        journal.decide(journal.match().asked()[0], Mark(journal.match().options(0)[0].cell))
        journal.rewind(journal.history.tip.version - 1, ORGANIZER, "again")
    folded: list[int] = []
    fold = History.fold_event

    def counted(history: History, match: Match | None, version: int, *more: Any) -> Moment:
        folded.append(version)
        return fold(history, match, version, *more)

    monkeypatch.setattr(History, "fold_event", counted)
    assert len(list(tell(reader(journal, None), None))) == len(journal.history.events)
    assert folded == list(range(1, len(journal.history.events) + 1))


def test_undone_events_that_were_not_disclosed_are_marked_too():
    journal = started(SEALED)
    journal.decide(0, Write(4))
    journal.rewind(4, ORGANIZER, "again")
    journal.decide(0, Write(2))
    journal.decide(1, Write(3))
    told = {one.version: one for one in tell(reader(journal, None), None)}
    assert told[5].sentences == ("This decision has not been disclosed.",)
    assert [version for version, one in told.items() if one.undone] == [5]
    assert "X shows the top right." in told[8].sentences


def test_after_what_was_not_disclosed_acts_are_still_told():
    journal = started(SEALED)
    journal.decide(0, Write(4))
    journal.pause(ORGANIZER, "tea")
    told = list(tell(reader(journal, 1), 1))
    assert told[-1].sentences == ("The match is paused: tea.",)
    assert told[-1].by == "organizer the house"


def test_an_abandoned_match_is_told():
    journal = started()
    journal.abandon(ORGANIZER, "rain")
    assert said(journal.history)[-2:] == [
        "The match is abandoned: rain.",
        "The match is closed without a result.",
    ]


def test_a_draw_is_told():
    journal = started()
    for cell in (0, 1, 2, 4, 3, 5, 7, 6, 8):
        journal.decide(journal.match().asked()[0], Mark(cell))
    journal.close()
    assert said(journal.history)[-2:] == [
        "The board is full and nobody has a line: a draw.",
        "The match is closed: ann and bob share the win (draw).",
    ]


def test_every_act_has_a_sentence_of_its_own():
    history = eventful(FULL_PLAN, 1).history
    acts = {type(act): act for v in range(1, history.tip.version + 1) if (act := history.act(v))}
    extra = (
        SeatGiven(seat=0, to="bot", name="greedy"),
        Disputed(dispute="d1", first=5, last=6),
        Ruled(dispute="d1", finding="upheld", reason="so it was"),
    )
    acts |= {type(act): act for act in extra}
    sentences = {kind: act_sentence(history, act) for kind, act in acts.items()}
    assert set(acts) >= set(get_args(AnyAct)) - {type_of("Abandoned")}
    assert all(text.endswith((".", ")")) and "match." not in text for text in sentences.values())
    assert len(set(sentences.values())) == len(sentences)


def type_of(name: str) -> type:
    return next(kind for kind in get_args(AnyAct) if kind.__name__ == name)


def test_seats_and_submitters_are_named_for_people():
    assert [seat_text(seat) for seat in (None, 0, CHANCE, CONTROL)] == [
        "", "seat 0", "chance", "the referee",
    ]  # fmt: skip
    assert by_text("seat", "ann") == by_text("dice", "") == by_text("service", "") == ""
    assert by_text("bot", "greedy") == "bot greedy"
    assert by_text("clock", "") == "clock"


def test_a_match_with_an_overlay_says_so_first():
    plan = replace(PLAIN, overlay={"lines": {"rising": None}})
    journal = started(plan)
    first = next(iter(tell(journal.history)))
    overlay = journal.history.created.overlay
    assert overlay is not None
    assert f"with an overlay ({overlay.hex()[:8]})" in first.sentences[0]


def test_a_fact_without_a_sentence_is_told_bare():
    terms = Terms(replace(ruleset("tictactoe"), shown=Shown()))
    assert fact_sentence(terms, Marked(0, 4), None) == "play.marked seat 0, cell 4"


def test_a_game_with_names_for_its_seats_is_told_them():
    def said(fact, _):
        return f"{fact['called'][fact['seat']]} marks." if "called" in fact else "Somebody marks."

    rules = replace(
        ruleset("tictactoe"),
        shown=Shown(
            story=Story(beats=(Beat(Marked, said),)), called=lambda *_: ("Cross", "Nought")
        ),
    )
    terms = Terms(rules)
    assert fact_sentence(terms, Marked(1, 4), None, ("Cross", "Nought")) == "Nought marks."
    assert fact_sentence(terms, Marked(1, 4), None) == "Somebody marks."
    assert terms.open_match(2).called() == ("Cross", "Nought")


def test_a_game_without_names_has_none():
    assert Terms(ruleset("tictactoe")).open_match(2).called() == ()
