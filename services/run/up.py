"""`hegemon up`: starts the service's servers and processes, and stops them at Ctrl-C."""

import contextlib
import http.client
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from types import FrameType
from typing import NoReturn

from ledger.log.stores.protocol import DamagedLog, Unavailable
from services.keep.file_import import in_files, move_in
from services.run.children import Child, python
from services.run.programs import CannotServe
from services.run.servers import EmbeddedServers
from services.run.settings import ROOT, Settings

HOST = "127.0.0.1"
FIRST_PORT = 8000
PORTS_TRIED = 100
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

WEB_APPLICATION = "services.web:create_app()"

EXIT_DAMAGED = 4
MANY = 200  # matches that take more than a moment to move

READY_SECONDS = 120.0  # a web process that ends is noticed at once; this one is only slow
NAMES = ("projector", "steward", "courier", "checkpointer")
RESTARTS = 5  # kill -9 does projector and steward no harm
# Play goes on without these, so they are started again however often they end.
PAUSE_SECONDS = {"courier": 5.0, "checkpointer": 30.0, "worker": 1.0}
RESTARTS_SECONDS = 60.0  # a process that ends too often within this time is given up
# Both together stay under five seconds; gunicorn itself gives open requests three.
PROCESSES_STOP_SECONDS = 3.4
SERVERS_STOP_SECONDS = 1.2


class StopRequested(BaseException):
    """A stop was requested. A BaseException, so that no code on the way handles it as an error."""


