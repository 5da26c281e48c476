"""Replays and exports."""
