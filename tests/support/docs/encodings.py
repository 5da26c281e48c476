"""Canonical encodings: values with their bytes, and bytes that a reader must refuse."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from ledger.log.format.canonical import INT_MAX, encode

Vector: TypeAlias = dict[str, Any]

_INTEGERS = (
    0, 1, 23, 127, 128, 255, 256, 65535, 65536, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32,
    INT_MAX, -1, -31, -32, -33, -127, -128, -129, -32768, -32769, -(1 << 31), -(1 << 31) - 1,
    -INT_MAX,
)  # fmt: skip

_TEXTS = (
    ("empty text", ""),
    ("one letter", "a"),
    ("31 bytes, the longest of the short form", "a" * 31),
    ("32 bytes", "a" * 32),
    ("255 bytes", "b" * 255),
    ("256 bytes", "c" * 256),
    ("two-byte letters", "é§ß"),
    ("three-byte letters", "将棋"),
    ("beyond the basic plane", "🂡♞"),
    ("NUL", "\0"),
    ("a byte order mark is a letter like others", "\ufeffa"),
    ("not normalized: e and a combining accent", "e\u0301"),
    ("16 letters of 2 bytes are 32 bytes", "é" * 16),
)

_BYTES = (
    ("no bytes", b""),
    ("one byte", b"\xff"),
    ("32 bytes", bytes(range(32))),
    ("255 bytes", bytes(255)),
    ("256 bytes", bytes(256)),
)

_LISTS: tuple[tuple[str, Any], ...] = (
    ("empty array", []),
    ("mixed array", [None, True, -1, "x", b"x"]),
    ("15 items", [1] * 15),
    ("16 items", [1] * 16),
    ("nested 15 deep around a number: depth 16", None),
    ("16 arrays, the innermost empty: depth 16", None),
)

_MAPS: tuple[tuple[str, Any], ...] = (
    ("empty map", {}),
    ("one key", {"a": 1}),
    ("a prefix comes first", {"ab": 2, "a": 1}),
    ("capitals come before small letters", {"a": 1, "B": 2, "_": 3}),
    ("digits are letters: 10 comes before 9", {"9": 9, "10": 10}),
    ("the empty key comes first", {"a": 1, "": 0}),
    ("order by UTF-8, not by UTF-16", {"\U0001f0a1": 2, "\uff21": 1}),
    ("order by bytes, not by alphabet", {"z": 1, "ä": 2}),
    ("15 keys", {f"k{n:02}": n for n in range(15)}),
    ("16 keys", {f"k{n:02}": n for n in range(16)}),
    ("maps in maps", {"b": {"d": 1, "c": {}}, "a": [{"f": 1, "e": 2}]}),
    ("a decision", {"type": "play.mark", "cell": 4}),
)

_REFUSED: tuple[tuple[str, str], ...] = (
    ("no bytes at all", ""),
    ("a byte after the value", "c0c0"),
    ("an array's item is missing", "9201"),
    ("a map's value is missing", "81a161"),
    ("a text ends early", "a361"),
    ("the length of a text is missing", "d9"),
    ("the reserved byte c1", "c1"),
    ("float 32", "ca3f800000"),
    ("float 64", "cb3ff0000000000000"),
    ("float 64 in a map", "81a161cb0000000000000000"),
    ("fixext 1", "d40100"),
    ("fixext 2", "d5010000"),
    ("fixext 4, a timestamp", "d6ff00000000"),
    ("fixext 8", "d7010000000000000000"),
    ("fixext 16", "d801" + "00" * 16),
    ("ext 8", "c70001"),
    ("ext 16", "c8000001"),
    ("ext 32", "c90000000001"),
    ("7 as uint 8", "cc07"),
    ("127 as uint 8", "cc7f"),
    ("255 as uint 16", "cd00ff"),
    ("65535 as uint 32", "ce0000ffff"),
    ("2^32 - 1 as uint 64", "cf00000000ffffffff"),
    ("1 as int 8", "d001"),
    ("-1 as int 8", "d0ff"),
    ("-32 as int 8", "d0e0"),
    ("128 as int 16", "d10080"),
    ("-128 as int 16", "d1ff80"),
    ("-32768 as int 32", "d2ffff8000"),
    ("65536 as int 32", "d200010000"),
    ("-2^31 as int 64", "d3ffffffff80000000"),
    ("2^53", "cf0020000000000000"),
    ("2^64 - 1", "cfffffffffffffffff"),
    ("-2^53", "d3ffe0000000000000"),
    ("the least int 64", "d38000000000000000"),
    ("a short text as str 8", "d90161"),
    ("31 bytes of text as str 8", "d91f" + "61" * 31),
    ("a text as str 16", "da000161"),
    ("255 bytes of text as str 16", "da00ff" + "61" * 255),
    ("a text as str 32", "db0000000161"),
    ("a byte as bin 16", "c5000101"),
    ("a byte as bin 32", "c60000000101"),
    ("one item as array 16", "dc000101"),
    ("one item as array 32", "dd0000000101"),
    ("one key as map 16", "de0001a16101"),
    ("one key as map 32", "df00000001a16101"),
    ("keys out of order", "82a16201a16101"),
    ("a prefix after the longer key", "82a2616201a16102"),
    ("keys in the order of UTF-16", "82a4f09f82a102a3efbca101"),
    ("keys out of order, one level down", "81a17882a16201a16101"),
    ("a key twice", "82a16101a16101"),
    ("a key twice, other values", "82a16101a16102"),
    ("a number as key", "810101"),
    ("bytes as key", "81c4016101"),
    ("nil as key", "81c001"),
    ("true as key", "81c301"),
    ("an array as key", "819001"),
    ("a lone continuation byte", "a180"),
    ("an overlong slash", "a2c0af"),
    ("half of a surrogate pair", "a3eda080"),
    ("a surrogate pair as two letters", "a6eda0bcedb2a1"),
    ("a letter cut short", "a2e5b0"),
    ("beyond U+10FFFF", "a4f4908080"),
    ("bad UTF-8 in a key", "81a1ff01"),
    ("17 arrays", "91" * 16 + "90"),
    ("16 arrays around a number", "91" * 16 + "01"),
    ("17 maps", "81a161" * 16 + "80"),
    ("arrays nested 1000 deep", "91" * 1000 + "90"),
    ("an array of 2^32 - 1 items that are not there", "ddffffffff"),
)


def _values() -> Iterator[tuple[str, Any]]:
    yield from (("nil", None), ("false", False), ("true", True))
    yield from ((str(number), number) for number in _INTEGERS)
    yield from _TEXTS
    yield from _BYTES
    yield from (pair for pair in _LISTS if pair[1] is not None)
    yield (_LISTS[-2][0], nested(15, 7))
    yield (_LISTS[-1][0], nested(15, []))
    yield from _MAPS


def nested(depth: int, value: Any) -> Any:
    """A value in so many arrays."""
    for _ in range(depth):
        value = [value]
    return value


def shown(value: Any) -> Any:
    """A value as the vectors write it: bytes as {"$bytes": hex}."""
    if isinstance(value, bytes):
        return {"$bytes": value.hex()}
    if isinstance(value, list | tuple):
        return [shown(item) for item in value]
    if isinstance(value, dict):
        return {key: shown(item) for key, item in value.items()}
    return value


def meant(value: Any) -> Any:
    """The value that the vectors show."""
    if isinstance(value, dict):
        if value.keys() == {"$bytes"}:
            return bytes.fromhex(value["$bytes"])
        return {key: meant(item) for key, item in value.items()}
    return [meant(item) for item in value] if isinstance(value, list) else value


def canonical_vectors() -> dict[str, list[Vector]]:
    """The file `canonical.json`."""
    return {
        "valid": [
            {"name": name, "value": shown(value), "bytes": encode(value).hex()}
            for name, value in _values()
        ],
        "invalid": [{"reason": reason, "bytes": packed} for reason, packed in _REFUSED],
        "limits": [
            {
                "name": f"text of {size} bytes, at most 65536 altogether",
                "start": (b"\xda" + size.to_bytes(2, "big")).hex(),
                "unit": "61",
                "times": size,
                "valid": size + 3 <= 1 << 16,
            }
            for size in (65532, 65533, 65534)
        ],
    }
