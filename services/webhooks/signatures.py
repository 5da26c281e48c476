"""The service's key, the secrets that follow from it, and signatures.

The key is 32 bytes in the data folder (`webhooks.key`, readable by its owner alone) or, where
several machines serve one club, in HEGEMON_WEBHOOK_KEY. A webhook's secret is an HMAC under it, so
nothing that signs is ever written into the log. Who loses the key loses no webhook: each gets a new
secret when its owner asks for one, and says why it was stopped until then.

Signatures are those of standardwebhooks.com: HMAC-SHA256 of `id.timestamp.body`, in base64.
"""

from __future__ import annotations

import base64
import contextlib
import hmac
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ledger.club.webhooks import Webhook

KEY_FILE: Final = "webhooks.key"
KEY_BYTES: Final = 32
_SECRET_OF: Final = b"hegemon/webhook-secret/1"
_NAME_OF: Final = b"hegemon/webhook-key/1"


class BadKey(Exception):
    """The file of the key holds none."""


class Key:
    """What all secrets follow from."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError("a key has 32 bytes")
        self._key = key
        self.name = hmac.digest(key, _NAME_OF, "sha256")[:8].hex()

    def secret(self, webhook: str, number: int) -> bytes:
        """A secret of a webhook."""
        return hmac.digest(
            self._key, b"%s/%s/%d" % (_SECRET_OF, webhook.encode(), number), "sha256"
        )

    def words(self, webhook: Webhook) -> str:
        """The newest secret as its owner is shown it, once."""
        packed = self.secret(webhook.id, webhook.secrets[0].number)
        return f"whsec_{base64.b64encode(packed).decode()}"

    def signed(self, webhook: Webhook, now: int) -> list[bytes]:
        """The secrets with which something is signed now; none where another key made them."""
        mine = [one for one in webhook.signing(now) if one.key == self.name]
        return [self.secret(webhook.id, one.number) for one in mine]


def headers(secrets_: Sequence[bytes], delivery: str, seconds: int, body: bytes) -> dict[str, str]:
    """What says that a delivery is ours, and when it was sent."""
    said = b"%s.%d.%s" % (delivery.encode(), seconds, body)
    signatures = [base64.b64encode(hmac.digest(one, said, "sha256")) for one in secrets_]
    return {
        "webhook-id": delivery,
        "webhook-timestamp": str(seconds),
        "webhook-signature": " ".join(f"v1,{one.decode()}" for one in signatures),
    }


def key_of(data: Path, told: bytes | None = None) -> Key:
    """The service's key: the one that was told, or the one in the data folder, made once."""
    if told is not None:
        return Key(told)
    path = data / KEY_FILE
    if not path.exists():
        _make(path)
    try:
        return Key(bytes.fromhex(path.read_text("ascii").strip()))
    except ValueError:
        raise BadKey(f"{path} holds no key: 64 hexadecimal digits are wanted") from None


def _make(path: Path) -> None:
    """Write a new key; of several processes that do so at once, the first has made it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    own = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(os.urandom(KEY_BYTES).hex() + "\n")
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(own, path)
    finally:
        own.unlink()
