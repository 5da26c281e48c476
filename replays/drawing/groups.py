"""Groups everything off the board by its owner, for texts and pages alike."""

from __future__ import annotations

from itertools import groupby

import msgspec

from ledger.kernel.scene import Card, Counter, Scene, Track


class Lot(msgspec.Struct, frozen=True, kw_only=True):
    """The cards of one place."""

    place: str
    cards: tuple[Card, ...]


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """Everything off the board that one player has, or that all share."""

    name: str = ""
    seat: int | None = None
    counters: tuple[Counter, ...]
    tracks: tuple[Track, ...]
    lots: tuple[Lot, ...]

    @property
    def figures(self) -> tuple[Counter, ...]:
        return tuple(one for one in self.counters if isinstance(one.value, int))

    @property
    def words(self) -> tuple[Counter, ...]:
        return tuple(one for one in self.counters if not isinstance(one.value, int))


def groups(scene: Scene) -> tuple[Group, ...]:
    """Returns the shared group, then one for each player; a single group if the scene names no
    players.
    """
    if not scene.players:
        return (Group(counters=scene.counters, tracks=scene.tracks, lots=_lots(scene.cards)),)
    return (
        _group(scene, None, ""),
        *(_group(scene, seat, player.name) for seat, player in enumerate(scene.players)),
    )


def _group(scene: Scene, seat: int | None, name: str) -> Group:
    return Group(
        name=name,
        seat=seat,
        counters=tuple(one for one in scene.counters if one.seat == seat),
        tracks=tuple(one for one in scene.tracks if one.seat == seat),
        lots=_lots([one for one in scene.cards if one.seat == seat]),
    )


def _lots(cards: tuple[Card, ...] | list[Card]) -> tuple[Lot, ...]:
    """Groups consecutive cards of the same place, in the order of the scene."""
    return tuple(
        Lot(place=place, cards=tuple(lot)) for place, lot in groupby(cards, lambda one: one.place)
    )
