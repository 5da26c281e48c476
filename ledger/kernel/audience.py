"""Audiences: the annotation of each field says who may see it. A field without one is refused.

| annotation | who sees the value |
|---|---|
| `Open[T]` | all |
| `Own[T]` | the seat that the record's own field `seat` names |
| `Annotated[T, Among("parties")]` | the seat or seats that the record's field `parties` names |
| `Secret[T]` | no seat |
| `OwnCounted[T]`, `SecretCounted[T]` | as without `Counted`, but all may see the number of items |

`ALL_SEATS` sees what any seat sees: it is for viewers of a match in which all of that is
open. A `Secret` value stays hidden from it too. No address and no program may use its
number: the code always names the constant.

A value that a viewer may not see is replaced by `{"hidden": True}`, or by `{"hidden": n}`
where the number is public. Nothing is shown by oversight: a ruleset with a field without an
audience is refused when it is made, and `view` refuses a type that it does not know.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import cache
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
)

import msgspec

T = TypeVar("T")

Viewer: TypeAlias = int | None  # None is a spectator
ALL_SEATS: Final[Viewer] = -9  # through the eyes of all seats at once

_SIMPLE = (int, str, bool, type(None))


class Audience(Enum):
    """The audiences that need no parameter."""

    EVERYONE = "everyone"
    OWNER = "owner"
    NOBODY = "nobody"


class Among(msgspec.Struct, frozen=True):
    """The seats named by another field of the same record."""

    field: str


class Backs(Enum):
    """Says what is public about a hidden sequence."""

    COUNTED = "counted"


Open = Annotated[T, Audience.EVERYONE]
Own = Annotated[T, Audience.OWNER]
Secret = Annotated[T, Audience.NOBODY]
OwnCounted = Annotated[T, Audience.OWNER, Backs.COUNTED]
SecretCounted = Annotated[T, Audience.NOBODY, Backs.COUNTED]


class FieldAudience(msgspec.Struct, frozen=True):
    """The audience of one field of a record type."""

    name: str
    audience: Audience | Among
    counted: bool
    is_open: bool  # to everybody: nobody has to be asked who is looking

    def admits(self, record: Any, viewer: Viewer, owner: int | None = None) -> bool:
        """Returns whether `viewer` may see this field. The owner of a decision is its seat."""
        if self.is_open:
            return True
        if viewer is None or self.audience is Audience.NOBODY:
            return False
        if isinstance(self.audience, Among):
            seats = getattr(record, self.audience.field)
            if seats is None or (not isinstance(seats, int) and not seats):
                return False
            if viewer == ALL_SEATS:
                return True
            return viewer == seats if isinstance(seats, int) else viewer in seats
        return viewer in (record.seat if owner is None else owner, ALL_SEATS)


def looks_through(viewer: Viewer, seat: int) -> bool:
    """Returns whether a viewer sees what that seat sees."""
    return viewer in (seat, ALL_SEATS)


@cache
def audiences(record: type[Any]) -> tuple[FieldAudience, ...]:
    """Returns the audience of each field of a record type; refuses a field without one."""
    hints = _hints(record)
    return tuple(_field_audience(record, name, hint, hints) for name, hint in hints.items())


def _hints(record: type[Any]) -> Mapping[str, Any]:
    """Returns the type of each field; a generic record has its parameters filled in."""
    return {field.name: field.type for field in msgspec.structs.fields(record)}


def _field_audience(
    record: type[Any], name: str, hint: Any, hints: Mapping[str, Any]
) -> FieldAudience:
    where = f"{record.__module__}.{record.__name__}.{name}"
    marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    named = [mark for mark in marks if isinstance(mark, Audience | Among)]
    if len(named) != 1:
        msg = f"{where} names no audience" if not named else f"{where} names two audiences"
        raise TypeError(msg)
    audience = named[0]
    if audience is Audience.OWNER and "seat" not in hints and not _is_decision(record):
        msg = f"{where} belongs to an owner, but the record has no field `seat`"
        raise TypeError(msg)
    if isinstance(audience, Among) and audience.field not in hints:
        msg = f"{where} is among `{audience.field}`, which is no field of the record"
        raise TypeError(msg)
    if isinstance(audience, Among) and _mark(hints[audience.field]) is not Audience.EVERYONE:
        msg = f"{where} is among `{audience.field}`, which not everybody may see"
        raise TypeError(msg)
    held = get_args(hint)[0]
    counted = Backs.COUNTED in marks
    if counted and get_origin(held) not in (list, tuple, dict):
        msg = f"{where} is counted, but it is nothing that can be counted"
        raise TypeError(msg)
    return FieldAudience(name, audience, counted, audience is Audience.EVERYONE)


def _mark(hint: Any) -> Audience | None:
    marks = get_args(hint)[1:]
    return next((mark for mark in marks if isinstance(mark, Audience)), None)


def _is_decision(record: type[Any]) -> bool:
    # A decision is owned by the seat that decides, which the event names and the record does not.
    return bool(getattr(record, "owned_by_the_decider", False))


def view(value: Any, viewer: Viewer) -> Any:
    """Returns `value` as a seat (None: a spectator) may see it, in plain types."""
    if type(value) in _SIMPLE:
        return value
    if isinstance(value, msgspec.Struct):
        return _view_record(value, viewer)
    if isinstance(value, list | tuple):
        return [item if type(item) in _SIMPLE else view(item, viewer) for item in value]
    if isinstance(value, dict):
        return {key: view(item, viewer) for key, item in value.items()}
    if isinstance(value, int | str):
        return value
    msg = f"cannot show a {type(value).__name__}"  # never let a type pass unread
    raise TypeError(msg)


def view_decision(decision: msgspec.Struct, viewer: Viewer, owner: int) -> dict[str, Any]:
    """Returns a decision of the seat `owner` as a viewer may see it."""
    return _view_record(decision, viewer, owner)


def _view_record(
    record: msgspec.Struct, viewer: Viewer, owner: int | None = None
) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    tag = type(record).__struct_config__.tag
    if tag is not None:
        shown["type"] = tag
    for field in audiences(type(record)):
        value = getattr(record, field.name)
        if not (field.is_open or field.admits(record, viewer, owner)):
            shown[field.name] = {"hidden": len(value) if field.counted else True}
        elif type(value) in _SIMPLE:
            shown[field.name] = value
        else:
            shown[field.name] = view(value, viewer)
    return shown


def hidden(value: Any) -> bool:
    """Returns whether a part of a view is hidden."""
    return isinstance(value, Mapping) and value.keys() == {"hidden"}


# --- from views back to records -------------------------------------------------------------------

Maker: TypeAlias = Callable[[Any], Any]
PLAIN: Final = (int, str, bool)  # a view shows these as they are, unless it hides them


def _may_hide(shown: Any) -> bool:
    """Returns whether a value may be a hidden one: views show those as mappings."""
    return type(shown) is dict


def rebuild(shown: Any, kind: Any) -> Any:
    """Rebuilds the record, list or value that a view shows. Hidden parts become empty.

    A hidden record has no empty value: the caller replaces it in the view before.
    """
    return _maker(kind)(shown)


@cache
def _maker(kind: Any) -> Maker:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (types.UnionType, typing.Union):
        (other,) = (one for one in inner if one is not type(None))
        make = _maker(other)
        return lambda shown: None if shown is None or hidden(shown) else make(shown)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _record_maker(kind)
    if origin is dict:
        make = _maker(inner[1])
        if inner[1] in PLAIN:
            return lambda shown: {} if hidden(shown) else dict(shown)
        return lambda shown: (
            {} if hidden(shown) else {name: make(part) for name, part in shown.items()}
        )
    if origin is list:
        make = _maker(inner[0])
        if inner[0] in PLAIN:
            return lambda shown: [] if _may_hide(shown) and hidden(shown) else list(shown)
        return lambda shown: [] if hidden(shown) else [make(part) for part in shown]
    if origin is tuple:
        return _tuple_maker(inner)
    empty = kind() if isinstance(kind, type) else ""
    return lambda shown: empty if _may_hide(shown) and hidden(shown) else shown


def _record_maker(kind: type[msgspec.Struct]) -> Maker:
    """Makes a record field by field; types lose their visibility annotations."""
    makers = []
    for field in msgspec.structs.fields(kind):
        hint = field.type
        held = get_args(hint)[0] if get_origin(hint) is Annotated else hint
        makers.append((field.name, _maker(held)))
    return lambda shown: kind(**{name: make(shown[name]) for name, make in makers})


def _tuple_maker(inner: tuple[Any, ...]) -> Maker:
    """Makes a tuple of any length of one type, or of one value for each type."""
    if len(inner) == 2 and inner[1] is Ellipsis:
        one = _maker(inner[0])
        return lambda shown: () if hidden(shown) else tuple(one(part) for part in shown)
    each = [_maker(kind) for kind in inner]
    return lambda shown: tuple(make(part) for make, part in zip(each, shown, strict=True))


# --- the check that a ruleset runs over its records when it is made -------------------------------


def check_record(record: type[msgspec.Struct]) -> None:
    """Refuses a record type if it, or a type nested in it, has a field that could leak."""
    frozen = bool(record.__struct_config__.frozen)
    for nested in _walk(record, set(), frozen=frozen):
        fields = audiences(nested)
        inside = _is_decision(record) and nested is not record
        if inside and any(field.audience is not Audience.EVERYONE for field in fields):
            # The log commits the fields of a decision, not what is nested in them.
            msg = f"{nested.__name__} is part of {record.__name__} and must be open throughout"
            raise TypeError(msg)


def _walk(
    record: type[msgspec.Struct], met: set[type[msgspec.Struct]], *, frozen: bool
) -> Iterator[type[msgspec.Struct]]:
    if record in met:
        return
    met.add(record)
    yield record
    for name, hint in _hints(record).items():
        where = f"{record.__name__}.{name}"
        held = get_args(hint)[0]  # the field's own audience has been read
        for nested in _records_in(held, where, frozen=frozen):
            yield from _walk(nested, met, frozen=frozen)


def _records_in(hint: Any, where: str, *, frozen: bool) -> Iterator[type[msgspec.Struct]]:
    origin = get_origin(hint)
    inner = [arg for arg in get_args(hint) if arg is not Ellipsis]
    if origin is Annotated:
        msg = f"{where} has an audience inside its type, where nobody would heed it"
        raise TypeError(msg)
    if origin in (list, dict) and frozen:
        # A record that shares a list with the state would change with it, and a snapshot would not.
        msg = f"{where} is part of a frozen record and must be a tuple"
        raise TypeError(msg)
    if origin is dict and inner[0] is not str:
        msg = f"{where} is a map, whose keys must be texts"
        raise TypeError(msg)
    if origin in (list, tuple, dict, types.UnionType, typing.Union):
        for held in inner:
            yield from _records_in(held, where, frozen=frozen)
    elif origin is Literal or hint in _SIMPLE:
        return
    elif isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield hint
    else:
        # float (money), set (no order), object and Any (no telling what) all end here
        msg = f"{where} has a type that a record may not hold: {hint}"
        raise TypeError(msg)
