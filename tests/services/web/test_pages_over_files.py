"""The web pages, asked as a browser asks them, over a real store in a folder."""

import io
import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from ledger.games import ruleset
from ledger.games.tictactoe.opening import Write
from ledger.games.tictactoe.play import Mark
from ledger.log.format.bodies import Submitter
from ledger.log.read.history import History
from ledger.log.read.served import know_outcomes
from ledger.log.stores.files import FileStore
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from replays.verify.verifier import verify
from services.matches import cache
from services.matches.play import play_on, surroundings
from services.matches.samples import ensure_sample
from services.run.settings import Settings
from services.web import create_app
from tests.support.services.browsing import Page, begun, made

SEALED = (("begin.stake", 2), ("opening", "sealed"))
REFEREE = Submitter(role="organizer", name="o")


@pytest.fixture
def client(tmp_path):
    return create_app(Settings(data=tmp_path)).test_client()


@pytest.fixture
def sample(tmp_path):
    return ensure_sample(FileStore(tmp_path), tmp_path)


# --- the front page -------------------------------------------------------------------------------


def test_the_front_page_offers_the_sample_once_there_is_one(client, tmp_path):
    words = Page(client.get("/")).words
    assert "no matches yet" in words
    assert "sample match" not in words
    sample = ensure_sample(FileStore(tmp_path), tmp_path)
    page = Page(client.get("/"))
    assert page.having("href", f"/matches/{sample}/replay")
    assert "Sample match" in page.words
    assert page.having("role", "img")


def test_the_front_page_lists_every_match(client, tmp_path, sample):
    running, abandoned, paused = (begun(tmp_path, title=title) for title in ("Evening", "", ""))
    abandoned.abandon(REFEREE, "rain")
    paused.pause(REFEREE, "lunch")
    made(FileStore(tmp_path), title="Join me")
    text = Page(client.get("/")).words
    words = ("Evening", "ann, bob", "running", "abandoned", "paused", "open", "finished", "Join me")
    assert [word for word in words if word not in text] == []
    running.abandon(REFEREE, "rain")
    assert "running" not in Page(client.get("/")).words


def test_a_damaged_log_does_not_hide_the_others(client, tmp_path, sample):
    broken = begun(tmp_path, title="Broken").match_id
    log = tmp_path / "matches" / broken / "log"
    packed = bytearray(log.read_bytes())
    packed[60] ^= 1
    log.write_bytes(packed)
    words = Page(client.get("/")).words
    assert [word for word in ("Sample match", "unreadable") if word not in words] == []
    answer = client.get(f"/matches/{broken}/replay")
    assert (answer.status_code, "these rules cannot read its log" in answer.text) == (500, True)


def test_the_list_has_pages(client, tmp_path, monkeypatch, sample):
    monkeypatch.setattr("services.web.matches.lobby.LISTED", 2)
    for title in ("one", "two", "three"):
        begun(tmp_path, title=title)
    first, second = Page(client.get("/")), Page(client.get("/?page=2"))
    assert first.having("rel", "next")[0]["href"] == "/?page=2"
    assert second.having("rel", "prev")[0]["href"] == "/?page=1"
    assert all(title in first.words + second.words for title in ("one", "two", "three"))
    asked = [client.get(f"/?page={page}").status_code for page in ("0", "3", "x", "9" * 5000)]
    assert asked == [404, 404, 400, 400]


# --- the replay -----------------------------------------------------------------------------------


def test_every_event_as_every_viewer(client, sample):
    last = client.get(f"/matches/{sample}/replay.json").json["last"]
    for viewer in ("spectator", "0", "1"):
        for at in range(1, last + 1):
            query = f"?at={at}&as={viewer}"
            page = Page(client.get(f"/matches/{sample}/replay{query}"))
            assert [link["href"] for link in page.having("aria-current", "step")] == [query]
            assert [tag for tag, _ in page.tags].count("svg") == 5  # the board and four arrows


def test_the_page_of_a_match_leads_to_its_replay_and_says_how_it_ended(client, sample):
    page = Page(client.get(f"/matches/{sample}"))
    assert page.having("href", f"/matches/{sample}/replay")
    assert page.having("href", f"/matches/{sample}.hgm")
    head = client.get(f"/matches/{sample}/replay.json").json["head"]
    for words in ("Sample match", "Tic-tac-toe", "finished", "greedy bot", "Result", head[:12]):
        assert words in page.words
    assert not page.having("method", "post")  # nobody is signed in


