"""Whole rounds that tests play without caring what happens in them."""

from __future__ import annotations

from ledger.games.hegemonic.actions.advancing import Discard
from ledger.games.hegemonic.actions.resolving import EndTurn
from tests.support.given import Given
from tests.support.hegemonic.positions import falling


def idle_round(sentence: Given) -> Given:
    """A round in which tiles are placed, cards drawn and discarded, and no action is taken."""
    number = sentence.state.round
    while sentence.state.round == number and not sentence.match.ended:
        idle(sentence)
    return sentence


def idle(sentence: Given) -> Given:
    """Lets the first asked seat do as little as the rules allow."""
    seat = sentence.match.asked()[0]
    options = sentence.match.options(seat)
    plain = [one for one in options if isinstance(one, EndTurn | Discard)]
    return falling(sentence.when(seat, (plain or options)[0]))
