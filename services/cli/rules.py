"""`hegemon rules`: the paragraphs of a ruleset, its readings and its errata."""

from __future__ import annotations

from difflib import get_close_matches

import click

from ledger.games import ruleset, rulesets
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Ruleset
from replays.story.rulebook import paragraphs
from services.cli.support.output import show
from services.cli.support.params import as_json_option


@click.command()
@click.argument("ruleset_name", required=False, metavar="[RULESET]")
@click.argument("rule", required=False, metavar="[RULE-ID]")
@as_json_option
def rules(ruleset_name: str | None, rule: str | None) -> None:
    r"""List the rules of a game by id, or one of them.

    Paragraphs first, then readings (choices of a match), then errata. Without a game it lists the
    games. With --json one JSON object a line.

    \b
        hegemon rules
        hegemon rules tictactoe play.turn
    """
    if ruleset_name is None:
        for known in rulesets().values():
            _show_game(known)
        return
    every = paragraphs(ruleset(ruleset_name))
    chosen = [one for one in every if rule in (None, one["rule"], one["class"].rpartition(" ")[2])]
    if not chosen:
        listed = sorted({one["rule"] for one in every})
        near = get_close_matches(str(rule)[:80], listed, n=5, cutoff=0.4)
        evidence = {"rule": str(rule)[:80], **({"near": ", ".join(near)} if near else {})}
        raise Refused("unknown_rule", "", "The ruleset has no such rule.", evidence)
    for one in chosen:
        text = f"{one['rule']:18} {one['class']:24} {one['text']}"
        show(one, text)


def _show_game(known: Ruleset) -> None:
    first, last = known.seats.start, known.seats.stop - 1
    noun = "seat" if first == last == 1 else "seats"
    said = {"ruleset": known.name, "title": known.title, "seats": [first, last]}
    seats = f"{first}" if first == last else f"{first} to {last}"
    show(said, f"{known.name:18} {known.title}, for {seats} {noun}")


COMMANDS = (rules,)
