"""Bots: they see what their seat sees, they are repeatable, and greed helps."""

from __future__ import annotations

import inspect
from dataclasses import replace
from functools import partial

import pytest

from ledger.games.tictactoe.opening import Write
from ledger.games.tictactoe.play import Mark
from ledger.kernel.bots import BOTS, Chooser, greedy_bot, random_bot
from ledger.kernel.chance import Stream
from ledger.kernel.fold import fold
from ledger.kernel.match import Match
from ledger.kernel.records import Decision
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Bot
from tests.support.given import everything, given, match_of
from tests.support.kernel.workbench import BENCH, Do, Noted, bench, script
from tests.support.tictactoe.positions import NAME, marked


def chosen(bot: Chooser, match: Match, stream: Stream) -> Decision:
    seat = match.asked()[0]
    return bot(match.terms, partial(match.view, seat), match.options(seat), stream)


def play(bots: tuple[Chooser, Chooser], seed: int) -> Match:
    stream = Stream.named(seed.to_bytes(4, "big"), "bots")
    match = given(match_of(NAME)).match
    while not match.ended:
        seat = match.asked()[0]
        fold(match, seat, chosen(bots[seat], match, stream))
    return match


def test_a_bot_is_given_no_state():
    for bot in BOTS.values():
        assert list(inspect.signature(bot).parameters) == ["terms", "look", "options", "stream"]


@pytest.mark.parametrize("bot", BOTS.values(), ids=list(BOTS))
@pytest.mark.parametrize("edition", ["printed", "e3"])
def test_a_bot_chooses_an_option_and_changes_nothing(bot: Chooser, edition: str):
    match = marked(0, 4, 8, edition=edition)
    before = everything(match)
    assert chosen(bot, match, Stream(b"bot")) in match.options(1)
    assert everything(match) == before


@pytest.mark.parametrize("bot", BOTS.values(), ids=list(BOTS))
def test_a_bot_chooses_the_same_from_the_same_numbers(bot: Chooser):
    choices = [[chosen(bot, marked(), Stream(bytes([n]))) for n in range(20)] for _ in range(2)]
    assert choices[0] == choices[1]


@pytest.mark.parametrize("bot", BOTS.values(), ids=list(BOTS))
def test_a_bot_chooses_alike_whatever_is_hidden_from_it(bot: Chooser):
    """Seat 0 has written, and seat 1 chooses by numbers alone."""
    for number in range(10):
        choices = set()
        for cell in range(9):
            match = given(match_of(NAME, options={"opening": "sealed"})).when(0, Write(cell)).match
            look, options = partial(match.view, 1), match.options(1)
            choices.add(bot(match.terms, look, options, Stream(bytes([number]))))
        assert len(choices) == 1


def test_a_random_bot_chooses_each_option_as_often():
    stream = Stream(b"fair")
    match = marked(0, 4, 8)
    counted = dict.fromkeys(match.options(1), 0)
    for _ in range(6000):
        counted[chosen(random_bot, match, stream)] += 1  # type: ignore[index]
    assert sum((count - 1000) ** 2 / 1000 for count in counted.values()) < 25.7


@pytest.mark.parametrize(
    ("cells", "win"),
    [((0, 3, 1, 4), 2), ((0, 3, 1, 4, 8), 5), ((4, 0, 8, 1, 3), 2), ((2, 0, 4, 1), 6)],
)
def test_a_greedy_bot_takes_a_win_before_it_blocks(cells: tuple[int, ...], win: int):
    for number in range(10):
        assert chosen(greedy_bot, marked(*cells), Stream(bytes([number]))) == Mark(win)


@pytest.mark.parametrize(
    ("cells", "block"), [((0, 4, 1), 2), ((4, 0, 8, 1), 2), ((2, 0, 4), 6), ((0, 4, 6), 3)]
)
def test_a_greedy_bot_blocks(cells: tuple[int, ...], block: int):
    for number in range(10):
        assert chosen(greedy_bot, marked(*cells), Stream(bytes([number]))) == Mark(block)


def test_a_greedy_bot_need_not_block_a_line_that_no_longer_counts():
    """Under erratum e2 the rising diagonal wins nothing, and the bot knows the terms."""
    choices = {
        edition: {
            chosen(greedy_bot, marked(2, 0, 4, edition=edition), Stream(bytes([n])))
            for n in range(20)
        }
        for edition in ("e1", "e2")
    }
    assert choices["e1"] == {Mark(6)}
    assert choices["e2"] > {Mark(6)}


@pytest.mark.parametrize("greedy_seat", [0, 1])
def test_a_greedy_bot_beats_a_random_one(greedy_seat: int):
    games = 100
    bots = (greedy_bot, random_bot) if greedy_seat == 0 else (random_bot, greedy_bot)
    winners = [play(bots, seed).state.winner for seed in range(games)]
    assert winners.count(greedy_seat) >= 0.7 * games
    assert winners.count(1 - greedy_seat) <= 0.15 * games


def test_two_greedy_bots_draw_more_often_than_not():
    winners = [play((greedy_bot, greedy_bot), seed).state.winner for seed in range(40)]
    assert winners.count(None) > 20


@script("refused in the imagination")
def _refused_in_the_imagination(state):
    if "imagined" in state.notes:
        raise Refused("blunt", "bench.work")
    yield Noted("possible")


def test_an_option_that_is_refused_in_the_imagined_position_is_passed_over():
    def imagined(seen, stream, lookup):
        table = BENCH.setup(2)
        table.notes.append("imagined")  # type: ignore[attr-defined]
        return table

    rules = replace(BENCH, bot=Bot(sample=imagined, score=lambda state, _: len(state.notes)))
    match = given(match_of(rules)).match
    look, refused = partial(match.view, 0), Do("refused in the imagination")
    for number in range(10):
        options = [refused, Do("nothing")]
        assert greedy_bot(match.terms, look, options, Stream(bytes([number]))) == Do("nothing")
    assert greedy_bot(match.terms, look, [refused], Stream(b"only")) == refused


def test_without_a_way_to_look_ahead_a_greedy_bot_is_a_random_one():
    match = given(bench()).match
    assert chosen(greedy_bot, match, Stream(b"x")) == Do("nothing")


@script("note once")
def _note_once(state):
    yield Noted("once")


@script("note twice")
def _note_twice(state):
    yield Noted("once")
    yield Noted("twice")


@pytest.mark.parametrize(
    ("idea", "wanted"),
    [
        (Do("note twice"), Do("note twice")),
        (Do("note once"), Do("note once")),
        (Do("refuse in allows"), Do("note once")),
    ],
)
def test_an_idea_is_taken_only_where_it_is_better_than_every_option(idea: Do, wanted: Do):
    rules = replace(
        BENCH,
        bot=Bot(
            sample=lambda *_: BENCH.setup(2),
            score=lambda state, _: len(state.notes),
            ideas=lambda *_: [idea],
        ),
    )
    match = given(match_of(rules)).match
    chosen_now = greedy_bot(match.terms, partial(match.view, 0), [Do("note once")], Stream(b"idea"))
    assert chosen_now == wanted
