"""The difference from one scene to the next, and how to apply it.

Objects of a scene are identified by their ids. New objects are appended; if that does not give the
scene's order, the whole list is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final

import msgspec

from ledger.kernel.scene import Scene

from .structs import Replay, SceneChange

PARTS: Final = ("cells", "pieces", "links", "cards", "tracks", "counters")
TEXTS: Final = ("title", "grid", "kinds", "players", "forms", "signs", "legend")
_NOTHING: Final = Scene(title="")


def change_of(before: Scene | None, now: Scene | None) -> SceneChange:
    """Returns the change from one scene to another; the whole scene if there was none before."""
    change = SceneChange(set={}, gone={}, all={}, text={})
    if now is None or now is before:
        return change
    was = _NOTHING if before is None else before
    for part in PARTS:
        old, new = getattr(was, part), getattr(now, part)
        if old != new:
            _change_part(change, part, old, new)
    for text in TEXTS:
        value = getattr(now, text)
        if before is None or value != getattr(was, text):
            change.text[text] = _text(value)
    return change


def _change_part(change: SceneChange, part: str, old: Sequence[Any], new: Sequence[Any]) -> None:
    was = {one.id: one for one in old}
    now = {one.id: one for one in new}
    kept = [name for name in was if name in now]
    added = [name for name in now if name not in was]
    alike = len(was) == len(old) and len(now) == len(new)  # no id is there twice
    if not alike:
        change.all[part] = [plain_object(one) for one in new]
        return
    if [*kept, *added] != list(now):
        change.all[part] = [one.id if was.get(one.id) == one else plain_object(one) for one in new]
        return
    if changed := [plain_object(one) for one in new if was.get(one.id) != one]:
        change.set[part] = changed
    if gone := [name for name in was if name not in now]:
        change.gone[part] = gone


def plain_object(one: msgspec.Struct) -> dict[str, Any]:
    """Converts a scene object to a dict, leaving out fields that have their default."""
    return {
        name: value
        for name, default in _fields(type(one))
        if (value := getattr(one, name)) != default
    }


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[tuple[str, Any], ...]:
    return tuple((one.name, one.default) for one in msgspec.structs.fields(kind))


def _text(value: Any) -> Any:
    if isinstance(value, tuple):
        return [plain_object(one) if isinstance(one, msgspec.Struct) else one for one in value]
    return value


# --- back to scenes -------------------------------------------------------------------------------


def apply_change(scene: dict[str, Any] | None, change: SceneChange) -> dict[str, Any]:
    """Returns the scene after a change, as plain objects; does not alter the scene before."""
    now = dict(scene or {part: [] for part in PARTS})
    for part, objects in change.set.items():
        found = {one["id"]: one for one in now[part]}
        now[part] = list({**found, **{one["id"]: one for one in objects}}.values())
    for part, names in change.gone.items():
        gone = set(names)
        now[part] = [one for one in now[part] if one["id"] not in gone]
    for part, every in change.all.items():
        known = {one["id"]: one for one in now[part]}
        now[part] = [known[one] if isinstance(one, str) else one for one in every]
    return now | change.text


def plain_scenes(replay: Replay) -> Iterator[tuple[int, dict[str, Any] | None]]:
    held: dict[int, dict[str, Any] | None] = {0: None}
    for event in replay.events:
        before = held[event.n - 1 if isinstance(event.parent, msgspec.UnsetType) else event.parent]
        held[event.n] = (
            apply_change(before, event.change) if event.change != SceneChange() else before
        )
        yield event.n, held[event.n]


def scenes(replay: Replay) -> Iterator[tuple[int, Scene | None]]:
    """Yields the same as scenes, without targets."""
    for number, plain in plain_scenes(replay):
        yield number, None if plain is None else msgspec.convert(plain, Scene)
