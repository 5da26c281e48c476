"""Anchors: what lets anybody outside hold the service to its word.

    trees.py        the Merkle tree of RFC 6962 over all events: roots, proofs, and their checks
    notes.py        signed notes and keys, as C2SP's signed-note has them (Ed25519)
    checkpoints.py  a signed head: how many events there are, and the root over them
    receipts.py     what a player is given for a decision: the event's bytes, signed
    proofs.py       that an event is under a signed head; that one head goes on from another

A chain shows that a log is consistent in itself. That it is *the* log, and not one that was made
anew, only something shows which left the service at the time: a receipt, or a signed head.
"""
