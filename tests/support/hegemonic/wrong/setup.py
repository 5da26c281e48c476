"""Wrong decisions of the setup, of expansions, and about technology cards."""

from __future__ import annotations

from functools import partial

from ledger.games.hegemonic.actions.advancing import Advance, Discard, DiscardOrAdvance, Keep
from ledger.games.hegemonic.actions.piles import DiscardAdvanced, DrawCard, DrawTechnology
from ledger.games.hegemonic.map.tiles import ChooseTileAndHex, PlaceTile
from ledger.games.hegemonic.setup.boards import ChooseLayout, PlaceBoard
from ledger.games.hegemonic.setup.dealing import KeepCard
from ledger.games.hegemonic.setup.homes import PlaceFirstTile, PlaceHome
from ledger.games.hegemonic.setup.sequence import ChooseColor, ChooseFirstArbiter, ChooseLeader
from tests.support.given import Given, given
from tests.support.hegemonic.positions import begun, first, position, settled, terms_of
from tests.support.hegemonic.wrong.cases import NEXT, Wrong, asked, over

OTHER_LAYOUT = {
    "layouts": {"mine": {"players": 2, "slots": ["S4", "S5", "S6"], "homes": ["S4d", "S6d"]}}
}
HAND = ("I1a-1", "P1a-1", "M1a-1")


def unopened() -> Given:
    return given(terms_of().open_match(2))


def arbiter_named() -> Given:
    return unopened().when(0, ChooseFirstArbiter(1))


def coloured() -> Given:
    return arbiter_named().when(0, ChooseColor("red"))


def two_layouts() -> Given:
    return given(terms_of(overlay=OTHER_LAYOUT).open_match(2)).when(0, ChooseFirstArbiter(0))


def boards(laid: int = 0) -> Given:
    """Three players lay boards; some lie already, the first of them east of the core."""
    sentence = begun(3, options={"layout": "free"})
    for board in (PlaceBoard(3, 0, 2), PlaceBoard(3, -3, 3))[:laid]:
        sentence.when(sentence.match.asked()[0], board)
    return sentence


def boards_all_laid() -> Given:
    sentence = begun(2, options={"layout": "free"})
    for _ in range(3):
        first(sentence, sentence.match.asked()[0])
    return sentence


def leaders_chosen() -> Given:
    return begun(3, arbiter=1, options={"opt.leaders": "chosen"}).when(1, ChooseLeader("LD05"))


def draft(*kept: int) -> Given:
    sentence = begun(3, options={"opt.draft": True})
    for seat in kept:
        sentence.when(seat, KeepCard(sentence.state.houses[seat].packet[0]))
    return sentence


def packet(seat: int) -> str:
    return str(draft().state.houses[seat].packet[0])


def homes() -> Given:
    """The arbiter's home lies at S1e."""
    return begun(4).when(0, PlaceHome("S1e"))


def first_tiles() -> Given:
    return settled(4)


def held(seat: int) -> str:
    return str(first_tiles().state.houses[seat].tiles[0])


def pool() -> Given:
    """One tile in the pool, and a home at S1d."""
    spot = position(2).home(0, "S1d").tile("S1a")
    spot.galaxy.pool = ["T01"]
    return spot.doing(ChooseTileAndHex(0, "x"), NEXT).given()


def drawing(*, research: bool = False, discards: tuple[str, ...] = ("M3a-1",)) -> Given:
    spot = position(2).hand(0, *HAND).discarded(*discards).advanced(0, "P1b-1")
    spot.advanced(1, "P2a-1")
    return spot.doing(DrawTechnology(0, "x", research=research), NEXT).given()


def finishing(*advanced: str, caps: int = 6) -> Given:
    """A technology of the first industrial tier is met by a base; the third by none."""
    spot = position(2).home(0, "S1d").has(0, complexes={"S1d": 1}).caps(caps)
    spot.hand(0, *HAND, "I3b-1", "I1b-1").inactive(0, "I2c-1").advanced(0, *advanced)
    return spot.doing(DiscardOrAdvance(0, "x"), NEXT).given()


def slots() -> Given:
    return asked(position(2).advanced(1, "P1b-1"))


