"""Files and folders that only their owner can read, synced to the disk."""

from __future__ import annotations

import os
import stat
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

_PART_BYTES: Final = 1 << 20


def open_owned(path: Path | str, flags: int) -> int:
    """Opens a file that is its owner's alone from its first moment on."""
    return os.open(path, flags | os.O_CLOEXEC, 0o600)


def tighten(descriptor: int) -> None:
    """Restricts an existing file or folder to its owner."""
    mode = stat.S_IMODE(os.fstat(descriptor).st_mode)
    if mode & 0o077:
        with suppress(PermissionError):  # some file systems know no rights, as on a stick
            os.fchmod(descriptor, mode & 0o700)


def own_folder(folder: Path) -> None:
    """Makes a folder and its parents where they are missing, each for its owner alone."""
    if not folder.is_dir():
        own_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def write_all(file: int, packed: bytes | bytearray) -> None:
    with memoryview(packed) as whole:
        done = 0
        while done < len(whole):
            done += os.write(file, whole[done:])


def sync_folder(folder: Path) -> None:
    """Syncs the names in a folder to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace_whole(path: Path, packed: bytes) -> int:
    """Replaces a file in one step; returns it open for appending.

    The caller must sync the folder afterwards.
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
    """Replaces a file in one step: it is there whole, or as it was."""
    os.close(replace_whole(path, packed))
    sync_folder(path.parent)


def write_once(path: Path, value: bytes) -> None:
    """Writes a file so that it exists whole or not at all; the first writer wins."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}.tmp")
    try:
        with open(unfinished, "wb", opener=open_owned) as file:
            file.write(value)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            path.hardlink_to(unfinished)
    finally:
        unfinished.unlink(missing_ok=True)
    sync_folder(path.parent)


def write_at(path: Path, place: int, packed: bytes) -> None:
    """Writes into a file from a place on; its folder is made if missing."""
    own_folder(path.parent)
    file = open_owned(path, os.O_WRONLY | os.O_CREAT)
    try:
        os.lseek(file, place, os.SEEK_SET)
        write_all(file, packed)
        os.fsync(file)
    finally:
        os.close(file)
    sync_folder(path.parent)


def copy_owned(source: Path, target: Path) -> None:
    """Copies a file to a new path; the copy is its owner's alone, unlike perhaps the source."""
    file = open_owned(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        with source.open("rb") as original:
            while part := original.read(_PART_BYTES):
                write_all(file, part)
        os.fsync(file)
    finally:
        os.close(file)
