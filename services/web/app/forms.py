"""Forms: typed input, checked by the shapes of the API and kept if something is wrong.

A page has no rules of its own: its form becomes a body of the API and is checked as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from flask import request
from marshmallow import Schema, ValidationError, fields
from werkzeug.datastructures import MultiDict

from ledger.kernel.refusals import Refused

from .problems import Problem, of_exception

LENGTH_MAX: Final = 4_000  # of what is typed into one field
LONG_MAX: Final = 1 << 16  # of what comes as a file as well
TICKED: Final = ("1", "true")  # the values of boxes


class TypedForm:
    """The values typed into a form, and the errors of its fields."""

    def __init__(self, said: Mapping[str, str] | None = None) -> None:
        """Makes the form as first shown, with its initial values."""
        self.said: MultiDict[str, str] = MultiDict(said or {})
        self.errors: dict[str, str] = {}
        self.trouble = ""  # what is wrong with all of it
        self.status = 200

    @classmethod
    def sent(cls, long: str = "") -> TypedForm:
        """Reads the form that was sent. One field may be long, and may come as a file."""
        form = cls()
        form.said = MultiDict(
            (name, text[: LONG_MAX if name == long else LENGTH_MAX].replace("\r\n", "\n"))
            for name, text in request.form.items(multi=True)
            if name != "csrf"
        )
        for file in request.files.values() if long else ():
            if file.filename:
                form.said[long] = file.stream.read(LONG_MAX).decode("utf-8", "replace")
        return form

    def text(self, name: str, otherwise: str = "") -> str:
        """Returns a field's text without outer space."""
        return self.said.get(name, otherwise).strip()

    def many(self, name: str) -> list[str]:
        return self.said.getlist(name)

    def has(self, name: str, value: str) -> bool:
        return value in self.said.getlist(name)

    def number(self, name: str, otherwise: int | None = None) -> Any:
        """Returns a whole number; other text stays a text, which the shape then refuses."""
        text = self.text(name)
        return otherwise if not text and otherwise is not None else _number(text)

    def numbers(self, name: str) -> list[Any]:
        """Returns all ticked values of a name as whole numbers."""
        return [_number(text) for text in self.many(name)]

    def body(
        self, shape: type[Schema], *only: str, called: Mapping[str, str] = {}
    ) -> dict[str, Any]:
        """Returns the values of a shape's plain fields. What is left empty is left out, if it may.

        `only` names the fields that the page has; if none is named, it has all. `called` as in
        read.
        """
        found: dict[str, Any] = {}
        for name, field in shape().fields.items():
            key = field.data_key or name
            if only and key not in only:
                continue
            typed = called.get(key, key)
            match field:
                case fields.List(inner=fields.Integer() | fields.String()):
                    if typed in self.said or field.load_default is not None:
                        whole = isinstance(field.inner, fields.Integer)
                        found[key] = self.numbers(typed) if whole else self.many(typed)
                case fields.Boolean():
                    if self.text(typed) in TICKED:
                        found[key] = True
                case fields.Integer() | fields.String():
                    if self.text(typed) or field.required:
                        whole = isinstance(field, fields.Integer)
                        found[key] = self.number(typed) if whole else self.text(typed)
        return found

    def blame(self, name: str, words: str) -> None:
        """Records an error of a field."""
        self.errors.setdefault(name, words)
        self.status = max(self.status, 422)

    def read(
        self, shape: type[Schema], body: Mapping[str, Any], called: Mapping[str, str] = {}
    ) -> dict[str, Any] | None:
        """Checks a body by its shape. Returns None and records the errors if it is wrong.

        `called` maps names of fields to the form's own names.
        """
        try:
            found: dict[str, Any] = shape().load(body)
        except ValidationError as reason:
            messages: Any = reason.messages
            said = messages if isinstance(messages, Mapping) else {"": messages}
            for name, words in _flat(said):
                self.blame(called.get(name, name), words)
            self.trouble = "Some fields need a correction."
            return None
        return found

    def tries(self, act: Callable[[], Any], called: Mapping[str, str] = {}) -> Any:
        """Runs an act; if refused, returns None and records the reason. `called` as in read."""
        try:
            return act()
        except (Refused, Problem) as reason:
            problem = of_exception(reason)
            self.trouble, self.status = problem.detail, problem.status
            self._point_at(reason, called)
            return None

    def apply(
        self,
        shape: type[Schema],
        body: Mapping[str, Any],
        act: Callable[[dict[str, Any]], Any],
        called: Mapping[str, str] = {},
    ) -> Any:
        """Checks a body and acts on it; if wrong or refused, returns None and records the reason.

        `called` as in read.
        """
        asked = self.read(shape, body, called)
        return None if asked is None else self.tries(lambda: act(asked), called)

    def _point_at(self, reason: Refused | Problem, called: Mapping[str, str]) -> None:
        """Marks the field of the reading that a refusal names."""
        if isinstance(reason, Problem):
            for name, words in reason.more.get("errors", {}).items():
                self.errors.setdefault(called.get(name, name), "\n".join(words))
        if isinstance(reason, Refused):
            about = str(reason.evidence.get("reading", ""))
            field = f"option.{about}" if f"option.{about}" in self.said else about
            values = str(reason.evidence.get("values", "")).replace("|", ", ")
            words = f"{reason.message} It may be: {values}" if values else reason.message
            if about:
                self.errors.setdefault(called.get(about, field), words)


def _number(text: str) -> Any:
    bare = text.removeprefix("-")
    return int(text) if bare.isascii() and bare.isdigit() and len(bare) < 16 else text


def _flat(messages: Mapping[Any, Any], under: str = "") -> Iterable[tuple[str, str]]:
    for name, words in messages.items():
        path = f"{under}.{name}" if under else str(name)
        if isinstance(words, Mapping):
            yield from _flat(words, path)
        else:
            yield path, " ".join(map(str, words)) if isinstance(words, list) else str(words)