SETUP = (
    Wrong("setup.choose-first-arbiter", "not a seated player", unopened, 0,
          ChooseFirstArbiter(2), "not_allowed", "setup.arbiter"),
    Wrong("setup.choose-first-arbiter", "already chosen", arbiter_named, 0,
          ChooseFirstArbiter(0), "wrong_answer", "setup.color"),
    Wrong("setup.choose-color", "colour taken", coloured, 1,
          ChooseColor("red"), "color_taken", "setup.color", {"color": "red"}),
    Wrong("setup.choose-color", "no such colour", coloured, 1,
          ChooseColor("pink"), "not_allowed", "setup.color"),
    Wrong("setup.choose-color", "second choice by the same player", coloured, 0,
          ChooseColor("blue"), "not_asked", "setup.color"),
    Wrong("setup.choose-layout", "not for this player count", two_layouts, 1,
          ChooseLayout("L4"), "not_allowed", "setup.layout-suggested"),
    Wrong("setup.choose-layout", "free layout", boards, 0,
          ChooseLayout("L3"), "wrong_answer", "setup.layout-free"),
    Wrong("setup.place-board", "overlaps the centre", boards, 0,
          PlaceBoard(0, 0, 0), "board_overlaps", "setup.layout-touch"),
    Wrong("setup.place-board", "overlaps a board", partial(boards, 1), 2,
          PlaceBoard(3, 0, 2), "board_overlaps", "setup.layout-touch"),
    Wrong("setup.place-board", "first board not at the core", boards, 0,
          PlaceBoard(9, 9, 0), "board_touches_too_few", "setup.layout-touch"),
    Wrong("setup.place-board", "touches fewer than two boards", partial(boards, 1), 2,
          PlaceBoard(-3, 0, 5), "board_touches_too_few", "setup.layout-touch"),
    Wrong("setup.place-board", "not at the core though it could be", partial(boards, 2), 1,
          PlaceBoard(4, -3, 5), "board_must_touch_core", "setup.layout-touch"),
    Wrong("setup.place-board", "no such rotation", boards, 0,
          PlaceBoard(3, 0, 6), "no_such_rotation", "setup.layout-touch"),
    Wrong("setup.place-board", "wrong turn", boards, 1,
          PlaceBoard(3, 0, 2), "not_asked", "setup.layout-free"),
    Wrong("setup.place-board", "all boards placed", boards_all_laid, 0,
          PlaceBoard(3, 0, 2), "wrong_answer", "setup.color"),
    Wrong("setup.choose-leader", "leader taken", leaders_chosen, 2,
          ChooseLeader("LD05"), "leader_taken", "leader.assign", {"leader": "LD05"}),
    Wrong("setup.choose-leader", "no such leader", leaders_chosen, 2,
          ChooseLeader("LD99"), "not_allowed", "leader.assign"),
    Wrong("setup.choose-leader", "leaders off", homes, 1,
          ChooseLeader("LD05"), "wrong_answer", "setup.home-placement"),
    Wrong("draft.keep-card", "card not in the packet now held", draft, 0,
          KeepCard(packet(1)), "card_not_in_packet", "opt.draft-pick"),
    Wrong("draft.keep-card", "pick already made this round", partial(draft, 0), 0,
          KeepCard(packet(0)), "not_asked", "opt.draft-pick"),
    Wrong("setup.place-home", "wrong turn", homes, 2,
          PlaceHome("S3d"), "not_asked", "setup.home-placement"),
    Wrong("setup.place-home", "core board", homes, 1,
          PlaceHome("K1"), "core_board", "setup.home-placement", {"sector": "K1"}),
    Wrong("setup.place-home", "no such sector", homes, 1,
          PlaceHome("S9a"), "no_such_sector", "setup.home-placement", {"sector": "S9a"}),
    Wrong("setup.place-home", "occupied hex", homes, 1,
          PlaceHome("S1e"), "sector_taken", "setup.home-placement", {"sector": "S1e"}),
    Wrong("setup.place-home", "board already has a home", homes, 1,
          PlaceHome("S1a"), "board_has_home", "setup.home-placement", {"sector": "S1a"}),
    Wrong("setup.place-home", "adjacent to another home", homes, 1,
          PlaceHome("S2c"), "beside_home", "setup.home-not-adjacent", {"sector": "S2c"}),
    Wrong("setup.place-home", "learning: not a marked sector",
          partial(begun, 2, options={"learning": True}), 0,
          PlaceHome("S1a"), "not_marked", "learn.home", {"sector": "S1a"}),
    Wrong("setup.place-first-tile", "tile not held", first_tiles, 0,
          PlaceFirstTile(held(1), "S1a"), "tile_not_held", "setup.first-tile"),
    Wrong("setup.place-first-tile", "hex not adjacent to own home", first_tiles, 0,
          PlaceFirstTile(held(0), "K1"), "not_beside_home", "setup.first-tile"),
    Wrong("setup.place-first-tile", "hex occupied", first_tiles, 0,
          PlaceFirstTile(held(0), "S1d"), "sector_taken", "setup.first-tile"),
    Wrong("setup.place-first-tile", "centre", first_tiles, 0,
          PlaceFirstTile(held(0), "K"), "no_such_sector", "setup.first-tile"),
)  # fmt: skip

