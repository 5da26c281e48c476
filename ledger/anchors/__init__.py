"""Anchors: evidence outside the service that its logs were not rewritten.

    trees.py   the Merkle tree of RFC 6962 over all events: roots, proofs, and their checks
    notes.py   keys, and what they sign: notes, heads (how many events there are, and the root
               over them) and receipts (the bytes of a player's event)
    proofs.py  proofs that a signed head covers an event, or extends an older signed head

A chain shows that a log is consistent in itself. It cannot show that the log was not
replaced by another one. Only something that left the service at the time shows that: a
receipt, or a signed head.
"""
