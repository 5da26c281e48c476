"""The match of a command, from the store or a bundle file, and its viewer.

A bundle may come from anywhere. Its frame, chain, life and openings are checked before it is
shown. A log that then cannot be folded is at fault itself; it is not reported as our bug.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec

from ledger.games import ruleset
from ledger.kernel.audience import Viewer
from ledger.kernel.match import Match
from ledger.kernel.refusals import BrokenRule, Refused
from ledger.log.format.secrets import KEPT_AS, Secrets
from ledger.log.read.bundle import MAGIC, SUFFIX, Header, Record, read_history, read_records
from ledger.log.read.history import History, Undisclosed
from ledger.log.stores.protocol import DamagedLog
from ledger.log.write.founding import Surroundings
from ledger.log.write.journal import Journal
from ledger.log.write.lifecycle import make_refusal
from replays.verify.dice import Watch
from replays.verify.verifier import Report, Verdict, verify
from services.matches.play import surroundings
from services.run.settings import Settings, read_settings
from services.run.stores import open_store

from .exits import Failure, RulesUnknown, Tampered, UnreadableInput
from .output import Progress, Watched

_NOT_THESE_RULES = ("unknown_ruleset", "unknown_edition", "unknown_reading")
_ANSWERS = ("not_disclosed",)  # refusals that are about the reader, not about the log


def settings_of(
    *, data: str | None = None, port: str | None = None, unsafe: bool = False
) -> Settings:
    """Returns the settings, with the options given before the command and these over them."""
    said = click.get_current_context().find_root().params
    unsafe = unsafe or bool(said.get("unsafe"))
    return read_settings(data=data or said.get("data"), port=port, unsafe=unsafe)


def around() -> Surroundings:
    """Returns the surroundings with the open store, which closes when the command ends."""
    root = click.get_current_context().find_root()
    world: Surroundings | None = root.meta.get(__name__)
    if world is None:
        world = surroundings(root.with_resource(open_store(settings_of())))
        root.meta[__name__] = world
    return world


# --- bundles --------------------------------------------------------------------------------------


def is_file(name: str) -> bool:
    """Tells whether a MATCH argument names a bundle rather than a match in the store."""
    return name.endswith(SUFFIX) or "/" in name or Path(name).is_file()


def check_magic(file: Watched, name: str) -> None:
    """Refuses a file that was never a bundle. `verify` reports on damaged bundles."""
    found = file.read(len(MAGIC))
    file.seek(0)
    if found != MAGIC:
        message = f"{name} is not a Hegemon bundle: it does not begin with {MAGIC.decode()}"
        raise UnreadableInput(message)


def verify_bundle(
    name: str,
    heads: Sequence[tuple[int, bytes]] = (),
    *,
    fast: bool = False,
    watch: Watch | None = None,
) -> Report:
    """Verifies a bundle and shows the progress on a terminal."""
    path = Path(name)
    with Progress("verified", path.stat().st_size) as progress, Watched(path, progress) as file:
        check_magic(file, name)
        return verify(file, ruleset, anchors=dict(heads), fast=fast, watch=watch)


def why_not(report: Report) -> str:
    return "; ".join(f"{check.name}: {check.detail}" for check in report.failed[:1])


def history_in(name: str) -> History:
    """Returns the history in a bundle, its chain and its openings checked."""
    _check_untouched(name)
    with Path(name).open("rb") as file:
        return read_history(file, ruleset)


def records_in(name: str) -> list[Record]:
    """Returns the records of a bundle, chain and openings checked. Events may be withheld."""
    _check_untouched(name)
    with Path(name).open("rb") as file:
        return list(read_records(file))


def match_in(records: Sequence[Record]) -> str:
    """Returns the id of a bundle's match."""
    header = records[0]
    assert isinstance(header, Header), "the header is first"
    return header.match


def _check_untouched(name: str) -> None:
    report = verify_bundle(name, fast=True)
    if Verdict(report.verdict) is Verdict.INVALID:
        raise Tampered(f"{name} is damaged or was tampered with: {why_not(report)}")


# --- matches --------------------------------------------------------------------------------------


def history_of(name: str) -> History:
    """Returns the history of a match in the store or in a bundle."""
    return history_in(name) if is_file(name) else load_history(around(), name)


def history_for(name: str, viewer: Viewer | str) -> History:
    """Returns the history of a match, if it has the seat that looks."""
    history = history_of(name)
    check_viewer(history, viewer)
    return history


def load_history(world: Surroundings, name: str) -> History:
    try:
        history = History.of(world.store, name, ruleset)
    except ValueError:
        raise make_refusal("no_such_match", {"match": name[:80]}) from None
    if not history.events:
        raise make_refusal("no_such_match", {"match": name[:80]})
    return history


def journal_of(name: str) -> Journal:
    """Opens a match of the store for writing."""
    if is_file(name):
        message = f"{name} is a bundle, which cannot be changed: use `hegemon fork` to play on"
        raise UnreadableInput(message)
    world = around()
    history = load_history(world, name)
    if history.life.closed:
        raise make_refusal("match_closed", {"version": history.tip.version})
    kept = world.store.kept(name, KEPT_AS)
    if kept is None:
        message = f"{name} can only be read here, for it is not written here: `hegemon fork` it"
        raise Failure(message)
    try:
        Secrets.read(kept)
    except (ValueError, msgspec.MsgspecError):
        raise DamagedLog(f"the secrets beside the log of {name} are damaged") from None
    journal = Journal(world, name)
    if history.life.started:
        with folding(history):
            journal.match()
    return journal


# --- folding --------------------------------------------------------------------------------------


@contextmanager
def folding(history: History) -> Iterator[None]:
    """Turns an error in folding into a failure: a log that does not fit the rules is at fault."""
    try:
        yield
    except (Undisclosed, BrokenRule, OSError, MemoryError):
        raise
    except Exception as reason:
        created = history.created
        what = f"{history.match} cannot be folded here: {type(reason).__name__}: {reason}"
        if isinstance(reason, Refused):
            if reason.code in _ANSWERS:
                raise
            what = f"{history.match} cannot be folded here: {reason}"
            if reason.code in _NOT_THESE_RULES:
                raise RulesUnknown(what) from reason
        if created.source != history.rules.source:
            message = f"{what} (it was made under another version of these rules)"
            raise RulesUnknown(message) from reason
        raise Tampered(f"{what} (`hegemon verify` explains more about a bundle)") from reason


def position_at(history: History, version: int | None = None) -> Match | None:
    """Returns the match after an event, or None before the start."""
    at = history.tip.version if version is None else version
    try:
        with folding(history):
            return history.at(at)
    except Undisclosed as reason:
        before = f"; --at {reason.version - 1} shows the match before it"
        message = f"not_disclosed: {reason}{before if version is None or version > 1 else ''}"
        raise Failure(message) from None


def check_viewer(history: History, viewer: Viewer | str) -> None:
    """Refuses a seat that does not exist as the viewer."""
    if isinstance(viewer, int):
        check_seat(history, viewer)


def check_seat(history: History, seat: int) -> None:
    seats = history.created.seats
    if not 0 <= seat < seats:
        # Python refuses to print a number of thousands of digits.
        evidence = {"seat": seat if abs(seat) < 10**18 else "a huge number", "seats": seats}
        raise Refused("no_such_seat", "", "The match has no such seat.", evidence)


def version_of(history: History, at: int | None) -> int:
    """Returns the event that `--at` names; the last if it names none."""
    if at is None:
        return history.tip.version
    if not 1 <= at <= history.tip.version:
        raise make_refusal("no_such_event", {"at": at, "first": 1, "last": history.tip.version})
    return at