CARDS = (
    Wrong("expansion.place-tile", "tile not in the pool", pool, 0,
          PlaceTile("T02", "K1"), "not_in_pool", "expansion.place", {"tile": "T02"}),
    Wrong("expansion.place-tile", "hex occupied", pool, 0,
          PlaceTile("T01", "S1a"), "sector_taken", "expansion.hex", {"sector": "S1a"}),
    Wrong("expansion.place-tile", "hex occupied by a home", pool, 0,
          PlaceTile("T01", "S1d"), "sector_taken", "expansion.hex", {"sector": "S1d"}),
    Wrong("expansion.place-tile", "centre", pool, 0,
          PlaceTile("T01", "K"), "no_such_sector", "expansion.hex", {"sector": "K"}),
    Wrong("expansion.place-tile", "off the boards", pool, 0,
          PlaceTile("T01", "S9a"), "no_such_sector", "expansion.hex", {"sector": "S9a"}),
    Wrong("tech.keep", "skipping while a tile and a hex exist", pool, 0,
          Keep(), "wrong_answer", "expansion.place"),
    Wrong("tech.draw", "source empty", partial(drawing, discards=()), 0,
          DrawCard("discard"), "no_such_source", "draw.sources"),
    Wrong("tech.draw", "discards during RESEARCH", partial(drawing, research=True), 0,
          DrawCard("discard"), "no_such_source", "discover.research-sources"),
    Wrong("tech.draw", "advanced card not own", drawing, 0,
          DrawCard("advanced", "P2a-1"), "no_such_source", "draw.sources"),
    Wrong("tech.draw", "one more than is paired with a discard", finishing, 0,
          DrawCard("deck"), "wrong_answer", "expansion.finish"),
    Wrong("tech.draw", "another pile, with one of all types", drawing, 0,
          DrawCard("discard", pile="martial"), "no_such_source", "draw.sources"),
    Wrong("tech.discard", "inactive card", finishing, 0,
          Discard("I2c-1"), "card_not_in_hand", "expansion.finish", {"card": "I2c-1"}),
    Wrong("tech.discard", "advanced card", partial(finishing, "P1b-1"), 0,
          Discard("P1b-1"), "card_not_in_hand", "expansion.finish", {"card": "P1b-1"}),
    Wrong("tech.keep", "one card must be discarded or advanced", finishing, 0,
          Keep(), "not_allowed", "expansion.finish"),
    Wrong("tech.advance", "not in a window for it", drawing, 0,
          Advance("I1a-1"), "wrong_answer", "draw.sources"),
    Wrong("tech.advance", "card not in hand", finishing, 0,
          Advance("I2c-1"), "card_not_in_hand", "advance.when", {"card": "I2c-1"}),
    Wrong("tech.advance", "requirement not met", finishing, 0,
          Advance("I3b-1"), "tier_too_low", "advance.tier-by-base", {"card": "I3b-1"}),
    Wrong("tech.advance", "CAPs short", partial(finishing, caps=1), 0,
          Advance("I1a-1"), "unaffordable", "advance.cost", {"needed": 2, "has": 1}),
    Wrong("tech.advance", "same technology already advanced", partial(finishing, "I1a-2"), 0,
          Advance("I1a-1"), "already_advanced", "advance.unique", {"card": "I1a-1"}),
    Wrong("tech.advance", "no free slot",
          partial(finishing, "I2a-1", "P1b-1", "M1b-1"), 0,
          Advance("I1a-1"), "no_slot", "advance.slot", {"card": "I1a-1"}),
    Wrong("tech.advance", "discards what is not advanced", partial(finishing, "P1b-1"), 0,
          Advance("I1a-1", ("M1b-1",)), "not_advanced", "advance.swap", {"card": "I1a-1"}),
    Wrong("tech.discard-advanced", "card not advanced by the player", slots, 0,
          DiscardAdvanced("P1b-1"), "not_advanced", "advance.discard-anytime"),
    Wrong("tech.discard-advanced", "game over",
          lambda: over(position(2).advanced(1, "P1b-1")), 1,
          DiscardAdvanced("P1b-1"), "match_over", ""),
)  # fmt: skip
