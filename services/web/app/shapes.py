"""What all schemas have in common: nothing unknown is taken, and numbers are numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from marshmallow import RAISE, Schema, ValidationError, fields, validate

from ledger.club.texts import all_shown, is_one_line

EXACT_MAX: Final = 1 << 53  # from here on JSON's numbers are not exact everywhere


class Shape(Schema):
    """A body, or what stands behind the question mark; what it does not know is refused."""

    class Meta:
        """Marshmallow's settings."""

        unknown = RAISE

    def get_attribute(self, obj: Any, attr: str, default: Any) -> Any:
        """A field that is called otherwise in JSON (`as`) may be so in what is answered, too.

        A mapping is asked for its keys alone: its methods (`values`) are no fields.
        """
        if not isinstance(obj, Mapping):
            return super().get_attribute(obj, attr, default)
        if attr not in obj and attr in self.fields:
            attr = self.fields[attr].data_key or attr
        return obj.get(attr, default)


class Whole(fields.Integer):
    """An integer. JSON knows no other numbers than 2.0, which is one; "2" and true are none."""

    def _validated(self, value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.make_error("invalid", input=value)
        if abs(value) >= EXACT_MAX or int(value) != value:
            raise self.make_error("invalid", input=value)
        return super()._validated(int(value))


class Flag(fields.Boolean):
    """true or false: 1, 0.0 and "yes" are neither."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class Number(fields.Integer):
    """An integer behind the question mark, where all is text: digits, and nothing else."""

    def _validated(self, value: Any) -> Any:
        text = str(value)
        if not (text.isascii() and text.isdigit() and len(text) < 16):
            raise self.make_error("invalid", input=value)
        return super()._validated(int(text))


class Wholly(validate.Regexp):
    """A pattern that a text has from its beginning to its very end.

    For JSON Schema `$` is the end; for Python there may be a line break behind it.
    """

    def __call__(self, value: Any) -> Any:
        """Refuse what does not fit."""
        if self.regex.fullmatch(value) is None:
            raise ValidationError(self._format_error(value))
        return value


def printable(value: Any) -> None:
    """Refuse what a terminal or a page would not print: it changes how the rest is read.

    Of an object, every text in it.
    """
    if not all_shown(value):
        raise ValidationError("There is something in it that cannot be printed.")


def one_line(value: str) -> None:
    """The same for a name or a title: it stands on one line, with no space at its ends."""
    if not is_one_line(value):
        raise ValidationError("It is one line of letters that can be printed, without outer space.")


class Page(Shape):
    """Which part of a list: what follows `after`, at most so many."""

    after = fields.String(
        load_default="", metadata={"description": "the last id of the page before"}
    )
    limit = Number(load_default=50, validate=validate.Range(1, 200))
