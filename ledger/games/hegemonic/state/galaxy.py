"""The table: the galaxy and its boards, the houses, the piles; and who may look.

Galaxy ─┬─ boards, sectors     what was laid, and the tile on each hex
        ├─ houses (house.py)   pieces, hands, technologies, leader, score
        ├─ cards, tiles        draw pile and stack: what nobody has seen; discards, pool
        ├─ accounts            CAPs
        ├─ turn                the action card that is being resolved
        └─ contest (contest.py) the conflict in progress
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Final

import msgspec

from ledger.games.hegemonic.deals.agreement import Deal
from ledger.games.hegemonic.map.chart import Chart, chart_of
from ledger.kernel.accounts import Accounts
from ledger.kernel.audience import Among, Backs, Open
from ledger.kernel.chance import Deck
from ledger.kernel.records import Seat
from ledger.parts.cards import DrawPile
from ledger.parts.seats import Circle

from .components import CORE, HOME, HOMES, INDUSTRIAL, MARTIAL, POLITICAL, TILES, Tile
from .contest import Contest
from .house import House

CAPS: Final = "caps"
CARD_PILE, TILE_STACK, LEADER_PILE, TILE_BOX = "cards", "tiles", "leaders", "box"
ONE_PILE: Final = "all"  # the name of the discard pile where there is only one


class Board(msgspec.Struct, array_like=True):
    """The core board or a galaxy board, as it was laid."""

    id: Open[str]  # K, or a slot (S3), or in a free layout G1, G2, ...
    sectors: Open[list[str]]


class Sector(msgspec.Struct, array_like=True):
    """A hex of a board, and the tile on it."""

    id: Open[str]
    board: Open[str]
    q: Open[int]
    r: Open[int]
    tile: Open[str] = ""  # `home` for a home tile
    home_of: Open[Seat | None] = None

    @property
    def empty(self) -> bool:
        """Returns whether the hex has neither a sector tile nor a home tile."""
        return not self.tile


class Turn(msgspec.Struct, array_like=True):
    """A player's turn in an action phase."""

    seat: Open[Seat]
    card: Open[str]
    used: Open[int] = 0  # actions
    opened: Open[int] = 0  # actions, those that were taken back included: they name the questions
    action: Open[str] = ""  # that is open: "build", "conflict", ...
    done: Open[int] = 0  # within it: what was built, relocated, moved or paid
    mover: Open[tuple[str, int] | None] = None  # the unit that moved in it
    most: Open[int | None] = None  # how many actions, where a leader says otherwise
    saving: Open[tuple[int, int] | None] = None  # complexes there were, and off the next one
    interrupted: Open[bool] = False  # the action was, by another player's leader
    resumed: Open[int] = 0  # how often it was gone on with
    pattern: Open[str] = ""  # of attack, where the action is a conflict


