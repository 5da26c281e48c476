"""Forms for a game that has none of its own, made from its decision types.

Fields have the names they have in the code. A decision made of parts has no form.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

import msgspec

from ledger.kernel.forms import Choice, Field, Form
from ledger.kernel.records import Decision, tag_of

LETTERS: Final = 500
HIGHEST: Final = 1_000_000


def plain_form(kind: type[Decision], title: str) -> Form | None:
    """Returns a form for a decision, or None if a field is no text, number or word."""
    hints = get_type_hints(kind, include_extras=True)
    names = [field.name for field in msgspec.structs.fields(kind)]
    fields = [_field(name, _bare(hints[name])) for name in names]
    found = tuple(field for field in fields if field is not None)
    if not found or len(found) < len(fields):
        return None
    return Form(id=tag_of(kind), label=title, decision={"type": tag_of(kind)}, fields=found)


def _bare(hint: Any) -> Any:
    return _bare(get_args(hint)[0]) if get_origin(hint) is Annotated else hint


def _field(name: str, kind: Any) -> Field | None:
    make = partial(Field, name=name, label=name.replace("_", " ").capitalize())
    if get_origin(kind) is Literal:
        choices = tuple(Choice(value=one, label=str(one)) for one in get_args(kind))
        return make(kind="choice", choices=choices)
    if kind is bool:
        choices = (Choice(value=False, label="no"), Choice(value=True, label="yes"))
        return make(kind="choice", choices=choices, value=False)
    if kind is str:
        return make(kind="text", high=LETTERS, value="")
    if kind is int:
        return make(kind="number", low=-HIGHEST, high=HIGHEST, value=0)
    return None
