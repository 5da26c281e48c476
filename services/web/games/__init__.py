"""The games: what a client must know of one."""
