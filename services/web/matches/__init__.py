"""Matches: lists, pages, creation, life."""
