"""Commands of the errata lab."""
