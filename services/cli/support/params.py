"""Option and argument types that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import click

from ledger.kernel.audience import Viewer
from ledger.kernel.ruleset import PRINTED

from .output import JSON

NAME_MAX: Final = 80
TEXT_MAX: Final = 500  # an event takes 64 KB; a title or a reason is a sentence


class ViewerType(click.ParamType[Any]):
    """A seat's number, `spectator` or, where a command takes it, `all`."""

    name = "viewer"

    def __init__(self, *, all_eyes: bool = False) -> None:
        self._all = all_eyes

    def convert(self, value: Any, param: Any, ctx: Any) -> Viewer | str:
        if value in (None, "spectator"):
            return None
        if self._all and value == "all":
            return "all"
        text = str(value)
        if text.isdecimal() and text.isascii() and len(text) < 4:
            return int(text)
        known = "a seat's number, spectator or all" if self._all else "a seat's number or spectator"
        return self.fail(f"{text[:40]!r} is not {known}", param, ctx)


class TextType(click.ParamType[str]):
    """A text for the log: of limited length, on one line, valid Unicode."""

    name = "text"

    def __init__(self, most: int = TEXT_MAX, least: int = 0) -> None:
        self._most = most
        self._least = least

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        text = str(value)
        if len(text) > self._most:
            self.fail(
                f"it has {len(text):,} characters, but at most {self._most} are allowed", param, ctx
            )
        if len(text) < self._least:
            self.fail("it is empty", param, ctx)
        try:
            text.encode()
        except UnicodeEncodeError:
            self.fail(f"{text[:40]!r} is not valid Unicode", param, ctx)
        if any(ord(sign) < 32 or ord(sign) == 127 for sign in text):
            self.fail(f"{text[:40]!r} contains control characters", param, ctx)
        return text


class SecondsType(click.ParamType[float]):
    """A number of seconds from 0.1 to 86400."""

    name = "seconds"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        """Refuses anything else, `nan` included."""
        try:
            seconds = float(value)
        except ValueError:
            seconds = 0.0
        if not 0.1 <= seconds <= 86_400:
            message = f"{str(value)[:40]!r} is not a number of seconds from 0.1 to 86400"
            self.fail(message, param, ctx)
        return seconds


Command = Callable[..., Any]
Adding = Callable[[Command], Command]  # what `click.option` returns


def together(*options: Adding) -> Adding:
    """Returns a decorator that adds several options, in this order."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def several(flag: str, name: str, metavar: str, help: str, **more: Any) -> Adding:
    """Adds an option that may be given several times."""
    return click.option(flag, name, metavar=metavar, multiple=True, help=help, **more)


def seed_option(help: str, default: int | None = None) -> Adding:
    """Adds an option for a number that everything is drawn from."""
    kind = click.IntRange(0, (1 << 53) - 1)
    shown = default is not None
    return click.option(
        "--seed", metavar="S", type=kind, default=default, show_default=shown, help=help
    )


def json_option(help: str = "Print JSON, for tools.") -> Adding:
    """Adds `--json`, which `show` reads from the context."""

    def note(context: click.Context, _: click.Parameter, value: Any) -> None:
        context.meta[JSON] = value

    return click.option("--json", is_flag=True, expose_value=False, callback=note, help=help)


def is_given(name: str) -> bool:
    """Tells whether a parameter of the command was given, rather than left at its default."""
    source = click.get_current_context().get_parameter_source(name)
    return source is click.core.ParameterSource.COMMANDLINE


unsafe_option = click.option(
    "--unsafe",
    is_flag=True,
    help="Use your own server although its settings could lose events (or HEGEMON_UNSAFE=1).",
)
as_json_option = json_option()
html_option = click.option("--html", metavar="OUT", help="Write a page that opens from a disk.")
force_option = click.option("--force", is_flag=True, help="Overwrite an existing file.")
reason_option = click.option(
    "--reason", metavar="TEXT", type=TextType(least=1), help="The reason. The log records it."
)
consent_option = several(
    "--consent", "consents", "N", "A seat that agrees. May be given several times.", type=int
)
title_option = click.option(
    "--title", type=TextType(), default="", help="A title, for people.", metavar="TEXT"
)


def as_option(*, all_eyes: bool = False, help: str = "") -> Adding:
    """Adds `--as`, the option that names the viewer."""
    others = ", spectator (the default) or all" if all_eyes else " or spectator (the default)"
    return click.option(
        "--as",
        "viewer",
        metavar="VIEWER",
        type=ViewerType(all_eyes=all_eyes),
        help=help or f"The viewer: a seat's number{others}.",
    )


# The options that describe a new match.
plan_options = together(
    click.option(
        "--seats",
        metavar="N",
        type=click.IntRange(1, 99),
        help="The number of players; else 2, or as many as the game allows.",
    ),
    title_option,
    several(
        "--option",
        "option_words",
        "NAME=VALUE",
        "A variant. May be given several times. `hegemon rules RULESET` lists them as readings.",
    ),
    click.option(
        "--edition",
        metavar="NAME",
        default=PRINTED,
        show_default=True,
        help="The edition of the rules: printed, or up to an erratum.",
    ),
    click.option(
        "--overlay",
        metavar="DIR",
        help="A folder of TOML tables that change or add rows of the printed content.",
    ),
    several(
        "--erratum",
        "erratum_files",
        "FILE",
        "An erratum of the club, added to the edition. May be given several times.",
    ),
)
