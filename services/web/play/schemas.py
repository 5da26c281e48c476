"""Schemas of choices: the possible decisions in words, and their previews."""

from __future__ import annotations

from typing import Final

from marshmallow import fields, validate

from services.web.app.shapes import Shape, Whole

STEPS_MAX: Final = 60  # decisions that are tried in a row


class StepShape(Shape):
    """A decision to preview, and the question it answers."""

    question = fields.String(load_default=None, allow_none=True, validate=validate.Length(1, 200))
    decision = fields.Dict(
        required=True,
        metadata={"description": "its type, and its fields as the ruleset defines them"},
    )


class TrialShape(Shape):
    """Decisions of a seat, to preview one after another."""

    seat = Whole(required=True, validate=validate.Range(0, 63))
    decisions = fields.List(
        fields.Nested(StepShape), required=True, validate=validate.Length(1, STEPS_MAX)
    )


class ChoiceShape(Shape):
    """A possible decision."""

    label = fields.String(required=True, metadata={"description": "the text of a button"})
    on = fields.String(required=True, metadata={"description": "a thing of the scene, or empty"})
    decision = fields.Dict(required=True)
    moves = fields.Dict(
        keys=fields.String(),
        values=Whole(),
        metadata={
            "description": "by currency: what the player gains or pays before anything is revealed"
        },
    )
    note = fields.String(metadata={"description": "the result, if the words do not say it"})


class KindShape(Shape):
    """A kind of decision."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    choices = fields.List(fields.Nested(ChoiceShape), required=True)


class ChoosingShape(Shape):
    """A question, and its listed answers by kind."""

    question = fields.String(required=True, metadata={"description": "its key"})
    rule = fields.String(required=True, metadata={"description": "the id of its rule"})
    text = fields.String(required=True, metadata={"description": "the rule in short"})
    sealed = fields.Boolean(required=True)
    takes = fields.List(fields.String(), required=True, metadata={"description": "decision types"})
    kinds = fields.List(fields.Nested(KindShape), required=True)


class TriedShape(Shape):
    """The result of a previewed decision, in sentences."""

    decision = fields.Dict(required=True)
    label = fields.String(required=True)
    told = fields.Boolean(
        required=True, metadata={"description": "false: this is only known afterwards"}
    )
    sentences = fields.List(fields.String(), required=True)
    moves = fields.Dict(keys=fields.String(), values=Whole(), required=True)


class AnswerShape(Shape):
    """A possible answer to an offer."""

    label = fields.String(required=True)
    decision = fields.Dict(required=True)
    question = fields.String(
        required=True, metadata={"description": "the key of the question that it answers"}
    )
    why = fields.String(
        required=True, metadata={"description": "why it would be refused now, or empty"}
    )
    rule = fields.String(
        required=True, metadata={"description": "the rule that would refuse it, or empty"}
    )
    who = fields.Integer(
        required=True, allow_none=True, metadata={"description": "the seat that is the reason"}
    )


class OfferShape(Shape):
    """An open offer to other seats."""

    id = fields.String(required=True)
    title = fields.String(required=True)
    seat = Whole(required=True, metadata={"description": "who made it"})
    parties = fields.List(Whole(), required=True)
    agreed = fields.List(Whole(), required=True, metadata={"description": "so far"})
    terms = fields.List(fields.String(), required=True, metadata={"description": "in words"})
    private = fields.Boolean(required=True)
    until = fields.String(required=True, metadata={"description": "in words; empty: for ever"})
    answers = fields.List(fields.Nested(AnswerShape), required=True)


class WaitsShape(Shape):
    """The open question, as everybody may know it."""

    seats = fields.List(Whole(), required=True, metadata={"description": "none: chance is asked"})
    sealed = fields.Boolean(required=True)
    rule = fields.String(required=True)
    text = fields.String(required=True)


class ChoicesShape(Shape):
    """A position, and its choices."""

    match = fields.String(required=True)
    version = Whole(required=True)
    viewer = fields.String(data_key="as", required=True)
    tried = fields.List(
        fields.Nested(TriedShape),
        required=True,
        metadata={"description": "none: the current state"},
    )
    told = fields.Boolean(
        required=True,
        metadata={"description": "whether the rest shows the state after all of these"},
    )
    scene = fields.Dict(required=True, allow_none=True)
    struggle = fields.Dict(
        required=True, allow_none=True, metadata={"description": "the object of the conflict"}
    )
    waits = fields.Nested(
        WaitsShape, required=True, allow_none=True, metadata={"description": "null: it is over"}
    )
    asked = fields.Nested(ChoosingShape, required=True, allow_none=True)
    standing = fields.List(fields.Nested(ChoosingShape), required=True)
    forms = fields.List(
        fields.Dict(), required=True, metadata={"description": "complete decisions"}
    )
    offers = fields.List(
        fields.Nested(OfferShape),
        required=True,
        metadata={"description": "decisions with open fields"},
    )
