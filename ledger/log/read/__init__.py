"""Reading a log: histories, branches, bundles."""