def test_the_steps_have_keys_and_addresses(client, sample):
    keys = Page(client.get(f"/matches/{sample}/replay?at=5&as=1")).having("aria-keyshortcuts")
    last = client.get(f"/matches/{sample}/replay.json").json["last"]
    there = {"Home": 1, "ArrowLeft": 4, "ArrowRight": 6, "End": last}
    steps = {key: f"/matches/{sample}/replay?at={at}&as=1" for key, at in there.items()}
    assert {key["aria-keyshortcuts"]: key["href"] for key in keys} == steps
    assert all(key["aria-label"] for key in keys)


def test_at_the_ends_there_is_nowhere_to_go(client, sample):
    at = client.get(f"/matches/{sample}/replay.json").json["at"]
    for query, nowhere in (("?at=1", ["first", "previous"]), (f"?at={at}", ["next", "last"])):
        steps = Page(client.get(f"/matches/{sample}/replay{query}")).having("aria-disabled")
        assert [step["id"] for step in steps] == nowhere


def test_seats_see_what_they_wrote_and_others_do_not(client, tmp_path):
    journal = begun(tmp_path, options=SEALED)
    journal.decide(0, Write(8))
    journal.decide(1, Write(2))
    play_on(journal, {0: "greedy", 1: "greedy"})
    journal.close()
    where = f"/matches/{journal.match_id}/replay?at=5&as="
    assert "the bottom right" in Page(client.get(f"{where}0")).words
    for viewer in ("1", "spectator"):
        words = Page(client.get(where + viewer)).words
        assert "X writes down a cell." in words
        assert "face down" in words


def test_undone_events_are_marked(client, tmp_path):
    journal = begun(tmp_path)
    journal.decide(0, Mark(4))
    journal.rewind(4, REFEREE, "a slip")
    words = Page(client.get(f"/matches/{journal.match_id}/replay?at=5")).words
    assert all(said in words for said in ("undone later", "(undone)", "X marks the centre."))
    after = client.get(f"/matches/{journal.match_id}/replay.json").json
    assert after["scene"]["pieces"] == []


def test_what_is_new_on_the_board_is_marked(client, tmp_path):
    journal = begun(tmp_path)
    journal.decide(0, Mark(4))
    journal.decide(1, Mark(0))
    for at, marked in ((5, "Marked: 4."), (6, "Marked: 0.")):
        assert marked in client.get(f"/matches/{journal.match_id}/replay?at={at}").text


def test_before_the_start_there_is_an_empty_board_or_none(client, tmp_path, sample):
    answer = client.get(f"/matches/{sample}/replay?at=2")
    assert "A board of 9 cells: it is empty." in answer.text
    plain = client.get(f"/matches/{sample}/replay.json?at=2").json
    assert (plain["view"], plain["scene"]) == (None, None)
    waiting = made(FileStore(tmp_path)).match_id
    assert "no board to show" in client.get(f"/matches/{waiting}/replay").text


def test_the_page_says_head_submitter_and_text(client, sample):
    plain = client.get(f"/matches/{sample}/replay.json?at=6").json
    words = Page(client.get(f"/matches/{sample}/replay?at=6")).words
    said = (plain["head"][:12], f"bot {plain['by']['name']}", "Tic-tac-toe\n")
    assert [one for one in said if one not in words] == []


def test_names_from_outside_are_escaped(client, tmp_path):
    journal = made(FileStore(tmp_path), title="<script>1</script>")
    journal.join(0, "<img src=x>")
    for address in ("/", f"/matches/{journal.match_id}/replay"):
        text = client.get(address).text
        assert not [bad for bad in ("<script>1", "<img src=x") if bad in text]


MANY = "9" * 5000
BAD = dict.fromkeys(["at=0", "at=10000", "as=2"], 404)
BAD |= dict.fromkeys(["at=", "at=-1", "at=x", "at=1.5", "at=%D9%A3", f"at={MANY}", "at=1%00"], 400)
BAD |= dict.fromkeys(["as=", "as=-1", "as=everybody", "as=%3Cscript%3E", f"as={MANY}"], 400)


@pytest.mark.parametrize(("query", "status"), BAD.items())
def test_a_bad_question_gets_a_clean_answer(client, sample, query, status):
    answer = client.get(f"/matches/{sample}/replay?{query}")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (status, "no-store")
    assert "All matches" in answer.text
    assert not [bad for bad in ("Traceback", "<script>") if bad in answer.text]
    answer = client.get(f"/matches/{sample}/replay.json?{query}")
    assert (answer.status_code, answer.json["status"]) == (status, status)
    assert answer.json["words"]


