"""A flag is true or false, and nothing that Python takes for either; fields made from types."""

from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import pytest
from marshmallow import ValidationError, fields
from marshmallow.validate import Length, Range

from services.web.app.shapes import ABSENT, Flag, Number, Shape, Whole, shape_of


class Flagged(Shape):
    on = Flag(required=True)


@pytest.mark.parametrize("value", [0, 1, 0.0, 1.0, "true", "", [], None])
def test_what_is_neither_true_nor_false_is_refused(value):
    with pytest.raises(ValidationError):
        Flagged().load({"on": value})


@pytest.mark.parametrize("value", [True, False])
def test_true_and_false_are_taken(value):
    assert Flagged().load({"on": value}) == {"on": value}


# --- annotated ------------------------------------------------------------------------------------


class Step(NamedTuple):
    at: int


shape_of(Step, "StepShape")


class Asked(Shape):
    first = fields.String(required=True)
    who: Literal["seat", "bot"]
    steps: Annotated[list[Step], Length(1, 2), "in their order"]
    seconds: Annotated[int, Range(1, 60), "the time to answer"] = 30
    after: Annotated[int | None, Number, {"data_key": "from"}] = None
    name: Annotated[str, Length(1, 4)] = ABSENT
    odd: Annotated[Any, fields.Url(load_default="")]


class AskedMore(Asked):
    more: bool


BODY = {"first": "a", "who": "bot", "steps": [{"at": 1}], "more": True}


def test_annotations_are_fields_in_their_order_after_those_that_are_inherited():
    shape = AskedMore()
    assert list(shape.fields) == [
        *("first", "who", "steps", "seconds", "after", "name", "odd"),
        "more",
    ]
    needed = [name for name, one in shape.fields.items() if one.required]
    assert needed == ["first", "who", "steps", "more"]
    assert shape.fields["steps"].metadata == {"description": "in their order"}
    assert type(shape.fields["seconds"]) is Whole
    assert type(shape.fields["after"]) is Number
    assert type(shape.fields["odd"]) is fields.Url
    assert not hasattr(shape, "seconds")


def test_a_body_gets_the_defaults_of_its_annotations():
    plain = {**BODY, "seconds": 30, "after": None, "odd": ""}
    assert AskedMore().load(BODY) == plain
    assert AskedMore().load({**BODY, "from": "7", "name": "Ann"}) == {
        **plain,
        "after": 7,
        "name": "Ann",
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("who", "clock"),
        ("steps", []),
        ("steps", [{"at": "1"}]),
        ("steps", [{}]),
        ("steps", [{"at": 1, "by": 2}]),
        ("seconds", 61),
        ("seconds", True),
        ("seconds", None),
        ("from", "-7"),
        ("name", ""),
        ("after", "7"),
        ("more", 1),
        ("most", 1),
    ],
)
def test_what_an_annotation_does_not_allow_is_refused(name, value):
    with pytest.raises(ValidationError) as reason:
        AskedMore().load({**BODY, name: value})
    assert list(reason.value.messages) == [name]


# --- generated ------------------------------------------------------------------------------------


class Inner(msgspec.Struct, omit_defaults=True):
    n: int
    more: str = ""


class Outer(msgspec.Struct):
    as_: Annotated[str, msgspec.Meta(description="the eyes")] = msgspec.field(name="as")
    known: Literal["yes", "no"] | None
    inner: tuple[Inner, ...]
    bare: list[dict[str, int]]


class Pair(NamedTuple):
    left: bool
    right: Inner


def test_the_schema_of_a_struct_has_its_fields_as_answers_have_them():
    shape = shape_of(Outer, "OuterShape", {Inner: "InnerShape"})()
    assert shape.__class__.__name__ == "OuterShape"
    assert list(shape.fields) == ["as_", "known", "inner", "bare"]
    eyes, known = shape.fields["as_"], shape.fields["known"]
    assert (eyes.required, eyes.data_key) == (True, "as")
    assert eyes.metadata == {"description": "the eyes"}
    assert known.allow_none
    assert known.validate.choices == ("yes", "no")  # in their own order
    inside = shape.fields["inner"].inner.schema
    assert {name: one.required for name, one in inside.fields.items()} == {"n": True, "more": False}
    plain = {"as": "0", "known": None, "inner": [{"n": 1, "more": ""}], "bare": [{"a": 1}]}
    assert shape.dump(Outer("0", None, (Inner(1),), [{"a": 1}])) == plain
    assert shape.dump(plain) == plain


def test_a_record_within_is_any_object_unless_it_is_named():
    shape = shape_of(Pair, "PairShape", left=fields.String())()
    assert type(shape.fields["right"]) is fields.Dict
    assert type(shape.fields["left"]) is fields.String


def test_a_type_that_no_field_describes_is_refused():
    class Odd(msgspec.Struct):
        share: float

    with pytest.raises(AssertionError, match="no field describes"):
        shape_of(Odd, "OddShape")
