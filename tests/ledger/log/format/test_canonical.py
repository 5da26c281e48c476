"""Canonical MessagePack: one value, one sequence of bytes, and nothing else is taken."""

from __future__ import annotations

import random
import struct
from typing import Any

import msgpack
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.log.format.canonical import (
    BODY_BYTES_MAX,
    DEPTH_MAX,
    INT_MAX,
    NotCanonical,
    decode,
    encode,
)

# A busy machine is no reason to fail.
CALM = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=60)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
EDGES = st.sampled_from(
    [sign * (edge + off) for edge in (0, 31, 127, 255, 1 << 15, 1 << 16, 1 << 31, 1 << 32)
     for sign in (1, -1) for off in (-1, 0, 1)] + [INT_MAX, -INT_MAX]
)  # fmt: skip
PLAINEST = (
    st.none()
    | st.booleans()
    | st.integers(-INT_MAX, INT_MAX)
    | EDGES
    | TEXTS
    | st.sampled_from(["", "z" * 31, "z" * 32, "ü" * 16, "z" * 255, "z" * 256])
    | st.binary(max_size=40)
    | st.sampled_from([bytes(255), bytes(256)])
)
VALUES = st.recursive(
    PLAINEST,
    lambda inner: st.lists(inner, max_size=18) | st.dictionaries(TEXTS, inner, max_size=18),
    max_leaves=40,
)


@CALM
@given(VALUES)
def test_a_value_comes_back_from_its_bytes(value: Any):
    assert decode(encode(value)) == value
    assert types_of(decode(encode(value))) == types_of(value)


def types_of(value: Any) -> Any:
    """Returns the types within a value, since `==` takes True for 1."""
    if isinstance(value, dict):
        return {key: types_of(item) for key, item in value.items()}
    if isinstance(value, list):
        return [types_of(item) for item in value]
    return type(value)


@CALM
@given(VALUES)
def test_another_library_writes_the_same_bytes(value: Any):
    """Everything is written by msgspec: msgpack must agree to the last byte."""
    assert msgpack.packb(in_order(value), use_bin_type=True) == encode(value)


def in_order(value: Any) -> Any:
    """The value with the keys of each map in the order of their bytes."""
    if isinstance(value, dict):
        return {key: in_order(value[key]) for key in sorted(value, key=str.encode)}
    return [in_order(item) for item in value] if isinstance(value, list) else value


@CALM
@given(st.dictionaries(TEXTS, st.integers(0, 9), min_size=2, max_size=12), st.randoms())
def test_the_order_of_a_map_does_not_matter(value: dict[str, int], rng: random.Random):
    items = list(value.items())
    rng.shuffle(items)
    assert encode(dict(items)) == encode(value)
    keys = [key.encode() for key in decode(encode(value))]
    assert keys == sorted(keys)


def read(packed: bytes) -> list[Any]:
    """The value, if the bytes are taken; any failure but a refusal is one of the test."""
    try:
        return [decode(packed)]
    except NotCanonical:
        return []


@CALM
@given(VALUES, st.data())
def test_changed_bytes_are_refused_or_say_something_else(value: Any, data: st.DataObject):
    packed = encode(value)
    changed = bytearray(packed)
    place = data.draw(st.integers(0, len(packed) - 1))
    match data.draw(st.sampled_from(["flip", "drop", "double", "insert"])):
        case "flip":
            changed[place] ^= data.draw(st.integers(1, 255))
        case "drop":
            del changed[place]
        case "double":
            changed.insert(place, changed[place])
        case _:
            changed.insert(place, data.draw(st.integers(0, 255)))
    if bytes(changed) == packed:
        return
    for other in read(bytes(changed)):
        assert (other, types_of(other)) != (value, types_of(value))
        assert encode(other) == bytes(changed)


@CALM
@given(st.binary(max_size=200) | st.binary(min_size=1, max_size=8).map(lambda b: b * 500))
def test_garbage_is_refused_and_nothing_worse(garbage: bytes):
    assert [encode(value) for value in read(garbage)] in ([], [garbage])


