"""Lines: the chain of an event's parents. Rewinds make a match a tree; a version has one line."""

from __future__ import annotations

from ledger.log.format.acts import Rewound
from ledger.log.format.bodies import ActBody, AnyBody


class Lines:
    """The tree of a log, grown event by event."""

    def __init__(self) -> None:
        self._parents: list[int] = [0]  # by version; version 0 is the empty log
        self._epochs: list[int] = [0]  # the last rewind on the line of each version

    def __len__(self) -> int:
        return len(self._parents) - 1

    @property
    def tip(self) -> int:
        """Returns the last event: play goes on along its line."""
        return len(self)

    def grow(self, body: AnyBody) -> None:
        """Adds the next event; refuses a parent that it may not have."""
        version = len(self) + 1
        rewind = isinstance(body, ActBody) and isinstance(body.act, Rewound)
        parent = version - 1
        if rewind:
            assert isinstance(body, ActBody)
            assert isinstance(body.act, Rewound)
            parent = body.act.to
            # It may lie on an undone line: so a rewind is itself taken back.
            if not 0 < parent < version:
                msg = f"event {version} rewinds to {parent}, which is not before it"
                raise ValueError(msg)
        if body.parent != parent:
            msg = f"event {version} names {body.parent} as its parent; it can only be {parent}"
            raise ValueError(msg)
        self._parents.append(parent)
        # What a fork copies was drawn under other keys: its own begin with a new epoch.
        copied = not isinstance(body, ActBody) and body.by.role == "fork"
        self._epochs.append(version if rewind or copied else self._epochs[parent])

    def parent(self, version: int) -> int:
        return self._parents[version]

    def epoch(self, version: int) -> int:
        """Returns the last rewind on the line of `version`, or 0; addresses of chance use it."""
        return self._epochs[version]

    def line(self, version: int) -> list[int]:
        """Returns the versions of the line that ends at `version`, in order."""
        line = []
        while version:
            line.append(version)
            version = self._parents[version]
        return line[::-1]

    def undone(self) -> list[int]:
        """Returns the events that are not on the tip's line."""
        kept = set(self.line(self.tip))
        return [version for version in range(1, len(self) + 1) if version not in kept]