def test_without_script_a_page_of_another_edition_leads_to_both_boards_side_by_side(
    client, sample, tmp_path
):
    def note_of(page):
        return page.partition("<noscript>")[2].partition("</noscript>")[0]

    note = note_of(client.get(f"/matches/{sample}/replay?at=9&edition=e2").text)
    assert "as\nplayed, under edition" in note
    assert f'href="/matches/{sample}/compare?b=e2&amp;at=9"' in note
    plan = Plan(ruleset="hegemonic", seats=2)
    match = Journal.create(surroundings(FileStore(tmp_path)), plan).match_id
    *_, today = ruleset("hegemonic").editions
    replay = f"/matches/{match}/replay?at=1"
    note = note_of(client.get(f"{replay}&edition={today}").text)
    assert "when it is closed" in note
    assert "/compare" not in note
    assert "<noscript>" not in client.get(replay).text
    assert "<noscript>" not in client.get(f"{replay}&edition=printed").text
    answer = client.get(f"{replay}&edition=%3Cscript%3E")
    assert (answer.status_code, "<script>" in answer.text) == (404, False)
    assert "There is no edition “&lt;script&gt;” of this game." in answer.text


NOBODY = ["nosuchmatch", "UPPER", "..", "a..b", "%00", "a%2Fb", "-", "x" * 300, "%F0%9F%8E%B2"]


@pytest.mark.parametrize("match", NOBODY)
def test_there_is_no_such_match(client, sample, match):
    for page in ("", "/replay", "/replay.json", ".hgm"):
        answer = client.get(f"/matches/{match}{page}", follow_redirects=True)
        assert (answer.status_code, "Traceback" in answer.text) == (404, False)


def test_other_addresses_and_methods(client, sample):
    assert client.get("/health").text == "ok\n"
    assert client.get("/nowhere").status_code == 404
    assert client.get("/static/../__init__.py").status_code == 404
    answer = client.post("/")
    assert answer.status_code == 405
    assert "GET" in answer.headers["Allow"]


def test_a_failure_of_ours_is_a_clean_page(client, sample, monkeypatch):
    for name in ("replays.pages.frame_of", "matches.lobby.scene_of"):
        monkeypatch.setattr(f"services.web.{name}", lambda *_: 1 / 0)
    answer = client.get(f"/matches/{sample}/replay")
    assert answer.status_code == 500
    assert "fault is ours" in answer.text
    assert "division" not in answer.text
    assert client.get("/").status_code == 200  # the front page can do without the board


# --- secrets --------------------------------------------------------------------------------------


def test_a_running_match_is_shown_to_spectators_only(client, tmp_path):
    match = begun(tmp_path, options=SEALED).match_id
    for page in ("replay?as=0", "replay?as=1", "replay.json?as=0", "replay.json?as=1"):
        answer = client.get(f"/matches/{match}/{page}")
        assert answer.status_code == 403
        assert "only that seat may see" in answer.text
    assert not Page(client.get(f"/matches/{match}/replay")).having("id", "as-0")


def test_the_policy_of_a_closed_match_is_kept(client, tmp_path):
    for policy, status in (((), 403), (("outcomes",), 403), (("decisions", "outcomes"), 200)):
        journal = begun(tmp_path, options=SEALED, discloses=policy)
        play_on(journal, {0: "greedy", 1: "random"})
        journal.close()
        where = f"/matches/{journal.match_id}"
        asked = [client.get(f"{where}/replay{query}").status_code for query in ("", "?as=1")]
        assert asked == [200, status]
        file = client.get(f"{where}.hgm").data
        know_outcomes(journal.history)
        outcomes = [one for one in journal.history.openings.values() if one.path == "outcome"]
        assert {one.salt in file for one in outcomes} == {"outcomes" in policy}


def seen_by_spectators(client, journal):
    """Every page of a match, without what differs between any two matches."""
    match, last = journal.match_id, journal.history.tip.version
    pages = [f"{page}?at={at}" for page in ("replay", "replay.json") for at in range(1, last + 1)]
    text = "\n".join(client.get(f"/matches/{match}/{page}").text for page in pages)
    text += client.get("/").text.split(match)[1].split("</tr>")[0]
    for event in journal.history.events:
        text = text.replace(event.head.hex(), "HEAD").replace(event.head.hex()[:12], "HEAD")
    text = re.sub(r'"at":\d{12,}', "TIME", text.replace(match, "ID"))
    return re.sub(r"\d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC", "TIME", text)


@pytest.mark.parametrize("seat", [0, 1])
def test_spectators_cannot_tell_what_was_written(client, tmp_path, seat):
    written = [begun(tmp_path, options=SEALED) for _ in range(9)]
    for cell, journal in enumerate(written):
        journal.decide(seat, Write(cell))
    assert len({seen_by_spectators(client, journal) for journal in written}) == 1
    files = [client.get(f"/matches/{journal.match_id}.hgm").data for journal in written]
    assert len({len(file) for file in files}) == 1
    for journal, file in zip(written, files, strict=True):
        secret = [one for one in journal.history.openings.values() if one.version > 4]
        assert secret
        assert not [one for one in secret if one.salt in file or one.plain in file]


