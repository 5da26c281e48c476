"""The replay document: what it says is what the match was, for every game and every viewer."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import jsonschema
import msgspec
import pytest
from msgspec import UNSET

from ledger.games.tictactoe.opening import Write
from ledger.games.tictactoe.play import Mark
from ledger.kernel.audience import ALL_SEATS, hidden
from ledger.kernel.scene import Scene
from ledger.log.read.history import History
from replays.document.builder import NOT_SO_FAR, NotOpen, build
from replays.document.changes import apply_change, change_of, plain_scenes, scenes
from replays.document.structs import SceneChange, pack_replay, unpack_replay
from replays.story.names import viewer_word
from replays.story.sentences import tell
from tests.replays.story.test_sentences import reader
from tests.support.log.matches import ORGANIZER, PLAIN, SEALED, started
from tests.support.replays.gathered import flagship, gathered, viewers

NAMES = tuple(gathered())
SCHEMA = Path(__file__).resolve().parents[3] / "docs" / "schemas" / "replay.json"


def drawn(history: History, version: int, viewer: int | None) -> Scene | None:
    """The scene as it is served, but for targets, and for places that are only to be clicked."""
    match = history.at(version)
    scene = None if match is None else match.scene(viewer)
    if scene is None:
        return None
    cells = tuple(cell for cell in scene.cells if not cell.id.startswith("at "))
    return msgspec.structs.replace(scene, targets=(), cells=cells)


# --- scenes ---------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_the_changes_of_a_document_give_the_scene_at_every_event(name: str):
    history = gathered()[name]
    for viewer in viewers(history):
        document = unpack_replay(pack_replay(build(history, viewer)))
        found = dict(scenes(document))
        assert sorted(found) == list(range(1, history.tip.version + 1))
        for version, scene in found.items():
            assert scene == drawn(history, version, viewer), (name, viewer, version)


def test_a_part_whose_order_changes_is_written_with_what_stays_by_its_id():
    def lying(*ids: str) -> Scene:
        counters = tuple({"id": one, "name": one, "value": 1} for one in ids)
        return msgspec.convert({"title": "t", "counters": counters}, Scene)

    change = change_of(lying("a", "b"), lying("new", "a", "b"))
    assert change.all == {"counters": [{"id": "new", "name": "new", "value": 1}, "a", "b"]}
    assert (change.set, change.gone, change.text) == ({}, {}, {})


def test_objects_that_share_an_id_are_written_whole():
    twins = [{"id": "a", "name": name, "value": 1} for name in ("one", "other")]
    scene = msgspec.convert({"title": "t", "counters": twins}, Scene)
    change = change_of(msgspec.structs.replace(scene, counters=()), scene)
    assert change.all == {"counters": twins}
    assert apply_change({"title": "t", "counters": []}, change)["counters"] == twins


def test_nothing_is_said_of_what_stays():
    scene = gathered()["hegemonic, CAPs hidden"].at(60).scene(None)  # type: ignore[union-attr]
    assert change_of(scene, msgspec.structs.replace(scene)) == SceneChange()


# --- events ---------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_every_event_is_told_as_the_log_tells_it(name: str):
    history = gathered()[name]
    for viewer in viewers(history):
        events = build(history, viewer).events
        for event, told in zip(events, tell(history, viewer), strict=True):
            assert event.said == list(told.sentences)
            assert (event.n, event.at, event.seat) == (told.version, told.at, told.seat)
            assert (event.by, event.undone is True) == (told.by, told.undone)
            parent = event.n - 1 if event.parent is UNSET else event.parent
            assert parent == history.lines.parent(event.n)


def test_undone_events_and_rewinds_say_so():
    document = build(gathered()["tictactoe"], None)
    assert [event.n for event in document.events if event.undone is True] == list(
        gathered()["tictactoe"].lines.undone()
    )
    back = [event for event in document.events if "rewind" in event.tags]
    assert len(back) == 3
    assert all(event.parent is not UNSET and event.parent < event.n - 1 for event in back)


def test_chance_is_tagged():
    document = build(gathered()["galactic_hegemony"], None)
    assert all((event.seat == -1) == ("chance" in event.tags) for event in document.events)


@pytest.mark.parametrize("name", NAMES)
def test_all_seats_together_are_told_what_any_of_them_is_told(name: str):
    history = gathered()[name]
    every = build(history, "all")
    for seat in range(history.created.seats):
        for own, whole in zip(build(history, seat).events, every.events, strict=True):
            for fact, shown in zip(own.facts, whole.facts, strict=True):
                assert all(shown[field] == value for field, value in fact.items() if open_(value))


def open_(value: object) -> bool:
    return not (hidden(value) or "hidden" in json.dumps(value))


def test_what_was_not_disclosed_stands_still_and_says_so():
    journal = started(SEALED)
    journal.decide(0, Write(4))
    journal.pause(ORGANIZER, "tea")
    blind = build(reader(journal, 1), 1)
    lost, paused = blind.events[-2:]
    assert lost.undisclosed is True
    assert lost.said == ["This decision has not been disclosed."]
    assert paused.said == ["The match is paused: tea."]
    assert lost.change == paused.change == SceneChange()
    shown = dict(plain_scenes(blind))
    assert shown[blind.last] == shown[blind.last - 2]
    assert build(reader(journal, 0), 0).events[-2].undisclosed is UNSET


def test_a_document_of_a_match_that_has_not_begun_draws_nothing():
    document = build(gathered()["tictactoe"].up_to(2), None)
    assert [dict(scenes(document))[n] for n in (1, 2)] == [None, None]
    assert document.state == "open"
    assert not document.finished


# --- the whole ------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_head_of_a_document_says_what_it_is():
    history = flagship()
    document = build(history, 2)
    assert (document.match, document.last) == (history.match, 737)
    assert document.head == history.tip.head.hex()
    assert (document.ruleset.name, document.ruleset.title) == ("hegemonic", "Hegemonic")
    assert (document.edition, document.played, document.as_) == ("printed", True, "2")
    assert (document.state, document.finished) == ("finished", True)
    assert document.result == "greedy bot 2 won 123 : 73 : 169 : 55 (most points)"
    assert [(seat.name, seat.called, seat.hue) for seat in document.seats][:2] == [
        ("greedy bot 0", "Purple", "purple"),
        ("greedy bot 1", "Yellow", "yellow"),
    ]
    words = [(one.as_, one.name, one.seat) for one in document.viewpoints]
    assert words[:2] == [("spectator", "Spectator", None), ("0", "greedy bot 0", 0)]
    assert words[-1] == ("all", "All seats", None)
    assert document.why_not == ""


def test_while_it_is_played_a_reader_turns_only_to_its_own_eyes_and_the_spectator_s():
    history = gathered()["hegemonic, CAPs hidden"]
    document = build(history, 1)
    assert [one.as_ for one in document.viewpoints] == ["spectator", "1"]
    assert document.why_not.startswith("While a match is being played")
    asked = build(history, 1, viewpoints=("1", "2"), why_not="Because.")
    assert [one.as_ for one in asked.viewpoints] == ["1", "2"]
    assert asked.why_not == "Because."


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_the_same_match_gives_the_same_bytes_and_they_are_read_again(name: str):
    history = gathered()[name]
    for viewer in viewers(history):
        document = build(history, viewer)
        text = pack_replay(document)
        assert text == pack_replay(build(history, viewer))
        assert unpack_replay(text) == document
        assert json.loads(text)["as"] == viewer_word(viewer)


@pytest.mark.long
def test_a_whole_match_of_hegemonic_is_small_and_fits_its_schema():
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    texts = [pack_replay(build(flagship(), viewer)) for viewer in (None, ALL_SEATS)]
    for text in texts:
        assert len(gzip.compress(text, 6, mtime=0)) < 200_000
        assert len(text) < 900_000
    jsonschema.validate(json.loads(texts[0]), schema)
    for name in NAMES:
        jsonschema.validate(json.loads(pack_replay(build(gathered()[name], 0))), schema)


def test_the_progress_of_building_is_told():
    told: list[tuple[int, int]] = []
    build(gathered()["tictactoe"], None, progress=lambda done, of: told.append((done, of)))
    assert told == [(n, 27) for n in range(1, 28)]


# --- under another edition ------------------------------------------------------------------------


def centre_first() -> History:
    journal = started(PLAIN)
    for cell in (4, 0, 2, 6, 3, 5, 1, 7, 8):
        journal.decide(journal.match().asked()[0], Mark(cell))
    journal.close()
    return journal.history


def test_another_edition_is_another_document_and_says_where_it_forbids_what_was_done():
    played, other = build(centre_first(), None), build(centre_first(), None, "e3")
    assert (played.edition, other.edition) == ("printed", "e3")
    assert (played.played, other.played) == (True, False)
    refused = {event.n: event.refused for event in other.events if event.refused is not UNSET}
    message = "The centre may not be marked first."
    assert refused == {5: {"code": "centre_first", "rule": "play.turn", "message": message}}
    assert all(event.undisclosed is True and not event.facts for event in other.events[5:])
    assert {tuple(event.said) for event in other.events[5:-1]} == {(NOT_SO_FAR,)}
    assert played.events[4].facts


def test_where_it_changes_nothing_only_the_edition_differs():
    history = gathered()["tictactoe"].up_to(27)
    other, played = build(history, "all", "printed"), build(history, "all")
    assert other == msgspec.structs.replace(played, played=False)


def test_it_names_the_editions_that_its_reader_may_try_and_none_where_secrets_are_at_stake():
    open_, closed = gathered()["tictactoe"], gathered()["hegemonic, CAPs hidden"]
    assert build(open_, None).editions == list(open_.rules.editions)
    assert (build(closed, None).editions, build(closed, 0).editions) == ([], [])
    assert build(closed, "all").editions == list(closed.rules.editions)


def test_secrets_are_not_tried_under_other_rules():
    with pytest.raises(NotOpen):
        build(gathered()["hegemonic, CAPs hidden"], None, "printed")
