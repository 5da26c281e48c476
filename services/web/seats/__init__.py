"""The life of a table: talk, going back, seats that change hands."""
