"""The operator's settings: read once from the environment, checked, and passed on."""

import ipaddress
import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[2]

HOST = re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:.]+\])")


class BadSetting(ValueError):
    """A value that cannot be used. The text names the variable or option and what it accepts."""


def default_data(environment: Mapping[str, str], root: Path = ROOT) -> Path:
    """Returns the data folder of the checkout, or else the user's, wherever a command is run."""
    if (root / "pyproject.toml").is_file():
        return root / ".hegemon" / "data"
    try:
        if sys.platform == "darwin":
            return Path("~/Library/Application Support/hegemon").expanduser()
        shared = Path(environment.get("XDG_DATA_HOME", ""))
        if not shared.is_absolute():  # as its specification says
            shared = Path("~/.local/share").expanduser()
    except RuntimeError:
        raise BadSetting("This user has no home folder: give --data or HEGEMON_DATA.") from None
    return shared / "hegemon"


@dataclass(frozen=True, slots=True)
class Settings:
    data: Path  # absolute
    port: int | None = None  # None: the first free one from 8000 on
    redis_url: str | None = None  # a server of the operator's own
    ledger_url: str | None = None  # set by `up` for the processes that it starts
    jobs_url: str | None = None  # what may be lost: snapshots and jobs
    unsafe: bool = False  # go on with a server whose settings would lose events
    public_url: str | None = None  # where people reach the pages: scheme, host, port
    live_places: int = 400  # of those who watch matches live, in one process
    workers: int = 1  # processes of an `up` that do jobs
    live_person: int = 12  # places of one person
    live_address: int = 100  # places of all at one address who are not signed in
    request_seconds: int = 10  # until a request has to be there whole
    proxies: int = 0  # how many stand before us and say for whom they ask
    # Networks that webhooks may go to although they are not public.
    webhook_networks: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...] = ()
    webhook_key: bytes | None = field(default=None, repr=False)  # None: the data folder has it
    signing_key: str | None = field(default=None, repr=False)  # None: the data folder has it
    limits: int = 1  # how often somebody may ask, in times of what is usual; 0: as they like
    log: str = "json"  # how requests are logged: json, short, quiet
    metrics_token: str | None = field(default=None, repr=False)  # who shows it reads the figures


def read_url(text: str, source: str) -> str:
    """Reads a Redis or Valkey server's URL. It may contain a password and is never shown."""
    if text.startswith(("redis+cluster://", "rediss+cluster://")):
        if source == "HEGEMON_JOBS_URL":
            raise BadSetting(f"{source} must be one server: jobs do not run on a cluster.")
        return text
    if not text.startswith(("redis://", "rediss://", "unix://")):
        known = "redis://, rediss://, unix:// or redis+cluster://"
        raise BadSetting(f"{source} must begin with {known}.")
    return text


def read_public_url(text: str, source: str) -> str:
    """Reads the pages' public URL, with nothing after the host and port."""
    wanted = f"{source} must be http://HOST or https://HOST, with an optional :PORT."
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise BadSetting(wanted) from None
    host = parts.hostname or ""
    plain = f"{parts.scheme}://[{host}]" if ":" in host else f"{parts.scheme}://{host}"
    said = plain if port is None else f"{plain}:{port}"
    # The parsed parts must give the text again: nothing stands before the host or behind it.
    if not HOST.fullmatch(plain) or text.lower().removesuffix("/") != said:
        raise BadSetting(wanted)
    return plain if port == {"http": 80, "https": 443}[parts.scheme] else said


def read_number(text: str, source: str, most: int, least: int = 0, wanted: str = "") -> int:
    short = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    if not (short and least <= int(text) <= most):
        wanted = wanted or f"a number from {least} to {most}"
        raise BadSetting(f"{source} must be {wanted}, not {text[:40]!r}.")
    return int(text)


def read_port(text: str, source: str) -> int:
    return read_number(text, source, 65_535, 1, "a port number from 1 to 65535")


def read_word(text: str, source: str, known: tuple[str, ...]) -> str:
    if text not in known:
        raise BadSetting(f"{source} must be {' or '.join(known)}, not {text[:40]!r}.")
    return text


def read_networks(
    text: str, source: str
) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
    """Reads a comma-separated list of networks."""
    try:
        return tuple(ipaddress.ip_network(one.strip()) for one in text.split(",") if one.strip())
    except ValueError as reason:
        raise BadSetting(f"{source} must be networks like 10.1.0.0/16: {reason}.") from None


def read_key(text: str, source: str) -> bytes:
    """Reads a key, which is never shown in messages."""
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != 32:
        raise BadSetting(f"{source} must be 64 hexadecimal digits.")
    return key


def read_limits(text: str, source: str) -> int:
    """Reads the factor on the usual request limits; 0 means off."""
    if text in ("on", "off"):
        return int(text == "on")
    return read_number(text, source, 10**7, 1, "on, off, or a factor for the usual limits")


def read_folder(text: str, source: str) -> Path:
    """Reads the path of a folder that exists or can be made."""
    try:
        folder = Path(text).expanduser().absolute()
    except RuntimeError as reason:
        raise BadSetting(f"{source} cannot be {text!r}: {reason}") from None
    if folder.exists() and not folder.is_dir():
        raise BadSetting(f"{source} must name a folder, but {text!r} is not one.")
    return folder


# Each setting and its reader; HEGEMON_ and the name in capitals is its variable.
READERS: Mapping[str, Callable[[str, str], Any]] = {
    "redis_url": read_url,
    "ledger_url": read_url,
    "jobs_url": read_url,
    "data": read_folder,
    "port": read_port,
    "live_places": partial(read_number, most=10_000),
    "live_person": partial(read_number, most=10_000),
    "live_address": partial(read_number, most=10_000),
    "request_seconds": partial(read_number, most=600, least=1),
    "unsafe": lambda text, source: read_word(text, source, ("1", "0")) == "1",
    "public_url": read_public_url,
    "workers": partial(read_number, most=64),
    "proxies": partial(read_number, most=10),
    "webhook_networks": read_networks,
    "webhook_key": read_key,
    "signing_key": lambda text, _: text,
    "limits": read_limits,
    "log": partial(read_word, known=("json", "short", "quiet")),
    "metrics_token": lambda text, _: text,
}


def read_settings(
    environment: Mapping[str, str] | None = None,
    *,
    data: str | None = None,
    port: str | None = None,
    unsafe: bool = False,
) -> Settings:
    """Reads the settings. A command-line option overrides its variable."""
    given = os.environ if environment is None else environment
    values: dict[str, Any] = {}
    for name, read in READERS.items():
        variable = f"HEGEMON_{name.upper()}"
        if text := given.get(variable):
            values[name] = read(text, variable)
    if data:
        values["data"] = read_folder(data, "--data")
    if port is not None:
        values["port"] = read_port(port, "--port")
    if unsafe:
        values["unsafe"] = True
    if "data" not in values:
        values["data"] = default_data(given)
    return Settings(**values)
