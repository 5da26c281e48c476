"""Errata that a club has written, sent as text; every mistake is reported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ledger.games import GAMES, ruleset
from ledger.log.format.published import Published
from replays.reproject.erratum_file import BadErratum, Mistake, read_erratum
from services.web.app.problems import Problem


def errata_in(texts: Sequence[str], field: str = "errata") -> list[Published]:
    """Parses errata. Refuses them with all mistakes in any of them."""
    found: list[Published] = []
    errors: dict[str, list[str]] = {}
    for number, text in enumerate(texts):
        try:
            found.append(read_erratum(text, ruleset, GAMES))
        except BadErratum as bad:
            errors[f"{field}.{number}"] = [str(one) for one in bad.troubles]
    if errors:
        raise Problem(422, errors=errors)
    return found


def troubles_in(text: str, game: str) -> tuple[Published | None, list[Mistake]]:
    """Returns the game's erratum in a text, or all of its mistakes."""
    try:
        found = read_erratum(text, ruleset, GAMES)
    except BadErratum as bad:
        return None, bad.troubles
    if found.ruleset != game:
        wrong = f"it is an erratum of {found.ruleset}"
        return None, [Mistake(None, "ruleset", wrong, game)]
    return found, []


def plain_published(one: Published) -> dict[str, Any]:
    return {**msgspec.to_builtins(one), "mark": one.mark}
