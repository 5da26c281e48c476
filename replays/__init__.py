"""Everything computed from a log: what is told and drawn of it, and whether it is what it says."""
