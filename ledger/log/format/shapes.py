"""Constrained types for stored bytes, where a plain type says too little."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

import msgspec

from ledger.kernel.frozen import FrozenByName

from .canonical import INT_MAX

HASH_BYTES: Final = 32
SEATS_MAX: Final = 65_535

# In Python `$` also matches before a last line break; what follows it here forbids that.
Hash: TypeAlias = Annotated[bytes, msgspec.Meta(min_length=HASH_BYTES, max_length=HASH_BYTES)]
MatchId: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$(?!\n)")]
Seats: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=SEATS_MAX)]
SeatNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=-2, le=SEATS_MAX)]
Version: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=INT_MAX)]
Milliseconds: TypeAlias = Annotated[int, msgspec.Meta(ge=-INT_MAX, le=INT_MAX)]
# A private field, or one element of a counted one: `cards`, `cards/0`.
PrivateName: TypeAlias = Annotated[
    str, msgspec.Meta(pattern=r"^[a-z][a-z0-9_]{0,63}(/[0-9]{1,4})?$(?!\n)")
]
DomainName: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9._-]{1,64}$(?!\n)")]
# A secret that the close discloses; of chance all domains, or one by its name.
PolicyName: TypeAlias = Annotated[
    str, msgspec.Meta(pattern=r"^(decisions|outcomes|chance(:[a-z0-9._-]{1,64})?)$(?!\n)")
]


class StoredPart(
    FrozenByName, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A part of stored bytes: fields with their defaults are left out, unknown ones are refused."""
