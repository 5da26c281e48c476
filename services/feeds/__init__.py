"""The feeds of the ledger: read once, for everyone who follows them."""
