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


# What needs no second look once it was read: texts are valid UTF-8 by then.
_LEAVES: Final = frozenset((str, bytes, bool, type(None)))
# The same bytes as `encode` gives, and faster (tested).
_SORTED: Final = msgspec.msgpack.Encoder(order="sorted")


class NotCanonical(ValueError):
    """The bytes, or the value, are outside the profile."""


def encode(value: Any, bytes_max: int = BODY_BYTES_MAX) -> bytes:
    packed: bytes = msgpack.packb(_ordered(value, 1), use_bin_type=True)
    if len(packed) > bytes_max:
        msg = f"{len(packed)} bytes, at most {bytes_max} are allowed"
        raise NotCanonical(msg)
    return packed


def decode(packed: bytes, bytes_max: int = BODY_BYTES_MAX, depth: int = 1) -> Any:
    """Returns the value of canonical bytes, nested at `depth`; refuses any other bytes."""
    if len(packed) > bytes_max:
        msg = f"{len(packed)} bytes, at most {bytes_max} are allowed"
        raise NotCanonical(msg)
    try:
        value = msgpack.unpackb(packed, raw=False, strict_map_key=True, use_list=True)
    except (ValueError, msgpack.exceptions.UnpackException, RecursionError) as reason:
        msg = f"no MessagePack value: {reason}" if str(reason) else "no MessagePack value"
        raise NotCanonical(msg) from None
    _check(value, depth)
    if _SORTED.encode(value) != packed:
        msg = "the bytes are not the canonical form of their value"
        raise NotCanonical(msg)
    return value


def _check(value: Any, depth: int) -> None:
    """Refuses a value from MessagePack that is outside the profile."""
    if depth > DEPTH_MAX:
        msg = f"nested deeper than {DEPTH_MAX}"
        raise NotCanonical(msg)
    kind = type(value)
    if kind is list:
        for item in value:
            if type(item) not in _LEAVES or depth == DEPTH_MAX:
                _check(item, depth + 1)
    elif kind is dict:
        for key, item in value.items():
            if type(key) is not str:
                msg = "a map has a key that is not text"
                raise NotCanonical(msg)
            if type(item) not in _LEAVES or depth == DEPTH_MAX:
                _check(item, depth + 1)
    elif kind is int:
        if abs(value) > INT_MAX:
            msg = "an integer is outside ±(2^53 - 1)"
            raise NotCanonical(msg)
    elif kind not in _LEAVES:
        msg = f"a {kind.__name__} has no canonical form"
        raise NotCanonical(msg)


def _ordered(value: Any, depth: int) -> Any:
    if depth > DEPTH_MAX:
        msg = f"nested deeper than {DEPTH_MAX}"
        raise NotCanonical(msg)
    kind = type(value)
    if (kind is str and value.isascii()) or kind is bytes or kind is bool or value is None:
        return value  # most of what there is
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            msg = "a map has a key that is not text"
            raise NotCanonical(msg)
        for key in value:
            if not key.isascii():
                _utf8(key)
        keys = sorted(value)  # by code points, which is the order of their UTF-8 bytes
        return {key: _ordered(value[key], depth + 1) for key in keys}
    if type(value) in (list, tuple):  # and no named tuple: msgpack reads its extensions as one
        return [_ordered(item, depth + 1) for item in value]
    if isinstance(value, bool) or value is None or isinstance(value, bytes):
        return value
    if isinstance(value, str):
        _utf8(value)
        return value
    if isinstance(value, int):
        if abs(value) > INT_MAX:
            msg = "an integer is outside ±(2^53 - 1)"
            raise NotCanonical(msg)
        return value
    msg = f"a {type(value).__name__} has no canonical form"
    raise NotCanonical(msg)


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        msg = "a text is not valid Unicode"
        raise NotCanonical(msg) from None
