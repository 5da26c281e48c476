"""Settings of gunicorn: `gunicorn -c python:services.web.server.config APPLICATION`.

    threads    one for each place of a viewer, and more for all other requests; a request gets its
               thread when its headers and body have arrived
    figures    the workers write them into one folder, which this file makes and removes
    stopping   viewers are disconnected at once, so they reconnect and nothing waits for them

The names in this file are gunicorn's own: it reads them as its settings.
"""

from __future__ import annotations

import atexit
import os
import resource
import shutil
import signal
import tempfile
import threading
from types import FrameType
from typing import Any, Final

from services.run.logs import JsonFormatter, lines_in
from services.run.settings import read_settings
from services.web.server.worker import LEAVING_MAX, UNREAD_MAX

THREADS: Final = 16  # beside those of viewers
FIGURES: Final = "PROMETHEUS_MULTIPROC_DIR"  # read when the library is imported, which comes later
FILES_MAX: Final = 65_536

worker_class = "services.web.server.worker.Worker"
threads = read_settings().live_places + THREADS
# More may wait between two requests, before one, or after the last.
worker_connections = threads + 256 + UNREAD_MAX + LEAVING_MAX
graceful_timeout = 3
control_socket_disable = True
loglevel = "warning"


def _own_figures() -> None:
    folder = tempfile.mkdtemp(prefix="hegemon-figures-")
    os.environ[FIGURES] = folder
    ours = os.getpid()

    def remove() -> None:
        if os.getpid() == ours:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)


if FIGURES not in os.environ:
    _own_figures()


def on_starting(server: Any) -> None:
    """Makes gunicorn log in our format, and raises its limit of open files.

    Each viewer is an open file, and so is each connection to a server.
    """
    lines = lines_in(read_settings().log, JsonFormatter())
    for handler in server.log.error_log.handlers:
        handler.setFormatter(lines)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES_MAX if hard == resource.RLIM_INFINITY else min(hard, FILES_MAX)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def post_worker_init(worker: Any) -> None:
    """Ends viewers' streams when the worker is asked to stop; they would never end themselves."""
    from services.feeds.hub import stop_all

    def stop(number: int, frame: FrameType | None) -> None:
        # In a thread of its own: what this one was doing may hold a lock.
        threading.Thread(target=stop_all, name="letting go").start()
        worker.handle_exit(number, frame)

    signal.signal(signal.SIGTERM, stop)


def child_exit(server: Any, worker: Any) -> None:
    """Removes an ended worker from the figures, since it has no viewers."""
    from prometheus_client.multiprocess import mark_process_dead

    del server
    mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
