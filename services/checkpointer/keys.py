"""The key that signs heads and receipts, and the name that it signs under.

It lies in the data folder (`signing.key`, its owner's alone): one line, `<name> <64 hex digits>`.
Where several machines serve one club they all need it; HEGEMON_SIGNING_KEY holds the same line. The
name is made with the key and stays: whoever keeps a signed head knows the service by both.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from pathlib import Path
from typing import Final

from ledger.anchors.notes import BadNote, Signer
from ledger.log.segments.files import open_owned, own_folder, sync_folder, write_all

KEY_FILE: Final = "signing.key"
_LINE: Final = re.compile(r"([!-*,-~]{1,100}) ([0-9a-f]{64})")


class BadSigningKey(Exception):
    """What should be the key is none."""


def signer_in(data: Path, said: str | None = None) -> Signer:
    """The key of a data folder, or the one that was said; made where there is none."""
    if said is not None:
        return _signer(said, "HEGEMON_SIGNING_KEY")
    path = data / KEY_FILE
    for _ in range(2):
        try:
            return _signer(path.read_text(encoding="utf-8"), str(path))
        except FileNotFoundError:
            _make(path)
    raise BadSigningKey(f"{path} cannot be kept")


def _make(path: Path) -> None:
    seed = secrets.token_bytes(32)
    name = f"hegemon-{hashlib.sha256(b'hegemon/name/1' + seed).hexdigest()[:12]}"
    own_folder(path.parent)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    file = open_owned(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    try:
        write_all(file, f"{name} {seed.hex()}\n".encode())
        os.fsync(file)
    finally:
        os.close(file)
    try:
        os.link(unfinished, path)  # who comes second takes the first one's
    except FileExistsError:
        pass
    finally:
        unfinished.unlink()
    sync_folder(path.parent)


def _signer(line: str, source: str) -> Signer:
    parts = _LINE.fullmatch(line.strip())
    if parts is None:
        raise BadSigningKey(f"{source} must be a name and 64 hexadecimal digits")
    try:
        return Signer(parts[1], bytes.fromhex(parts[2]))
    except BadNote as reason:
        raise BadSigningKey(f"{source}: {reason}") from None
