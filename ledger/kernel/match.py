"""A match in memory: its state, its agenda, and the rule uses of its line so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .audience import ALL_SEATS, Viewer, view, view_decision
from .chance import ChanceQuestion
from .lookup import NO_LOOKUP, RecordingLookup, Use
from .records import Question, Seat, State, Step
from .refusals import BrokenRule

if TYPE_CHECKING:
    from .records import Decision
    from .ruleset import Result
    from .scene import Scene
    from .terms import Terms


class Match:
    """The position of a match after an event. Mutable: only `fold` and `begin` change it."""

    __slots__ = (
        "agenda",
        "answered",
        "broken",
        "known",
        "lookup",
        "state",
        "terms",
        "used",
        "version",
    )

    def __init__(
        self,
        terms: Terms,
        version: int,
        state: State,
        agenda: list[Step | Question],
        used: dict[Use, int],
    ) -> None:
        self.terms = terms
        self.version = version
        self.state = state
        self.agenda = agenda  # a stack: the top is the end
        self.used = used  # the rule-use index: first version that asked
        self.lookup = RecordingLookup(terms.silent)
        self.known: dict[type[Any], int] = {}
        self.broken = ""
        self.answered: tuple[Any, str] = (None, "")  # by the last decision: question and key
        state.__dict__["lookup"] = terms.silent

    @property
    def question(self) -> Question | None:
        """Returns the question on top of the agenda, or None when the match has ended."""
        if not self.agenda:
            return None
        top = self.agenda[-1]
        if not isinstance(top, Question):
            msg = f"{type(top).__name__} is still to do: the match has not begun"
            raise BrokenRule(msg)
        return top

    @property
    def ended(self) -> bool:
        """Returns whether nothing is left to do; standing questions and acts stay possible."""
        return not self.agenda

    def asked(self) -> tuple[Seat, ...]:
        """Returns the seats that the question on top asks."""
        question = self.question
        return () if question is None else question.asks(self.state)

    def chance(self) -> ChanceQuestion | None:
        """Returns the question on top, if it is one for dice or cards."""
        question = self.question
        return question if isinstance(question, ChanceQuestion) else None

    def options(self, seat: Seat) -> list[Decision]:
        """Returns a seat's listable answers to the question on top."""
        question = self.question
        if question is None or seat not in question.asks(self.state):
            return []
        return list(question.options(self.state, seat))

    def key(self, seat: Seat) -> str:
        """Returns the key of the question on top, as the seat would answer it."""
        question = self.question
        assert question is not None, "a match that has ended asks nothing"
        return question.key(self.state, seat)

    def result(self) -> Result:
        """Returns the result. It follows from the state alone, because facts have decided it."""
        lookup = self.state.__dict__["lookup"]
        self.state.__dict__["lookup"] = NO_LOOKUP
        try:
            return self.terms.rules.result(self.state)
        finally:
            self.state.__dict__["lookup"] = lookup

    def scene(self, viewer: Viewer) -> Scene | None:
        """Returns the position drawn for a viewer, in a vocabulary that knows no game."""
        draw = self.terms.rules.shown.scene
        return None if draw is None else draw(self.view(viewer), self.terms.silent)

    def called(self) -> tuple[str, ...]:
        """Returns the current names of the seats; empty in a game that has none."""
        called = self.terms.rules.shown.called
        return () if called is None else called(self.state, self.terms.silent)

    def standing(self, seat: Seat) -> list[Question]:
        """Returns the standing questions that a seat may answer now, even if others are asked."""
        if self.chance() is not None:
            return []
        every = [self.terms.in_force(question) for question in self.terms.rules.standing]
        return [
            question
            for question in every
            if seat in question.asks(self.state) and question.standing_open(self.state)
        ]

    def view(self, viewer: Viewer, *, asking: bool = True) -> dict[str, Any]:
        """Returns the whole position as a seat, or a spectator, may see it.

        Without `asking` the view leaves out the seat's options. Looking back needs no more.
        """
        asked = self.asked()
        shown: Mapping[str, Any] = view(self.state, viewer)
        seen: dict[str, Any] = {
            "version": self.version,
            "ended": self.ended,
            "state": shown,
            "agenda": [view(item, viewer) for item in self.agenda],
            "asked": list(asked),
            "seat": viewer,
        }
        if viewer is None or viewer == ALL_SEATS or not asking:
            return seen
        if viewer in asked:
            seen["question"] = self.key(viewer)
            seen["options"] = [
                view_decision(option, viewer, viewer) for option in self.options(viewer)
            ]
        seen["standing"] = [
            {
                "question": question.key(self.state, viewer),
                "options": [
                    view_decision(option, viewer, viewer)
                    for option in question.options(self.state, viewer)
                ],
            }
            for question in self.standing(viewer)
        ]
        return seen
