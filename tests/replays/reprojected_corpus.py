"""Corpora of bot matches, each erratum over all of them; the same from run to run."""

from __future__ import annotations

from functools import cache
from typing import Final

from ledger.kernel.ruleset import Erratum, Ruleset
from ledger.log.history import History
from ledger.log.journal import Plan
from ledger.log.memory import MemoryStore
from ledger.rules import ruleset
from replays.change import Change
from replays.judging import reproject
from replays.policies import Policies
from replays.touching import index_of
from replays.verdicts import MatchVerdict
from services.play import bots_for, play_whole_match, seeded_surroundings

LANDING: Final = {"hegemonic": 120, "galactic_hegemony": 80}
FULL: Final = {"hegemonic": 1_200, "galactic_hegemony": 800}
POLICIES: Final = Policies(illegal="skip")


def bot_match(game: str, seed: int) -> History:
    """Two to five at random; alone now and then by somebody who plans ahead."""
    seats = 2 + seed % 4 if game == "hegemonic" else 1
    bots = ["greedy" if seats == 1 and seed % 3 == 0 else "random"]
    plan = Plan(ruleset=game, seats=seats)
    around = seeded_surroundings(MemoryStore(), seed, (game, seats))
    return play_whole_match(around, plan, bots_for(bots, seats)).history


def alone(erratum: Erratum) -> Change:
    """What one erratum changes, without those before it; a class is had with its edition."""
    if erratum.replaces:
        return Change(edition=erratum.id)
    content = {
        table: {row: None if cells is None else dict(cells) for row, cells in rows.items()}
        for table, rows in erratum.content.items()
    }
    return Change(readings=dict(erratum.readings), content=content)


class Corpus:
    """Matches of one game, and what becomes of them under each erratum alone."""

    def __init__(self, game: str, matches: int) -> None:
        self.rules: Ruleset = ruleset(game)
        self.verdicts: dict[str, list[MatchVerdict]] = {one.id: [] for one in self.rules.errata}
        self.differing: list[str] = []  # where the log was not as it had been
        for seed in range(matches):
            self._take(bot_match(game, seed))

    def _take(self, history: History) -> None:
        before = [(one.head, one.body) for one in history.events]
        openings = dict(history.openings)
        index = index_of(history)
        for erratum in self.rules.errata:
            verdict = reproject(history, alone(erratum), POLICIES, index)
            self.verdicts[erratum.id].append(verdict)
        after = [(one.head, one.body) for one in history.events]
        if after != before or history.openings != openings:
            self.differing.append(history.match)


@cache
def corpus(game: str, matches: int) -> Corpus:
    """Made once for all who look at it."""
    return Corpus(game, matches)
