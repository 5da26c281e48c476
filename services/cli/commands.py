"""The entry point: the group of commands, which turns every failure into an exit code."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, Final

import click
from click.shell_completion import shell_complete

from services.cli.support.exits import INTERRUPTED, UNREADABLE, report_failure
from services.cli.support.output import LINE_MAX, say
from services.cli.support.params import SecondsType, unsafe_option
from services.run import __version__
from services.run.cpu_limit import OutOfTime, time_limit

from . import (
    audit,
    bundles,
    deals,
    dice,
    disputes,
    enter,
    heads,
    jobs,
    let_in,
    matches,
    parked,
    replay,
    rewind,
    rules,
    run,
    show,
    store,
)
from .errata import compare, files, reproject

# In the order in which a newcomer may need them.
SECTIONS: Final = {
    "Start here": (*run.COMMANDS, *matches.BOT_COMMANDS, *rules.COMMANDS),
    "Play a match": (*matches.COMMANDS, *enter.COMMANDS, *rewind.COMMANDS),
    "Look at matches and bundles": (*show.COMMANDS, *replay.COMMANDS, *deals.COMMANDS),
    "Bundles": (*bundles.COMMANDS, *audit.COMMANDS, *heads.COMMANDS, *dice.COMMANDS),
    "Disputes": disputes.COMMANDS,
    "Other rules": (reproject.reproject, files.errata, *compare.COMMANDS, files.edition),
    "Keep the ledger": (*store.COMMANDS, *parked.COMMANDS, *let_in.COMMANDS, *jobs.COMMANDS),
    "Measure": run.MEASURING,
}

EXAMPLES: Final = (
    "hegemon play tictactoe --seed 7 --out match.hgm    two bots play, into a file",
    "hegemon tell match.hgm                             what happened, in sentences",
    "hegemon verify match.hgm                           is the bundle sound?",
    "hegemon replay match.hgm --html match.html         a page that opens from a disk",
    "hegemon new tictactoe --player Ann --player Bob    a match of your own; prints its id",
    "hegemon options MATCH                              the decisions you can make now",
    "hegemon decide MATCH 0 mark cell=4                 decide for seat 0",
)

EXIT_CODES: Final = (
    "0 done, 1 refused, 2 usage or unreadable input, 3 not anchored, 4 tampered with or damaged,",
    "5 rules not known here, 6 a bug in Hegemon, 7 the machine lacks something, 8 it differs.",
)


class Sections(click.Group):
    """A command group that lists its commands by purpose and suggests a near name."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        for title, commands in SECTIONS.items():
            rows = [(str(one.name), one.get_short_help_str(70)) for one in commands]
            with formatter.section(title):
                formatter.write_dl(rows, col_max=12)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        for title, lines in (("Examples", EXAMPLES), ("Exit codes", EXIT_CODES)):
            with formatter.section(title):
                for line in lines:
                    formatter.write(f"  {line}\n")

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolves a command; for an unknown name it suggests the nearest one."""
        name = args[0]
        known = self.get_command(ctx, name) is not None or name.startswith("-")
        if not known and not ctx.resilient_parsing:
            near = get_close_matches(name, self.list_commands(ctx), 1)
            meant = f" Did you mean {near[0]}?" if near else ""
            ctx.fail(f"There is no command {name[:40]!r}.{meant}")
        return super().resolve_command(ctx, args)


@click.group(
    name="hegemon",
    cls=Sections,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--data", metavar="DIR", help="The data folder (else HEGEMON_DATA, else the checkout's)."
)
@click.option(
    "--time-limit",
    metavar="SECONDS",
    type=SecondsType(),
    default=600.0,
    show_default=True,
    help="Stop a command that takes longer; those that may take hours have no limit.",
)
@unsafe_option
@click.version_option(__version__)
def cli(data: str | None, time_limit: float, unsafe: bool) -> None:
    """Hegemon: an event-sourced game ledger with replay.

    Every decision of a match is kept in a log that can be told, drawn, checked and played on from
    any event. MATCH is the id of a match in the store, or a bundle file (.hgm); where a command
    says FILE it takes a bundle only. `hegemon COMMAND --help` describes each command.
    """
    del data, time_limit, unsafe  # read where they are needed, from the context


COMPLETE: Final = "_HEGEMON_COMPLETE"
CHECKOUT_ONLY: Final = ("test", "bench", "regenerate", "rules-table")  # they have no data folder


def _override(context: click.Context, option: click.Parameter, value: Any) -> None:
    if value is not None:
        context.find_root().params[str(option.name)] = value


def _limit(context: click.Context, option: click.Parameter, value: float | None) -> None:
    _override(context, option, value)
    root = context.find_root()
    if context.command.name not in run.ENDLESS and not context.resilient_parsing:
        root.with_resource(time_limit(root.params["time_limit"]))


def _options_again(command: click.Command) -> list[click.Option]:
    """Returns the group's options, which are taken behind a command's name too."""
    hidden: dict[str, Any] = {"hidden": True, "expose_value": False, "default": None}
    hidden["help"] = "The same as before the command."
    again = [
        click.Option(["--data"], callback=_override, **hidden),
        click.Option(["--unsafe"], callback=_override, is_flag=True, **hidden),
        # Eager: what is read for another option takes its time too.
        click.Option(
            ["--time-limit"], callback=_limit, type=SecondsType(), is_eager=True, **hidden
        ),
    ]
    own = {option.name for option in command.params}
    return [option for option in again if option.name not in own]


for _commands in SECTIONS.values():
    for _command in _commands:
        # Docstrings are raw; a backspace before a paragraph tells click to leave its lines alone.
        _command.help = (_command.help or "").replace(r"\b", "\b")
        if _command.name not in CHECKOUT_ONLY:
            _command.params += _options_again(_command)
        cli.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command. Any failure becomes one line on stderr and an exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    _take_any_letter()
    if arguments is None and COMPLETE in os.environ:
        return shell_complete(cli, {}, "hegemon", COMPLETE, os.environ[COMPLETE])
    try:
        return _run(words)
    except click.exceptions.NoArgsIsHelpError as failure:
        click.echo(failure.format_message())
        return UNREADABLE
    except click.UsageError as failure:
        path = failure.ctx.command_path if failure.ctx else "hegemon"
        say(f"{failure.format_message()[: LINE_MAX - 80]} ({path} --help says more)")
        return UNREADABLE
    except click.ClickException as failure:
        failure.show()
        return failure.exit_code
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except (click.exceptions.Abort, KeyboardInterrupt):
        say("stopped")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has closed it, so nothing more can be printed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (Exception, OutOfTime) as failure:  # noqa: BLE001 - the one place for all failures
        return report_failure(failure)


def _run(words: list[str]) -> int:
    if any("\0" in word for word in words):
        raise click.UsageError("an argument has a NUL byte in it")
    with cli.make_context("hegemon", words) as context:
        code = cli.invoke(context)
    return code if isinstance(code, int) else 0


def _take_any_letter() -> None:
    """Makes the output show escapes for characters that the terminal cannot encode."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
