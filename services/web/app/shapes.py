"""Common to all schemas: unknown fields are refused, and numbers are numbers."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args, get_origin, get_type_hints

import msgspec
from marshmallow import RAISE, Schema, ValidationError, fields, validate

from ledger.club.texts import all_shown, is_one_line

EXACT_MAX: Final = 1 << 53  # from here on JSON's numbers are not exact everywhere


class Shape(Schema):
    """A body or a query. Unknown fields are refused."""

    class Meta:
        unknown = RAISE

    def get_attribute(self, obj: Any, attr: str, default: Any) -> Any:
        """Returns a field's value, also under its JSON name (`as`) if that differs.

        Of a mapping only keys count: its methods (`values`) are no fields.
        """
        if not isinstance(obj, Mapping):
            return super().get_attribute(obj, attr, default)
        if attr not in obj and attr in self.fields:
            attr = self.fields[attr].data_key or attr
        return obj.get(attr, default)


class Whole(fields.Integer):
    """An integer. 2.0 counts as one; "2" and true do not."""

    def _validated(self, value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.make_error("invalid", input=value)
        if abs(value) >= EXACT_MAX or int(value) != value:
            raise self.make_error("invalid", input=value)
        return super()._validated(int(value))


class Flag(fields.Boolean):
    """A boolean: true or false only. 1, 0.0 and "yes" are refused."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class Number(fields.Integer):
    """An integer in a query, where all values are text: digits only."""

    def _validated(self, value: Any) -> Any:
        text = str(value)
        if not (text.isascii() and text.isdigit() and len(text) < 16):
            raise self.make_error("invalid", input=value)
        return super()._validated(int(text))


class Wholly(validate.Regexp):
    """A pattern that must match the whole text.

    In JSON Schema `$` is the end; in Python a line break may follow it.
    """

    def __call__(self, value: Any) -> Any:
        if self.regex.fullmatch(value) is None:
            raise ValidationError(self._format_error(value))
        return value


def printable(value: Any) -> None:
    """Refuses characters that a terminal or a page would not print: they change how the rest reads.

    Checks every text in an object.
    """
    if not all_shown(value):
        raise ValidationError("It has letters that cannot be printed.")


def one_line(value: str) -> None:
    """Refuses a name or title with a line break, unprintable characters or outer space."""
    if not is_one_line(value):
        raise ValidationError(
            "It must be one line of printable letters, with no space at its ends."
        )


def says(description: str) -> dict[str, Any]:
    """Returns the arguments of a field that describe it in the OpenAPI document."""
    return {"metadata": {"description": description}}


class Page(Shape):
    """A page of a list: the items after `after`, at most `limit`."""

    after = fields.String(
        load_default="", metadata={"description": "the last id of the previous page"}
    )
    limit = Number(load_default=50, validate=validate.Range(1, 200))


def part_of(ids: list[str], asked: dict[str, Any]) -> tuple[range, bool]:
    """Returns the requested part of a list, and whether there is more."""
    first = ids.index(asked["after"]) + 1 if asked["after"] in ids else 0
    last = min(first + asked["limit"], len(ids))
    return range(first, last), last < len(ids)


def page_of(name: str, items: str, shape: type[Schema]) -> type[Schema]:
    """Generates the schema of an answer with a page of a list, and whether there is more."""
    listed = fields.List(fields.Nested(shape), required=True)
    return Shape.from_dict({items: listed, "more": fields.Boolean(required=True)}, name=name)


# --- generated ------------------------------------------------------------------------------------

Names: TypeAlias = dict[type, str | type[Schema]]
PLAIN: Final[dict[Any, type[fields.Field[Any]]]] = {
    bool: fields.Boolean,
    int: Whole,
    str: fields.String,
}


def shape_of(
    record: type, name: str, nested: Names | None = None, /, **fixed: fields.Field[Any]
) -> type[Schema]:
    """Generates the schema of an answer from the struct or named tuple that the answer is.

    Descriptions come from `msgspec.Meta`. `nested` names the schemas of records within; others are
    documented as any object. `fixed` are fields that the record's types do not describe.
    """
    names = {} if nested is None else nested
    made: dict[str, Any] = {}
    if issubclass(record, msgspec.Struct):
        omits = record.__struct_config__.omit_defaults
        for one in msgspec.structs.fields(record):
            renamed = {} if one.encode_name == one.name else {"data_key": one.encode_name}
            required = one.required or not omits
            plain = fixed.get(one.name) or _field(one.type, names, required=required, **renamed)
            made[one.name] = plain
    else:
        for field, kind in get_type_hints(record, include_extras=True).items():
            made[field] = fixed.get(field) or _field(kind, names, required=True)
    return Shape.from_dict(made, name=name)


def _field(kind: Any, names: Names, **more: Any) -> fields.Field[Any]:
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        described = [meta.description for meta in kind.__metadata__ if meta.description]
        more |= {"metadata": {"description": described[0]}} if described else {}
        return _field(inner[0], names, **more)
    if NoneType in inner:
        [known] = set(inner) - {NoneType}
        return _field(known, names, **more, allow_none=True)
    if origin is Literal and isinstance(inner[0], str):
        return fields.String(validate=validate.OneOf(inner), **more)
    if origin is list or (origin is tuple and inner[-1] is Ellipsis):
        return fields.List(_field(inner[0], names), **more)
    if origin is dict:
        return fields.Dict(values=None if inner[1] is Any else _field(inner[1], names), **more)
    if kind in PLAIN or origin is Literal:
        return PLAIN.get(kind, Whole)(**more)
    assert issubclass(kind, msgspec.Struct | tuple), f"no field describes {kind}"
    shape = names.get(kind)
    if isinstance(shape, str):
        shape = names[kind] = shape_of(kind, shape, names)
    return fields.Dict(**more) if shape is None else fields.Nested(shape, **more)
