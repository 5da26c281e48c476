"""The words of decisions on their buttons: a template of the decision's fields, or a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from ledger.kernel.lookup import Lookup
from ledger.kernel.story import Seen
from ledger.parts.text import Namings, SentenceTemplate, capitalized

# Takes an offered decision and the view of its seat.
Words: TypeAlias = Callable[[Seen, Seen, Lookup], str]


def wording_with(
    table: Mapping[str, str | Words],
    namings: Namings,
    names: Callable[[Seen, Lookup], Sequence[str]] = lambda _, __: (),
) -> Words:
    """Returns what words every decision, from its row in the table; `names` are of the seats."""

    def fills(template: SentenceTemplate) -> Words:
        return lambda option, seen, lookup: template.fill(
            {**option, "called": names(seen, lookup)}, lookup
        )

    words = {
        kind: fills(SentenceTemplate(said, namings)) if isinstance(said, str) else said
        for kind, said in table.items()
    }
    return lambda option, seen, lookup: capitalized(words[option["type"]](option, seen, lookup))
