"""Schemas of choices: the possible decisions in words, and their previews."""

from __future__ import annotations

from typing import Annotated, Any, Final

from marshmallow.validate import Length

from services.web.app.shapes import ABSENT, Shape
from services.web.matches.schemas import QuestionKey, Seat, SeenAs

STEPS_MAX: Final = 60  # decisions that are tried in a row


class StepShape(Shape):
    """A decision to preview, and the question it answers."""

    question: QuestionKey = None
    decision: Annotated[dict[str, Any], "its type, and its fields as the ruleset defines them"]


class TrialShape(Shape):
    """Decisions of a seat, to preview one after another."""

    seat: Seat
    decisions: Annotated[list[StepShape], Length(1, STEPS_MAX)]


class ChoiceShape(Shape):
    """A possible decision."""

    label: Annotated[str, "the text of a button"]
    on: Annotated[str, "a thing of the scene, or empty"]
    decision: dict[str, Any]
    moves: Annotated[
        dict[str, int], "by currency: what the player gains or pays before anything is revealed"
    ] = ABSENT
    note: Annotated[str, "the result, if the words do not say it"] = ABSENT


class KindShape(Shape):
    """A kind of decision."""

    type: str
    title: str
    choices: list[ChoiceShape]


class ChoosingShape(Shape):
    """A question, and its listed answers by kind."""

    question: Annotated[str, "its key"]
    rule: Annotated[str, "the id of its rule"]
    text: Annotated[str, "the rule in short"]
    sealed: bool
    takes: Annotated[list[str], "decision types"]
    kinds: list[KindShape]


class TriedShape(Shape):
    """The result of a previewed decision, in sentences."""

    decision: dict[str, Any]
    label: str
    told: Annotated[bool, "false: this is only known afterwards"]
    sentences: list[str]
    moves: dict[str, int]


class AnswerShape(Shape):
    """A possible answer to an offer."""

    label: str
    decision: dict[str, Any]
    question: Annotated[str, "the key of the question that it answers"]
    why: Annotated[str, "why it would be refused now, or empty"]
    rule: Annotated[str, "the rule that would refuse it, or empty"]
    who: Annotated[int | None, "the seat that is the reason"]


class OfferShape(Shape):
    """An open offer to other seats."""

    id: str
    title: str
    seat: Annotated[int, "who made it"]
    parties: list[int]
    agreed: Annotated[list[int], "so far"]
    terms: Annotated[list[str], "in words"]
    private: bool
    until: Annotated[str, "in words; empty: for ever"]
    answers: list[AnswerShape]


class WaitsShape(Shape):
    """The open question, as everybody may know it."""

    seats: Annotated[list[int], "none: chance is asked"]
    sealed: bool
    rule: str
    text: str


class ChoicesShape(Shape):
    """A position, and its choices."""

    match: str
    version: int
    viewer: SeenAs
    tried: Annotated[list[TriedShape], "none: the current state"]
    told: Annotated[bool, "whether the rest shows the state after all of these"]
    scene: dict[str, Any] | None
    struggle: Annotated[dict[str, Any] | None, "the object of the conflict"]
    waits: Annotated[WaitsShape | None, "null: it is over"]
    asked: ChoosingShape | None
    standing: list[ChoosingShape]
    forms: Annotated[list[dict[str, Any]], "complete decisions"]
    offers: Annotated[list[OfferShape], "decisions with open fields"]