REFUSED = {
    "an int longer than it must be": b"\xcc\x05",
    "a 16-bit int longer than it must be": b"\xcd\x00\x80",
    "a 64-bit int longer than it must be": b"\xcf" + (5).to_bytes(8, "big"),
    "a signed form of a positive int": b"\xd0\x05",
    "an int beyond 2^53": msgpack.packb(INT_MAX + 1),
    "an int below -2^53": msgpack.packb(-INT_MAX - 1),
    "the largest int": b"\xcf" + b"\xff" * 8,
    "a text longer headed than it must be": b"\xd9\x01a",
    "bytes longer headed than they must be": b"\xc5\x00\x01a",
    "an array longer headed than it must be": b"\xdc\x00\x01\xc0",
    "a map longer headed than it must be": b"\xde\x00\x01\xa1a\xc0",
    "a key twice": b"\x82\xa1a\x01\xa1a\x01",
    "a key twice with two values": b"\x82\xa1a\x01\xa1a\x02",
    "keys out of order": b"\x82\xa1b\x01\xa1a\x02",
    "a key that is a number": b"\x81\x01\x01",
    "a key that is bytes": b"\x81\xc4\x01a\x01",
    "a key that is an array": b"\x81\x90\x01",
    "a key that is nil": b"\x81\xc0\x01",
    "a 64-bit float": msgpack.packb(1.0),
    "a 32-bit float": b"\xca" + struct.pack(">f", 1.0),
    "not a number": msgpack.packb(float("nan")),
    "infinity": msgpack.packb(float("inf")),
    "an extension": msgpack.packb(msgpack.ExtType(5, b"abcd")),
    "a time": msgpack.packb(msgpack.Timestamp(1)),
    "a time that is none": b"\xc7\x0c\xff" + b"\xff" * 12,
    "a byte that begins nothing": b"\xc1",
    "text that is no UTF-8": b"\xa2\xff\xfe",
    "a surrogate in UTF-8": b"\xa3\xed\xa0\x80",
    "an overlong UTF-8 slash": b"\xa2\xc0\xaf",
    "nothing": b"",
    "a text that ends too early": b"\xa5abc",
    "an array that ends too early": b"\x93\x01\x02",
    "an array of four billion": b"\xdd\xff\xff\xff\xff",
    "a map of four billion": b"\xdf\xff\xff\xff\xff",
    "bytes of four billion": b"\xc6\xff\xff\xff\xff",
    "something after the value": b"\x01\x01",
    "nested too deep": b"\x91" * DEPTH_MAX + b"\x01",
    "nested deeper than any stack": b"\x91" * 60_000 + b"\x01",
    "maps nested deeper than any stack": b"\x81\xa0" * 20_000 + b"\x01",
    "a byte too many": encode(bytes(BODY_BYTES_MAX), BODY_BYTES_MAX + 8),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_not_canonical_is_refused(what: str):
    with pytest.raises(NotCanonical):
        decode(REFUSED[what])


@pytest.mark.parametrize(
    "value",
    [
        1.0,
        float("nan"),
        INT_MAX + 1,
        -INT_MAX - 1,
        1 << 80,
        "\ud800",
        {"\udfff": 1},
        {1: 2},
        {b"a": 1},
        {None: 1},
        {1, 2},
        object,
        bytearray(b"a"),
        [[[[1.5]]]],
        msgpack.ExtType(1, b""),
    ],
    ids=str,
)
def test_a_value_outside_the_profile_is_refused(value: Any):
    with pytest.raises(NotCanonical):
        encode(value)


def test_the_depth_is_counted_with_what_is_in_it():
    value: Any = 1
    for _ in range(DEPTH_MAX - 1):
        value = [value]
    assert decode(encode(value)) == value
    with pytest.raises(NotCanonical, match="deeper"):
        encode([value])


def test_a_value_that_holds_itself_is_refused():
    value: list[Any] = []
    value.append(value)
    with pytest.raises(NotCanonical, match="deeper"):
        encode(value)


def test_the_size_is_that_of_the_bytes():
    largest = bytes(BODY_BYTES_MAX - 3 - 2)
    assert len(encode(largest)) <= BODY_BYTES_MAX
    assert decode(encode(largest)) == largest
    with pytest.raises(NotCanonical, match="at most"):
        encode(bytes(BODY_BYTES_MAX))
    assert decode(encode(bytes(BODY_BYTES_MAX), 1 << 17), 1 << 17) == bytes(BODY_BYTES_MAX)


@pytest.mark.parametrize("value", [0, 127, 128, -32, -33, INT_MAX, -INT_MAX, True, False, None])
def test_numbers_keep_their_kind(value: Any):
    back = decode(encode(value))
    assert back == value
    assert type(back) is type(value)
