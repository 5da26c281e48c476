"""Writes down which functions of a project are entered, in each Python that has this on its path.

    WALKS_ROOT     the checkout whose files are watched
    WALKS_FOLDERS  its folders that are watched, with commas between them
    WALKS_WINDOW   a file of one byte: the number of the window that is open now; 0: none is
    WALKS_OUT      the folder for what is written: a file a process, a line a function

A line is written when a thread enters a function for the first time in a window: window, time (of
the clock that all processes share), thread, file, function. What runs under an import is left out.
"""

from __future__ import annotations

import json
import mmap
import os
import sys
import threading
import time
from types import FrameType

IMPORTING = "<frozen importlib._bootstrap>"


class Trace:
    """The functions that one process enters."""

    def __init__(self) -> None:
        root = os.path.realpath(os.environ["WALKS_ROOT"])
        self._skipped = len(root) + 1
        folders = os.environ["WALKS_FOLDERS"].split(",")
        self._ours = tuple(f"{root}/{folder}/" for folder in folders)
        descriptor = os.open(os.environ["WALKS_WINDOW"], os.O_RDONLY)
        self._window = mmap.mmap(descriptor, 1, prot=mmap.PROT_READ)
        os.close(descriptor)
        self._kept: list[object] = []  # codes, so that none of their ids comes again
        self._files: dict[int, str] = {}  # of each code; "" where it is not ours
        self._out = -1
        self._seen: set[tuple[int, int, int]] = set()

    def forked(self) -> None:
        """A process of its own begins here."""
        self._out = -1
        self._seen = set()

    def on_call(self, frame: FrameType, event: str, arg: object) -> None:
        """Python calls this whenever a function is entered, and a generator gone on with."""
        window = self._window[0]
        if not window:
            return
        code = frame.f_code
        file = self._files.get(id(code))
        if file is None:
            file = self._file_of(frame)
        if not file:
            return
        key = (window, threading.get_ident(), id(code))
        if key in self._seen or beneath_import(frame):
            return
        self._seen.add(key)
        self._write(window, time.monotonic_ns(), threading.get_native_id(), file, code.co_qualname)

    def _file_of(self, frame: FrameType) -> str:
        code = frame.f_code
        name = code.co_filename
        ours = name.startswith(self._ours) and is_function(frame)
        self._kept.append(code)
        self._files[id(code)] = name[self._skipped :] if ours else ""
        return self._files[id(code)]

    def _write(self, *words: object) -> None:
        line = "\t".join(str(word) for word in words) + "\n"
        if self._out < 0:
            path = f"{os.environ['WALKS_OUT']}/{os.getpid()}.tsv"
            self._out = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            line = json.dumps({"words": sys.orig_argv, "parent": os.getppid()}) + "\n" + line
        os.write(self._out, line.encode())  # at once: some processes end without a last word


def is_function(frame: FrameType) -> bool:
    """Whether it is a function: the bodies of modules and classes have no fast local names."""
    return bool(frame.f_code.co_flags & 0x01)


def beneath_import(frame: FrameType | None) -> bool:
    """Whether an import is under way in this thread."""
    while frame is not None:
        if frame.f_code.co_filename == IMPORTING:
            return True
        frame = frame.f_back
    return False


def begin() -> None:
    """Watch this process, its threads and its forks from now on."""
    # The project's commands see no packages of the system (-S); with this hook they need `site`.
    sys.path[:] = [path for path in sys.path if not path.endswith("site-packages")]
    trace = Trace()
    os.register_at_fork(after_in_child=trace.forked)
    threading.settrace(trace.on_call)
    sys.settrace(trace.on_call)


if "WALKS_WINDOW" in os.environ:
    begin()
