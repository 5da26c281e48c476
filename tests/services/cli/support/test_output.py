"""JSON of commands."""

from __future__ import annotations

import msgspec

from services.cli.support.output import json_line


class Pair(msgspec.Struct, array_like=True):
    first: bytes
    second: int = 0


class Named(msgspec.Struct, tag="named", omit_defaults=True):
    pair: Pair
    note: str = ""


def test_a_record_is_an_object_with_all_its_fields_however_it_is_stored():
    line = json_line({"what": [Named(pair=Pair(b"\x0f"))]})
    assert line == '{"what":[{"type":"named","pair":{"first":"0f","second":0},"note":""}]}'
