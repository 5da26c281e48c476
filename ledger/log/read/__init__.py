"""Reading a log: histories, bundles."""
