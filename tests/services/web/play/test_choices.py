"""Choices over HTTP: in people's words, with what they cost; trials that write and tell nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ledger.games import ruleset
from ledger.games.galactic_hegemony.actions.building import Build
from ledger.games.galactic_hegemony.actions.choosing import TakeNote
from ledger.games.hegemonic.deals.negotiation import Propose
from ledger.games.hegemonic.leaders.activation import Resume
from ledger.kernel.fold import begin, fold
from ledger.kernel.records import CHANCE
from ledger.kernel.terms import Terms
from services.web.play.choices import position
from services.web.play.forms import plain_form
from tests.support.web.seated import Player, table
from tests.support.web.visitors import Site, is_problem

CENTRE = {"type": "play.mark", "cell": 4}


def choices(player: Player, eyes: str = "") -> dict[str, Any]:
    answer = player.get(f"/choices?as={eyes or player.seat}")
    assert answer.status_code == 200, answer.text
    return answer.json


def tries(player: Player, *decisions: dict[str, Any], question: str | None = None) -> Any:
    steps = [{"question": question, "decision": one} for one in decisions]
    return player.post("/choices", {"seat": player.seat, "decisions": steps})


def test_what_may_be_chosen_is_said_in_words_and_shown_on_the_board(site: Site):
    ann, bob = table(site)
    found = choices(ann)
    asked = found["asked"]
    assert asked["rule"] == "play.turn"
    assert asked["text"] == "The seats alternate; each marks an empty cell."
    (kind,) = asked["kinds"]
    assert kind["title"] == "Claim an empty cell"
    labels = {one["label"]: one["on"] for one in kind["choices"]}
    assert labels["Mark the centre"] == "c4"
    assert len(labels) == 9
    assert {one["id"] for one in found["scene"]["cells"]} >= set(labels.values())
    assert "targets" not in found["scene"], "the choices say where they are"
    assert choices(bob)["asked"] is None
    assert choices(bob)["waits"] == {
        "seats": [0], "sealed": False, "rule": "play.turn", "text": asked["text"],
    }  # fmt: skip


def test_all_that_is_offered_is_taken(site: Site):
    ann, _ = table(site, "hegemonic", 2)
    found = choices(ann)
    offered = ann.options()["asked"]["options"]
    listed = [one["decision"] for kind in found["asked"]["kinds"] for one in kind["choices"]]
    assert listed == offered
    for decision in listed:
        assert tries(ann, decision).status_code == 200


def test_a_spectator_sees_the_board_and_has_nothing_to_choose(site: Site):
    ann, _ = table(site)
    nobody = site.nobody().get(f"/api/v1/matches/{ann.match}/choices?as=spectator")
    assert nobody.status_code == 200
    assert nobody.json["scene"]["title"] == "Tic-tac-toe"
    assert (nobody.json["asked"], nobody.json["standing"], nobody.json["forms"]) == (None, [], [])
    other = site.nobody().get(f"/api/v1/matches/{ann.match}/choices?as=0")
    assert is_problem(other, 401, "not_signed_in")


def test_a_trial_writes_nothing(site: Site):
    ann, bob = table(site)
    store = site.club.store
    tip = store.tip(ann.match)
    before = list(store.events(ann.match, 1, tip.version))
    answer = tries(ann, CENTRE)
    assert answer.status_code == 200, answer.text
    said = answer.json
    assert (said["told"], said["scene"], said["asked"]) == (False, None, None)
    assert [one["label"] for one in said["tried"]] == ["Mark the centre"]
    assert store.tip(ann.match) == tip
    assert list(store.events(ann.match, 1, tip.version)) == before
    assert choices(ann)["asked"] is not None
    assert is_problem(tries(bob, CENTRE), 409, "not_asked")
    taken = {"type": "play.mark", "cell": 99}
    assert is_problem(tries(ann, taken), 422, "no_such_cell")
    answer = bob.post("/choices", {"seat": 0, "decisions": [{"decision": CENTRE}]})
    assert is_problem(answer, 403, "not_your_seat")


def test_a_trial_costs_nothing_and_says_what_it_would_cost(site: Site):
    ann, bob = table(site, options={"begin.stake": 2})
    give = {"type": "gifts.give", "amount": 1}
    found = choices(bob)
    (form,) = found["forms"]
    assert form["decision"] == {"type": "gifts.give"}
    assert found["standing"][0]["kinds"] == [], "a form stands for them"
    said = tries(bob, give, give).json
    assert said["told"] is True
    assert [one["moves"] for one in said["tried"]] == [{"chips": -1}, {"chips": -1}]
    assert "O gives 1 chip away." in said["tried"][0]["sentences"]
    held = {one["id"]: one["value"] for one in found["scene"]["counters"]}
    then = {one["id"]: one["value"] for one in said["scene"]["counters"]}
    assert then["seat.1"] == held["seat.1"] - 2
    assert choices(bob)["scene"] == found["scene"]
    first = choices(ann)["asked"]["kinds"][0]["choices"][0]
    assert first["moves"] == {}, "a mark costs nothing"


def test_what_another_has_sealed_changes_nothing_in_a_trial(site: Site):
    ann, bob = table(site, options={"opening": "sealed"})
    said = []
    for cell in (0, 4):
        answer = tries(bob, {"type": "opening.write", "cell": cell}).json
        said.append({**answer, "tried": []})
    ann.decide({"type": "opening.write", "cell": 4})
    for cell in (0, 4):  # the same cell or another: the trial tells neither
        answer = tries(bob, {"type": "opening.write", "cell": cell}).json
        assert answer["told"] is False
        said.append({**answer, "tried": [], "version": said[0]["version"]})
    assert said[0] == said[1] == said[2] == said[3]


def test_what_follows_something_that_is_not_told_is_not_tried(site: Site):
    ann, _ = table(site)
    said = tries(ann, CENTRE, CENTRE).json
    assert len(said["tried"]) == 1


def test_nothing_is_offered_while_decisions_wait(site: Site):
    ann, _ = table(site)
    assert ann.post("/pause", {"reason": "tea"}).status_code == 200
    assert choices(ann)["asked"] is None
    assert is_problem(tries(ann, CENTRE), 409, "match_paused")
    assert ann.post("/resume", {"reason": "done"}).status_code == 200
    assert choices(ann)["asked"] is not None
    assert ann.post("/abandon", {"reason": "late"}).status_code == 200
    assert choices(ann)["asked"] is None
    assert is_problem(tries(ann, CENTRE), 409, "match_closed")


def test_a_game_without_forms_has_some_made_from_its_types():
    note = plain_form(TakeNote, "Write something down")
    assert note is not None
    assert note.decision == {"type": "game.note"}
    assert [(one.name, one.label, one.kind) for one in note.fields] == [("text", "Text", "text")]
    built = plain_form(Build, "Build")
    assert built is not None
    assert [one.kind for one in built.fields] == ["number", "choice"]
    assert [one.value for one in built.fields[1].choices] == ["civil", "factory", "shipyard"]
    assert plain_form(Resume, "Go on") is not None
    assert plain_form(Propose, "Offer a deal") is None, "it is made of parts"


def test_what_a_game_without_words_offers_is_said_from_its_code():
    rules = ruleset("galactic_hegemony")
    rules = replace(rules, shown=replace(rules.shown, wording=None, forms=None))
    match = Terms(rules).open_match(1)
    begin(match)
    while match.chance() is not None:
        question = match.chance()
        assert question is not None
        wish = question.wish(match.state)
        answer = wish.answer(bytes(32), 0, question.address(match.state))
        fold(match, CHANCE, answer)
    said = position(match, 0, chooses=True)
    labels = [one["label"] for kind in said["asked"]["kinds"] for one in kind["choices"]]
    assert labels
    assert all(label and "{" not in label for label in labels)
    assert "Write something down beside the game" in [form["label"] for form in said["forms"]]


def test_before_the_start_there_is_no_board(site: Site):
    host = site.founder()
    made = host.asks("POST", "/matches", {"ruleset": "tictactoe", "seats": 2}).json
    found = host.asks("GET", f"/matches/{made['id']}/choices").json
    assert (found["scene"], found["asked"], found["waits"]) == (None, None, None)
    host.asks("PUT", f"/matches/{made['id']}/seats/0", {})
    body = {"seat": 0, "decisions": [{"decision": CENTRE}]}
    assert is_problem(host.asks("POST", f"/matches/{made['id']}/choices", body), 409, "not_started")


def test_the_page_of_a_table_says_whose_it_is_and_no_more(site: Site):
    ann, _ = table(site)
    page = ann.who.browser().get(f"/matches/{ann.match}/table")
    assert page.status_code == 200
    assert 'data-as="0"' in page.text
    assert ann.who.csrf["X-CSRF-Token"] in page.text
    nobody = site.nobody().get(f"/matches/{ann.match}/table")
    assert 'data-as="spectator"' in nobody.text
    assert 'data-csrf=""' in nobody.text
    assert site.nobody().get("/matches/nosuchmatch/table").status_code == 404
    assert site.nobody().get(f"/matches/{ann.match}/table?as=0").status_code == 401
