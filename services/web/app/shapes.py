"""Bodies, queries and answers: read strictly, so that no value is taken for something else.

A schema is a class whose annotations are its fields:

    seconds: Annotated[int, Range(1, 60), "the time to answer"] = 30

In `Annotated`, a text is the description, a mapping holds arguments of marshmallow's field, a field
is taken instead of the usual one, and anything else is a validator. A field without a default is
required; one whose default is `ABSENT` may be left out.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from inspect import get_annotations
from types import NoneType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NoReturn,
    TypeAlias,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from flask import Request
from marshmallow import RAISE, Schema, ValidationError, fields, missing, validate
from marshmallow.schema import SchemaMeta
from marshmallow.validate import Range
from webargs import core
from webargs.flaskparser import FlaskParser, is_json_request

from ledger.club.texts import all_shown, is_one_line

from .problems import Problem

EXACT_MAX: Final = 1 << 53  # from here on JSON's numbers are not exact everywhere
DEEP_MAX: Final = 32  # levels of a body; the deepest of ours has five
ABSENT: Final[Any] = missing

# --- values ---------------------------------------------------------------------------------------


class Whole(fields.Integer):
    """An integer. 2.0 counts as one; "2" and true do not."""

    def _validated(self, value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.make_error("invalid", input=value)
        if abs(value) >= EXACT_MAX or int(value) != value:
            raise self.make_error("invalid", input=value)
        return super()._validated(int(value))


class Number(fields.Integer):
    """An integer in a query, where all values are text: digits only."""

    def _validated(self, value: Any) -> Any:
        text = str(value)
        if not (text.isascii() and text.isdigit() and len(text) < 16):
            raise self.make_error("invalid", input=value)
        return super()._validated(int(text))


class Flag(fields.Boolean):
    """A boolean: true or false only. 1, 0.0 and "yes" are refused."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


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


# --- schemas --------------------------------------------------------------------------------------

Names: TypeAlias = dict[type, str | type[Schema]]
GENERATED: Final[Names] = {}  # by what `shape_of` made them from
PLAIN: Final[dict[Any, type[fields.Field[Any]]]] = {
    Any: fields.Raw,
    bool: Flag,
    int: Whole,
    str: fields.String,
}


def _field(kind: Any, names: Names, **more: Any) -> fields.Field[Any]:
    """Makes the field of a type. `names` are the schemas of records within."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _annotated_field(inner[0], kind.__metadata__, names, more)
    if NoneType in inner:
        [known] = [one for one in inner if one is not NoneType]
        return _field(known, names, **more, allow_none=True)
    if origin is Literal and isinstance(inner[0], str):
        return fields.String(validate=validate.OneOf(inner), **more)
    if origin is list or (origin is tuple and inner[-1] is Ellipsis):
        return fields.List(_field(inner[0], names), **more)
    if origin is dict:
        return fields.Dict(values=None if inner[1] is Any else _field(inner[1], names), **more)
    if kind in PLAIN or origin is Literal:
        return PLAIN.get(kind, Whole)(**more)
    if issubclass(kind, fields.Field):
        return cast("fields.Field[Any]", kind(**more))
    if issubclass(kind, Schema):
        return fields.Nested(kind, **more)
    assert issubclass(kind, msgspec.Struct | tuple), f"no field describes {kind}"
    shape = names.get(kind)
    if isinstance(shape, str):
        shape = names[kind] = shape_of(kind, shape, names)
    return fields.Dict(**more) if shape is None else fields.Nested(shape, **more)


def _annotated_field(
    kind: Any, said: tuple[Any, ...], names: Names, more: dict[str, Any]
) -> fields.Field[Any]:
    checks = []
    for meta in said:
        match meta:
            case fields.Field():
                return meta
            case type():
                kind = meta
            case msgspec.Meta(description=None):
                pass
            case str() | msgspec.Meta():
                words = meta if isinstance(meta, str) else str(meta.description)
                more |= says(words)
            case Mapping():
                more |= meta
            case _:
                checks.append(meta)
    return _field(kind, names, **more, **({"validate": checks} if checks else {}))


class Annotations(SchemaMeta):
    """Makes a field of each annotation of a schema."""

    @classmethod
    def get_declared_fields(
        cls,
        klass: Any,
        cls_fields: list[tuple[str, fields.Field[Any]]],
        inherited_fields: list[tuple[str, fields.Field[Any]]],
        dict_cls: type[dict[str, Any]] = dict,
    ) -> dict[str, Any]:
        """Returns a schema's fields: marshmallow asks for them."""
        made = dict_cls(inherited_fields + cls_fields)
        for name, kind in get_annotations(klass, eval_str=True).items():
            default: dict[str, Any] = {"required": True}
            if name in klass.__dict__:
                default = {"load_default": klass.__dict__[name]}
                delattr(klass, name)  # it might hide what each schema has
            made[name] = _field(kind, GENERATED, **default)
        return made


