"""Things of a scene: pieces by their looks, cards that are held, free places, click targets.

LOOKS = {"fleet": PieceLook("fleet", "F", "ship")}
fleets = OwnPieces(seat, "r").units(LOOKS["fleet"], ["S1a", "S2b"])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from ledger.kernel.audience import hidden
from ledger.kernel.records import Seat
from ledger.kernel.scene import Card, Cell, Form, Link, Meaning, Piece, Scene, Target
from ledger.kernel.story import Seen
from ledger.parts.holdings import length, visible
from ledger.parts.text import plural


class PieceLook(NamedTuple):
    """A kind of piece: its name, its sign in letters, and its form in a drawing."""

    name: str
    sign: str
    form: Form = ""
    many: str = ""

    @property
    def meaning(self) -> Meaning:
        return Meaning(form=self.form, name=self.name)

    def piece(self, id: str, cell: str, *, count: int = 1, **rest: Any) -> Piece:
        """Returns a piece, or several that are alike and lie together."""
        name = self.name if count == 1 else self.many or plural(self.name)
        said = {"sign": self.sign, "name": name, "form": self.form, **rest}
        return Piece(id=id, cell=cell, count=count, **said)


def list_signs(looks: Iterable[PieceLook]) -> str:
    return ", ".join(f"{look.sign} {look.name}" for look in looks)


def own_id(seat: Seat, *names: object) -> str:
    """Returns the id of a thing of a player: a kind of piece, then where or which one it is."""
    return "-".join((f"s{seat}", *map(str, names)))


class OwnPieces(NamedTuple):
    """The pieces of one player on the map. A letter on each of them says whose it is."""

    seat: Seat
    letter: str

    def stacks(self, look: PieceLook, cells: Mapping[str, int]) -> Iterator[Piece]:
        """Yields a piece for all of a kind that lie in a cell."""
        for cell, count in cells.items():
            yield self._piece(look, own_id(self.seat, look.name, cell), cell, count=count)

    def units(self, look: PieceLook, cells: Sequence[str]) -> Iterator[Piece]:
        """Yields each piece by its number, where it lies; in no cell it is not on the map."""
        for number, cell in enumerate(cells):
            if cell:
                id_ = own_id(self.seat, look.name, number)
                yield self._piece(look, id_, cell, name=f"{look.name} {number + 1}")

    def pairs(self, look: PieceLook, pairs: Sequence[tuple[str, str]]) -> Iterator[Piece]:
        """Yields both halves of each pair on the map; `links` connects them."""
        for number, ends in enumerate(pairs):
            for half, cell in enumerate(ends):
                if cell:
                    link = own_id(self.seat, look.name, number)
                    yield self._piece(
                        look,
                        f"{link}-{half}",
                        cell,
                        number=str(number + 1),
                        name=f"{look.name} {number + 1} to {ends[1 - half]}",
                        link=link,
                    )

    def links(
        self, look: PieceLook, pairs: Sequence[tuple[str, str]], whose: str
    ) -> Iterator[Link]:
        """Yields a link between the cells of each pair on the map."""
        for number, (one, other) in enumerate(pairs):
            if one:
                yield Link(
                    id=own_id(self.seat, look.name, number),
                    one=one,
                    other=other,
                    name=f"{look.name} {number + 1} of {whose}",
                    seat=self.seat,
                )

    def _piece(
        self, look: PieceLook, id_: str, cell: str, *, number: str = "", **rest: Any
    ) -> Piece:
        sign, mark = f"{self.letter}{look.sign}{number}", f"{self.letter.upper()}{number}"
        return look.piece(id_, cell, sign=sign, mark=mark, seat=self.seat, **rest)


def held_cards(
    name: str, place: str, held: Any, seat: Seat, words: Callable[[str], str]
) -> Iterator[Card]:
    """Yields a card for each thing that the viewer sees, or one for all that are hidden."""
    if hidden(held) and length(held):
        yield Card(id=f"{name}-s{seat}", place=place, seat=seat, count=length(held))
    for card in visible(held):
        yield Card(id=card, place=place, name=words(card), seat=seat)


def free_id(x: int, y: int) -> str:
    return f"at {x},{y}"


def free_cells(places: Iterable[tuple[int, int]], kind: str) -> Iterator[Cell]:
    """Yields places where something may be laid: no part of the map, but they can be clicked."""
    for x, y in sorted(places):
        yield Cell(id=free_id(x, y), x=x, y=y, kind=kind)


def with_targets(
    scene: Scene,
    options: Iterable[Seen],
    places: Callable[[Seen], Iterable[str]],
    words: Callable[[Seen], str],
    *,
    elsewhere: str = "",
) -> Scene:
    """Returns the scene with a target for every option.

    It is on the first of the option's places that is there, or `elsewhere`.
    """
    parts = (scene.cells, scene.pieces, scene.links, scene.cards, scene.tracks, scene.counters)
    there = {thing.id for part in parts for thing in part}
    targets = [
        Target(
            on=next((place for place in places(option) if place in there), elsewhere),
            label=words(option),
            decision=dict(option),
        )
        for option in options
    ]
    return msgspec.structs.replace(scene, targets=tuple(targets))
