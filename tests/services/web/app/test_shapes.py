"""A flag is true or false, and nothing that Python takes for either; schemas made from structs."""

from typing import Annotated, Literal, NamedTuple

import msgspec
import pytest
from marshmallow import ValidationError, fields

from services.web.app.shapes import Flag, Shape, shape_of


class Flagged(Shape):
    on = Flag(required=True)


@pytest.mark.parametrize("value", [0, 1, 0.0, 1.0, "true", "", [], None])
def test_what_is_neither_true_nor_false_is_refused(value):
    with pytest.raises(ValidationError):
        Flagged().load({"on": value})


@pytest.mark.parametrize("value", [True, False])
def test_true_and_false_are_taken(value):
    assert Flagged().load({"on": value}) == {"on": value}


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
