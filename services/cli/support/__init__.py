"""Pieces that all commands share."""
