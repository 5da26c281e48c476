"""The kernel folds decisions through rules into facts and snapshots. It knows no game."""