def ignore_signals() -> None:
    """Ignores further signals while stopping, which takes five seconds at most."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)


@contextlib.contextmanager
def stoppable() -> Iterator[None]:
    """Turns the first signal to stop into Stopped."""

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        del frame
        ignore_signals()
        raise StopRequested(number)

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
    """Binds the requested port, or the first free one, before anything is started."""
    ports = [port] if port else range(FIRST_PORT, FIRST_PORT + PORTS_TRIED)
    for number in ports:
        try:
            return socket.create_server((HOST, number), backlog=128)
        except OSError as error:
            why = os.strerror(error.errno or 0)
    if port:
        raise CannotServe(
            f"port {port} cannot be used ({why}). Choose another with --port, "
            "or leave the port out to get a free one."
        )
    raise CannotServe(f"no port from {FIRST_PORT} to {ports[-1]} is free; choose one with --port.")


def environment_of(settings: Settings) -> dict[str, str]:
    """Returns the environment of our processes, which names the servers of this `up`."""
    ours = {
        "HEGEMON_DATA": str(settings.data),
        "HEGEMON_LEDGER_URL": settings.ledger_url or "",
        "HEGEMON_JOBS_URL": settings.jobs_url or "",
        "HEGEMON_LOG": os.environ.get("HEGEMON_LOG") or "short",  # somebody reads it
    }
    return {**os.environ, **ours, "HEGEMON_REDIS_URL": "", "HEGEMON_UNSAFE": ""}


class Process:
    """One of our processes. If it ends, it is started again, or everything ends."""

    def __init__(
        self, start: Callable[[], Child], *, restarts: int = 0, pause: float = 0.0
    ) -> None:
        """Starts the process, and gives up after `restarts` ends within a while.

        With a `pause` it never gives up: it starts the process again so many seconds after each
        end.
        """
        self._start = start
        self._restarts = restarts
        self._pause = pause
        self._due = 0.0  # when it is started again, where it waits for that
        self._ends: list[float] = []
        self.child = start()

    def look(self) -> None:
        """Restarts the process if it has ended; raises CannotServe if that does not help."""
        how = self.child.ended()
        if how is None:
            return
        now = time.monotonic()
        if not self._due:
            self._ends = [when for when in self._ends if now - when < RESTARTS_SECONDS] + [now]
            ended = f"the {self.child.name} process ended ({how})"
            if not self._pause and len(self._ends) > self._restarts:
                raise CannotServe(f"{ended}; everything else was stopped.")
            again = "starting it again in a moment" if self._pause else "starting it again"
            print(f"hegemon: {ended}; {again}.", file=sys.stderr, flush=True)
            self._due = now + self._pause
        if now >= self._due:
            self.child.wait(now)  # what it has left behind
            self.child, self._due = self._start(), 0.0


def start_web(settings: Settings, listener: socket.socket, application: str) -> Child:
    """Starts the web process on a socket already open, so that no other can take the port."""
    command = python("-m", "gunicorn", "--config", "python:services.web.server.config", application)
    command += ["--bind", f"fd://{listener.fileno()}", "--chdir", str(ROOT)]
    return Child(
        "web",
        command,
        folder=ROOT,
        environment=environment_of(settings),
        descriptors=[listener.fileno()],
    )


def start_process(name: str, settings: Settings) -> Child:
    """Starts one of the processes in `services`; a worker without the keys it does not need."""
    environment = environment_of(settings)
    if name == "worker":
        for key in ("HEGEMON_WEBHOOK_KEY", "HEGEMON_METRICS_TOKEN", "HEGEMON_SIGNING_KEY"):
            environment.pop(key, None)
    return Child(name, python("-m", f"services.{name}"), folder=ROOT, environment=environment)


def answers(port: int) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=2.0)
    try:
        connection.request("GET", "/health", headers={"Connection": "close"})
        connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True


def wait_for_web(web: Child, port: int) -> None:
    until = time.monotonic() + READY_SECONDS
    while not answers(port):
        if how := web.ended():
            raise CannotServe(f"the web process did not start ({how}); its output is above.")
        if time.monotonic() > until:
            raise CannotServe(f"the web process does not answer within {READY_SECONDS:.0f} s.")
        time.sleep(0.05)


def watch(servers: EmbeddedServers, processes: Sequence[Process]) -> NoReturn:
    """Runs until a process ends that should not, or until Stopped is raised."""
    while True:
        for process in processes:
            process.look()
        if what := servers.ended():
            raise CannotServe(f"{what}. Everything else was stopped.")
        time.sleep(0.25)


def list_embedded_servers(settings: Settings) -> tuple[str, ...]:
    """Returns the servers to run ourselves: those that the operator has not named."""
    if settings.redis_url is None:
        return ("ledger", "jobs")
    return ("jobs",) if settings.jobs_url is None else ()


def name_servers(settings: Settings, servers: EmbeddedServers) -> Settings:
    """Returns the settings with the URLs of all servers, our own among them."""
    return replace(
        settings,
        ledger_url=settings.redis_url or servers.ledger_url,
        jobs_url=servers.jobs_url if "jobs" in servers.names else settings.jobs_url,
    )


def prepare(settings: Settings) -> str | None:
    """Checks the servers, and prepares their data, before anything else is started.

    Returns the words of the pass that makes its user the organizer, if there is none yet.
    """
    from services.matches.club import Club, founders_link
    from services.matches.samples import ensure_samples
    from services.run.stores import check_guard, connect_to_server, sound_connection, store_on

    assert settings.ledger_url is not None, "the servers are named"
    assert settings.jobs_url is not None, "the servers are named"
    if settings.redis_url is not None:
        connection = sound_connection(settings.redis_url, unsafe=settings.unsafe)
        connect_to_server(settings.jobs_url, "HEGEMON_JOBS_URL").close()
    else:
        connection = connect_to_server(settings.ledger_url, str(settings.data))
    try:
        check_guard(connection, settings.data)
        store = store_on(connection, None, connection.address)
        if (waiting := in_files(settings.data)) > MANY:
            print(f"hegemon: moving {waiting} matches into the server ...", file=sys.stderr)
        for said in move_in(settings.data, store).lines(settings.data):
            print(f"hegemon: {said}", file=sys.stderr, flush=True)
        ensure_samples(store, settings.data)
        return founders_link(Club(store))
    except Unavailable as why:
        raise CannotServe(f"the ledger's server does not answer: {why}") from None
    except DamagedLog as why:
        raise CannotServe(str(why), EXIT_DAMAGED) from None
    finally:
        connection.close()


def link_on(address: str, words: str) -> str:
    """Returns the one-time address that signs a person in."""
    return f"{address}/welcome/{words}"


def serve(settings: Settings, application: str) -> None:
    """Starts everything, announces it once, and runs; ends only by an exception."""
    servers = EmbeddedServers(settings.data, list_embedded_servers(settings))
    processes: list[Process] = []
    with listen(settings.port) as listener:
        port = listener.getsockname()[1]
        try:
            servers.start()
            settings = name_servers(settings, servers)
            founder = prepare(settings)
            servers.announce(port)
            # The web process has the port, which is let go of below: it is not started again.
            web = Process(partial(start_web, settings, listener, application))
            processes.append(web)
            for name in (*NAMES, *["worker"] * settings.workers):
                start = partial(start_process, name, settings)
                pause = PAUSE_SECONDS.get(name, 0.0)
                processes.append(Process(start, restarts=RESTARTS, pause=pause))
            listener.close()  # a web process that has ended must not seem to listen
            wait_for_web(web.child, port)
            print(
                f"Hegemon is ready: http://{HOST}:{port}/  "
                f"(Ctrl-C stops it; data in {settings.data})",
                flush=True,
            )
            if founder is not None:
                link = link_on(settings.public_url or f"http://{HOST}:{port}", founder)
                print(f"The first person to open this link runs the club: {link}", flush=True)
            watch(servers, processes)
        finally:
            ignore_signals()
            for process in processes:
                process.child.ask_to_stop()
            until = time.monotonic() + PROCESSES_STOP_SECONDS
            for process in processes:
                process.child.wait(until)
            servers.stop(SERVERS_STOP_SECONDS)


def run_up(settings: Settings, application: str = WEB_APPLICATION) -> int:
    """Runs Hegemon until it is stopped; returns the exit code."""
    with stoppable():
        try:
            serve(settings, application)
        except StopRequested:
            return 0
        except CannotServe as error:
            print(f"hegemon: {error}", file=sys.stderr, flush=True)
            return error.exit_code
    return 0
