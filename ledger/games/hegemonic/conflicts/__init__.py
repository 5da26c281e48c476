"""Conflicts: movement, declaring, the five steps, and what follows."""
