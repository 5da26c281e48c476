"""The job that makes replays: from a match to the document that pages, files and programs
read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Final, Literal, TypeAlias

from ledger.log.stores.protocol import Store
from replays.deals.statements import deals_of, pack_deals_report
from replays.document.builder import build
from replays.document.report import text
from replays.document.spreadsheet import csv
from replays.document.structs import Replay, ndjson, pack_replay
from replays.walk import Progress

from .results import DAY, WantedOfMatch, unseen

GOING_ON_SECONDS: Final = 600

Form: TypeAlias = Literal["json", "ndjson", "txt", "csv", "deals"]


class WantedReplay(WantedOfMatch, frozen=True, kw_only=True):
    """A replay in one form."""

    kind: ClassVar[str] = "replay"
    edition: str = ""  # empty: as it was played
    viewpoints: tuple[str, ...] = ()  # through which eyes the asker may look
    why_not: str = ""  # and why not through others
    form: Form = "json"
    over: bool = False  # nothing comes after that event

    @property
    def seconds(self) -> int:
        """Returns how long to keep it: briefly for a running match, since each event makes
        another.
        """
        return DAY if self.over else GOING_ON_SECONDS

    def make(self, store: Store, progress: Progress = unseen) -> bytes:
        """Makes the replay in the requested form, which may be its deals only."""
        history = self.history(store)
        if self.form == "deals":
            return pack_deals_report(deals_of(history, self.eyes, progress))
        replay = build(
            history,
            self.eyes,
            self.edition or None,
            viewpoints=self.viewpoints,
            why_not=self.why_not,
            progress=progress,
        )
        return FORMS[self.form](replay)


FORMS: Final[Mapping[Form, Callable[[Replay], bytes]]] = {
    "json": pack_replay,
    "ndjson": lambda replay: b"".join(ndjson(replay)),
    "txt": lambda replay: text(replay).encode(),
    "csv": lambda replay: csv(replay).encode(),
}
