"""Vectors of bodies that a reader must refuse, though their bytes are canonical."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias, get_args

import msgspec

from ledger.log.format.acts import AnyAct, Origin, Remedy
from ledger.log.format.bodies import ActBody, AnswerBody, SealedBody, Submitter, body_bytes
from ledger.log.format.canonical import decode, encode

from .events import bodies

Vector: TypeAlias = dict[str, Any]
Plain: TypeAlias = dict[str, Any]

_PLAIN: Final[tuple[Plain, ...]] = tuple(decode(body_bytes(body)) for body in bodies())


def _first(**fields: Any) -> Plain:
    return next(one for one in _PLAIN if fields.items() <= one.items())


def _doing(tag: str) -> Plain:
    return next(one for one in _PLAIN if one["kind"] == "act" and one["act"]["type"] == tag)


_ACT: Final = _first(kind="act")
_ANSWER: Final = _first(kind="answer")
_SEALED: Final = _first(kind="sealed")
_RULED: Final = _doing("match.ruled")


def refused_bodies() -> Iterator[Vector]:
    """The group `invalid` of `events.json`."""
    kinds = (
        ("act", _ACT, ActBody),
        ("answer", _ANSWER, AnswerBody),
        ("sealed", _SEALED, SealedBody),
    )
    for name, plain, kind in kinds:
        for reason, edited in _unlike(name, plain, kind):
            yield _vector(reason, edited)
    for kind in get_args(AnyAct):
        tag = str(kind.__struct_config__.tag)
        for reason, act in _unlike(tag, _doing(tag)["act"], kind):
            yield _vector(reason, _doing(tag) | {"act": act})
    for reason, by in _unlike("a submitter", _ACT["by"], Submitter):
        yield _vector(reason, _ACT | {"by": by})
    for reason, origin in _unlike("an origin", {"kind": "live"}, Origin):
        yield _vector(reason, _act(origin=origin))
    for reason, remedy in _unlike("a remedy", {"kind": "note"}, Remedy):
        yield _vector(reason, _RULED | {"act": _RULED["act"] | {"remedy": remedy}})
    for reason, edited in _EDITED:
        yield _vector(reason, edited)
    for reason, value in (("nil", None), ("an array", []), ("a number", 1), ("a text", "act")):
        yield {"reason": f"{reason} is no body", "body": encode(value).hex()}


def _unlike(name: str, plain: Plain, kind: type[msgspec.Struct]) -> Iterator[tuple[str, Plain]]:
    """The value without what must be there, with what must not, with defaults written out."""
    tag = kind.__struct_config__.tag_field
    needed = [field.name for field in msgspec.structs.fields(kind) if field.required]
    for missing in [*([tag] if tag else []), *needed]:
        yield f"{name} without `{missing}`", {k: v for k, v in plain.items() if k != missing}
    for field in msgspec.structs.fields(kind):
        if not field.required:
            empty = field.default is msgspec.NODEFAULT
            default = field.default_factory() if empty else field.default
            written = plain | {field.name: msgspec.to_builtins(default)}
            yield f"{name} with the default of `{field.name}` written out", written
    yield f"{name} with an unknown field", plain | {"mood": "good"}


def _vector(reason: str, plain: Plain) -> Vector:
    return {"reason": reason, "body": encode(plain).hex()}


def _act(**fields: Any) -> Plain:
    edited: Plain = _ACT | {"act": _ACT["act"] | fields}
    return edited


_EDITED: Final[tuple[tuple[str, Plain], ...]] = (
    ("an unknown kind", _ACT | {"kind": "remark"}),
    ("an unknown act", _act(type="match.sabotaged")),
    ("format 2", _act(format=2)),
    ("a format that is true", _act(format=True)),
    ("an unknown origin", _act(origin={"kind": "dream"})),
    ("an unknown policy", _act(discloses=["all"])),
    ("a domain of chance without a name", _act(discloses=["chance:"])),
    ("a domain with a capital", _act(domains={"Dice": bytes(32)})),
    ("an unknown source of chance", _act(chance="luck")),
    ("an option that is no scalar", _act(options={"x": []})),
    ("an option that is nil", _act(options={"x": None})),
    ("a commitment that is text", _act(domains={"dice": "00"})),
    ("a commitment of 31 bytes", _act(domains={"dice": bytes(31)})),
    ("no seats", _act(seats=0)),
    ("more seats than 65535", _act(seats=65_536)),
    ("a match id with a capital", _act(match="A")),
    ("a match id of 65 letters", _act(match="a" * 65)),
    ("an empty match id", _act(match="")),
    ("an unknown remedy", _RULED | {"act": _RULED["act"] | {"remedy": {"kind": "duel"}}}),
    ("an unknown role", _ACT | {"by": {"role": "king"}}),
    ("a parent that is text", _ACT | {"parent": "0"}),
    ("a parent that is true", _ACT | {"parent": True}),
    ("a parent below 0", _ACT | {"parent": -1}),
    ("a clock of one number", _ANSWER | {"clock": [1]}),
    ("a clock of three numbers", _ANSWER | {"clock": [1, 2, 3]}),
    ("an opened path without its version", _ANSWER | {"opens": [["decision"]]}),
    ("opens is nil", _ANSWER | {"opens": None}),
    ("an outcome that is text", _ANSWER | {"outcome": "00"}),
    ("an outcome of 33 bytes", _ANSWER | {"outcome": bytes(33)}),
    ("a private field that is no commitment", _ANSWER | {"private": {"cards": 1}}),
    ("a private field with a capital", _ANSWER | {"private": {"Cards": bytes(32)}}),
    ("an element without a number", _ANSWER | {"private": {"cards/": bytes(32)}}),
    ("a seat that is nil", _ANSWER | {"seat": None}),
    ("seat -3", _ANSWER | {"seat": -3}),
    ("seat 65536", _ANSWER | {"seat": 65_536}),
)
