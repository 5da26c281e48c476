"""The table: the galaxy, its cards and the map."""
