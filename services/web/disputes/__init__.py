"""Disputes, dossiers and rulings."""
