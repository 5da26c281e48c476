"""The secrets of one match: the source of its commitments and its chance.

They are kept with the log for the service alone. The salt key is never published; at the
close, the match's policy decides which seeds of the domains of chance are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from ledger.kernel.chance import domain_key, domain_seed

from .canonical import decode, encode

KEPT_AS: Final = "secrets"
SECRET_BYTES: Final = 32

Entropy: TypeAlias = Callable[[int], bytes]


class Secrets(msgspec.Struct, frozen=True):
    """The values of a match that only the service knows."""

    server_seed: bytes
    salt_key: bytes
    nonces: tuple[bytes, ...]  # of the seats, until the start opens them

    @classmethod
    def drawn(cls, entropy: Entropy, seats: int) -> Secrets:
        nonces = tuple(entropy(SECRET_BYTES) for _ in range(seats))
        return cls(entropy(SECRET_BYTES), entropy(SECRET_BYTES), nonces)

    @classmethod
    def read(cls, kept: bytes) -> Secrets:
        plain: dict[str, Any] = decode(kept)
        return msgspec.convert(plain, cls)

    def kept(self) -> bytes:
        return encode(msgspec.to_builtins(self, builtin_types=(bytes,)))

    def seed(self, domain: str) -> bytes:
        return domain_seed(self.server_seed, domain)

    def key(self, domain: str, nonces: Sequence[bytes]) -> bytes:
        """Returns the key of a domain of chance, once the nonces are known."""
        return domain_key(self.seed(domain), domain, nonces)


def nonce_name(commitment: bytes) -> str:
    """Returns the name under which a nonce is kept until the start opens it."""
    return f"nonce-{commitment.hex()}"
