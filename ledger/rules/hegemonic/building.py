"""BUILD: stub."""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.records import Decision, Happenings
from ledger.kernel.refusals import Refused

from .acting import Action
from .state import Galaxy
from .unwritten import unwritten


class StartBuild(Decision, tag="turn.start-build"):
    """Begin to build."""


class BuildAction(Action):
    """`build.by-card`: not written yet."""

    listed: ClassVar[str] = "build"

    def check(self, galaxy: Galaxy) -> None:
        """Not offered while it is a stub."""
        raise Refused("not_allowed", "build.by-card", "BUILD is not written yet.")

    def run(self, galaxy: Galaxy) -> Happenings:
        """Loudly."""
        return unwritten("BUILD")
