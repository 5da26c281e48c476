"""Keeping data: backups, restores, checks, the guard."""
