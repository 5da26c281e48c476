"""The format: events, acts, canonical bytes, the chain, commitments."""
