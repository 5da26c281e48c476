"""No peeking in replays: a secret makes no difference to the document of who may not know it."""

from __future__ import annotations

import msgspec
import pytest

from ledger.games import ruleset
from ledger.kernel.audience import ALL_SEATS, Viewer, view
from ledger.kernel.match import Match
from ledger.log.read.history import History
from ledger.log.stores.protocol import Store
from replays.document.builder import build
from replays.document.report import text
from replays.document.spreadsheet import csv
from replays.document.structs import Replay, ndjson, pack_replay
from tests.support.web.pairs import KINDS as ALL_KINDS
from tests.support.web.pairs import Twins, twins

pytestmark = pytest.mark.long

HEAD = "0" * 64
KINDS = [kind for kind in ALL_KINDS if kind != "whispering"]  # talk is in no replay


def document(store: Store, match: str, viewer: Viewer) -> Replay:
    """The document, but for the head, which hangs on commitments."""
    made = build(History.of(store, match, ruleset), viewer)
    return msgspec.structs.replace(made, head=HEAD)


def forms(made: Replay) -> list[bytes]:
    return [pack_replay(made), b"".join(ndjson(made)), text(made).encode(), csv(made).encode()]


def differences(pair: Twins, viewers: tuple[Viewer, ...]) -> list[Viewer]:
    """Returns the viewers who can tell the two apart."""
    here, there = pair.stores
    return [
        viewer
        for viewer in viewers
        if forms(document(here, pair.match, viewer)) != forms(document(there, pair.match, viewer))
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_reads_in_a_replay_what_is_not_theirs(kind: str):
    [pair] = twins(kind, 1)
    assert pair.blind
    assert differences(pair, pair.blind) == []
    if pair.seat >= 0:  # and the comparison is no empty one
        assert differences(pair, (pair.seat, ALL_SEATS)) == [pair.seat, ALL_SEATS]


@pytest.mark.parametrize("kind", ["sealed action card", "private offer", "hand dealt"])
@pytest.mark.parametrize("forgotten", ["fact", "position"])
def test_a_cut_that_is_forgotten_is_caught(
    kind: str, forgotten: str, monkeypatch: pytest.MonkeyPatch
):
    [pair] = twins(kind, 1)
    cut = Match.view
    if forgotten == "fact":
        monkeypatch.setattr("replays.document.builder.view", lambda fact, _: view(fact, ALL_SEATS))
    else:
        monkeypatch.setattr(Match, "view", lambda match, _, **how: cut(match, ALL_SEATS, **how))
    assert differences(pair, pair.blind) == list(pair.blind)


@pytest.mark.full
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("kind", KINDS)
def test_nobody_reads_it_in_fifty_pairs_of_a_kind(kind: str):
    for pair in twins(kind, 50, seed=3):
        assert differences(pair, pair.blind) == []
