"""Files that nobody but their owner can read, and folders that remember what is in them."""

from __future__ import annotations

import os
from pathlib import Path


def open_owned(path: Path, flags: int) -> int:
    """A descriptor of a file that is its owner's alone from its first moment on."""
    return os.open(path, flags | os.O_CLOEXEC, 0o600)


def write_all(file: int, packed: bytes | bytearray) -> None:
    """Write all of it, in as many parts as the system wants."""
    with memoryview(packed) as whole:
        done = 0
        while done < len(whole):
            done += os.write(file, whole[done:])


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_whole(path: Path, packed: bytes) -> None:
    """Write a file anew so that it is there whole or as it was."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    unfinished.unlink(missing_ok=True)
    file = open_owned(unfinished, os.O_WRONLY | os.O_CREAT)
    try:
        write_all(file, packed)
        os.fsync(file)
    finally:
        os.close(file)
    unfinished.rename(path)
    sync_folder(path.parent)
