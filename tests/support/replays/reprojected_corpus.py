"""Corpora of bot matches, each erratum over all of them; the same from run to run."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from ledger.games import ruleset
from ledger.kernel.ruleset import Erratum, Ruleset
from ledger.log.read.history import History
from ledger.log.stores.memory import MemoryStore
from ledger.log.write.founding import Plan
from replays.reproject.change import Change
from replays.reproject.judge import reproject
from replays.reproject.policies import Policies
from replays.reproject.rule_use import index_of
from replays.reproject.verdicts import MatchVerdict
from services.matches.play import bots_for, make_seeded_surroundings, play_whole_match

FULL: Final[Mapping[str, Sequence[int]]] = {
    "hegemonic": range(1_200),
    "galactic_hegemony": range(800),
}
# Of the first seeds, with fewer of the long matches: by four and five, and by who plans ahead.
LANDING: Final[Mapping[str, Sequence[int]]] = {
    "hegemonic": [seed for seed in range(192) if seed % 4 < 2 or seed % 16 > 13],
    "galactic_hegemony": [seed for seed in range(103) if seed % 3 or seed % 9 == 0],
}
POLICIES: Final = Policies(illegal="skip")


def bot_match(game: str, seed: int) -> History:
    """Two to five at random; alone now and then by somebody who plans ahead."""
    seats = 2 + seed % 4 if game == "hegemonic" else 1
    bots = ["greedy" if seats == 1 and seed % 3 == 0 else "random"]
    plan = Plan(ruleset=game, seats=seats)
    around = make_seeded_surroundings(MemoryStore(), seed, (game, seats))
    return play_whole_match(around, plan, bots_for(bots, seats)).history


def alone(erratum: Erratum) -> Change:
    """Returns one erratum's change without those before it; a class comes with its edition."""
    if erratum.replaces:
        return Change(edition=erratum.id)
    content = {
        table: {row: None if cells is None else dict(cells) for row, cells in rows.items()}
        for table, rows in erratum.content.items()
    }
    return Change(readings=dict(erratum.readings), content=content)


class OfMatch(msgspec.Struct, frozen=True, kw_only=True):
    """The verdicts on one match, under each erratum alone."""

    events: int
    verdicts: dict[str, MatchVerdict]
    as_it_was: bool  # the log, afterwards
    apart: list[str]  # errata that come to something else where it is folded whole
    compared: int  # that were folded both ways
    seconds: float


class Corpus:
    """Matches of one game, and what becomes of them under each erratum alone.

    With a folder every match is kept there as it is done, and is not done again. Of two processes
    one goes backwards: they meet in the middle, and each has all matches.
    """

    def __init__(
        self,
        game: str,
        seeds: Sequence[int],
        folder: Path | None = None,
        *,
        whole: bool = False,
        only_kept: bool = False,
        backwards: bool = False,
    ) -> None:
        self.rules: Ruleset = ruleset(game)
        self.game = game
        self.seeds = [
            seed
            for seed in seeds
            if not only_kept or (folder is not None and _kept(folder, game, seed).is_file())
        ]
        found = {
            seed: self._match(seed, folder, whole=whole)
            for seed in (reversed(self.seeds) if backwards else self.seeds)
        }
        self.matches = [found[seed] for seed in self.seeds]
        self.verdicts: dict[str, list[MatchVerdict]] = {
            one.id: [match.verdicts[one.id] for match in self.matches] for one in self.rules.errata
        }
        # Where the log was not as it had been.
        self.differing = [seed for seed, one in found.items() if not one.as_it_was]

    def _match(self, seed: int, folder: Path | None, *, whole: bool) -> OfMatch:
        kept = None if folder is None else _kept(folder, self.game, seed)
        if kept is not None and kept.is_file():
            return msgspec.json.decode(kept.read_bytes(), type=OfMatch)
        found = self._judged(bot_match(self.game, seed), whole=whole)
        if kept is not None:
            beside = kept.with_suffix(f".{os.getpid()}")
            beside.write_bytes(msgspec.json.encode(found))
            beside.replace(kept)
        return found

    def _judged(self, history: History, *, whole: bool) -> OfMatch:
        began = time.process_time()
        before = [(one.head, one.body) for one in history.events]
        openings = dict(history.openings)
        index = index_of(history)
        verdicts, apart = {}, []
        for erratum in self.rules.errata:
            change = alone(erratum)
            verdict = verdicts[erratum.id] = reproject(history, change, POLICIES, index)
            if whole and reproject(history, change, POLICIES).finding != verdict.finding:
                apart.append(erratum.id)
        after = [(one.head, one.body) for one in history.events]
        return OfMatch(
            events=history.tip.version,
            verdicts=verdicts,
            as_it_was=after == before and history.openings == openings,
            apart=apart,
            compared=len(verdicts) if whole else 0,
            seconds=time.process_time() - began,
        )


def _kept(folder: Path, game: str, seed: int) -> Path:
    return folder / f"{game}-{seed}.json"