def test_the_bundle_is_valid(client, tmp_path, sample):
    answer = client.get(f"/matches/{sample}.hgm")
    assert answer.headers["Content-Disposition"] == f"attachment; filename={sample}.hgm"
    assert verify(io.BytesIO(answer.data), ruleset).verdict == "VALID, NOT ANCHORED"
    running = begun(tmp_path, options=SEALED).match_id
    assert not verify(io.BytesIO(client.get(f"/matches/{running}.hgm").data), ruleset).failed


def test_the_twin_says_the_same(client, sample, tmp_path):
    history = History.of(FileStore(tmp_path), sample, ruleset)
    plain = client.get(f"/matches/{sample}/replay.json?at=6&as=0").json
    assert plain["head"] == history.events[5].head.hex()
    assert plain["view"] == json.loads(json.dumps(history.at(6).view(0)))
    assert (plain["as"], plain["scene"]["title"]) == ("0", "Tic-tac-toe")


ADDRESSES = ["/", "/matches/{}/replay", "/matches/{}/replay.json", "/matches/{}.hgm", "/matches/{}"]
ADDRESSES += ["/health", "/static/style.css", "/nowhere", "/matches/{}/replay?at=0"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_response_is_guarded(client, sample, address):
    with client.get(address.format(sample)) as answer:
        headers = answer.headers
    policy = headers["Content-Security-Policy"].split("; ")
    assert {"default-src 'none'", "frame-ancestors 'none'", "script-src 'self'"} <= set(policy)
    assert "unsafe" not in str(policy)
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "strict-origin"
    assert headers["Cache-Control"]
    assert "Set-Cookie" not in headers


@pytest.mark.parametrize("address", ["/", "/matches/{}/replay?at=7", "/nowhere"])
def test_pages_hold_no_script_or_style_of_their_own(client, sample, address):
    page = Page(client.get(address.format(sample)))
    for tag, attrs in page.tags:
        assert tag != "style"
        assert not [name for name in attrs if name == "style" or name.startswith("on")]
        assert tag != "script" or attrs.get("src")
    ids = [attrs["id"] for attrs in page.having("id")]
    assert len(ids) == len(set(ids))


def test_files_of_the_pages_are_kept_by_version(client):
    links = [attrs["href"] for attrs in Page(client.get("/")).having("rel", "stylesheet")]
    with client.get(links[0]) as answer:
        assert "immutable" in answer.headers["Cache-Control"]
    with client.get("/static/style.css") as answer:
        assert answer.headers["Cache-Control"] == "no-cache"


def test_a_page_that_has_not_changed_is_not_sent_again(client, sample):
    address = f"/matches/{sample}/replay?at=5"
    tag = client.get(address).headers["ETag"]
    again = client.get(address, headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["Content-Security-Policy"]


# --- the match cache ------------------------------------------------------------------------------


def test_a_match_that_goes_on_is_read_again(client, tmp_path):
    journal = begun(tmp_path)
    address = f"/matches/{journal.match_id}/replay.json"
    assert client.get(address).json["last"] == 4
    journal.decide(0, Mark(4))
    assert client.get(address).json["told"]["sentences"] == ["X marks the centre."]


def test_a_step_folds_no_match_from_its_beginning(client, sample, monkeypatch):
    client.get(f"/matches/{sample}/replay?at=5")
    monkeypatch.setattr(History, "replay", None)
    monkeypatch.setattr(History, "of", None)
    assert client.get(f"/matches/{sample}/replay?at=6").status_code == 200


def test_only_so_many_matches_are_kept(client, tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "KEPT_MAX", 32)
    matches = [begun(tmp_path).match_id for _ in range(32 + 3)]
    for match in matches:
        assert client.get(f"/matches/{match}/replay").status_code == 200
        client.get("/matches/nosuchmatch/replay")
    assert list(client.application.extensions["match_cache"]()._kept) == matches[-32:]


def test_many_readers_at_once(client, tmp_path):
    journal = begun(tmp_path, options=(("begin.stake", 9),))
    pages = ["/", *(f"/matches/{journal.match_id}/replay?at={at}" for at in range(1, 5))] * 16
    app = client.application
    with ThreadPoolExecutor(8) as readers:
        read = [readers.submit(lambda page: app.test_client().get(page), page) for page in pages]
        journal.decide(0, Mark(4))
    assert {one.result().status_code for one in read} == {200}
