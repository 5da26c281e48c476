"""The matches of a run: from the store, from bundles, from folders of bundles."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import click

from ledger.kernel.refusals import Refused
from ledger.log.format.acts import Created
from ledger.log.format.bodies import ActBody, read_body
from ledger.log.read.bundle import SUFFIX, BadBundle, Header, read_records
from ledger.log.stores.protocol import DamagedLog
from ledger.log.write.lifecycle import refused
from replays.reproject.rule_use import index_in
from services.cli.support.exits import UnreadableInput
from services.cli.support.sources import around, is_file, stored
from services.jobs.reprojection.batches import RunItem, log_of
from services.jobs.reprojection.run import Source


def sources_of(
    context: click.Context, names: Sequence[str], *, whole: bool, full: bool
) -> list[tuple[Source, str]]:
    """Returns the named matches, each with its game; the game is empty if it cannot be read."""
    found: dict[str, tuple[Source, str]] = {}
    for name in names:
        if Path(name).is_dir():
            for path in sorted(Path(name).glob(f"*{SUFFIX}")):
                found.setdefault(str(path), _isolated(partial(_bundle, str(path)), str(path)))
        elif not is_file(name):
            found.setdefault(name, _stored(context, name, full=full))
        elif len(names) > 1:
            found.setdefault(name, _isolated(partial(_bundle, name), name))
        else:
            found[name] = _bundle(name)
    for name in around(context).store.matches() if whole else ():
        found.setdefault(name, _isolated(partial(_stored, context, name, full=full), name))
    return list(found.values())


def _isolated(read: Callable[[], tuple[Source, str]], name: str) -> tuple[Source, str]:
    """Records a match that cannot be read as trouble, so that it does not stop the others."""
    try:
        return read()
    except (UnreadableInput, DamagedLog, Refused, OSError) as reason:
        item = RunItem(source=name, trouble=str(reason))
        return Source(name, "", lambda: item), ""


def _bundle(name: str) -> tuple[Source, str]:
    path = Path(name).absolute()
    with path.open("rb") as file:
        try:
            header = next(read_records(file))
        except BadBundle as reason:
            message = f"{name} is no Hegemon bundle: {reason}"
            raise UnreadableInput(message) from None
        file.seek(0)
        mark = hashlib.file_digest(file, "sha256").hexdigest()
    assert isinstance(header, Header), "a bundle has its header first"
    return Source(name, mark, partial(RunItem, source=name, path=str(path))), header.ruleset


def _stored(context: click.Context, name: str, *, full: bool) -> tuple[Source, str]:
    """Returns a match of the store. Until its turn only its first event is read."""
    store = around(context).store
    try:
        first = next(iter(store.events(name, 1, 1)), None)
    except ValueError:  # no name that any match could have
        first = None
    body = None if first is None else read_body(first.body)
    if not isinstance(body, ActBody) or not isinstance(body.act, Created):
        raise refused("no_such_match", {"match": name[:80]})
    item = partial(_stored_item, context, name, full=full)
    return Source(name, store.tip(name).head.hex(), item), body.act.ruleset


def _stored_item(context: click.Context, name: str, *, full: bool) -> RunItem:
    world = around(context)
    try:
        history = stored(world, name)
    except (DamagedLog, Refused) as reason:
        return RunItem(source=name, trouble=str(reason))
    index = None
    if not full:
        with suppress(Exception):  # whatever is wrong with it is for its verdict to say
            index = index_in(world.store, history)
    return RunItem(source=name, log=log_of(history, index))
