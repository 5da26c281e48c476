"""Editions of running matches."""
