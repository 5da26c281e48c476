"""Anchors: evidence outside the service that its logs were not rewritten.

    trees.py        the Merkle tree of RFC 6962 over all events: roots, proofs, and their checks
    notes.py        signed notes and keys, as C2SP's signed-note has them (Ed25519)
    checkpoints.py  a signed head: how many events there are, and the root over them
    receipts.py     a player's receipt for a decision: the event's bytes, signed
    proofs.py       proofs that a signed head covers an event, or extends an older signed head

A chain shows that a log is consistent in itself. It cannot show that the log was not
replaced by another one. Only something that left the service at the time shows that: a
receipt, or a signed head.
"""
