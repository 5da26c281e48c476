"""The errata lab: re-projections and comparisons."""
