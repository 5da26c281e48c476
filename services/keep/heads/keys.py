"""The key that signs heads and receipts, and the name it signs under.

The key is in the data folder (`signing.key`, readable by its owner only), in one line:
`<name> <64 hex digits>`. A first signed head appends `signed`. Such a key never signs a
first head again: if you move it to another folder, move the signed heads with it.

If several machines serve one club they all need the key; HEGEMON_SIGNING_KEY holds the same
line. The name is made with the key and never changes: a signed head identifies the service
by both.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from pathlib import Path
from typing import Final, NamedTuple

from ledger.anchors.notes import BadNote, Signer
from ledger.log.stores.disk import (
    own_folder,
    write_once,
    write_whole,
)

KEY_FILE: Final = "signing.key"
_LINE: Final = re.compile(r"([!-*,-~]{1,100}) ([0-9a-f]{64})( signed)?")


class BadSigningKey(Exception):
    """The key's file or setting holds no valid key."""


class SigningKey(NamedTuple):
    signer: Signer
    has_signed: bool


def signer_in(data: Path, said: str | None = None) -> Signer:
    """Returns the given key or the data folder's key, which is made if missing."""
    return key_in(data, said).signer


def note_signed(data: Path) -> None:
    """Marks the key of a data folder as one that has signed a head."""
    path = data / KEY_FILE
    try:
        line = path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return  # it was said otherwise
    if not line.endswith(" signed"):
        write_whole(path, f"{line} signed\n".encode())


def key_in(data: Path, said: str | None = None) -> SigningKey:
    """Returns the given key or the data folder's key, and whether it has signed heads."""
    if said is not None:
        return _key(said, "HEGEMON_SIGNING_KEY")
    path = data / KEY_FILE
    for _ in range(2):
        try:
            return _key(path.read_text(encoding="utf-8"), str(path))
        except FileNotFoundError:
            _make(path)
    raise BadSigningKey(f"{path} cannot be kept")


def _make(path: Path) -> None:
    seed = secrets.token_bytes(32)
    name = f"hegemon-{hashlib.sha256(b'hegemon/name/1' + seed).hexdigest()[:12]}"
    own_folder(path.parent)
    write_once(path, f"{name} {seed.hex()}\n".encode())  # who comes second takes the first one's


def _key(line: str, source: str) -> SigningKey:
    parts = _LINE.fullmatch(line.strip())
    if parts is None:
        raise BadSigningKey(f"{source} must be a name and 64 hexadecimal digits")
    try:
        return SigningKey(Signer(parts[1], bytes.fromhex(parts[2])), bool(parts[3]))
    except BadNote as reason:
        raise BadSigningKey(f"{source}: {reason}") from None