class Shape(Schema, metaclass=Annotations):
    """A body, a query or an answer. Unknown fields are refused."""

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


def shape_of(
    record: type, name: str, nested: Names | None = None, /, **fixed: fields.Field[Any]
) -> type[Schema]:
    """Generates the schema of an answer from the struct or named tuple that the answer is.

    Annotations then name that type. Descriptions come from `msgspec.Meta`. `nested` names the
    schemas of records within; others are documented as any object. `fixed` are fields that the
    record's types do not describe.
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
    shape = GENERATED[record] = Shape.from_dict(made, name=name)
    return shape


# --- pages of lists -------------------------------------------------------------------------------

PageSize: TypeAlias = Annotated[int, Number, Range(1, 200)]


class Page(Shape):
    """A page of a list: the items after `after`, at most `limit`."""

    after: Annotated[str, "the last id of the previous page"] = ""
    limit: PageSize = 50


def part_of(ids: list[str], asked: dict[str, Any]) -> tuple[range, bool]:
    """Returns the requested part of a list, and whether there is more."""
    first = ids.index(asked["after"]) + 1 if asked["after"] in ids else 0
    last = min(first + asked["limit"], len(ids))
    return range(first, last), last < len(ids)


def page_of(name: str, items: str, shape: type[Schema]) -> type[Schema]:
    """Generates the schema of an answer with a page of a list, and whether there is more."""
    listed = fields.List(fields.Nested(shape), required=True)
    return Shape.from_dict({items: listed, "more": fields.Boolean(required=True)}, name=name)


# --- reading a body -------------------------------------------------------------------------------


class NotTaken(ValueError):
    """A JSON or Python value that is not accepted here."""


class Parser(FlaskParser):
    """A request parser that refuses fields unknown to the schema, wherever they are."""

    DEFAULT_UNKNOWN_BY_LOCATION = {  # noqa: RUF012 - webargs declares it so
        **FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
        "query": None,  # as the schema says
    }

    def _raw_load_json(self, req: Request) -> Any:
        body = req.get_data(cache=True)
        if not is_json_request(req):
            if body:
                raise Problem(415)
            return core.missing
        return json_of(body)


def json_of(body: bytes) -> Any:
    """Parses a body: UTF-8, no duplicate keys, no NaN or infinity, no lone surrogates."""
    try:
        value = json.loads(
            body.decode(),
            object_pairs_hook=_build_unique_dict,
            parse_constant=_no_number,
            parse_float=_finite,
        )
        _check(value)
    except NotTaken as reason:
        raise Problem(400, detail=f"The body is refused: {reason}.") from None
    except (ValueError, RecursionError):  # also what is no UTF-8, and numbers of endless length
        raise Problem(400, detail="The body is not JSON.") from None
    return value


def _build_unique_dict(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise NotTaken("an object has a key twice")
    return found


def _no_number(name: str) -> NoReturn:
    raise NotTaken(f"{name} is not a number in JSON")


def _finite(text: str) -> float:
    found = float(text)
    if math.isinf(found):
        raise NotTaken("a number is too large")
    return found


def _check(value: Any) -> None:
    """Refuses values that are too deep, and lone surrogates, which UTF-8 cannot encode."""
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > DEEP_MAX:
            raise NotTaken(f"it is deeper than {DEEP_MAX} levels")
        below: list[Any] = []
        for one in level:
            if isinstance(one, Mapping):
                below += [*one.keys(), *one.values()]
            elif isinstance(one, list):
                below += one
            elif isinstance(one, str) and not one.isascii():
                try:
                    one.encode()
                except UnicodeEncodeError:
                    raise NotTaken("a letter is half of a pair") from None
        level = below
