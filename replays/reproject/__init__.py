"""Re-projection: a match under other rules."""
