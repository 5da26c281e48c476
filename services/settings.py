"""What an operator can set: read once from the environment, checked, and then handed around."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class BadSetting(ValueError):
    """A value that cannot be used; the text names the variable or option and what it takes."""


def checkout_data() -> Path:
    """The data folder where nothing is said.

    It is in the checkout or, where the package was installed without one, where the user stands.
    """
    home = ROOT if (ROOT / "pyproject.toml").is_file() else Path.cwd()
    return home / ".hegemon" / "data"


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set, with its default."""

    data: Path  # absolute
    port: int | None = None  # None: the first free one from 8000 on
    redis_url: str | None = None  # a server of the operator's own
    ledger_url: str | None = None  # set by `up` for the processes that it starts
    jobs_url: str | None = None  # what may be lost: snapshots and jobs
    unsafe: bool = False  # go on with a server whose settings would lose events


def read_port(text: str, source: str) -> int:
    """Reads a port number."""
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= 65535):
        raise BadSetting(f"{source} must be a port number from 1 to 65535, not {text!r}.")
    return int(text)


def read_url(text: str, source: str) -> str:
    """Reads the address of a Redis or Valkey server; it may hold a password and is never shown."""
    if not text.startswith(("redis://", "rediss://", "unix://")):
        raise BadSetting(f"{source} must begin with redis://, rediss:// or unix://.")
    return text


def read_switch(text: str, source: str) -> bool:
    """Reads whether something is wanted."""
    if text not in ("0", "1"):
        raise BadSetting(f"{source} must be 1 or 0, not {text[:40]!r}.")
    return text == "1"


def read_folder(text: str, source: str) -> Path:
    """Reads the name of a folder that exists or can be made."""
    try:
        folder = Path(text).expanduser().absolute()
    except RuntimeError as reason:
        raise BadSetting(f"{source} cannot be {text!r}: {reason}") from None
    if folder.exists() and not folder.is_dir():
        raise BadSetting(f"{source} must name a folder, and {text!r} is something else.")
    return folder


def read_settings(
    environment: Mapping[str, str] | None = None,
    *,
    data: str | None = None,
    port: str | None = None,
    unsafe: bool = False,
) -> Settings:
    """Reads the settings: an option of the command line wins over its variable."""
    found = {
        name: value
        for name, value in (os.environ if environment is None else environment).items()
        if name.startswith("HEGEMON_") and value
    }
    url = {name: read_url(found[name], name) for name in found if name.endswith("_URL")}
    folder = read_folder(found["HEGEMON_DATA"], "HEGEMON_DATA") if "HEGEMON_DATA" in found else None
    number = read_port(found["HEGEMON_PORT"], "HEGEMON_PORT") if "HEGEMON_PORT" in found else None
    return Settings(
        data=read_folder(data, "--data") if data else folder or checkout_data(),
        port=read_port(str(port), "--port") if port is not None else number,
        redis_url=url.get("HEGEMON_REDIS_URL"),
        ledger_url=url.get("HEGEMON_LEDGER_URL"),
        jobs_url=url.get("HEGEMON_JOBS_URL"),
        unsafe=unsafe or read_switch(found.get("HEGEMON_UNSAFE", "0"), "HEGEMON_UNSAFE"),
    )
