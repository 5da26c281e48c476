"""Replays over HTTP: who may have which, up to which event, and how they come to be."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest

from services.jobs import results
from services.jobs.queue import QUEUE, JobQueue, server_at
from services.jobs.results import PASSING_SECONDS
from tests.support.servers import Server
from tests.support.services.processes import wait_until
from tests.support.services.workers import Working
from tests.support.web.seated import Player, table
from tests.support.web.visitors import Site, is_problem

WHOLE = ["decisions", "outcomes"]


def replay(player: Player, query: str = "", **headers: str) -> Any:
    return player.get(f"/replay{query}", **headers)


def finish(players: list[Player]) -> None:
    """Play to the end, and close."""
    while True:
        for player in players:
            if player.options()["asked"]:
                assert player.decide_first().status_code == 201
                break
        else:
            assert players[0].post("/close", {}).status_code == 200
            return


# --- what comes -----------------------------------------------------------------------------------


def test_a_replay_is_the_whole_match_as_one_document(site: Site):
    ann, _ = table(site)
    ann.decide_first()
    answer = replay(ann, "?as=spectator")
    assert answer.status_code == 200
    assert answer.mimetype == "application/json"
    said = answer.json
    assert (said["format"], said["match"], said["last"]) == ("hegemon-replay", ann.match, 5)
    assert said["as"] == "spectator"
    assert said["head"] == ann.get("/events").json["events"][-1]["head"]
    assert [event["n"] for event in said["events"]] == [1, 2, 3, 4, 5]


def test_it_comes_packed_to_who_can_unpack_it(site: Site):
    ann, _ = table(site)
    plain = replay(ann, **{"Accept-Encoding": "identity"})
    packed = replay(ann, **{"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert plain.headers["Cache-Control"] == "private, no-cache"


def test_who_has_it_is_told_that_it_is_the_same_until_something_comes(site: Site):
    ann, _ = table(site)
    tag = replay(ann).headers["ETag"]
    again = replay(ann, **{"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    assert replay(ann, "?as=spectator", **{"If-None-Match": tag}).status_code == 200
    ann.decide_first()
    assert replay(ann, **{"If-None-Match": tag}).status_code == 200


def test_line_by_line_it_has_a_header_each_event_and_an_end(site: Site):
    ann, _ = table(site)
    answer = ann.get("/replay.ndjson?as=spectator")
    assert answer.mimetype == "application/x-ndjson"
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert [line["line"] for line in lines] == ["header", *["event"] * 4, "end"]


@pytest.mark.parametrize(("form", "mimetype"), [("txt", "text/plain"), ("csv", "text/csv")])
def test_a_report_and_a_table_are_to_be_had(site: Site, form: str, mimetype: str):
    ann, _ = table(site)
    answer = ann.get(f"/replay.{form}?as=spectator")
    assert answer.status_code == 200
    assert answer.mimetype == mimetype
    assert "Player 1" in answer.text


# --- who may --------------------------------------------------------------------------------------


@pytest.mark.parametrize("looking", ["everybody", "members", "nobody"])
@pytest.mark.parametrize("state", ["running", "opened", "kept"])
def test_who_may_see_the_scene_may_have_the_replay_and_nobody_else(
    site: Site, looking: str, state: str
):
    players = table(site, looking=looking, discloses=[] if state == "kept" else WHOLE)
    if state != "running":
        finish(players)
    stranger = site.person("Stranger").token("read")
    askers = [players[0].headers, players[1].headers, stranger, {}]
    found = {}
    for path in ("/scene", "/replay", "/replay.ndjson"):
        found[path] = [
            site.program().get(f"/api/v1/matches/{players[0].match}{path}?as={eyes}", headers=who)
            for who in askers
            for eyes in ("spectator", "0", "1", "2", "x")
        ]
    wanted = [answer.status_code for answer in found["/scene"]]
    assert [answer.status_code for answer in found["/replay"]] == wanted
    assert [answer.status_code for answer in found["/replay.ndjson"]] == wanted
    assert {200, 404} <= set(wanted)
    for scene, whole in zip(found["/scene"], found["/replay"], strict=True):
        if whole.status_code == 200:
            assert (whole.json["as"], whole.json["last"]) == (
                scene.json["as"],
                scene.json["last"],
            )
        else:
            assert whole.json["code"] == scene.json["code"]


def test_without_a_word_one_sees_through_one_s_own_seat(site: Site):
    _, bob = table(site)
    assert replay(bob).json["as"] == "1"
    assert site.nobody().get(f"/api/v1/matches/{bob.match}/replay").json["as"] == "spectator"


def test_it_names_the_eyes_through_which_the_asker_may_look(site: Site):
    players = table(site)
    ann, bob = players

    def words(player: Player) -> list[str]:
        return [one["as"] for one in replay(player, "?as=spectator").json["viewpoints"]]

    assert words(bob) == ["spectator", "1"]
    assert words(ann) == ["spectator", "0"]  # she runs the club, and sits there
    assert replay(bob).json["why_not"]
    finish(players)
    assert words(bob) == ["spectator", "0", "1", "all"]
    assert replay(bob).json["why_not"] == ""
    claim = {"words": "I was not asked.", "from": 5, "to": 6}
    assert bob.post("/disputes", claim).status_code == 201
    assert words(bob) == ["spectator", "0", "1", "all"]


def test_spectators_who_see_it_later_get_what_they_may_know_of(site: Site):
    ann, bob = table(site, delay=60)
    ann.decide_first()
    assert replay(bob, "?as=spectator").json["last"] == 4
    assert replay(bob).json["last"] == 5


def test_a_seat_s_replay_has_its_secrets_and_a_spectator_s_has_not(site: Site):
    ann, bob = table(site, options={"opening": "sealed"})
    assert ann.decide({"type": "opening.write", "cell": 7}, at=4).status_code == 201
    assert replay(ann).json["events"][-1] != replay(bob).json["events"][-1]
    assert replay(bob).json["events"][-1] == replay(bob, "?as=spectator").json["events"][-1]


def test_everything_together_is_for_everybody_once_it_is_opened(site: Site):
    players = table(site)
    ann, bob = players
    assert is_problem(replay(ann, "?as=all"), 403, "not_your_seat")
    nobody = site.nobody().get(f"/api/v1/matches/{ann.match}/replay?as=all")
    assert is_problem(nobody, 401, "not_signed_in")
    finish(players)
    assert replay(bob, "?as=all").json["as"] == "all"


def test_an_organizer_who_sits_nowhere_may_see_everything_and_never_sits_there_then(site: Site):
    ann, bob = table(site, options={"opening": "sealed"})
    judge = site.person("Judge", ("organizer",))
    path = f"/api/v1/matches/{ann.match}/replay?as=all"
    reading = site.program().get(path, headers=judge.token("read"))
    assert is_problem(reading, 403, "not_your_seat")  # the token is not good for it
    headers = judge.token("read", "play", "organize")
    for _ in range(2):
        assert site.program().get(path, headers=headers).json["as"] == "all"
    with site.app.extensions["match_cache"]().opened(ann.match) as opened:
        entries = [(by, type(entry).__name__) for _, _, by, entry in opened.book.entries()]
    assert entries.count((judge.id, "Looked")) == 1
    assert "Looked" not in {name for by, name in entries if by != judge.id}
    named = bob.post(f"/seats/{bob.seat}/delegates", {"person": judge.id})
    assert is_problem(named, 409, "knew_another_seat")


def test_who_has_sat_there_is_no_judge(site: Site):
    ann, bob = table(site)
    helper = site.person("Helper", ("organizer",))
    headers = helper.token("read", "play", "organize")
    path = f"/api/v1/matches/{ann.match}/replay?as=all"
    assert bob.post("/seats/1/delegates", {"person": helper.id}).status_code == 200
    assert is_problem(site.program().get(path, headers=headers), 403, "not_your_seat")
    ann.decide_first()
    gone = bob.who.site.program().delete(
        f"/api/v1/matches/{ann.match}/seats/1/delegates/{helper.id}", headers=bob.headers
    )
    assert gone.status_code in (200, 204)
    assert is_problem(site.program().get(path, headers=headers), 403, "not_your_seat")


def test_another_edition_is_another_replay_of_an_open_match(site: Site):
    players = table(site)
    ann, _ = players
    assert is_problem(replay(ann, "?edition=none"), 422, "unknown_edition")
    assert is_problem(replay(ann, "?edition=printed"), 403, "not_entitled")
    finish(players)
    said = replay(ann, "?as=spectator&edition=printed").json
    assert said["played"] is False
    assert replay(ann, "?as=spectator").json["played"] is True


def test_what_is_no_such_match_has_no_replay(site: Site):
    assert is_problem(site.nobody().get("/api/v1/matches/none/replay"), 404, "no_such_match")


# --- how it is made -------------------------------------------------------------------------------


def test_until_a_worker_has_made_it_one_is_told_how_far_it_is(
    busy: Site, worker: Callable[[], Working]
):
    ann, bob = table(busy)
    answer = replay(ann, "?as=spectator")
    assert answer.status_code == 202
    assert answer.json == {"job": answer.json["job"], "state": "queued", "done": 0, "of": 0}
    assert answer.headers["Retry-After"] == "1"
    assert answer.headers["Cache-Control"] == "no-store"
    assert replay(bob, "?as=spectator").status_code == 202
    worker()
    assert wait_until(lambda: replay(ann, "?as=spectator").status_code == 200, 20)
    made = replay(ann, "?as=spectator")
    assert made.json["last"] == 4
    assert made.headers["ETag"]
    assert replay(ann).status_code == 202  # through other eyes it is another


@pytest.mark.parametrize("form", ["txt", "csv", "ndjson"])
def test_who_follows_a_link_to_a_file_that_is_not_there_yet_gets_a_page_that_waits(
    busy: Site, form: str
):
    ann, _ = table(busy)
    address = f"/api/v1/matches/{ann.match}/replay.{form}"
    browser = {"Accept": "text/html,image/avif,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7"}
    answer = busy.nobody().get(f"{address}?as=spectator", headers=browser)
    assert (answer.status_code, answer.mimetype) == (202, "text/html")
    assert answer.headers["Refresh"] == f"2; url={address}?as=spectator"
    assert "In preparation" in answer.text
    assert busy.program().get(f"{address}?as=spectator").json["state"] == "queued"


def test_it_is_kept_for_minutes_while_the_match_goes_on_and_for_a_day_when_it_is_over(
    busy: Site, jobs_server: Server, worker: Callable[[], Working]
):
    players = table(busy)
    server = server_at(jobs_server.url)
    worker()

    def kept() -> int:
        name = replay(players[0]).json["job"].replace("-", ":")
        assert wait_until(lambda: server.exists(name) == 1, 20)
        return server.ttl(name)

    assert 60 < kept() <= 600
    finish(players)
    assert 86_000 < kept() <= 86_400
    server.close()


def test_who_may_not_have_it_has_no_job_made(busy: Site, jobs_server: Server):
    ann, _ = table(busy)
    assert is_problem(replay(ann, "?as=1"), 403, "not_your_seat")
    assert server_at(jobs_server.url).llen(f"rq:queue:{QUEUE}") == 0


def test_two_who_may_see_the_same_ask_for_one_job(busy: Site, jobs_server: Server):
    ann, _ = table(busy)
    nobody = busy.nobody()
    path = f"/api/v1/matches/{ann.match}/replay"
    assert nobody.get(path).json["job"] == busy.nobody().get(path).json["job"]
    assert server_at(jobs_server.url).llen(f"rq:queue:{QUEUE}") == 1


def test_where_too_much_waits_one_is_asked_to_come_again(busy: Site, jobs_server: Server):
    ann, _ = table(busy)
    busy.app.extensions["queue"] = lambda: JobQueue(server_at(jobs_server.url), room=0)
    answer = replay(ann)
    assert is_problem(answer, 503, "queue_full")
    assert answer.headers["Retry-After"] == "5"


def test_a_replay_that_cannot_be_made_is_a_problem_and_seen(busy: Site, jobs_server: Server):
    ann, _ = table(busy)
    job = replay(ann).json["job"]
    server_at(jobs_server.url).hset(
        f"rq:job:{job}", mapping={"status": "failed", "ended_at": _soon()}
    )
    answer = replay(ann)
    assert is_problem(answer, 503, "job_failed")
    assert answer.headers["Retry-After"] == "60"


def _soon() -> str:
    return "2999-01-01T00:00:00.000000Z"


def test_without_its_server_nothing_is_promised(busy: Site, jobs_server: Server):
    ann, _ = table(busy)
    busy.app.extensions["queue"] = lambda: JobQueue(server_at("unix:///nowhere/s"))
    assert is_problem(replay(ann), 503, "unavailable")


def test_what_a_worker_of_another_version_makes_is_kept_for_a_moment_only(
    busy: Site, jobs_server: Server, worker: Callable[[], Working], monkeypatch: pytest.MonkeyPatch
):
    ann, _ = table(busy)
    server = server_at(jobs_server.url)
    with monkeypatch.context() as asking:
        asking.setattr(results, "program", lambda: "another")
        job = replay(ann).json["job"]
    worker()
    assert wait_until(lambda: server.exists(job.replace("-", ":")) == 1, 20)
    assert 0 < server.ttl(job.replace("-", ":")) <= PASSING_SECONDS
    server.close()
