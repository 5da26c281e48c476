"""Opens the store that the settings mean, in this order.

    HEGEMON_REDIS_URL    the operator's own server or cluster, checked before anything is
                         written there
    HEGEMON_LEDGER_URL   the server that `up` runs on, set for the processes it starts
    the data folder      the server of an `up` that runs on it now; else, if an `up` has run
                         before, the ledger's server alone, for as long as the store is open;
                         else files

Snapshots go to the server of HEGEMON_JOBS_URL if set, which may lose them. No unnamed
server is ever contacted. Every obstacle is reported in one line, without a password.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ledger.log.stores.files import FileStore
from ledger.log.stores.protocol import Store
from services.keep.file_import import files_held, move_in
from services.run.programs import EXIT_ENVIRONMENT, STAMP, CannotServe
from services.run.servers import COMMAND, COMMAND_SECONDS, EmbeddedServers, FolderInUse, running_up
from services.run.settings import Settings

if TYPE_CHECKING:  # the client of the servers is slow to import, and files need none of it
    from ledger.log.stores.redis import RedisStore
    from ledger.log.stores.redis.connection import Connection

PATIENCE_SECONDS: Final = 8.0
LEDGER: Final = "HEGEMON_LEDGER_URL"


@contextmanager
def open_store(settings: Settings) -> Iterator[Store]:
    """Opens the store that the settings mean, for the block."""
    with ExitStack() as held:
        data = settings.data
        store = told_store(settings) or _files(data, held) or _serve_store(data, held)
        if not isinstance(store, FileStore):
            held.callback(store.cache.close)
            held.callback(store.connection.close)
        yield store


def standing_store(settings: Settings, patience: float = PATIENCE_SECONDS) -> RedisStore | None:
    """Returns the store on a server that already runs, or None for files. Starts no server."""
    store = told_store(settings, patience)
    if store is None and (settings.data / "servers" / STAMP).exists():
        store = _of_running_up(settings.data, patience)
        if store is None:
            raise CannotServe(
                f"the matches in {settings.data} are on its servers, but none runs: start "
                "`hegemon up`, or name a server with HEGEMON_REDIS_URL.",
                EXIT_ENVIRONMENT,
            )
    return store


# --- a server that somebody named -----------------------------------------------------------------


def told_store(settings: Settings, patience: float = PATIENCE_SECONDS) -> RedisStore | None:
    """Returns the store on the server that the settings name, if any."""
    if settings.redis_url:
        connection = sound_connection(settings.redis_url, unsafe=settings.unsafe, patience=patience)
        check_guard(connection, settings.data)
        return store_on(connection, settings.jobs_url, "HEGEMON_REDIS_URL", patience)
    if settings.ledger_url:
        connection = connect_to_server(settings.ledger_url, LEDGER, patience)
        return store_on(connection, settings.jobs_url, LEDGER, patience)
    return None


def sound_connection(
    url: str, *, unsafe: bool = False, patience: float = PATIENCE_SECONDS
) -> Connection:
    """Connects to the operator's own server, if that server would keep a ledger safe."""
    from ledger.log.stores.redis.soundness import check_sound

    connection = connect_to_server(url, "HEGEMON_REDIS_URL", patience)
    with _in_one_line(connection.address, "HEGEMON_REDIS_URL"):
        overlooked = check_sound(connection, unsafe=unsafe)
    if overlooked:
        found = _one_line("; ".join(overlooked))
        print(f"hegemon: warning: {connection.address}: {found}.", file=sys.stderr, flush=True)
    return connection


def connect_to_server(url: str, source: str, patience: float = PATIENCE_SECONDS) -> Connection:
    """Connects to a server that answers; waits for one that is loading its files."""
    from ledger.log.stores.redis.cluster import connection_to
    from ledger.log.stores.redis.connection import Refusing

    connection = connection_to(url, seconds=min(patience, 3.0))
    until = time.monotonic() + patience
    with _in_one_line(connection.address, source):
        while True:
            try:
                connection.ask("PING")
                return connection
            except Refusing as failure:
                if not failure.passing or time.monotonic() > until:
                    raise
                time.sleep(0.05)


