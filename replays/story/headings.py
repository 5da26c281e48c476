"""Headings: divides a match into rounds, phases, turns and conflicts, as its ruleset defines them.

A heading begins in an event, perhaps in the middle of its sentences, and lasts until the event in
which another one of its level begins. After a rewind the headings that were open at the point gone
back to are opened again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import UNSET

from ledger.kernel.story import HeadingRule as Begun
from replays.document.structs import Heading

Mark: TypeAlias = tuple[int, ...]


class Headings:
    """Collects the headings of a match event by event."""

    def __init__(self, levels: Sequence[str]) -> None:
        self.found: list[Heading] = []
        self._depth = {level: depth for depth, level in enumerate(levels)}
        self._open: list[int] = []  # numbers of headings, the innermost last
        self._asides: list[int] = []  # those of the event before, which may be gone on with
        self._begun: list[int] = []  # asides of this event
        self._n = 0
        self._under: int | None = None

    # --- event by event ------------------------------------------------------------------------

    def mark(self) -> Mark:
        """Returns the open headings, to come back to after a rewind."""
        return tuple(self._open)

    def back(self, mark: Mark, version: int) -> None:
        """Closes what a rewind leaves, and opens again what was open at the mark, from this event
        on.
        """
        common = 0
        for now, then in zip(self._open, mark, strict=False):
            if now != then:
                break
            common += 1
        for number in self._open[common:]:
            self._close(number, version - 1)
        self._open = self._open[:common]
        self._asides = []
        for number in mark[common:]:
            was = self.found[number]
            self._push(Begun(was.level, was.label, was.seat), version, 0)
            self.found[self._open[-1]].again = True

    def enter(self, version: int) -> None:
        """Starts the next event."""
        self._n, self._begun = version, []
        self._under = self._open[-1] if self._open else None

    def begin(self, begun: Begun, line: int) -> None:
        """Begins a heading with a fact of this event, before one of its sentences."""
        line = 0 if begun.whole else line
        if begun.aside:
            self._begin_aside(begun, line)
        elif not any(self._is(number, begun) for number in self._open):
            last = self._n - 1 if line == 0 else self._n
            self.end(begun.level, last)
            self._push(begun, self._n, line)
        if line == 0:
            self._under = self._open[-1]

    def end(self, level: str, last: int | None = None) -> None:
        """Closes the open headings of a level and those below it."""
        depth = self._depth[level]
        for number in [one for one in self._open if self._depth[self.found[one].level] >= depth]:
            self._close(number, self._n if last is None else last)
            self._open.remove(number)

    def leave(self) -> int | None:
        """Finishes the event; returns the number of the heading that it belongs to."""
        for number in self._begun:
            self._close(number, self._n)
            self._open.remove(number)
        self._asides = self._begun
        return self._under

    def finish(self, last: int) -> list[Heading]:
        """Returns all headings; open ones last to the end."""
        for number in self._open:
            self._close(number, last)
        return self.found

    # --- the stack -----------------------------------------------------------------------------

    def _begin_aside(self, begun: Begun, line: int) -> None:
        if any(self._is(number, begun) for number in self._begun):
            return
        again = [n for n in self._asides if self._is(n, begun) and self._up() == self.found[n].up]
        if again:
            self._open.append(again[0])
        else:
            self._push(begun, self._n, line)
        self._begun.append(self._open[-1])

    def _is(self, number: int, begun: Begun) -> bool:
        found = self.found[number]
        return (found.level, found.label) == (begun.level, begun.label)

    def _up(self) -> int | None:
        return self._open[-1] if self._open else None

    def _push(self, begun: Begun, version: int, line: int) -> None:
        self._open.append(len(self.found))
        self.found.append(
            Heading(
                level=begun.level,
                label=begun.label,
                first=version,
                last=version,
                up=self._open[-2] if len(self._open) > 1 else None,
                line=line,
                seat=begun.seat,
                again=UNSET,
            )
        )

    def _close(self, number: int, last: int) -> None:
        self.found[number].last = max(self.found[number].first, last)
