"""The secrets of one match: what its commitments and its chance are made from.

They are kept beside the log for the service alone. The salt key is never published; the seeds of
the domains of chance are, at the close, as far as the match's policy says.
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
    """What the service knows of a match and nobody else."""

    server_seed: bytes
    salt_key: bytes
    nonces: tuple[bytes, ...]  # of the seats, until the start opens them

    @classmethod
    def drawn(cls, entropy: Entropy, seats: int) -> Secrets:
        """New secrets."""
        nonces = tuple(entropy(SECRET_BYTES) for _ in range(seats))
        return cls(entropy(SECRET_BYTES), entropy(SECRET_BYTES), nonces)

    @classmethod
    def read(cls, kept: bytes) -> Secrets:
        """Secrets as they were kept."""
        plain: dict[str, Any] = decode(kept)
        return msgspec.convert(plain, cls)

    def kept(self) -> bytes:
        """The secrets as they are kept."""
        return encode(msgspec.to_builtins(self, builtin_types=(bytes,)))

    def seed(self, domain: str) -> bytes:
        """The seed of a domain of chance."""
        return domain_seed(self.server_seed, domain)

    def key(self, domain: str, nonces: Sequence[bytes]) -> bytes:
        """The key of a domain of chance, once the nonces are known."""
        return domain_key(self.seed(domain), domain, nonces)
