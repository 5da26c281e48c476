"""Request bodies, read strictly so that no value is taken for something else."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, Final, NoReturn

from flask import Request
from webargs import core
from webargs.flaskparser import FlaskParser, is_json_request

from .problems import Problem

DEEP_MAX: Final = 32  # levels of a body; the deepest of ours has five


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


__all__ = ["Parser", "json_of"]
