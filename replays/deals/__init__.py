"""Deals: what became of each promise."""
