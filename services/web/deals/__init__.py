"""Deals and reputation."""
