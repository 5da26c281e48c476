"""Loads the server's part of the ledger, and checks that it is the expected one."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from typing import Any, Final

from .connection import Connection, Refusing

LIBRARY: Final = "hegemon_1"
CODE: Final = (files(__package__) / "ledger.lua").read_text(encoding="utf-8")


class ForeignLibrary(Exception):
    """A library of our name is on the server, and it is not ours."""


def ensure_library(connection: Connection, library: str = LIBRARY, code: str = CODE) -> None:
    """Loads the library on every server that lacks it; refuses one that differs."""
    for server in connection.servers():
        _ensure(server, library, code)


def _ensure(connection: Connection, library: str, code: str) -> None:
    found = _code_of(connection, library)
    if found is None:
        try:
            connection.call("FUNCTION", "LOAD", code)
        except Refusing as why:
            if "already exists" not in str(why):
                raise
        found = _code_of(connection, library)
    if found != code.encode():
        there = hashlib.sha256(found or b"").hexdigest()[:12]
        ours = hashlib.sha256(code.encode()).hexdigest()[:12]
        raise ForeignLibrary(
            f"the server's function library {library} is not ours (its hash is {there}, ours is "
            f"{ours}): it was changed, or belongs to another version of Hegemon."
        )


def _code_of(connection: Connection, library: str) -> bytes | None:
    reply = connection.ask("FUNCTION", "LIST", "LIBRARYNAME", library, "WITHCODE")
    for found in reply:
        fields: dict[bytes, Any] = dict(zip(found[::2], found[1::2], strict=True))
        code: bytes = fields[b"library_code"]
        return code
    return None
