"""Files and pictures of a match over HTTP: each holds what whoever asks may know, and no more."""

from __future__ import annotations

import io
import json

import pytest

from ledger.games import ruleset
from ledger.log.read.bundle import read_history
from replays.drawing.png import MAGIC
from tests.support.replays.one_file import found
from tests.support.web.seated import Player, table
from tests.support.web.visitors import Site


@pytest.fixture
def sealed(site: Site) -> list[Player]:
    """A match in which seat 0 has written what nobody else may know yet."""
    ann, bob = table(site, options={"opening": "sealed"})
    assert ann.decide({"type": "opening.write", "cell": 4}).status_code == 201
    return [ann, bob]


def page_of(site: Site, player: Player | None, match: str, word: str = "spectator"):
    client = site.nobody() if player is None else player.who.browser()
    return client.get(f"/matches/{match}/replay.html?as={word}")


def test_of_a_running_match_a_file_holds_the_openings_of_its_seat_alone(site: Site, sealed):
    ann, bob = sealed
    for player, word, openings in ((ann, "0", 1), (bob, "1", 0), (None, "spectator", 0)):
        answer = page_of(site, player, ann.match, word)
        assert answer.status_code == 200, answer.text
        held = read_history(io.BytesIO(found(answer.text, "hegemon-bundle")), ruleset)
        assert len(held.openings) == openings
        document = json.loads(found(answer.text, "hegemon-replay"))
        assert (document["as"], document["last"]) == (word, 5)
        named = f"attachment; filename={ann.match}-{word}.html"
        assert answer.headers["Content-Disposition"] == named


@pytest.mark.parametrize("path", ["replay.html", "moment.png"])
@pytest.mark.parametrize("word", ["0", "all"])
def test_nobody_looks_through_the_eyes_of_another_seat(site: Site, sealed, path, word):
    _, bob = sealed
    for client in (site.nobody(), bob.who.browser()):
        answer = client.get(f"/matches/{bob.match}/{path}?as={word}")
        assert answer.status_code in (400, 403)
        assert answer.mimetype == "text/html"


def test_what_nobody_may_watch_is_no_picture_and_no_file(site: Site):
    ann, _ = table(site, looking="nobody")
    other = site.person("Cem").browser()
    for path in ("replay.html", "moment.png", "fork"):
        assert other.get(f"/matches/{ann.match}/{path}").status_code == 403
        assert ann.who.browser().get(f"/matches/{ann.match}/{path}").status_code == 200


def test_spectators_that_see_a_match_later_get_files_that_end_earlier(site: Site):
    ann, _ = table(site, delay=600)
    assert ann.decide({"type": "play.mark", "cell": 4}).status_code == 201
    document = json.loads(found(page_of(site, None, ann.match).text, "hegemon-replay"))
    assert document["last"] == 4
    assert site.nobody().get(f"/matches/{ann.match}/moment.png?at=5").status_code == 404
    own = json.loads(found(page_of(site, ann, ann.match, "0").text, "hegemon-replay"))
    assert own["last"] == 5


def test_a_file_and_a_picture_are_asked_for_again_only_if_they_have_changed(site: Site):
    ann, bob = table(site)
    for path in ("replay.html", "moment.png"):
        address = f"/matches/{ann.match}/{path}"
        first = site.nobody().get(address)
        known = {"If-None-Match": first.headers["ETag"]}
        assert site.nobody().get(address, headers=known).status_code == 304
        assert first.headers["Cache-Control"] == "private, no-cache"
        ann.decide({"type": "play.mark", "cell": 4 if path == "replay.html" else 0})
        bob.decide({"type": "play.mark", "cell": 3})
        again = site.nobody().get(address, headers=known)
        assert again.status_code == 200
        assert again.data != first.data
    assert again.data.startswith(MAGIC)


def test_a_link_to_a_replay_names_its_picture(site: Site, sealed):
    ann, _ = sealed
    page = site.nobody().get(f"/matches/{ann.match}/replay?at=4").text
    assert f"http://localhost/matches/{ann.match}/moment.png?at=4&amp;as=spectator" in page
    assert '<meta name="twitter:card" content="summary_large_image">' in page
