"""Choosing: the possible decisions in words, and previews of their results.

A preview is folded on a copy of the match and thrown away. It shows as much as the player could
take back at once. Where more would be learned, it stops and says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from flask.views import MethodView

from ledger.club import table as tables
from ledger.kernel.audience import Viewer, view_decision
from ledger.kernel.forms import Form
from ledger.kernel.match import Match
from ledger.kernel.preview import copy_of, moves_of, prices_of, try_out
from ledger.kernel.records import Decision, Question, Seat, rule_of, tag_of
from ledger.log.write.lifecycle import make_refusal
from replays.story.sentences import fact_sentence
from services.matches.cache import OpenMatch
from services.web.app.access import allowed
from services.web.app.identity import require_caller
from services.web.app.parts import match_cache
from services.web.app.routes import Routes
from services.web.matches.schemas import LookShape
from services.web.matches.view import Look, etag_of, event_in, look_here

from .api import make_response, plain_of
from .forms import plain_form
from .offers import plain_offers
from .schemas import ChoicesShape, TrialShape

CHOOSING: Final = Routes("choosing", "/matches", "Choosing: what may be decided, in words")
PRICED_MAX: Final = 80  # choices whose prices are worked out beforehand
_IDS: Final = re.compile(r"`([^`]*)`")
_ENDS: Final = re.compile(r"[;:.,(]|\n")


@CHOOSING.route("/<string:match>/choices")
class Choices(MethodView):
    """The choices of a seat."""

    @CHOOSING.takes(LookShape, location="query")
    @CHOOSING.gives(200, ChoicesShape)
    @allowed("anyone")
    def get(self, asked: dict[str, Any], match: str) -> Any:
        """Returns the position drawn for a viewer, and its possible decisions in words."""
        with match_cache().opened(match) as opened:
            look = look_here(opened, asked["viewer"])
            version = event_in(look, asked["at"])
            found = opened.at(version)
            waits = version == look.last and may_decide(opened)
            said = {
                **_about(opened, look, version),
                "tried": [],
                "told": True,
                **position(found, look.viewer, chooses=waits),
            }
        return make_response(said, etag_of(look, version))

    @CHOOSING.takes(TrialShape)
    @CHOOSING.gives(200, ChoicesShape, problems=(409,))
    @allowed("seat")
    def post(self, asked: dict[str, Any], match: str) -> Any:
        """Previews decisions, one after another, without recording them.

        It shows as much as the player could take back at once. Nothing is written.
        """
        me, seat = require_caller().person.id, asked["seat"]
        with match_cache().opened(match) as opened:
            opened.check_seat(seat)
            tables.check_decides(opened.table, seat, me)
            check_open(opened)
            look = look_here(opened, str(seat))
            found = opened.at(look.last)
            assert found is not None, "it has started"
            copy = copy_of(found)
            tried, told = try_all(copy, seat, asked["decisions"])
            said = {
                **_about(opened, look, look.last),
                "tried": tried,
                "told": told,
                **position(copy if told else None, seat, chooses=True),
            }
        return make_response(said, etag_of(look, look.last))


def _about(opened: OpenMatch, look: Look, version: int) -> dict[str, Any]:
    return {"match": opened.match, "version": version, "as": look.word}


def may_decide(opened: OpenMatch) -> bool:
    """Tells whether the match takes decisions at the moment."""
    life = opened.history.life
    stands = life.paused or life.over
    return bool(life.started) and not stands and not opened.held and opened.writable


def check_open(opened: OpenMatch) -> None:
    """Refuses a preview if the match takes no decisions."""
    life = opened.history.life
    if life.over:
        raise make_refusal("match_closed")
    if not life.started:
        raise make_refusal("not_started")
    if life.paused:
        raise make_refusal("match_paused")
    if opened.held:
        raise make_refusal("match_parked")


# --- trying ---------------------------------------------------------------------------------------


def try_all(
    copy: Match, seat: Seat, steps: Sequence[Mapping[str, Any]]
) -> tuple[list[dict[str, Any]], bool]:
    """Tries decisions in a row, up to the first whose result is not shown."""
    tried: list[dict[str, Any]] = []
    for step in steps:
        if tried and not tried[-1]["told"]:
            break
        decision = copy.terms.rules.decision(step["decision"])
        seen = copy.view(seat)
        found = try_out(copy, seat, decision)
        plain = plain_of(view_decision(decision, seat, seat))
        label = wording(copy, plain, seen, {})  # which are for what may be decided
        facts = found.facts or ()
        told = (fact_sentence(copy.terms, fact, seat, copy.called()) for fact in facts)
        tried.append(
            {
                "decision": plain,
                "label": label,
                "told": found.told,
                "sentences": [sentence for sentence in told if sentence],
                "moves": name_currencies(copy, moves_of(found.first, seat)),
            }
        )
    return tried, tried[-1]["told"] if tried else True


# --- what there is to choose ----------------------------------------------------------------------


def position(match: Match | None, viewer: Viewer, *, chooses: bool) -> dict[str, Any]:
    """Returns a position and its choices; nothing before the start."""
    said: dict[str, Any] = dict.fromkeys(("scene", "struggle", "waits", "asked"))
    said |= {"standing": [], "forms": [], "offers": []}
    if match is None:
        return said
    shown, seen = match.terms.rules.shown, match.view(viewer)
    lookup = match.terms.silent
    places: dict[str, Any] = {}
    if shown.scene is not None:
        said["scene"] = plain_of(shown.scene(seen, lookup))
        places = {_name(one["decision"]): one for one in said["scene"].pop("targets")}
    if shown.struggle is not None:
        said["struggle"] = plain_of(shown.struggle(seen, lookup))
    question = match.question
    if question is not None:
        said["waits"] = {
            "seats": [seat for seat in match.asked() if seat >= 0],
            "sealed": question.sealed,
            "rule": rule_of(type(question)),
            "text": question_text_of(question),
        }
    said["offers"] = plain_offers(match, viewer, seen, chooses=chooses)
    if viewer is None or not chooses:
        return said
    forms = [plain_of(one) for one in forms_of(match, viewer, seen)]
    if question is not None and viewer in match.asked():
        priced = match.asked() == (viewer,) and not question.sealed
        said["asked"] = choosing(match, question, viewer, seen, places, forms, priced=priced)
    said["standing"] = [
        choosing(match, one, viewer, seen, places, forms, priced=False)
        for one in match.standing(viewer)
    ]
    said["forms"] = forms
    return said


def forms_of(match: Match, seat: Seat, seen: Mapping[str, Any]) -> Sequence[Form]:
    """Returns the game's forms, or forms for decisions that its questions do not list."""
    rules = match.terms.rules
    if rules.shown.forms is not None:
        return rules.shown.forms(seen, match.terms.silent)
    top = match.question
    asked = [] if top is None or seat not in match.asked() else [top]
    found: list[Form] = []
    for question in [*asked, *match.standing(seat)]:
        listed = {type(one) for one in question.options(match.state, seat)}
        made = [plain_form(kind, title_of(kind)) for kind in question.answers if kind not in listed]
        found += [form for form in made if form is not None]
    return found


