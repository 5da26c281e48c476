"""The base classes of all immutable records."""

from __future__ import annotations

from typing import dataclass_transform

import msgspec


# Type checkers do not see through msgspec's `frozen=True` in a base class without this.
@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Frozen(msgspec.Struct, frozen=True):
    """An immutable struct."""


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class FrozenByName(msgspec.Struct, frozen=True, kw_only=True):
    """An immutable struct whose fields are given by name."""
