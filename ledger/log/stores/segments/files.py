"""Files that nobody but their owner can read, and folders that remember what is in them."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

_PART_BYTES: Final = 1 << 20


def open_owned(path: Path, flags: int) -> int:
    """A descriptor of a file that is its owner's alone from its first moment on."""
    return os.open(path, flags | os.O_CLOEXEC, 0o600)


def tighten(descriptor: int) -> None:
    """Leave a file or a folder that is there already to its owner alone."""
    mode = stat.S_IMODE(os.fstat(descriptor).st_mode)
    if mode & 0o077:
        with suppress(PermissionError):  # some file systems know no rights, as on a stick
            os.fchmod(descriptor, mode & 0o700)


def own_folder(folder: Path) -> None:
    """Have a folder, and those that it lies in; what is made here is its owner's alone."""
    if not folder.is_dir():
        own_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


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


def replace_whole(path: Path, packed: bytes) -> int:
    """Write a file anew so that it is there whole or as it was; gives it open, to append to it.

    The folder is to be synced after this.
    """
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    unfinished.unlink(missing_ok=True)
    file = open_owned(unfinished, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        write_all(file, packed)
        os.fsync(file)
        unfinished.rename(path)
    except BaseException:
        os.close(file)
        unfinished.unlink(missing_ok=True)
        raise
    return file


def write_whole(path: Path, packed: bytes) -> None:
    """Write a file anew so that it is there whole or as it was."""
    os.close(replace_whole(path, packed))
    sync_folder(path.parent)


def copy_owned(source: Path, target: Path) -> None:
    """Copy a file to where none is; the copy is its owner's alone, whoever may read the first."""
    file = open_owned(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        with source.open("rb") as original:
            while part := original.read(_PART_BYTES):
                write_all(file, part)
        os.fsync(file)
    finally:
        os.close(file)
