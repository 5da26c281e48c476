"""Games over HTTP: what a client has to know of one before it has seen a match of it."""

from __future__ import annotations

import json

import pytest
from jsonschema_rs import Draft202012Validator

from services.run.settings import ROOT
from tests.support.web.seated import table
from tests.support.web.visitors import Site, is_problem

URL = "/api/v1/rulesets"


def test_all_games_are_listed_and_each_is_there(site: Site):
    listed = site.nobody().get(URL).json["rulesets"]
    assert {"tictactoe", "hegemonic"} <= {one["name"] for one in listed}
    for one in listed:
        found = site.nobody().get(f"{URL}/{one['name']}").json
        assert {name: found[name] for name in one} == one
        assert found["editions"][0] == "printed"
        for name in ("decisions", "facts"):
            assert Draft202012Validator(found[name]).is_valid({}) is False
    assert is_problem(site.nobody().get(f"{URL}/chess"), 404, "unknown_ruleset")


@pytest.mark.parametrize("name", ["decisions", "facts"])
def test_the_schemas_are_those_of_the_documents(site: Site, name: str):
    written = json.loads((ROOT / "docs" / "schemas" / f"tictactoe-{name}.json").read_text("utf-8"))
    assert site.nobody().get(f"{URL}/tictactoe").json[name] == written


def test_every_option_of_a_game_may_be_chosen_with_any_value_that_is_listed(site: Site):
    host = site.founder()
    games = [site.nobody().get(f"{URL}/{name}").json for name in ("tictactoe", "hegemonic")]
    chosen = [(game["name"], option) for game in games for option in game["options"]]
    assert {"least" in option for _, option in chosen} == {True, False}
    assert not [option for _, option in chosen if option["called"] == option["name"]]
    for name, option in chosen:
        values = option.get("values") or [option["least"], option["most"]]
        assert option["value"] in values or option["least"] <= option["value"] <= option["most"]
        for value in values:
            said = {"ruleset": name, "seats": 2, "options": {option["name"]: value}}
            answer = host.asks("POST", "/matches", said)
            assert answer.status_code == 201, answer.text
            assert answer.json["options"] == {option["name"]: value}


def test_what_is_offered_and_what_comes_of_it_fit_the_schemas(site: Site):
    players = table(site)
    game = site.nobody().get(f"{URL}/tictactoe").json
    decisions, facts = (Draft202012Validator(game[name]) for name in ("decisions", "facts"))
    for option in players[0].options()["asked"]["options"]:
        decisions.validate(option)
    assert not decisions.is_valid({"type": "play.mark", "cell": "4"})
    answer = players[0].decide_first()
    assert answer.json["facts"]
    for fact in answer.json["facts"]:
        facts.validate(fact)
