"""The pages with a large match on them: the one of Hegemonic that the program brings along."""

from __future__ import annotations

import re

import pytest

from ledger.games import ruleset
from ledger.log.read.history import History
from ledger.log.stores.files import FileStore
from services.matches.samples import ensure_flagship, ensure_samples, sample_id
from services.run.settings import Settings
from services.web import create_app
from tests.support.services.browsing import Page

pytestmark = pytest.mark.long

PLAYERS = ("Blue", "Yellow", "Green", "Purple", "Red", "Orange")


@pytest.fixture
def client(tmp_path):
    return create_app(Settings(data=tmp_path)).test_client()


@pytest.fixture
def match(tmp_path):
    return ensure_flagship(FileStore(tmp_path))


def begun_conflict(tmp_path, match):
    """The first event at which a conflict is in progress."""
    history = History.of(FileStore(tmp_path), match, ruleset)
    return next(
        moment.version
        for moment in history.replay()
        if moment.match is not None and moment.match.state.contest is not None
    )


def test_a_first_visit_is_led_to_the_flagship_although_there_is_another_sample(client, tmp_path):
    ensure_samples(FileStore(tmp_path), tmp_path)
    page = Page(client.get("/"))
    links = [one for one in page.having("class", "button primary") if "href" in one]
    (lead,) = [one for one in links if "/replay" in one["href"]]
    assert sample_id(tmp_path) not in lead["href"]
    assert "Hegemonic, " in page.words
    assert page.having("role", "img")


def test_each_player_has_a_box_with_its_board_in_its_colour(client, tmp_path, match):
    history = History.of(FileStore(tmp_path), match, ruleset)
    page = Page(client.get(f"/matches/{match}/replay?at={history.tip.version}"))
    boxes = [one for one in page.having("aria-label") if one["aria-label"] in PLAYERS]
    houses = history.at().state.houses
    assert [one["class"] for one in boxes] == [
        f"group player seat-{house.seat} hue-{house.color}" for house in houses
    ]
    for words in ("retains", "tiers", "next bases cost", "pool", "technology pile", "CAPs"):
        assert words in page.words


def test_a_conflict_in_progress_stands_beside_the_marked_sector(client, tmp_path, match):
    answer = client.get(f"/matches/{match}/replay?at={begun_conflict(tmp_path, match)}")
    assert re.search(r'class="cell fill-\d marked"', answer.text)
    page = Page(answer)
    assert "attacker: " in page.words
    assert "defender: " in page.words


def test_a_large_board_can_be_scrolled_from_the_keyboard_and_its_ids_are_unique(client, match):
    page = Page(client.get(f"/matches/{match}/replay?at=60"))
    (board,) = [one for one in page.having("tabindex") if one["class"] == "board"]
    assert board["aria-label"]
    ids = [one["id"] for one in page.having("id")]
    assert len(ids) == len(set(ids))


def test_hands_are_seen_by_their_owners_alone(client, match):
    faces = {
        viewer: client.get(f"/matches/{match}/replay?at=60&as={viewer}").text.count('class="down')
        for viewer in ("spectator", "0", "3")
    }
    assert faces["0"] == faces["3"] < faces["spectator"]


def test_without_an_event_it_begins_with_the_first_board_that_has_places(client, match):
    page = Page(client.get(f"/matches/{match}/replay"))
    assert page.having("role", "img")
    assert "Event 7 of" in page.words


def test_before_the_boards_are_laid_there_is_no_picture_but_a_sentence(client, match):
    for at in (1, 6):
        page = Page(client.get(f"/matches/{match}/replay?at={at}"))
        assert "no board to show" in page.words
        assert not page.having("role", "img")
