"""`hegemon up`: the embedded servers and the web process, from one command to its Ctrl-C."""

import contextlib
import http.client
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import NoReturn

from services.children import Child, python
from services.embedded import EmbeddedServers
from services.programs import CannotServe
from services.settings import ROOT, Settings

HOST = "127.0.0.1"
FIRST_PORT = 8000
PORTS_TRIED = 100
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

WEB_APPLICATION = "services.web:create_app()"
WEB_THREADS = 16

READY_SECONDS = 30.0
# Both together stay under five seconds; gunicorn itself gives open requests three.
WEB_STOP_SECONDS = 3.4
SERVERS_STOP_SECONDS = 1.2


class Stopped(BaseException):
    """Somebody asked us to stop. A BaseException: nothing on the way takes it for an error."""


def undisturbed() -> None:
    """Lets no further signal disturb the stopping, which takes five seconds at most."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)


@contextlib.contextmanager
def stoppable() -> Iterator[None]:
    """Turns the first signal to stop into Stopped."""

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        del frame
        undisturbed()
        raise Stopped(number)

    before = {number: signal.getsignal(number) for number in STOPPING}
    for number in STOPPING:
        # Under nohup SIGHUP stays ignored. SIGINT is ignored in what a script starts with `&`, and
        # whoever sends one all the same means it.
        if number != signal.SIGHUP or before[number] != signal.SIG_IGN:
            signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def listen(port: int | None) -> socket.socket:
    """Takes the port asked for, or the first free one, before anything is started."""
    ports = [port] if port else range(FIRST_PORT, FIRST_PORT + PORTS_TRIED)
    for number in ports:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, number))
            listener.listen(128)
        except OSError as error:
            listener.close()
            why = error.strerror
        else:
            return listener
    if port:
        raise CannotServe(
            f"port {port} cannot be used ({why}). Choose another with --port, "
            "or leave the port out to get a free one."
        )
    raise CannotServe(f"no port from {FIRST_PORT} to {ports[-1]} is free; choose one with --port.")


def start_web(
    settings: Settings, servers: EmbeddedServers, listener: socket.socket, application: str
) -> Child:
    """Starts the web process on a socket that is open already, so no other can take the port."""
    command = python("-m", "gunicorn", application)
    command += ["--bind", f"fd://{listener.fileno()}", "--chdir", str(ROOT)]
    command += ["--worker-class", "gthread", "--threads", str(WEB_THREADS)]
    command += ["--graceful-timeout", "3", "--no-control-socket", "--log-level", "warning"]
    environment = {
        **os.environ,
        "HEGEMON_DATA": str(settings.data),
        "HEGEMON_LEDGER_URL": servers.ledger_url,
        "HEGEMON_JOBS_URL": servers.jobs_url,
    }
    return Child(
        "web",
        command,
        folder=ROOT,
        environment=environment,
        descriptors=[listener.fileno()],
    )


def answers(port: int) -> bool:
    """Says whether something speaks HTTP there."""
    connection = http.client.HTTPConnection(HOST, port, timeout=2.0)
    try:
        connection.request("GET", "/", headers={"Connection": "close"})
        connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True


def wait_for_web(web: Child, port: int) -> None:
    """Waits until the web process answers."""
    until = time.monotonic() + READY_SECONDS
    while not answers(port):
        if how := web.ended():
            raise CannotServe(f"the web process did not start ({how}); its own words are above.")
        if time.monotonic() > until:
            raise CannotServe(f"the web process does not answer within {READY_SECONDS:.0f} s.")
        time.sleep(0.05)


def watch(servers: EmbeddedServers, web: Child) -> NoReturn:
    """Runs until a process ends that should not, or until Stopped comes from outside."""
    while True:
        if how := web.ended():
            raise CannotServe(f"the web process ended ({how}); everything else was stopped.")
        if what := servers.ended():
            raise CannotServe(f"{what}. Everything else was stopped.")
        time.sleep(0.25)


def prepare(data: Path) -> None:
    """Puts the sample match into a new data folder."""
    from services.sample import ensure_sample

    ensure_sample(data)


def serve(settings: Settings, application: str) -> None:
    """Starts everything, says so once, and runs; ends only by an exception."""
    servers = EmbeddedServers(settings.data)
    web = None
    with listen(settings.port) as listener:
        port = listener.getsockname()[1]
        try:
            servers.start()
            prepare(settings.data)
            web = start_web(settings, servers, listener, application)
            listener.close()  # a web process that has ended must not seem to listen
            wait_for_web(web, port)
            print(
                f"Hegemon is ready: http://{HOST}:{port}/  "
                f"(Ctrl-C stops it; data in {settings.data})",
                flush=True,
            )
            watch(servers, web)
        finally:
            undisturbed()
            if web:
                web.ask_to_stop()
                web.wait(time.monotonic() + WEB_STOP_SECONDS)
            servers.stop(SERVERS_STOP_SECONDS)


def run_up(settings: Settings, application: str = WEB_APPLICATION) -> int:
    """Runs the whole of Hegemon until it is stopped; gives the exit code."""
    with stoppable():
        try:
            serve(settings, application)
        except Stopped:
            return 0
        except CannotServe as error:
            print(f"hegemon: {error}", file=sys.stderr, flush=True)
            return error.exit_code
    return 0
