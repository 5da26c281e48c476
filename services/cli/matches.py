"""Commands that make and play matches: new, decide, play, close."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import click
import msgspec

from ledger.games import ruleset
from ledger.kernel.audience import view
from ledger.kernel.bots import BOTS
from ledger.kernel.records import CHANCE
from ledger.kernel.refusals import Refused
from ledger.log.format.acts import Closed, Origin
from ledger.log.format.bodies import Submitter
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from ledger.log.write.lifecycle import Composed
from replays.story.sentences import fact_sentence
from services.cli.support.output import Progress, printable, show
from services.cli.support.params import (
    NAME_MAX,
    TextType,
    as_json_option,
    plan_options,
    seed_option,
    several,
)
from services.cli.support.rule_files import erratum_in, read_overlay
from services.cli.support.sources import around, check_seat, journal_of
from services.cli.support.words import decision_of, options_of, seat_of
from services.cli.support.writing import check_can_write, write_file
from services.matches.play import bots_for, make_seeded_surroundings, play_whole_match
from services.matches.trial import Trial, put

SEATS: Final = 2  # where nobody says how many, and the game can be played by so many


@click.command()
@click.argument("ruleset_name", metavar="RULESET")
@plan_options
@several(
    "--player",
    "players",
    "NAME",
    "A player's name, from seat 0 on; repeat for the next seat.",
    type=TextType(NAME_MAX, 1),
)
@click.option("--entered", is_flag=True, help="You enter dice and cards from a real table.")
@as_json_option
def new(ruleset_name: str, players: Sequence[str], entered: bool, **planned: Any) -> None:
    r"""Create a match in the store, start it, and print its id.

    \b
        hegemon new tictactoe --player Ann --player Bob
        hegemon new tictactoe --option opening=sealed --option begin.stake=3
    """
    origin = Origin(kind="entered" if entered else "live")
    plan = replace(plan_of(ruleset_name, **planned), origin=origin, entered=entered)
    names = seat_names(players, plan.seats)
    world, trial = around(), Trial()
    journal = Journal.create(replace(world, store=trial), plan, Submitter(role="organizer"))
    for seat, name in enumerate(names):
        journal.join(seat, name)
    journal.start()
    trial.write_to(world.store)
    said = {"match": journal.match_id, "version": journal.history.tip.version}
    show(said, journal.match_id)


def plan_of(
    ruleset_name: str,
    *,
    seats: int | None,
    edition: str,
    option_words: Sequence[str],
    title: str = "",
    overlay: str | None = None,
    erratum_files: Sequence[str] = (),
) -> Plan:
    """Builds the plan from the options of `plan_options`, checked as far as possible here."""
    rules = ruleset(ruleset_name)
    if seats is None:
        seats = min(max(SEATS, rules.seats.start), rules.seats.stop - 1)
    rules.check_seats(seats)
    return Plan(
        ruleset=rules.name,
        seats=seats,
        edition=edition,
        options=options_of(rules, option_words),
        overlay=None if overlay is None else read_overlay(overlay),
        errata=tuple(erratum_in(one) for one in erratum_files),
        title=title,
    )


def seed_basis_of(plan: Plan) -> dict[str, Any]:
    """Returns what a seed draws a match from. Newer plan fields must not change old seeds."""
    plain: dict[str, Any] = msgspec.to_builtins(plan, builtin_types=(bytes,))
    if not plan.errata:
        del plain["errata"]
    del plain["tournament"]  # no match of a tournament is made from a seed
    return plain


def seat_names(players: Sequence[str], seats: int) -> list[str]:
    if len(players) > seats:
        evidence = {"players": len(players), "seats": seats}
        raise Refused("bad_seats", "", "There are more players than seats.", evidence)
    return [*players, *(f"seat {seat}" for seat in range(len(players), seats))]


@click.command()
@click.argument("match")
@click.argument("seat")
@click.argument("kind", metavar="TYPE")
@click.argument("fields", nargs=-1, metavar="[FIELD=VALUE]...")
@click.option(
    "--expect",
    metavar="N",
    type=int,
    help="Composed after event N: stale if later events may matter.",
)
@click.option("--question", metavar="KEY", help="Only answer this question.")
@click.option(
    "--command",
    "command_id",
    metavar="ID",
    type=TextType(most=100, least=1),
    help="Your id for this decision: repeating it gives the first answer again.",
)
@as_json_option
def decide(
    match: str,
    seat: str,
    kind: str,
    fields: Sequence[str],
    expect: int | None,
    question: str | None,
    command_id: str | None,
) -> None:
    r"""Decide for a seat and print what the seat sees happen.

    Dice and cards that follow fall at once. `hegemon options MATCH SEAT` lists the possible
    decisions in the form taken here. The last word of the type is enough.

    \b
        hegemon decide MATCH 0 play.mark cell=4
        hegemon decide MATCH 1 mark cell=0 --expect 5
    """
    decider = seat_of(seat)
    journal = journal_of(match)
    if decider >= 0:
        check_seat(journal.history, decider)
    decision = decision_of(journal.history.rules, kind, fields)
    by = Submitter(role="referee" if decider == CHANCE else "seat")
    asked = journal.command(command_id, decider, decision) if command_id else None
    composed = Composed(expect, question)
    facts = journal.decide(decider, decision, by, command=asked, composed=composed)
    viewer = decider if decider >= 0 else None
    seen = [view(fact, viewer) for fact in facts]
    said = {"match": match, "version": journal.history.tip.version, "facts": seen}
    now = journal.match()
    told = [printable(fact_sentence(now.terms, fact, viewer, now.called())) for fact in facts]
    show(said, "\n".join(told))


@click.command()
@click.argument("ruleset_name", metavar="RULESET")
@plan_options
@click.option(
    "--bots",
    metavar="NAME,NAME",
    default="greedy,random",
    show_default=True,
    help=f"The bots, by seat: {' or '.join(sorted(BOTS))}; fewer names than seats repeat in turn.",
)
@seed_option("Draw everything from this number: two runs give the same bytes, marked as seeded.")
@click.option(
    "--out", metavar="FILE", help="Write the bundle here, and do not store the seeded match."
)
@as_json_option
def play(ruleset_name: str, bots: str, seed: int | None, out: str | None, **planned: Any) -> None:
    r"""Let bots play a whole match, close it, and print who won.

    The match goes into the store when it has ended. With --seed its first event records the seed;
    with --out it goes to that file only.

    \b
        hegemon play tictactoe --bots greedy,random
        hegemon play tictactoe --seed 7 --out match.hgm
    """
    plan = plan_of(ruleset_name, **planned)
    names = bots_for([name.strip() for name in bots.split(",")], plan.seats)
    if out is not None:
        check_can_write(out)
    trial = Trial()
    if seed is None:
        world = replace(around(), store=trial)
    else:
        plan = replace(plan, origin=Origin(kind="seeded", seed=seed))
        world = make_seeded_surroundings(trial, seed, (seed_basis_of(plan), sorted(names.items())))
    with Progress("events played") as progress:
        journal = play_whole_match(world, plan, names, progress)
    address = None if out is None else write_file(journal.history, out, "all")
    if seed is None or out is None:
        store = around().store
        if seed is None:
            trial.write_to(store)
        else:  # the same match may be there already, byte for byte
            put(store, journal.history)
    result = result_of(journal)
    said = {
        "match": journal.match_id,
        "origin": plan.origin.kind,
        "events": journal.history.tip.version,
        "head": journal.history.tip.head,
        "result": result,
        "out": out,
        "sha256": address,
    }
    text = f"{journal.match_id}: {journal.history.tip.version} events, {result_text(result)}"
    show(said, text if out is None else f"{text}, written to {out}")


def result_of(journal: Journal) -> dict[str, Any]:
    """Returns the result recorded at the close of a match."""
    act = journal.history.act(journal.history.tip.version)
    assert isinstance(act, Closed), "the match has just been closed"
    return act.result or {}


def result_text(result: dict[str, Any]) -> str:
    winners = " and ".join(str(seat) for seat in result["winners"])
    if not winners:
        return f"won by nobody ({result['reason']})"
    if len(result["winners"]) == 1:
        return f"won by seat {winners} ({result['reason']})"
    return f"shared by seats {winners} ({result['reason']})"


@click.command()
@click.argument("match")
@as_json_option
def close(match: str) -> None:
    r"""Approve the result of a match that has ended.

    This discloses what the match's policy says: dice, cards and sealed decisions. A closed match
    takes no more events. `hegemon export` then gives everything to anyone.

    \b
        hegemon close MATCH
    """
    journal = journal_of(match)
    journal.close(Submitter(role="organizer"))
    result = result_of(journal)
    said = {"match": match, "version": journal.history.tip.version, "result": result}
    show(said, f"{match} is closed, {result_text(result)}")


COMMANDS = (new, decide, close)
BOT_COMMANDS = (play,)
