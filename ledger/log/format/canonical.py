"""Canonical MessagePack: one value, one sequence of bytes. All hashed values are written so.

nil, booleans, integers within ±(2^53 - 1), text, bytes, arrays, maps with text keys in the
order of their UTF-8 bytes; always the shortest form; no floats, no extensions; bounded
depth and size. A reader refuses bytes that do not encode to themselves again.
"""

from __future__ import annotations

from typing import Any, Final

import msgpack
import msgspec

INT_MAX: Final = (1 << 53) - 1  # what a JavaScript number holds exactly
DEPTH_MAX: Final = 16
BODY_BYTES_MAX: Final = 1 << 16
KEPT_BYTES_MAX: Final = 1 << 24  # facts of one event, overlays and other attachments

# Values of these types need no second check after reading: texts are valid UTF-8 by then.
_LEAVES: Final = frozenset((str, bytes, bool, type(None)))
_SORTED: Final = msgspec.msgpack.Encoder(order="sorted")


class NotCanonical(ValueError):
    """The bytes, or the value, are outside the profile."""


def encode(value: Any, bytes_max: int = BODY_BYTES_MAX) -> bytes:
    _check(value, 1)
    try:
        packed = _SORTED.encode(value)
    except UnicodeEncodeError:
        raise NotCanonical("a text is not valid Unicode") from None
    if len(packed) > bytes_max:
        raise NotCanonical(f"{len(packed)} bytes, at most {bytes_max} are allowed")
    return packed


def decode(packed: bytes, bytes_max: int = BODY_BYTES_MAX, depth: int = 1) -> Any:
    """Returns the value of canonical bytes, nested at `depth`; refuses any other bytes."""
    if len(packed) > bytes_max:
        raise NotCanonical(f"{len(packed)} bytes, at most {bytes_max} are allowed")
    try:
        value = msgpack.unpackb(packed, raw=False, strict_map_key=True, use_list=True)
    except (ValueError, msgpack.exceptions.UnpackException, RecursionError) as reason:
        msg = f"not a MessagePack value: {reason}" if str(reason) else "not a MessagePack value"
        raise NotCanonical(msg) from None
    _check(value, depth)
    if _SORTED.encode(value) != packed:
        raise NotCanonical("the bytes are not the canonical form of their value")
    return value


def reread(value: Any) -> Any:
    """Returns a value as it would come back from bytes, with tuples as lists."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(value))


def _check(value: Any, depth: int) -> None:
    """Refuses a value that is outside the profile."""
    if depth > DEPTH_MAX:
        raise NotCanonical(f"nested deeper than {DEPTH_MAX}")
    kind = type(value)
    if kind is list or kind is tuple:
        for item in value:
            if type(item) not in _LEAVES or depth == DEPTH_MAX:
                _check(item, depth + 1)
    elif kind is dict:
        for key, item in value.items():
            if type(key) is not str:
                raise NotCanonical("a map has a key that is not text")
            if type(item) not in _LEAVES or depth == DEPTH_MAX:
                _check(item, depth + 1)
    elif kind is int:
        if abs(value) > INT_MAX:
            raise NotCanonical("an integer is outside ±(2^53 - 1)")
    elif kind not in _LEAVES:
        raise NotCanonical(f"a {kind.__name__} has no canonical form")
