"""Tournaments in plain types, for JSON and for CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from ledger.club.tournament.standings import POINTS, Standings, placing
from ledger.club.tournament.state import Round, Seating, TournamentPlayer, TournamentState
from replays.report.cells import safe_cell
from services.web.app.identity import as_shown


def plain_line(tournament: str, state: TournamentState) -> dict[str, Any]:
    made = state.made
    running = "running" if state.rounds else "open"
    return {
        "id": tournament,
        "title": made.title,
        "ruleset": made.ruleset,
        "state": "ended" if state.ended else running,
        "players": len(state.active),
        "rounds": made.rounds,
        "paired": len(state.rounds),
        "made": state.made_at,
    }


def plain_tournament(tournament: str, state: TournamentState) -> dict[str, Any]:
    """Returns a tournament as the caller may know it."""
    return {
        **plain_line(tournament, state),
        "entrants": [plain_player(one) for _, one in sorted(state.players.items())],
        "terms": as_shown("terms", plain_of(state.made)),
    }


def plain_player(player: TournamentPlayer) -> dict[str, Any]:
    """Returns a player. Only members of the club see the account."""
    said = msgspec.structs.asdict(player)
    return as_shown("entrant", {**said, "player": player.number, "active": player.active})


def plain_round(state: TournamentState, found: Round) -> dict[str, Any]:
    return {
        "round": found.number,
        "closed": found.closed,
        "tables": [plain_table(state, table) for table in found.tables],
        "byes": [
            {"player": one, "name": state.player(one).name, "points": state.made.bye}
            for one in found.byes
        ],
        "draw": plain_of(found.drawn),
        "by_hand": found.by_hand,
    }


def plain_table(state: TournamentState, table: Seating) -> dict[str, Any]:
    """Returns a table: its players, and its result as far as known."""
    worth = state.made.points_at(len(table.players))
    placed = {one.player: one for one in placing(table, worth, state.made.forfeit)}
    names = ("place", "shared", "points", "score")
    return {
        "table": table.number,
        "match": table.match,
        "seats": [
            {
                "player": number,
                "name": state.player(number).name,
                **{name: getattr(placed.get(number), name, None) for name in names},
            }
            for number in table.players
        ],
        "settled": table.settled,
        "approved": table.approved,
        "readings": plain_of(table.readings),
        "corrections": plain_of(table.corrections),
        "forfeits": plain_of(table.forfeits),
    }


def plain_of(value: Any) -> Any:
    """Converts a record to JSON types with all its fields; bytes become hex."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {str(name): plain_of(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain_of(one) for one in value]
    if isinstance(value, msgspec.Struct):
        return plain_of(msgspec.structs.asdict(value))
    return value


# --- tables of text -------------------------------------------------------------------------------


def pairing_rows(rounds: Iterable[dict[str, Any]]) -> list[list[Any]]:
    rows: list[list[Any]] = [["round", "table", "seat", "player", "name", "match"]]
    for found in rounds:
        for table in found["tables"]:
            for seat, one in enumerate(table["seats"]):
                who = [one["player"], one["name"], table["match"]]
                rows.append([found["round"], table["table"], seat, *who])
        rows += [
            [found["round"], "bye", "", one["player"], one["name"], ""] for one in found["byes"]
        ]
    return rows


def result_rows(rounds: Iterable[dict[str, Any]]) -> list[list[Any]]:
    """Returns everyone's place, and the result in the log."""
    rows: list[list[Any]] = [
        [
            *("round", "table", "player", "name", "place", "shared", "points", "score"),
            *("score in the log", "approved", "corrected", "match", "version", "head"),
        ]
    ]
    for found in rounds:
        for table in found["tables"]:
            read = table["readings"][-1] if table["readings"] else {}
            scores, corrections = read.get("scores"), table["corrections"]
            after = [
                "yes" if table["approved"] else "no",
                corrections[-1]["reason"] if corrections else "",
                *(table["match"], read.get("version", ""), read.get("head", "")),
            ]
            for seat, one in enumerate(table["seats"]):
                who = [found["round"], table["table"], one["player"], one["name"]]
                figures = [one["place"], one["shared"], one["points"], one["score"]]
                rows.append([*who, *figures, scores[seat] if scores else "", *after])
        rows += [
            [found["round"], "bye", one["player"], one["name"], "", "", one["points"]]
            for one in found["byes"]
        ]
    return rows


def standing_rows(found: Standings) -> list[list[Any]]:
    """Returns the standings without the parts of each figure."""
    rows: list[list[Any]] = [["rank", "player", "name", "active", POINTS, *found.tiebreaks]]
    for row in found.rows:
        active = "yes" if row.active else "no"
        rows.append(
            [row.rank, row.player, row.name, active, *(figure.value for figure in row.figures)]
        )
    return rows


def csv_of(rows: Sequence[Sequence[Any]]) -> str:
    """Formats rows as CSV (RFC 4180), with protection against formulas."""
    width = len(rows[0])
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    for row in rows:
        cells = [*row, *[""] * (width - len(row))]
        writer.writerow(["" if cell is None else safe_cell(cell) for cell in cells])
    return file.getvalue()
