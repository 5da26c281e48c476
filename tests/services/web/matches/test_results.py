"""How a result is put in words on the pages, where one plays alone."""

from __future__ import annotations

import pytest

from ledger.games import ruleset
from ledger.log.read.history import History
from ledger.log.stores.memory import MemoryStore
from ledger.log.write.founding import Plan
from replays.story.names import result_words
from services.matches.play import make_seeded_surroundings, play_whole_match


def solo(seed: int, **options: int) -> History:
    store = MemoryStore()
    plan = Plan(ruleset="galactic_hegemony", seats=1, options=tuple(options.items()))
    journal = play_whole_match(make_seeded_surroundings(store, seed), plan, {0: "greedy"})
    return History.of(store, journal.match_id, ruleset)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_that_is_lost_is_won_by_nobody(seed: int) -> None:
    assert result_words(solo(seed, turns=1)) == "nobody won (out of time, 0)"


def test_who_wins_alone_has_won() -> None:
    assert result_words(solo(3)) == "greedy bot 0 won 1 (the hegemony is complete)"