class Galaxy(Circle):
    """All components on the table of one match.

    `game.players`: seats form a cycle; clockwise is the next seat, counter-clockwise the previous.
    `game.objective`: most points win; they are counted at the end of each round, and once more.
    `general.information`: what is on the table is open. Hands, dealt tiles, the order of piles and
    unrevealed choices are not.
    """

    houses: Open[list[House]]
    accounts: Open[Accounts]
    cards: Open[Deck]
    tiles: Open[Deck]  # the tiles nobody has seen, those that are not in the game included
    box: Open[Deck]  # tiles beside the game from which some may still be taken, unseen
    leaders: Open[Deck]
    discards: Open[dict[str, list[str]]]  # each from the bottom
    boards: Open[list[Board]] = msgspec.field(default_factory=list)
    sectors: Open[dict[str, Sector]] = msgspec.field(default_factory=dict)
    marked: Open[list[str]] = msgspec.field(default_factory=list)  # recommended for homes
    stack: Open[int] = 0  # how many tiles of those nobody has seen lie in the stack
    pool: Open[list[str]] = msgspec.field(default_factory=list)
    cards_aside: Open[int] = 0  # cards without the icon, not in this game
    tiles_aside: Open[int] = 0
    arbiter: Open[Seat] = 0
    round: Open[int] = 0
    phase: Open[int] = 0  # 1 to 6, as the phase marker shows
    turn: Open[Turn | None] = None
    contest: Open[Contest | None] = None
    deals: Open[list[Deal]] = msgspec.field(default_factory=list)
    counts: Open[dict[str, int]] = msgspec.field(default_factory=dict)  # of standing decisions
    last_round: Open[int | None] = None  # the round after which the game is over, once it is known
    winners: Open[tuple[Seat, ...]] = ()
    reason: Open[str] = ""  # why they have won; empty while the game goes on
    seen_by: Open[tuple[Seat, ...]] = ()  # who knows the next cards of the draw pile
    on_top: Annotated[list[str], Among("seen_by"), Backs.COUNTED] = msgspec.field(
        default_factory=list
    )  # those cards, the next one first; they lie on the rest of the pile
    starter: Open[Seat | None] = None  # whom a leader has named to go first of equal numbers

    # --- seats ----------------------------------------------------------------------------------

    @property
    def seats(self) -> range:
        return range(len(self.houses))

    def own(self, seat: Seat) -> House:
        return self.houses[seat]

    def others(self, seat: Seat) -> Iterator[House]:
        return (house for house in self.houses if house.seat != seat)

    @property
    def over(self) -> bool:
        return bool(self.reason)

    @property
    def when(self) -> str:
        """Returns the round and the phase, as the keys of questions name them."""
        return f"r{self.round}/p{self.phase}"

    @property
    def draw_pile(self) -> int:
        """Counts the technology cards that can be drawn before the discards are shuffled."""
        return DrawPile().size(self)

    # --- map ------------------------------------------------------------------------------------

    @property
    def chart(self) -> Chart:
        """Returns neighbours and distances on the boards as laid, with the gates as placed.

        The chart is computed on demand, cached with the state and never stored.
        """
        held: Chart | None = self.__dict__.get("chart")
        if held is None:
            places = tuple((sector.id, sector.q, sector.r) for sector in self.sectors.values())
            boards = tuple(sector.board for sector in self.sectors.values())
            held = self.__dict__["chart"] = chart_of(places, boards, self.links())
        return held

    def links(self) -> tuple[tuple[str, str], ...]:
        """Returns the pairs of sectors that gates connect."""
        placed = (gate for house in self.houses for gate in house.gates if gate.placed)
        return tuple((gate.first, gate.second) for gate in placed)

    def lay(self, board: str, sectors: Iterable[tuple[str, int, int]]) -> None:
        """Lays a board; called by a fact."""
        laid = [Sector(name, board, q, r) for name, q, r in sectors]
        self.boards.append(Board(board, [sector.id for sector in laid]))
        self.sectors |= {sector.id: sector for sector in laid}
        self.__dict__.pop("chart", None)

    def link(self, seat: Seat, number: int, first: str, second: str) -> None:
        """Puts a gate pair in two sectors, or back on the player board; called by a fact."""
        gate = self.houses[seat].gates[number]
        gate.first, gate.second = first, second
        self.__dict__.pop("chart", None)

    def tile_at(self, sector: str) -> Tile | None:
        tile = self.sectors[sector].tile
        if not tile:
            return None
        return HOMES.of(self)[HOME] if tile == HOME else TILES.of(self)[tile]

    def empty_sectors(self) -> list[str]:
        """Returns the hexes on which a tile may be put, in the order of the boards."""
        return [sector.id for sector in self.sectors.values() if sector.empty]

    def foreign_home(self, seat: Seat, sector: str) -> bool:
        return self.sectors[sector].home_of not in (None, seat)

    def galaxy_boards(self) -> list[Board]:
        """Returns the boards in play except the core."""
        return [board for board in self.boards if board.id != CORE]

    def place(self, name: str) -> tuple[str, ...] | None:
        """Returns the sectors of a name: one, or those of a board; None for an unknown name."""
        if name in self.sectors:
            return (name,)
        board = next((one for one in self.boards if one.id == name), None)
        return None if board is None else tuple(board.sectors)

    # --- locations ------------------------------------------------------------------------------

    def room(self, seat: Seat, type_: str, sector: str) -> int:
        """Returns how many bases of a type a player could put in a sector, by locations only.

        `build.complex-location`, `build.embassy-location`: one base a location, whoever owns it.
        `build.outpost-stack`: outposts stack up to the triangles of the location.
        `build.outpost-single-owner`: while one player has outposts there, no other player may.
        """
        tile = self.tile_at(sector)
        if tile is None:
            return 0
        if type_ == INDUSTRIAL:
            return tile.industrial - sum(h.complexes.get(sector, 0) for h in self.houses)
        if type_ == POLITICAL:
            taken = any(sector in house.embassies for house in self.houses)
            return int(tile.political > 0 and not taken)
        assert type_ == MARTIAL, f"there are no bases of the type {type_}"
        if any(sector in house.outposts for house in self.others(seat)):
            return 0
        return tile.martial - self.houses[seat].outposts.get(sector, 0)

    def list_room(self, seat: Seat, type_: str) -> list[str]:
        """Returns the sectors where a player could put a base of a type, by locations only."""
        return [sector for sector in self.sectors if self.room(seat, type_, sector) > 0]

    def faction_at(self, sector: str) -> str:
        """Returns the faction of a sector's tile, or `""`."""
        tile = self.tile_at(sector)
        return (tile.faction or "") if tile else ""

    def has_tile(self, sector: str) -> bool:
        return sector in self.sectors and not self.sectors[sector].empty

    def put_home(self, seat: Seat, sector: str) -> None:
        """Places a home tile; called by a fact."""
        place = self.sectors[sector]
        place.tile, place.home_of = HOME, seat
        self.houses[seat].home = sector


def empty_table(seats: int) -> Galaxy:
    """Returns a table before the start: no board, no pieces, empty piles."""
    return Galaxy(
        houses=[House(seat) for seat in range(seats)],
        accounts=Accounts.opened(CAPS),
        cards=Deck.of(CARD_PILE, ()),
        tiles=Deck.of(TILE_STACK, ()),
        box=Deck.of(TILE_BOX, ()),
        leaders=Deck.of(LEADER_PILE, ()),
        discards={},
    )
