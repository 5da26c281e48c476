"""Chance: dice and tiles by address, from keys and from a real table; and who knows the tiles."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.games import ruleset
from ledger.games.galactic_hegemony.actions.choosing import EndActions
from ledger.games.galactic_hegemony.actions.spacecraft import Move, PlanetExplored
from ledger.kernel.chance import Roll, Stream, Uncover
from ledger.kernel.fold import begin, fold
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE
from ledger.kernel.terms import facts_bytes
from ledger.log.read.history import History
from ledger.log.stores.files import FileStore
from services.cli import main
from tests.support.galactic_hegemony.positions import NAME, acting, colony, drawn, house
from tests.support.given import match_of

DICE = Stream.named(b"the dice", "keys").take(32)
TILES = [Stream.named(b"the tiles", str(number)).take(32) for number in range(2)]


def let_fall(match: Match, tiles: bytes) -> list[bytes]:
    """Answer chance from two keys, one of the dice and one of the tiles."""
    told = []
    while (question := match.chance()) is not None:
        wish, address = question.wish(match.state), question.address(match.state)
        key = tiles if isinstance(wish, Uncover) else DICE
        told.append(facts_bytes(fold(match, CHANCE, wish.answer(key, 0, address))))
    return told


def campaign(tiles: bytes, random_home: bool) -> Iterator[tuple[Match, list[bytes]]]:
    """A match, turn by turn, that explores what is nearest."""
    match = match_of(NAME, options={"random-home": random_home})
    told = [facts_bytes(begin(match))]
    told += let_fall(match, tiles)
    yield match, told
    while not match.ended:
        options = match.options(0)
        moves = [one for one in options if isinstance(one, Move)]
        decision = moves[-1] if moves else EndActions()
        told = [facts_bytes(fold(match, 0, decision))]
        yield match, told + let_fall(match, tiles)


def test_until_a_tile_is_turned_up_nothing_depends_on_what_it_is():
    """Not a byte of the state: the order of the tiles is stored nowhere."""
    explored = 0
    for (here, told), (there, other) in zip(
        campaign(TILES[0], random_home=False), campaign(TILES[1], random_home=False), strict=False
    ):
        explored = sum(tile.explored for tile in here.state.tiles)
        if explored > 1:
            assert told != other, "the keys lay different tiles"
            break
        assert told == other
        assert here.terms.snapshot(here) == there.terms.snapshot(there)
        for viewer in (0, None):
            assert here.view(viewer) == there.view(viewer)
            assert here.scene(viewer) == there.scene(viewer)
    assert explored == 2, "the campaign has explored a planet"


def test_whoever_sees_a_position_does_not_see_which_tiles_lie_where():
    seen = acting(colony(1)).match.view(0)["state"]
    assert [tile["planet"] for tile in seen["tiles"]] == [1] + [None] * 11
    deck = seen["face_down"]["deck"]
    assert deck["unseen"] == deck["made_of"] == {"hidden": True}


@pytest.mark.parametrize("turned", [(2, 3), (3, 2)])
def test_a_tile_is_the_same_planet_in_whichever_order_tiles_are_turned_up(turned: tuple[int, int]):
    ways = {2: ((1, 2), (1, 1)), 3: ((1, 3), (1, 4))}
    found = {}
    sentence = acting(colony(1), ships=[(1, 2), (1, 3)])
    for tile in turned:
        sentence.when(0, Move(*ways[tile]))
        question = sentence.match.chance()
        assert question is not None
        wish, address = question.wish(sentence.state), question.address(sentence.state)
        sentence.when(CHANCE, wish.answer(TILES[0], 0, address))
        (fact,) = sentence.facts
        assert isinstance(fact, PlanetExplored)
        found[tile] = fact.planet
    alone = acting(colony(1), ships=[(1, 2)]).when(0, Move(*ways[2]))
    question = alone.match.chance()
    assert question is not None
    assert question.wish(alone.state).answer(TILES[0], 0, "").cards == (str(found[2]),)


@pytest.mark.rule("setup.place-roll", "saboteur.roll", "morale.roll")
def test_every_address_names_its_purpose_and_is_asked_once():
    for random_home in (False, True):
        match = match_of(NAME, options={"random-home": random_home})
        begin(match)
        addresses = []
        while not match.ended:
            question = match.chance()
            if question is None:
                fold(match, 0, EndActions())
                continue
            wish, address = question.wish(match.state), question.address(match.state)
            addresses.append(address)
            assert isinstance(wish, Roll | Uncover)
            fold(match, CHANCE, wish.answer(DICE, 0, address))
        assert len(set(addresses)) == len(addresses)
        assert {one.partition("/")[0] for one in addresses} == {"setup", "sab", "morale"}
        first = "setup/place/1/1/row" if random_home else "setup/order"
        assert addresses[0] == first


def test_dice_and_tiles_have_domains_of_their_own():
    assert ruleset(NAME).domains == ("dice", "deck.tiles")
    sentence = acting(colony(1), ships=[(1, 2)]).when(0, Move((1, 2), (1, 1)))
    question = sentence.match.chance()
    assert question is not None
    assert question.wish(sentence.state).domain == "deck.tiles"


def test_a_tile_that_was_turned_up_cannot_be_taken_back_at_once():
    sentence = drawn(acting(colony(1), ships=[(1, 2)]).when(0, Move((1, 2), (1, 1))), 4)
    assert [fact.irrevocable for fact in sentence.facts] == [True]


# --- a real table ---------------------------------------------------------------------------------

SCRIPTS = Path(__file__).parents[3] / "golden" / "playthroughs" / NAME


def entered(folder: Path, text: str) -> int:
    script = folder / "table.play"
    script.write_text(text, encoding="utf-8")
    return main(["--data", str(folder / "data"), "enter", str(script)])


@pytest.mark.rule("setup.explored")
def test_a_real_table_is_entered_die_by_die_and_tile_by_tile(tmp_path: Path):
    assert entered(tmp_path, (SCRIPTS / "standard-win.play").read_text("utf-8")) == 0
    store = FileStore(tmp_path / "data")
    (match,) = store.matches()
    history = History.of(store, match, ruleset)
    assert history.created.chance == "entered"
    last = history.at()
    assert last is not None
    assert last.result().winners == (0,)
    assert last.state.face_down.size() == 0


LINES = {
    "a die that a d6 has not": ("chance setup/place/1/1/row 7", "not_allowed"),
    "a column before its row": ("chance setup/place/1/1/col 7", "wrong_address"),
    "a die for another tile": ("chance setup/place/2/1/row 3", "wrong_address"),
    "a player before the dice": ("0 turn.end-actions", "chance_pending"),
    "a 0 for the d10": (
        "chance setup/place/1/1/row 3\nchance setup/place/1/1/col 0",
        "not_allowed",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", LINES)
def test_a_wrong_line_of_the_table_is_refused_by_name(what: str, tmp_path: Path, capsys):
    line, code = LINES[what]
    head = "match galactic_hegemony seats=1\nchance setup/order 3\n"
    assert entered(tmp_path, f"{head}{line}\n") == 1
    assert code in capsys.readouterr().err


def test_a_tile_that_lies_face_up_cannot_be_entered_again(tmp_path: Path, capsys):
    lines = (SCRIPTS / "standard-win.play").read_text("utf-8").splitlines()
    places = [place for place, line in enumerate(lines) if line.startswith("chance explore/")]
    seen = lines[places[0]].split()[-1]
    lines[places[1]] = f"{lines[places[1]].rpartition(' ')[0]} {seen}"
    assert entered(tmp_path, "\n".join(lines[: places[1] + 1]) + "\n") == 1
    err = capsys.readouterr().err
    assert f"table.play:{places[1] + 1}: not_allowed" in err
    assert f"{lines[places[1]].rpartition(' ')[0]} " in err, "it lists what could lie there"


def test_tiles_named_at_setup_are_asked_for_in_the_order_of_laying():
    match = match_of(NAME, overlay=house(entered_tiles="at-setup"))
    begin(match)
    keys = []
    while (question := match.chance()) is not None:
        wish, address = question.wish(match.state), question.address(match.state)
        keys.append(address)
        fold(match, CHANCE, wish.answer(TILES[1] if "tile" in address else DICE, 0, address))
    named = [key for key in keys if key.startswith("setup/tile/")]
    home = match.state.home_place
    assert named == [f"setup/tile/{place}" for place in range(1, 13) if place != home]
    assert copy.deepcopy(match.state).face_down.size() == 0
