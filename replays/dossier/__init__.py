"""Dossiers: the evidence for a dispute."""