def store_on(
    connection: Connection, jobs_url: str | None, source: str, patience: float = PATIENCE_SECONDS
) -> RedisStore:
    """Returns the store on a server, with snapshots on another server if there is one."""
    from ledger.log.stores.redis import RedisStore
    from ledger.log.stores.redis.connection import Connection

    with _in_one_line(connection.address, source):
        cache = None if jobs_url is None else Connection(jobs_url, seconds=connection.seconds)
        return RedisStore(connection, cache, patience=patience)


@contextmanager
def _in_one_line(address: str, source: str) -> Iterator[None]:
    """Turns any failure of the first contact with a server into one line."""
    from ledger.log.stores.redis.connection import NoReply, NotSent, Refusing
    from ledger.log.stores.redis.soundness import Unsound
    from ledger.log.stores.redis.store import ForeignLibrary

    try:
        yield
        return
    except (Unsound, ForeignLibrary) as why:
        said = f"{address} ({source}): {why}"
    except NotSent as why:
        said = f"no server is reached at {_end_sentence(why)} Start it, or change {source}."
    except NoReply as why:
        said = (
            f"the server does not answer as Redis or Valkey does ({source}): {_end_sentence(why)}"
        )
    except Refusing as why:
        said = f"the server of {source} refuses: {_end_sentence(why)}"
    except (ValueError, TypeError):
        # The part that cannot be read may be a password, so the message does not quote it.
        said = (
            f"{source} is not a valid address. Use redis://[USER:PASSWORD@]HOST:PORT/NUMBER"
            ", unix://PATH or redis+cluster://HOST:PORT,HOST:PORT, and special letters of a"
            " password are written as %XX."
        )
    raise CannotServe(_one_line(said), EXIT_ENVIRONMENT)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _end_sentence(why: Exception) -> str:
    return str(why).rstrip(" .") + "."


# --- a data folder --------------------------------------------------------------------------------


def _files(data: Path, held: ExitStack) -> FileStore | None:
    """Returns the store in files, if no `up` has ever run."""
    stamp = data / "servers" / STAMP
    if stamp.exists() or running_up(stamp.parent) is not None:
        return None
    lock = held.enter_context(ExitStack())
    lock.enter_context(files_held(data))
    if not stamp.exists():
        return FileStore(data)
    lock.close()  # an `up` has come in between
    return None


def _of_running_up(data: Path, patience: float = PATIENCE_SECONDS) -> RedisStore | None:
    """Returns the store on the server of an `up` that runs on this folder."""
    note = running_up(data / "servers")
    if note is None:
        return None
    if "ledger" not in note.runs:
        raise CannotServe(
            f"`hegemon up` (process {note.pid}) runs on {data} with a server of your own: set "
            "HEGEMON_REDIS_URL as it has, or name another folder with --data DIR.",
            EXIT_ENVIRONMENT,
        )
    connection = connect_to_server(note.url("ledger"), str(data), patience)
    jobs_url = note.url("jobs") if "jobs" in note.runs else None
    return store_on(connection, jobs_url, str(data), patience)


def _serve_store(data: Path, held: ExitStack) -> RedisStore:
    """Returns the store on a running `up`'s server, or on one that ends with the block."""
    until = time.monotonic() + COMMAND_SECONDS
    while (store := _of_running_up(data)) is None:
        servers = EmbeddedServers(data, ("ledger",), by=COMMAND, patience=0.0)
        try:
            held.enter_context(servers)
        except FolderInUse:  # by another command, or by an `up` that is not ready yet
            if time.monotonic() > until:
                raise
            time.sleep(0.02)
        else:
            return _prepare_store(data, servers.ledger_url)
    return store


def _prepare_store(data: Path, url: str) -> RedisStore:
    """Returns the store on a server that was just started, after moving in matches from files."""
    connection = connect_to_server(url, str(data))
    check_guard(connection, data)
    store = store_on(connection, None, str(data))
    moving = move_in(data, store)
    if moving.moved:
        for said in moving.lines(data):
            print(f"hegemon: {said}", file=sys.stderr, flush=True)
    return store


def check_guard(connection: Connection, data: Path) -> None:
    """Refuses a server that holds less than the data folder's segments."""
    from services.keep.guard import check_not_gone_back

    check_not_gone_back(connection, data)
