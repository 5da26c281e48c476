"""Writing a log: the journal and the life of a match."""
