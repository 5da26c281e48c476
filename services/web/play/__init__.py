"""Playing: the table, choices, decisions."""
