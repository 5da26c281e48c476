"""rewind and fork: going back on a log, and going on elsewhere."""

from __future__ import annotations

import pytest

from tests.support.cli.calls import SEALED, Hegemon


def test_after_a_rewind_the_match_goes_on_and_what_was_undone_stays(hegemon: Hegemon) -> None:
    match = hegemon.played()
    said = hegemon.done("rewind", match, 6, "--reason", "misread", "--json").json
    assert said == {"match": match, "to": 6, "version": 10}
    told = hegemon.done("tell", match, "--json").lines
    assert [one["version"] for one in told if one["undone"]] == [7, 8, 9]
    assert told[9]["sentences"] == ["Back to event 6: misread."]
    assert "   9~ X marks the right." in hegemon.done("tell", match).out
    hegemon.done("decide", match, 0, "mark", "cell=8")
    assert hegemon.done("show", match, "--json").json["state"]["cells"][8] == 0
    assert hegemon.done("show", match, "--at", 9, "--json").json["ended"] is True


def test_a_rewind_in_words(hegemon: Hegemon) -> None:
    match = hegemon.played()
    assert hegemon.done("rewind", match, 5).out == f"{match} goes on from event 5\n"


def test_a_seat_takes_back_its_own_decision_and_no_other(hegemon: Hegemon) -> None:
    match = hegemon.new()
    hegemon.done("decide", match, 0, "mark", "cell=4")
    assert "undo_needs_consent" in hegemon.refused("rewind", match, 4, "--seat", 1)
    hegemon.done("rewind", match, 4, "--seat", 0)
    hegemon.done("decide", match, 0, "mark", "cell=4")
    hegemon.done("decide", match, 1, "mark", "cell=0")
    assert "undo_needs_consent" in hegemon.refused("rewind", match, 6, "--seat", 0)
    agreed = ("--consent", 0, "--consent", 1)
    hegemon.done("rewind", match, 6, "--seat", 0, *agreed)
    act = hegemon.done("events", match).lines[-1]["body"]["act"]
    assert act["consents"] == [0, 1]


@pytest.mark.parametrize("at", [4, 6, 9])
def test_a_fork_goes_on_from_an_event_and_says_from_which(hegemon: Hegemon, at: int) -> None:
    match = hegemon.played()
    said = hegemon.done("fork", match, "--at", at, "--title", "what if", "--json").json
    assert (said["from"], said["at"]) == (match, at)
    events = hegemon.done("events", said["match"]).lines
    origin = events[0]["body"]["act"]["origin"]
    head = hegemon.done("events", match).lines[at - 1]["head"]
    assert (origin["kind"], origin["match"], origin["version"]) == ("fork", match, at)
    assert origin["head"] == head
    state = hegemon.done("show", said["match"], "--json").json["state"]
    assert state == hegemon.done("show", match, "--at", at, "--json").json["state"]


def test_a_fork_of_a_bundle_is_played_on_here(hegemon: Hegemon) -> None:
    hegemon.done("play", "tictactoe", "--seed", 1, "--out", "match.hgm")
    fork = hegemon.done("fork", "match.hgm", "--at", 5).out.strip()
    option = hegemon.done("options", fork, "--json").lines[0]
    hegemon.done("decide", fork, option["seat"], *option["typed"].split())
    again = hegemon.done("fork", fork).out.strip()
    hegemon.done("export", again, "--as", "all", "--out", "fork.hgm")
    assert "(tictactoe, fork)" in hegemon.done("verify", "fork.hgm").out
    assert hegemon.done("tell", "fork.hgm").out == hegemon.done("tell", again).out


def test_a_fork_would_tell_what_is_sealed_so_it_is_refused_and_leaves_nothing(
    hegemon: Hegemon,
) -> None:
    match = hegemon.new(*SEALED)
    hegemon.done("decide", match, 0, "write", "cell=4")
    assert "not_disclosed" in hegemon.refused("fork", match)
    hegemon.done("fork", match, "--at", 4)
