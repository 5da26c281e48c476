"""A club writes down its own copy: other boards, tiles, technologies, leaders, and player boards.

Nothing of the house set is left in it but what the rules know by name: the effects of the 24
technologies and of the 36 abilities.
"""

from __future__ import annotations

from typing import Any

import pytest

from ledger.games.hegemonic import RULES
from ledger.kernel.chance import Stream
from tests.support.given import Given
from tests.support.hegemonic.playing import idle_round
from tests.support.hegemonic.positions import falling, set_up, terms_of

PRINTED = terms_of().tables
BOARDS = {2: 3, 3: 5, 4: 6, 5: 8, 6: 9}
DECISIONS = 150


def rows(table: str, made: dict[str, Any]) -> dict[str, Any]:
    """A table with these rows, and none of the printed ones."""
    return {**dict.fromkeys(PRINTED[table]), **made}


def boards() -> dict[str, Any]:
    """Boards are straight rows of five, one behind the other on one side of a core of five."""
    slots = {f"B{n}": {"q": -1 - n, "r": 1 + n, "rotation": 0} for n in range(1, 10)}
    layouts = {
        f"Club{seats}": {
            "players": seats,
            "slots": [f"B{n}" for n in range(1, count + 1)],
            "homes": [f"B{n}{'ae'[n % 2]}" for n in range(1, seats + 1)],
        }
        for seats, count in BOARDS.items()
    }
    shape = {one: {"along": n, "across": 0} for n, one in enumerate("abcde")}
    return {
        "core": {"K1": None}, "shape": rows("shape", shape), "slots": rows("slots", slots),
        "layouts": rows("layouts", layouts),
    }  # fmt: skip


def tiles() -> dict[str, Any]:
    factions = ("orange", "purple", "green", None)
    made = {}
    for n in range(60):
        faction = factions[n % 4]
        made[f"C{n:02}"] = {
            "faction": faction, "political": n % 3 + 1 if faction else 0, "small": n % 2 == 0,
            "industrial": n % 4, "martial": n % 3,
        }  # fmt: skip
    return {"tiles": rows("tiles", made)}


def technologies() -> dict[str, Any]:
    """Other prices, tiers, and words, and three cards of each that are worth something else."""
    changed = {
        name: {
            "name": f"Club {name}",
            "cost": 1 + n % 5,
            "tier": 1 + n % 3,
            "text": "As we read it.",
        }
        for n, name in enumerate(PRINTED["technologies"])
    }
    cards = {
        f"{name}/{copy}": {
            "technology": name, "industrial": copy, "political": 7 - copy, "martial": 2 * copy,
            "small": True,
        }
        for name in PRINTED["technologies"] for copy in (1, 2, 3)
    }  # fmt: skip
    return {"technologies": changed, "cards": rows("cards", cards)}


def leaders() -> dict[str, Any]:
    changed = {}
    for row in PRINTED["leaders"].values():
        amounts = {
            name: getattr(row, name) + 1
            for name in ("amount_1", "amount_2", "amount_3")
            if getattr(row, name) is not None
        }
        changed[row.id] = {"name": f"Club {row.id}", "dynasty": "Ours", **amounts}
    return {"leaders": changed}


def tracks() -> dict[str, Any]:
    spaces = {
        row.id: {"cost": row.cost + 1, "income": row.income + 1, "retention": 30 - row.retention}
        for row in PRINTED["spaces"].values()
    }
    return {"spaces": spaces}


CLUB = {**boards(), **tiles(), **technologies(), **leaders(), **tracks()}


def at_random(sentence: Given, decisions: int, seed: int) -> Given:
    """Lets the asked seat choose any option at random."""
    stream = Stream.named(seed.to_bytes(8, "big"), "club")
    for _ in range(decisions):
        if sentence.match.ended:
            break
        seat = sentence.match.asked()[0]
        falling(sentence.when(seat, stream.choose(sentence.match.options(seat))), stream.below(99))
    return sentence


def test_nothing_of_the_house_set_is_left_but_what_the_rules_know_by_name():
    tables = terms_of(overlay=CLUB).tables
    for name in ("tiles", "cards", "slots", "layouts"):
        assert set(tables[name]) & set(PRINTED[name]) == set(), name
    assert (len(tables["core"]), len(tables["tiles"]), len(tables["cards"])) == (5, 60, 72)
    for name in ("technologies", "leaders", "spaces"):
        same = [one for one in tables[name] if tables[name][one] == PRINTED[name][one]]
        assert same == [], name


def test_a_whole_match_is_played_with_a_club_s_own_copy():
    sentence = set_up(2, overlay=CLUB)
    assert {one.board for one in sentence.state.sectors.values()} == {"K", "B1", "B2", "B3"}
    assert [one.home for one in sentence.state.houses] == ["B1e", "B2a"]
    sentence.holds("caps", seat_0=9, seat_1=9)  # 3 a track
    while not sentence.match.ended:
        idle_round(sentence)
        assert set(RULES.audit.conserved(sentence.state).values()) == {0}
    assert sentence.match.result().winners
    assert sentence.state.round == 6


@pytest.mark.parametrize("seats", BOARDS)
def test_any_number_of_players_plays_it_with_leaders(seats: int):
    sentence = set_up(seats, overlay=CLUB, options={"opt.leaders": "dealt"})
    at_random(sentence, DECISIONS, seats)
    assert set(RULES.audit.conserved(sentence.state).values()) == {0}
    assert sentence.state.sectors.keys() == {
        sector for board in sentence.state.boards for sector in board.sectors
    }
    placed = {one.tile for one in sentence.state.sectors.values() if one.tile} - {"home"}
    assert placed <= set(tiles()["tiles"])
    names = {card for one in sentence.state.houses for card in one.hand}
    assert names <= set(technologies()["cards"])
