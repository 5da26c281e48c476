"""The table and what is on it: the galaxy, houses, conflicts, components and tracks."""
