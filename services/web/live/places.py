"""Places for viewers. No viewer takes so many that others find none.

Signed-in viewers are counted by person, wherever they connect from. So a club behind one
address counts as many people. All others are counted by address.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from services.run.settings import Settings

_WORDS: Final = {"person": "you", "address": "your address, without an account"}


class NoPlace(Exception):
    """No place is free for a viewer. The text says why."""

    def __init__(self, why: str, *, at_all: bool) -> None:
        super().__init__(why)
        self.at_all = at_all  # nor for anybody else


class ViewerPlaces:
    def __init__(self, all_of_them: int, of_person: int, of_address: int) -> None:
        self.all = all_of_them
        self._most = {"person": of_person, "address": of_address}
        self._lock = threading.Lock()
        self._taken: dict[tuple[str, str], int] = {}
        self._count = 0

    def take(self, person: str, address: Callable[[], str]) -> Callable[[], None]:
        """Takes a place; returns a function that frees it, to be called once."""
        who = ("person", person) if person else ("address", address())
        with self._lock:
            if self._count >= self.all:
                why = "All viewer places are taken: fetch the events from time to time instead."
                raise NoPlace(why, at_all=True)
            if self._taken.get(who, 0) >= self._most[who[0]]:
                why = f"{self._most[who[0]]} places are taken by {_WORDS[who[0]]}: leave one first."
                raise NoPlace(why, at_all=False)
            self._taken[who] = self._taken.get(who, 0) + 1
            self._count += 1
        return lambda: self._leave(who)

    def _leave(self, who: tuple[str, str]) -> None:
        with self._lock:
            self._count -= 1
            self._taken[who] -= 1
            if not self._taken[who]:
                del self._taken[who]


def places_of(settings: Settings) -> ViewerPlaces:
    """Returns the places as configured. No viewer gets more than half of them, rounded up."""
    places, times = settings.live_places, settings.limits
    half = (places + 1) // 2
    most = [min(one, half) * times for one in (settings.live_person, settings.live_address)]
    return ViewerPlaces(places, *(most if times else (places, places)))
