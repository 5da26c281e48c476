"""Scenes: a view drawn in a vocabulary that knows no game, so that one viewer draws them all.

A ruleset's `scene.py` turns a view (in plain types, as one seat may see it) into a `Scene`.
Cells form a grid of squares or hexes. Pieces, cards, tracks and counters are on cells or
next to the board. A *target* is the decision that a click on one of them makes.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

Ground: TypeAlias = Literal["", "world", "star", "stars"]
Form: TypeAlias = Literal["", "works", "hall", "fort", "person", "ship", "ring", "disc", "cross"]


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """A place on the board; (x, y) are columns and rows of squares, or axial hex coordinates."""

    id: str
    x: int
    y: int
    label: str = ""
    note: str = ""  # what the place is, in a word or two
    offers: str = ""  # what is to be had there: words of one to three letters
    kind: str = ""  # what it is made of: the drawing gives each kind a fill
    region: str = ""  # what it is part of: the drawing outlines each region
    ground: Ground = ""  # what lies beneath the pieces
    marked: bool = False  # part of what just happened, or of a winning line


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    cell: str
    sign: str  # one to three letters: colour is never the only mark
    name: str
    form: Form = ""  # what it looks like; without one it is a token with its sign
    mark: str = ""  # what is written on its form: whose it is, by a letter
    seat: int | None = None
    count: int = 1
    link: str = ""  # the id of the link that ends here


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """A connection between two cells, which need not be neighbours."""

    id: str
    one: str
    other: str
    name: str
    seat: int | None = None


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """A card in a hand, a slot or a pile; without a name it is face down."""

    id: str
    place: str
    name: str = ""
    seat: int | None = None
    count: int = 1


class Track(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    value: int
    low: int = 0
    high: int
    endless: bool = False  # it goes on beyond `high`: that is only how much of it is drawn
    seat: int | None = None


class Counter(msgspec.Struct, frozen=True, kw_only=True):
    """A number, or a word, next to the board."""

    id: str
    name: str
    value: int | str
    seat: int | None = None


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's name at the table, and the colour of its pieces, if the game has them."""

    name: str
    hue: str = ""  # a plain word: blue, red; one that a drawing does not know means none


class Meaning(msgspec.Struct, frozen=True, kw_only=True):
    """The name that a form of piece has in this game."""

    form: Form
    name: str


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """The decision that a click on a thing of the scene makes."""

    on: str  # the id of a cell, piece, link, card, track or counter
    label: str
    decision: dict[str, Any]


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    title: str
    grid: Literal["square", "hex"] = "square"
    kinds: tuple[str, ...] = ()  # of cells, in the order of the fills; others follow by name
    cells: tuple[Cell, ...] = ()
    pieces: tuple[Piece, ...] = ()
    links: tuple[Link, ...] = ()
    cards: tuple[Card, ...] = ()
    tracks: tuple[Track, ...] = ()
    counters: tuple[Counter, ...] = ()
    players: tuple[Player, ...] = ()  # in the order of seats; none where they are but numbers
    forms: tuple[Meaning, ...] = ()  # what the forms of the pieces stand for
    signs: str = ""  # what their signs mean, for who reads the board
    legend: str = ""  # what else is written there
    targets: tuple[Target, ...] = ()
