"""What all tests share: how Hypothesis runs."""

from __future__ import annotations

from hypothesis import settings

# A slow machine is no failure; each law says itself how many examples it wants.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
