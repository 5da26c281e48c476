"""CAPs given away, and deals."""
