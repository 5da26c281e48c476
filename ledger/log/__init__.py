"""The log: events and acts, their canonical bytes, the chain, the stores and the bundle."""
