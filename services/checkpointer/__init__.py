"""The checkpointer: it signs how many events there are, and the root over them, and keeps its word.

    tiles.py    the tree's hashes as files, as C2SP's `tlog-tiles` lays them out
    places.py   where each event of a match stands in the tree
    tree.py     the folder of both: leaves go in, roots and proofs come out
    loop.py     segments in, signed heads out; signs nothing that does not go on from what it signed
    keys.py     the key that signs heads and receipts

It reads what the projector has copied out of the ledger's server, so a head is never signed over
what is not on the disk a second time.
"""
