"""Forms as bodies of the API: each plain field as its type, and what is empty left out."""

from __future__ import annotations

from typing import Annotated, Any

from werkzeug.datastructures import MultiDict

from services.web.app.forms import TypedForm
from services.web.app.shapes import ABSENT, Shape


class Inner(Shape):
    """A part that a form does not have as one field."""

    word: str = ""


class Filled(Shape):
    """One field of each kind."""

    name: str
    count: int
    note: str = ""
    most: int = 3
    ticks: Annotated[list[int], {"load_default": list}] = ABSENT
    chosen: Annotated[list[str], {"load_default": None}] = ABSENT
    pause: bool = False
    goes_on: bool = True
    first: Annotated[int | None, {"data_key": "from"}] = None
    inner: Inner | None = None
    options: Annotated[dict[str, Any], {"load_default": dict}] = ABSENT


def form_of(*typed: tuple[str, str]) -> TypedForm:
    form = TypedForm()
    form.said = MultiDict(typed)
    return form


def test_each_field_is_read_as_its_type():
    form = form_of(
        *[("name", " Ann "), ("count", "-2"), ("note", "well"), ("most", "9"), ("from", "4")],
        *[("ticks", "1"), ("ticks", "2"), ("chosen", "a"), ("pause", "1"), ("goes_on", "true")],
    )
    assert form.body(Filled) == {
        "name": "Ann",
        "count": -2,
        "note": "well",
        "most": 9,
        "from": 4,
        "ticks": [1, 2],
        "chosen": ["a"],
        "pause": True,
        "goes_on": True,
    }


def test_what_is_empty_is_left_out_unless_it_is_required():
    empty = form_of(("note", " "), ("most", ""), ("from", ""), ("pause", "no"))
    assert empty.body(Filled) == {"name": "", "count": "", "ticks": []}


def test_what_is_no_number_stays_a_text_for_the_shape_to_refuse():
    form = form_of(("name", "Ann"), ("count", "many"))
    assert form.read(Filled, form.body(Filled)) is None
    assert list(form.errors) == ["count"]


def test_only_the_fields_of_the_page_are_read():
    form = form_of(("name", "Ann"), ("count", "1"), ("note", "well"), ("ticks", "1"))
    assert form.body(Filled, "name", "from") == {"name": "Ann"}


def test_a_form_may_call_a_field_otherwise():
    form = form_of(("who", "Ann"), ("name", "Bob"), ("count", "1"))
    assert form.body(Filled, called={"name": "who"})["name"] == "Ann"
