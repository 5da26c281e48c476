"""Marks tests by what they start: a server, a process, a browser. The quick tier runs the rest.

A mark follows from the fixtures that a test asks for, and from what the functions of the tests that
it calls start. A test that has no mark may not start a process: the guard stops it.
"""

from __future__ import annotations

import asyncio.subprocess
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

import pytest

from services.run.servers import EmbeddedServers
from tests.support.clusters import Cluster
from tests.support.servers import Server

SERVER, PROCESS, BROWSER = "server", "process", "browser"
NEEDS: Final = (SERVER, PROCESS, BROWSER)
# Fixtures that start something whoever asks; `store` does where its parameter names a server.
FIXTURES: Final[Mapping[str, str]] = {
    "chromium": BROWSER,
    "_jobs_server": SERVER,
    "_ledgers": SERVER,
    "_clusters": SERVER,
}
STARTS_NOTHING: Final = ("memory", "files")  # parameters of `store`
STARTERS: Final[Mapping[Any, str]] = {
    Server: SERVER,
    Cluster: SERVER,
    EmbeddedServers: SERVER,
    subprocess: PROCESS,
    multiprocessing: PROCESS,
    asyncio.subprocess: PROCESS,
}
STARTING: Final = ("subprocess.Popen", "os.fork", "os.posix_spawn")  # events of the audit hook


def needs_of(item: pytest.Function) -> set[str]:
    """Returns what a test starts: its marks."""
    needs = set(_starts(item.function))
    for name in item.fixturenames:
        for definition in item._fixtureinfo.name2fixturedefs.get(name, ()):
            needs |= _starts(definition.func)
    stores = [value for value in _parameters(item) if value in STARTS_NOTHING]
    if not stores:
        needs |= {FIXTURES[name] for name in item.fixturenames if name in FIXTURES}
    return needs


def _parameters(item: pytest.Function) -> list[str]:
    chosen = item.callspec.params.values() if hasattr(item, "callspec") else ()
    return [value for value in chosen if isinstance(value, str)]


@cache
def _starts(function: Any) -> frozenset[str]:
    """Returns what a function starts, itself or by the functions of tests that it calls."""
    found: set[str] = set()
    seen: set[int] = set()
    waiting = [function]
    while waiting:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, type | ModuleType) and part in STARTERS:
            found.add(STARTERS[part])
        elif isinstance(part, type) and part.__module__.startswith("tests."):
            waiting += [value for value in vars(part).values() if _is_function(value)]
        elif (code := _function(part)) is not None and code.__module__.startswith("tests."):
            waiting += [
                code.__globals__[name] for name in _names(code.__code__) if name in code.__globals__
            ]
    return frozenset(found)


def _function(part: Any) -> FunctionType | None:
    part = getattr(part, "__wrapped__", part)
    part = getattr(part, "__func__", part)
    part = getattr(part, "fget", part)
    return part if isinstance(part, FunctionType) else None


def _is_function(part: Any) -> bool:
    return _function(part) is not None


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


class Guard:
    """Stops a test that has no mark from starting a process."""

    def __init__(self) -> None:
        self.test = ""
        sys.addaudithook(self._hear)

    def _hear(self, event: str, _arguments: object) -> None:
        if self.test and event in STARTING and os.getpid() == self._pid:
            message = f"{self.test} starts a process and has no mark: see {__name__}"
            raise RuntimeError(message)

    _pid = os.getpid()
