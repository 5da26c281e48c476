"""Commands for the keeper of the ledger: restore, backup, check-store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ledger.games import ruleset
from services.cli.support.exits import Failure, RulesUnknown, Tampered, UnreadableInput
from services.cli.support.output import Progress, format_count, printable, show, wants_json
from services.cli.support.params import as_json_option, several
from services.cli.support.sources import around, settings_of
from services.run.servers import COMMAND, EmbeddedServers
from services.run.settings import Settings

if TYPE_CHECKING:  # slow to import, and most commands need none of it
    from ledger.log.stores.redis.connection import Connection
    from services.keep.store_check import Checked, StoreFault


@click.command()
@click.option(
    "--from-segments",
    "folder",
    metavar="[DIR]",
    is_flag=False,
    flag_value="",
    help="Restore from the segments of the data folder, or of a backup in DIR.",
)
@as_json_option
def restore(folder: str | None) -> None:
    r"""Bring back what the ledger's server has lost.

    Everything is checked before anything is written: if the segments are damaged, or the server
    contradicts them, nothing changes. Whatever the server has beyond the segments stays. You can
    stop the command and start it again; no `up` may run meanwhile.

    \b
        hegemon restore --from-segments
        hegemon restore --from-segments /mnt/backup
    """
    from services.keep.guard import check_not_gone_back
    from services.keep.heads.tree import HEADS, STATE, carry_heads
    from services.keep.restore import WentOn, adopt, check_segments
    from services.keep.restore import restore as bring_back

    if folder is None:
        message = "give a source: --from-segments, or --from-segments DIR for a backup"
        raise UnreadableInput(message)
    settings = settings_of()
    source = _with_segments(Path(folder) if folder else settings.data)
    with Progress("records of segments") as progress:
        check_segments(source, progress)
    with _ledger_alone(settings) as connection, Progress("records") as progress:
        try:
            adopt(source, settings.data)
            done = bring_back(connection, source, progress)
        except WentOn as reason:
            raise Failure(str(reason)) from None
        if not (settings.data / HEADS / STATE).exists():
            carry_heads(source / HEADS, settings.data / HEADS)
        check_not_gone_back(connection, settings.data)
    text = f"{format_count(done.records, 'record')} checked; "
    text += (
        f"{done.shipped:,} of them, in {format_count(done.logs, 'log')}, were missing "
        "and are restored"
        if done.shipped
        else "none of them was missing"
    )
    show(done, text)


def _with_segments(folder: Path) -> Path:
    from ledger.log.stores.segments.reader import segments_in, shards_in

    if not shards_in(segments_in(folder)):
        raise UnreadableInput(f"there are no segments in {folder}")
    return folder


@contextmanager
def _ledger_alone(settings: Settings) -> Iterator[Connection]:
    """Yields the ledger's server and keeps `up` and other commands off the data folder."""
    from services.keep.restore import forget_lost_files
    from services.run.stores import connect_to_server, sound_connection

    forget_lost_files(settings.data / "servers")
    names = ("ledger",) if settings.redis_url is None else ()
    with EmbeddedServers(settings.data, names, by=COMMAND) as servers:
        if settings.redis_url is None:
            connection = connect_to_server(servers.ledger_url, str(settings.data))
        else:
            connection = sound_connection(settings.redis_url, unsafe=settings.unsafe)
        try:
            yield connection
        finally:
            connection.close()


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))
@as_json_option
def backup(folder: str) -> None:
    r"""Copy the whole ledger to a folder, or what is new in it.

    The service may run meanwhile. The copy holds every secret and only its owner can read it:
    keep it in a private place. `hegemon restore --from-segments DIR` makes a server from it.

    A match that is damaged on the server does not stop the backup: the others are copied, the
    damaged ones are named, and the exit code is 4.

    \b
        hegemon backup /mnt/backup
    """
    from ledger.log.stores.redis import RedisStore
    from ledger.log.stores.segments.witness import SegmentsInUse
    from services.keep.backup import backup as copy
    from services.keep.heads.tree import HEADS, carry_heads

    settings, store = settings_of(), around().store
    if not isinstance(store, RedisStore):
        message = f"the matches are files: copy {settings.data / 'matches'} as a backup"
        raise Failure(message)
    target = Path(folder)
    if target.is_dir() and settings.data.is_dir() and target.samefile(settings.data):
        raise UnreadableInput(
            f"{folder} is the data folder itself: choose another folder for the backup"
        )
    damage: list[str] = []
    with Progress("records") as progress:
        try:
            # Before the events: a head over what the backup lacks could not be gone on from.
            carry_heads(settings.data / HEADS, target / HEADS)
            manifest, new = copy(store.connection, target, progress, damage.append)
        except SegmentsInUse as reason:
            raise Failure(str(reason)) from None
    said = {
        "folder": folder,
        "records": manifest.records,
        "logs": manifest.heads,
        "new": new,
        "damage": damage,
    }
    records = format_count(manifest.records, "record")
    text = f"{folder}: {records} of {format_count(manifest.heads, 'log')}, "
    text += f"{new:,} of them new"
    show(said, "\n".join((*damage, text)))
    if damage:
        message = (
            f"the store is damaged: {format_count(len(damage), 'finding')}; the rest is backed up"
        )
        raise Tampered(message)


@click.command(name="check-store")
@several("--match", "matches", "ID", "Only this match; repeat for more.")
@as_json_option
def check_store(matches: Sequence[str]) -> None:
    r"""Read every match, fold it again, and compare it with its log.

    Checks chain, life, openings, secrets, and every decision, die and fact under the match's own
    edition; on a server also each of its keys, and the segments byte for byte. After an upgrade
    it shows whether the rules still give the same results.

    \b
        hegemon check-store
        hegemon check-store --match MATCH

    Exit codes: 0 all well, 1 the rules here give something else, 4 damaged or tampered with,
    5 made by rules that are not known here.
    """
    from services.keep.store_check import check_store as check

    world, data = around(), settings_of().data

    def tell(finding: StoreFault) -> None:
        if not wants_json():
            click.echo(printable(str(finding)))

    with Progress("events") as progress:
        done = check(world.store, ruleset, data, matches, progress, tell)
    text = (
        f"{format_count(done.matches, 'match', 'matches')}, {format_count(done.events, 'event')}, "
    )
    text += f"{format_count(done.records, 'record')} of segments: "
    text += format_count(len(done.findings), "finding")
    show(done, text)
    _end(done)


def _end(done: Checked) -> None:
    """Ends the command with the code of the worst finding."""
    from replays.verify.recheck import DAMAGED, ENGINE, UNKNOWN

    endings = (
        (DAMAGED, Tampered, "the store is damaged or was tampered with"),
        (ENGINE, Failure, "the rules here give other facts than before"),
        (UNKNOWN, RulesUnknown, "not everything could be checked here"),
    )
    for kind, failure, said in endings:
        if count := done.count(kind):
            raise failure(f"{said}: {format_count(count, 'finding')}")


COMMANDS = (backup, restore, check_store)
