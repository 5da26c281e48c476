"""The checkpointer signs the number of events and the root over them. No head contradicts
another.

    loop.py       reads segments and signs heads; each head extends the one signed before
    __main__.py   the process

The folder of signed heads is in services/keep/heads:

    tree.py       the tree's hashes as files, as C2SP's `tlog-tiles` lays them out, and the leaf
                  of each event of a match; takes leaves, gives roots and proofs
    keys.py       the key that signs heads and receipts

It reads the segments that the projector copied from the ledger's server. So every event
under a signed head is on the disk a second time.
"""
