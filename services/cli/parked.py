"""Commands about matches that could not be folded: parked, unpark."""

from __future__ import annotations

import click

from ledger.games import ruleset
from ledger.log.format.chain import by_event
from ledger.log.read.seek import MatchFollower
from ledger.log.stores.protocol import Store, Unavailable
from ledger.log.write.lifecycle import make_refusal
from services.cli.support.output import printable, show
from services.cli.support.params import as_json_option
from services.cli.support.sources import around


@click.command()
@as_json_option
def parked() -> None:
    r"""List the matches that take no decisions because they cannot be folded.

    \b
        hegemon parked
    """
    store = around().store
    parked = {match: store.parked(match) or b"" for match in store.parked_matches()}
    found = {match: notice.decode(errors="replace") for match, notice in parked.items()}
    lines = [f"{match}  {printable(notice)}" for match, notice in found.items()]
    show(found, "\n".join(lines) or "No match is parked.")


@click.command()
@click.argument("match")
@click.option("--anyway", is_flag=True, help="Unpark it even if this version still cannot fold it.")
def unpark(match: str, anyway: bool) -> None:
    r"""Let a parked match go on, once it can be folded again.

    The whole log is folded first and compared with the facts its events committed to.

    \b
        hegemon unpark MATCH
    """
    store = around().store
    if match not in store.parked_matches():
        raise make_refusal("not_parked", {"match": match[:80]})
    why = "" if anyway else why_not(store, match)
    if why:
        raise make_refusal("still_parked", {"match": match, "because": why})
    store.unpark(match)
    click.echo(f"{match} is unparked at event {store.tip(match).version}.")


def why_not(store: Store, match: str) -> str:
    """Returns the reason why a match cannot be folded, or nothing."""
    at = 0
    try:
        follower = MatchFollower(store, match, ruleset)
        events = list(store.events(match))
        # Openings are there before their events can be read, so none is missed this way around.
        openings = by_event(store.openings(match))
        for event in events:
            at = event.version
            follower.take(event, openings.get(at, ()))
    except (OSError, MemoryError, Unavailable):
        raise
    except Exception as failure:  # noqa: BLE001 - whatever keeps it from being folded is wanted
        return f"event {at}: {type(failure).__name__}: {failure}"
    return ""


COMMANDS = (parked, unpark)
