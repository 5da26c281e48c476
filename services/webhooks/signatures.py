"""The service's key, the secrets derived from it, and signatures.

The key is 32 bytes in the data folder (`webhooks.key`, readable by its owner only). If
several machines serve one club, it is in HEGEMON_WEBHOOK_KEY. A webhook's secret is an HMAC
under it, so no signing secret is ever written into the log. Losing the key loses no
webhook. Each gets a new secret when its owner asks for one, and until then says why it was
stopped.

Signatures are those of standardwebhooks.com: HMAC-SHA256 of `id.timestamp.body`, in base64.
"""

from __future__ import annotations

import base64
import hmac
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ledger.club.webhooks import Webhook
from ledger.log.stores.disk import write_once

KEY_FILE: Final = "webhooks.key"
KEY_BYTES: Final = 32
_SECRET_OF: Final = b"hegemon/webhook-secret/1"
_NAME_OF: Final = b"hegemon/webhook-key/1"


class BadKey(Exception):
    """The key's file holds no valid key."""


class ServiceKey:
    """The key that all secrets are derived from."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError("a key has 32 bytes")
        self._key = key
        self.name = hmac.digest(key, _NAME_OF, "sha256")[:8].hex()

    def secret(self, webhook: str, number: int) -> bytes:
        return hmac.digest(
            self._key, b"%s/%s/%d" % (_SECRET_OF, webhook.encode(), number), "sha256"
        )

    def words(self, webhook: Webhook) -> str:
        """Returns the newest secret as it is shown to its owner, once."""
        packed = self.secret(webhook.id, webhook.secrets[0].number)
        return f"whsec_{base64.b64encode(packed).decode()}"

    def signed(self, webhook: Webhook, now: int) -> list[bytes]:
        """Returns the secrets that sign now; none if another key made them."""
        mine = [one for one in webhook.signing(now) if one.key == self.name]
        return [self.secret(webhook.id, one.number) for one in mine]


def headers(secrets_: Sequence[bytes], delivery: str, seconds: int, body: bytes) -> dict[str, str]:
    """Returns the headers that prove a delivery's origin and time."""
    said = b"%s.%d.%s" % (delivery.encode(), seconds, body)
    signatures = [base64.b64encode(hmac.digest(one, said, "sha256")) for one in secrets_]
    return {
        "webhook-id": delivery,
        "webhook-timestamp": str(seconds),
        "webhook-signature": " ".join(f"v1,{one.decode()}" for one in signatures),
    }


def key_of(data: Path, told: bytes | None = None) -> ServiceKey:
    """Returns the given key or the data folder's key, which is made if missing."""
    if told is not None:
        return ServiceKey(told)
    path = data / KEY_FILE
    if not path.exists():  # if several processes make one at once, the first one's is kept
        path.parent.mkdir(parents=True, exist_ok=True)
        write_once(path, f"{os.urandom(KEY_BYTES).hex()}\n".encode())
    try:
        return ServiceKey(bytes.fromhex(path.read_text("ascii").strip()))
    except ValueError:
        raise BadKey(f"{path} holds no key: it must be 64 hexadecimal digits") from None
