"""Forms as bodies of the API: each plain field as its type, and what is empty left out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest
from werkzeug.datastructures import MultiDict

from ledger.games import ruleset
from services.web.app.forms import TypedForm
from services.web.app.shapes import ABSENT, Shape
from services.web.errata.pages import _body as body_of_lab

WEB = Path(__file__).resolve().parents[4] / "services" / "web"


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


PAGES = {
    "matches/creation.py": ("new_match.html",),
    "tournaments/creation.py": ("new_tournament.html",),
    "disputes/pages.py": ("dispute.html", "disputes.html"),
    "editions/pages.py": ("edition.html",),
    "errata/pages.py": ("errata.html",),
}


@pytest.mark.parametrize(("module", "templates"), PAGES.items())
def test_a_page_draws_each_field_that_is_read_from_its_form(
    module: str, templates: tuple[str, ...]
):
    names = set(names_read((WEB / module).read_text()))
    drawn = "".join((WEB / "templates" / one).read_text() for one in (*templates, "_forms.html"))
    assert names
    assert [
        one for one in names if f'(form, "{one}"' not in drawn and f'name="{one}"' not in drawn
    ] == []


def names_read(source: str) -> Iterator[str]:
    """Yields the names that are given to `body`, or are in the tuple of fields given to it."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(attr="body"), args=[_, *parts]):
                pass
            case ast.Assign(targets=[ast.Name(id="fields")], value=value):
                parts = [value]
            case ast.AnnAssign(target=ast.Name(id="FIELDS"), value=ast.Tuple() as value):
                parts = [value]
            case _:
                continue
        for word in (word for part in parts for word in ast.walk(part)):
            if isinstance(word, ast.Constant):
                yield str(word.value)


def test_the_lab_takes_only_what_its_page_can_send():
    said = {"matches": "a", "full": "1", "bot": "random", "unopened": "1", "illegal": "skip"}
    body = body_of_lab(TypedForm(said), ruleset("tictactoe"))
    assert body["policies"] == {"illegal": "skip"}
    assert body["unopened"] is False
    assert "matches" not in body
    assert "full" not in body
    assert body_of_lab(TypedForm({"unopened": "yes"}), ruleset("tictactoe"))["unopened"] is True
