"""Game rounds, phase by phase, to the end."""
