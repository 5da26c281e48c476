"""The faults of one run of the simulation and their rates, drawn anew for every seed.

Every run has some kinds of fault and not others. A run with all of them at once would hardly get
anything done, and bugs that need much to go well before one thing goes wrong would not be found.
"""

from __future__ import annotations

import random
from typing import Protocol

import msgspec

from tests.support.durability.model.connection import Fate, Wire
from tests.support.durability.model.server import ModelServer, Words

READS = {b"GET", b"HGET", b"HKEYS", b"SMEMBERS", b"XRANGE", b"XREAD", b"FUNCTION"}
# Parking has no version: a request to park or unpark that is years late would be carried out.
PARKING = b"hegemon_1_park"


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """How often what happens."""

    mode: str
    switch: float  # others go first, at a request or at its reply
    client_crash: float
    fates: tuple[tuple[Fate, float], ...]  # each with the sum of the chances up to it
    server_crash: float
    arrival: float  # something late arrives
    full: float
    copy: float
    put_back: float  # an old copy of the disk is put back
    forks: bool  # ... and it is noticed only after play has gone on from there
    loading: int
    patience: float
    clients: int
    names: int


def drawn(rng: random.Random) -> Profile:
    """The profile of a run."""

    def now_and_then(chance: float, most: float) -> float:
        return rng.uniform(most / 5, most) if rng.random() < chance else 0.0

    fates, total = [], 0.0
    for fate in Fate:
        if fate is not Fate.WELL and (rate := now_and_then(0.5, 0.03)):
            total += rate
            fates.append((fate, total))
    return Profile(
        mode="everysec" if rng.random() < 0.2 else "always",
        switch=rng.choice((0.0, 0.05, 0.15, 0.3)),
        client_crash=now_and_then(0.5, 0.02),
        fates=tuple(fates),
        server_crash=now_and_then(0.4, 0.05),
        arrival=now_and_then(0.9, 0.6),
        full=now_and_then(0.2, 0.1),
        copy=rng.uniform(0.1, 0.3),
        put_back=now_and_then(0.4, 0.1),
        forks=rng.random() < 0.5,
        loading=rng.choice((0, 0, 1, 3)),
        patience=rng.choice((0.01, 0.1, 1.0, 8.0)),
        clients=rng.choice((1, 2, 3, 3, 5)),
        names=rng.choice((1, 1, 2, 3)),
    )


class Around(Protocol):
    """The parts of a run that a storm needs."""

    rng: random.Random
    profile: Profile
    calm: bool

    def meanwhile(self) -> None:
        """Others may go first."""

    def dies(self) -> None:
        """The server is about to die."""

    def crashed(self) -> None:
        """The server has died."""

    def say(self, *words: object) -> None:
        """A line of the trace."""


class Storm(Wire):
    """The wire of a run."""

    def __init__(self, around: Around) -> None:
        super().__init__()
        self.around = around

    def pause(self) -> None:
        """A moment in which others may be carried out."""
        if not self.around.calm:
            self.around.meanwhile()

    def fate(self, words: Words) -> Fate:
        """Returns the fate of a request."""
        profile = self.around.profile
        if self.around.calm or not profile.fates:
            return Fate.WELL
        drawn = self.around.rng.random()
        if drawn >= profile.fates[-1][1]:
            return Fate.WELL
        fate = next(fate for fate, upto in profile.fates if drawn < upto)
        if words[0] in READS or words[1] == PARKING:
            fate = {Fate.LATE: Fate.LOST, Fate.TWICE: Fate.WELL}.get(fate, fate)
        self.around.say("   ", words[0].decode(), fate.value)
        return fate

    def kept(self, server: ModelServer) -> int:
        """How much of its file a server has that dies now: all that is on the disk, and perhaps
        some of what was not waited for."""
        self.around.dies()
        return self.around.rng.randint(server.flushed, len(server.file))

    def crashed(self) -> None:
        """The server has just died."""
        self.around.crashed()

    def heard(self) -> bool:
        """Whether a reply comes through although its server has died since."""
        return self.around.rng.random() < 0.5
