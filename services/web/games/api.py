"""The games: seats, options, and the schemas of their decisions and facts."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Final

from flask.views import MethodView

from ledger.games import ruleset, rulesets
from ledger.kernel.readings import Reading
from ledger.kernel.ruleset import Ruleset
from services.web.app.access import allowed
from services.web.app.routes import Routes
from services.web.app.shapes import ABSENT, Shape
from services.web.editions.schemas import CheckedErratumShape, ErratumTextShape
from services.web.errata.texts import plain_published, troubles_in

from .record_schemas import decisions_of, facts_of

RULESETS: Final = Routes("rulesets", "/rulesets", "Games that can be played")


class SeatsShape(Shape):
    """The numbers of players a game takes."""

    least: int
    most: int


class OptionShape(Shape):
    """An option for a new match."""

    name: str
    called: Annotated[str, "what people call it"]
    value: Annotated[Any, "the default value"]
    values: Annotated[list[Any], "all possible values, if they can be listed"] = ABSENT
    least: Annotated[int, "if it is a number"] = ABSENT
    most: int = ABSENT
    rule: Annotated[str, "the rule that it interprets"]
    why: str


class GameShape(Shape):
    """A game in one line."""

    name: str
    title: str
    seats: SeatsShape


class GamesShape(Shape):
    """All games."""

    rulesets: list[GameShape]


class RulesetShape(GameShape):
    """A game, with the schemas of its decisions and facts."""

    editions: Annotated[list[str], "the first is the printed one"]
    options: list[OptionShape]
    decisions: Annotated[dict[str, Any], "their JSON Schema"]
    facts: Annotated[dict[str, Any], "their JSON Schema"]


@RULESETS.route("")
class All(MethodView):
    """All games."""

    @RULESETS.gives(200, GamesShape)
    @allowed("anyone")
    def get(self) -> dict[str, Any]:
        """Lists all games that matches can be made of."""
        return {"rulesets": [plain_game(rules) for rules in rulesets().values()]}


@RULESETS.route("/<string:name>")
class One(MethodView):
    """One game."""

    @RULESETS.gives(200, RulesetShape)
    @allowed("anyone")
    def get(self, name: str) -> dict[str, Any]:
        """Returns a game: seats, editions, options, and JSON Schemas of its decisions and facts."""
        rules = ruleset(name)
        return {
            **plain_game(rules),
            "editions": list(rules.editions),
            "options": [plain_option(one) for one in rules.readings.values() if one.option],
            **_schemas(rules.name),
        }


@RULESETS.route("/<string:name>/errata/check")
class ErrataCheck(MethodView):
    """Checks of a club's errata."""

    @RULESETS.takes(ErratumTextShape)
    @RULESETS.gives(200, CheckedErratumShape)
    @allowed("person")
    def post(self, asked: dict[str, Any], name: str) -> dict[str, Any]:
        """Checks an erratum file's text. Returns its content, or every mistake with its line."""
        found, troubles = troubles_in(asked["text"], ruleset(name).name)
        return {
            "erratum": None if found is None else plain_published(found),
            "troubles": troubles,
        }


@cache
def _schemas(name: str) -> dict[str, Any]:
    rules = ruleset(name)
    return {"decisions": decisions_of(rules), "facts": facts_of(rules)}


def plain_game(rules: Ruleset) -> dict[str, Any]:
    seats = {"least": rules.seats.start, "most": rules.seats.stop - 1}
    return {"name": rules.name, "title": rules.title, "seats": seats}


def plain_option(one: Reading) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": one.id,
        "called": one.called,
        "value": one.value,
        "rule": one.rule,
        "why": one.why,
    }
    if one.range is not None:
        return found | {"least": one.range[0], "most": one.range[1]}
    return found | {"values": [one.value, *one.also]}
