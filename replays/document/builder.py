"""Replay: builds the document of a match for one viewer, cutting each fact to the viewer's part.

    history ─▶ walk (folded once) ───▶ view for the viewer ─┬─ scene ─▶ change against the parent's
                                                            ├─ facts ─▶ sentences, tags, headings
                                                            ├─ facts ─▶ deals, conflicts
                                                            └─ view ──▶ curves

The code knows no game: functions of the ruleset draw, describe, tag and count, and they get only
views. The match under another edition is another document.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

from msgspec import UNSET

from ledger.kernel.audience import ALL_SEATS, Viewer, view
from ledger.kernel.lookup import Lookup
from ledger.kernel.records import CHANCE
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Ruleset as Rules
from ledger.kernel.scene import Scene
from ledger.kernel.story import DealStep
from ledger.kernel.terms import Terms
from ledger.log.format.acts import Disputed, EditionChanged, Rewound, Ruled
from ledger.log.format.bodies import ActBody, AnyBody
from ledger.log.read.history import History, Moment
from replays.deals import steps
from replays.deals.steps import Dealings
from replays.deals.verdicts import Judge
from replays.story import conflicts, headings
from replays.story.conflicts import Conflicts
from replays.story.curves import Curves
from replays.story.headings import Headings
from replays.story.names import (
    ALL,
    SPECTATOR,
    match_title,
    player_name,
    result_words,
    ruleset_title,
    state_of,
    viewer_word,
    why_not_through_seats,
)
from replays.story.sentences import UNDISCLOSED, act_sentence, by_text, view_sentence
from replays.walk import Progress, turning_points, under, walk

from .changes import change_of
from .structs import Event, Replay, Ruleset, SceneChange, Seat, Viewpoint

DID_NOTHING: Final = "pass"
ACT_TAGS: Final = {Rewound: "rewind", Ruled: "ruling", Disputed: "ruling", EditionChanged: "ruling"}


class NotOpen(Exception):
    """Raised for a match with undisclosed secrets: it cannot be tried under other rules
    either.
    """


NOT_SO_FAR: Final = "Under these rules the match does not reach this event."


def build(
    history: History,
    viewer: Viewer | Literal["all"],
    edition: str | None = None,
    *,
    viewpoints: Sequence[str] = (),
    why_not: str | None = None,
    progress: Progress | None = None,
) -> Replay:
    """Builds the document of a match for a viewer: a seat, None for a spectator, or "all" seats.

    `viewpoints` are the views that the reader may switch to, and `why_not` says why there are no
    others; the default is what is open to all. This function does not check the reader's rights.
    """
    eyes = ALL_SEATS if isinstance(viewer, str) else viewer
    told = history
    if edition is not None:
        if eyes != ALL_SEATS and (closed := why_not_through_seats(history)):
            raise NotOpen(closed)
        told = under(history, edition)
    sentences = _Sentences(told, eyes, tried=edition is not None)
    for moment in walk(told, sentences.judge.before, progress):
        sentences.take(moment)
    closed_now = why_not_through_seats(history)
    words = (*(viewpoints or open_viewpoints(history)), viewer_word(eyes))
    return sentences.replay(
        edition,
        editions=[] if closed_now and eyes != ALL_SEATS else list(history.rules.editions),
        why_not=closed_now if why_not is None else why_not,
        viewpoints=[viewpoint(history, word) for word in dict.fromkeys(words)],
    )


class _Mark(NamedTuple):
    """The state of a line, so that another line can go on from it."""

    scene: Scene | None
    headings: headings.Mark
    deals: steps.Mark
    conflict: conflicts.Mark


class _Said(NamedTuple):
    """The sentences, visible facts and tags of an event."""

    sentences: list[str]
    facts: list[dict[str, Any]]
    tags: list[str]


class _Sentences:
    """The story of a match for a viewer, as far as events were taken."""

    def __init__(self, history: History, viewer: Viewer, *, tried: bool = False) -> None:
        self._history = history
        self._tried = tried
        self._viewer = viewer
        self._rules: Rules = history.rules
        self._story = self._rules.shown.story
        self._headings = Headings(self._story.levels)
        self._deals = Dealings()
        self.judge = Judge(history)
        self._conflicts = Conflicts()
        self._curves = Curves()
        self._events: list[Event] = []
        self._undone = set(history.lines.undone())
        self._turning = turning_points(history)
        self._marks: dict[int, _Mark] = {}
        self._scene: Scene | None = None  # after the event before, on its line
        self._terms: Terms | None = None  # in force after it
        self._ended = False

    # --- event by event ------------------------------------------------------------------------

    def take(self, moment: Moment) -> None:
        version, body = moment.version, moment.body
        if moment.parent != version - 1:
            self._go_back(moment.parent, version)
        self._headings.enter(version)
        self.judge.take(moment)
        said = self._untold(moment.body) if moment.lost else self._told(moment)
        self._conflicts.go_on(version)
        refusal = moment.why if isinstance(moment.why, Refused) else None
        before = self._scene
        if moment.match is not None:
            self._position(moment)
        event = Event(
            n=version,
            at=body.at,
            seat=getattr(body, "seat", None),
            by=by_text(body.by.role, body.by.name),
            said=said.sentences,
            under=self._headings.leave(),
            tags=list(dict.fromkeys(said.tags)),
            facts=said.facts,
            change=SceneChange() if self._scene is before else change_of(before, self._scene),
            parent=UNSET if moment.parent == version - 1 else moment.parent,
            undone=True if version in self._undone else UNSET,
            undisclosed=True if moment.lost and refusal is None else UNSET,
            refused=UNSET if refusal is None else _open_part(refusal),
        )
        self._events.append(event)
        if version in self._turning:
            marks = self._headings.mark(), self._deals.mark(), self._conflicts.mark()
            self._marks[version] = _Mark(self._scene, *marks)

    def _go_back(self, parent: int, version: int) -> None:
        mark = self._marks[parent]
        self._scene = mark.scene
        self._headings.back(mark.headings, version)
        self._deals.back(mark.deals)
        self._conflicts.back(mark.conflict, version)

    def _untold(self, body: AnyBody) -> _Said:
        if isinstance(body, ActBody):
            return _Said([act_sentence(self._history, body.act)], [], [])
        return _Said([NOT_SO_FAR if self._tried else UNDISCLOSED], [], [])

    def _told(self, moment: Moment) -> _Said:
        body = moment.body
        said = _Said([], [], ["chance"] if moment.seat == CHANCE else [])
        if isinstance(body, ActBody):
            said.sentences.append(act_sentence(self._history, body.act))
            if type(body.act) in ACT_TAGS:
                said.tags.append(ACT_TAGS[type(body.act)])
        if moment.match is not None:
            terms, called = moment.match.terms, moment.match.called()
            for fact in moment.facts:
                shown: dict[str, Any] = view(fact, self._viewer)
                self._take_fact(moment.version, shown, called, terms.silent, said)
                said.facts.append(shown)
            self._take_news(moment.version, said)
        return said

    def _take_news(self, version: int, said: _Said) -> None:
        """Adds the promises that were kept or broken with the event."""
        for one in self.judge.news:
            if sentence := one.told(self._viewer):
                said.sentences.append(sentence)
                step = DealStep(one.deal.offer.deal, f"promise {one.promise.verdict}")
                self._deals.take(version, step, sentence)

    def _take_fact(
        self,
        version: int,
        shown: dict[str, Any],
        called: tuple[str, ...],
        lookup: Lookup,
        said: _Said,
    ) -> None:
        named = {**shown, "called": called} if called else shown
        beat = self._story.by_tag.get(shown["type"])
        begun = None if beat is None else beat.heading(named, lookup)
        if begun is not None:
            self._headings.begin(begun, len(said.sentences))
        sentence = view_sentence(self._rules, named, lookup)
        if sentence:  # a game may pass over a fact
            said.sentences.append(sentence)
        if beat is None:
            return
        tags = beat.tagged(shown)  # only the first fact of an event can mark it as a pass
        said.tags.extend(tag for tag in tags if tag != DID_NOTHING or not said.facts)
        if beat.deal is not None:
            for step in beat.deal(named, lookup):
                self._deals.take(version, step, sentence)
        if beat.conflict is not None:
            for fought in beat.conflict(named, lookup, self._conflicts.begun):
                self._conflicts.take(version, fought)
        if beat.ends:
            self._headings.end(beat.ends)

    def _position(self, moment: Moment) -> None:
        match = moment.match
        assert match is not None, "a position is that of a match"
        same = match.terms is self._terms and moment.parent == moment.version - 1
        self._terms, self._ended = match.terms, match.ended
        if same and not moment.facts:
            return  # most acts change nothing on the table
        seen = match.view(self._viewer, asking=False)
        if self._rules.shown.scene is not None:
            scene = self._rules.shown.scene(seen, match.terms.silent)
            self._scene = self._scene if scene == self._scene else scene
        if self._story.curves is not None:
            self._curves.take(moment.version, self._story.curves(seen, match.terms.silent))

    # --- the whole -----------------------------------------------------------------------------

    def replay(self, edition: str | None, **readable: Any) -> Replay:
        """Builds the document; `readable` says what else the reader may have, and why not more."""
        history, last = self._history, self._history.tip.version
        played_last = history.created.edition if self._terms is None else self._terms.edition
        return Replay(
            match=history.match,
            title=match_title(history),
            ruleset=Ruleset(name=history.created.ruleset, title=ruleset_title(history)),
            edition=edition or played_last,
            played=edition is None,
            as_=viewer_word(self._viewer),
            head=history.tip.head.hex(),
            last=last,
            state=state_of(history),
            result=result_words(history),
            finished=history.life.closed or self._ended,
            seats=self._seats(),
            headings=self._headings.finish(last),
            events=self._events,
            curves=self._curves.finish(),
            deals=self._deals.found,
            conflicts=self._conflicts.found,
            **readable,
        )

    def _seats(self) -> list[Seat]:
        players = () if self._scene is None else self._scene.players
        return [
            Seat(
                name=player_name(self._history, seat),
                called=players[seat].name if seat < len(players) else "",
                hue=players[seat].hue if seat < len(players) else "",
            )
            for seat in range(self._history.created.seats)
        ]


def open_viewpoints(history: History) -> tuple[str, ...]:
    if why_not_through_seats(history):
        return (SPECTATOR,)
    return (SPECTATOR, *map(str, range(history.created.seats)), ALL)


def viewpoint(history: History, word: str) -> Viewpoint:
    """Returns the viewpoint that a word names."""
    if word in (SPECTATOR, ALL):
        name = "Spectator" if word == SPECTATOR else "All seats"
        return Viewpoint(as_=word, name=name, seat=None)
    return Viewpoint(as_=word, name=player_name(history, int(word)), seat=int(word))


def _open_part(refusal: Refused) -> dict[str, Any]:
    """Leaves out the evidence of a refusal, which may name cards in a player's hand."""
    plain = refusal.as_plain()
    return {name: plain[name] for name in ("code", "rule", "message")}