def choosing(
    match: Match,
    question: Question,
    seat: Seat,
    seen: Mapping[str, Any],
    places: Mapping[str, Any],
    forms: Sequence[Mapping[str, Any]],
    *,
    priced: bool,
) -> dict[str, Any]:
    """Returns a question and its listed answers by kind."""
    kinds: dict[str, dict[str, Any]] = {}
    hints = match.terms.rules.shown.hints
    options = list(question.options(match.state, seat))
    priced = priced and len(options) <= PRICED_MAX
    prices = prices_of(match, seat, options) if priced else [None] * len(options)
    for option, price in zip(options, prices, strict=True):
        plain = plain_of(view_decision(option, seat, seat))
        if _filled_in(plain, forms):
            continue
        tag = plain["type"]
        kind = kinds.setdefault(tag, {"type": tag, "title": title_of(type(option)), "choices": []})
        place = places.get(_name(plain), {})
        label = wording(match, plain, seen, place)
        if any(one["label"] == label for one in kind["choices"]):
            continue  # another of two pieces that are alike
        choice = {"label": label, "on": place.get("on", ""), "decision": plain}
        if price is not None:
            choice["moves"] = name_currencies(match, price)
        if hints is not None:
            choice["note"] = hints(plain, seen, match.terms.silent)
        kind["choices"].append(choice)
    return {
        "question": question.key(match.state, seat),
        "rule": rule_of(type(question)),
        "text": question_text_of(question),
        "sealed": question.sealed,
        "takes": [tag_of(kind) for kind in question.answers],
        "kinds": list(kinds.values()),
    }


def wording(
    match: Match, plain: Mapping[str, Any], seen: Mapping[str, Any], place: Mapping[str, Any]
) -> str:
    """Returns a button's label for a decision, in the words of the game or of its target."""
    rules = match.terms.rules
    if rules.shown.wording is not None:
        return rules.shown.wording(plain, seen, match.terms.silent)
    said: str = place.get("label", "")
    return said or str(plain["type"]).rpartition(".")[2].replace("-", " ").capitalize()


def name_currencies(match: Match, moves: Mapping[str, int]) -> dict[str, int]:
    """Renames moved amounts by the currencies' names."""
    names = match.terms.rules.shown.currencies
    return {names.get(currency, currency): amount for currency, amount in moves.items()}


def title_of(kind: type[Decision]) -> str:
    """Returns a decision's title: its class docstring up to the first comma."""
    return _ENDS.split((kind.__doc__ or "").strip(), maxsplit=1)[0].strip()


def question_text_of(question: Question) -> str:
    """Returns a question's text: its class docstring's first paragraph without rule ids."""
    first = (type(question).__doc__ or "").strip().partition("\n\n")[0]
    text = _IDS.sub("", first).strip(" :\n").replace("\n", " ")
    text = re.sub(r"\s+", " ", text)
    return text[:1].upper() + text[1:]


def _filled_in(plain: Mapping[str, Any], forms: Sequence[Mapping[str, Any]]) -> bool:
    """Tells whether a form covers a decision: they are equal except for the form's fields."""
    return any(
        form["decision"]["type"] == plain["type"]
        and all(plain.get(name) == value for name, value in form["decision"].items())
        and {field["name"] for field in form["fields"]} >= set(plain) - set(form["decision"])
        for form in forms
    )


def _name(decision: Mapping[str, Any]) -> str:
    return repr(sorted(decision.items(), key=lambda item: item[0]))
