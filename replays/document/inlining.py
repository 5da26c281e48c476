"""Combines ES modules into one script, so that a page can be one file.

Each module becomes a function that is called at once and returns the module's exports, in the order
of their dependencies. This is no parser: it knows a few forms of import and export, each at the
beginning of a line. It refuses all others, so that it never half understands a module.

    import { a, b as c } from "./other.js";
    export function f() {}      (also function*, async function)
    export const C = 1;
    export class K {}
    export { a, b as c };       (at the end of a module: what a minifier writes)
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from typing import Final, NamedTuple

_NAME: Final = r"[A-Za-z_$][\w$]*"
_IMPORT: Final = re.compile(
    rf"^import\s*\{{\s*((?:{_NAME}(?:\s+as\s+{_NAME})?\s*,?\s*)+)\}}\s*from\s*"
    r"""(["'])(\.{1,2}/[\w./-]+)\2;[ \t]*(?://.*)?$""",
    re.MULTILINE,
)
_EXPORT: Final = re.compile(
    rf"^export\s+(?=(?:(?:async\s+)?function\b\s*\*?|const|class)\s+({_NAME}))", re.MULTILINE
)
_LIST: Final = re.compile(rf"export\s*\{{((?:\s*{_NAME}(?:\s+as\s+{_NAME})?\s*,?)+)\s*\}};?\s*\Z")
_LEFT: Final = re.compile(r"^[ \t]*(?:import|export)\b.*$", re.MULTILINE)
# Comments before a function speak of types in ways of their own; they are left out.
_COMMENT: Final = re.compile(r"^[ \t]*/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*\n", re.MULTILINE)
# No module may hold these, not even in a text: the first two fetch more files while they run, the
# others would end the script that holds them.
_NEVER: Final = re.compile(r"\bimport\s*\(|\bimport\s*\.\s*meta\b|</?script|<!--", re.IGNORECASE)


class CannotInline(ValueError):
    """Raised for a module with a form that is not known here."""


class Module(NamedTuple):
    """One module, split into imports, exports and body."""

    name: str
    imports: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]  # from where: (there, here)
    exports: tuple[tuple[str, str], ...]  # (here, as whom)
    body: str


def inline_modules(entry: str, read: Callable[[str], str]) -> str:
    """Combines a module and everything it imports into one script; `read` returns a path's
    text.
    """
    order: list[Module] = []
    _collect(entry, read, order, ())
    numbers = {module.name: number for number, module in enumerate(order)}
    return "\n".join(_as_function(module, numbers) for module in order)


def _collect(
    name: str, read: Callable[[str], str], order: list[Module], above: tuple[str, ...]
) -> Module:
    for known in order:
        if known.name == name:
            return known
    if name in above:
        raise CannotInline(f"{' -> '.join((*above, name))}: these modules need each other")
    module = split_module(name, read(name))
    for source, names in module.imports:
        given = {exported for _, exported in _collect(source, read, order, (*above, name)).exports}
        if missing := [there for there, _ in names if there not in given]:
            raise CannotInline(f"{name}: {source} does not export {', '.join(missing)}")
    order.append(module)
    return module


def split_module(name: str, text: str) -> Module:
    """Splits a module into imports, exports and body; refuses forms it does not know."""
    text = _COMMENT.sub("", text)
    if found := _NEVER.search(text):
        raise CannotInline(f"{name}: {found[0]!r} cannot stand in a script within a page")
    imports = tuple(
        (posixpath.normpath(posixpath.join(posixpath.dirname(name), one[3])), _pairs(one[1]))
        for one in _IMPORT.finditer(text)
    )
    if outside := [source for source, _ in imports if source.startswith("../")]:
        raise CannotInline(f"{name}: {outside[0]} lies outside")
    body = _IMPORT.sub("", text)
    exports = [(one[1], one[1]) for one in _EXPORT.finditer(body)]
    body = _EXPORT.sub("", body)
    if listed := _LIST.search(body):
        exports += _pairs(listed[1])
        body = body[: listed.start()]
    if unknown := _LEFT.search(body):
        raise CannotInline(f"{name}: this form is not known: {unknown[0].strip()[:80]}")
    return Module(name, imports, tuple(exports), body.strip())


def _pairs(listed: str) -> tuple[tuple[str, str], ...]:
    """Parses `a, b as c` to pairs: the name before `as`, and the name after it."""
    words = [one.split() for one in listed.split(",") if one.strip()]
    return tuple((one[0], one[-1]) for one in words)


def _as_function(module: Module, numbers: dict[str, int]) -> str:
    lines = [f"// {module.name}", f"const module{numbers[module.name]} = (() => {{"]
    for source, names in module.imports:
        taken = ", ".join(there if there == here else f"{there}: {here}" for there, here in names)
        lines.append(f"const {{ {taken} }} = module{numbers[source]};")
    given = ", ".join(here if here == as_ else f"{as_}: {here}" for here, as_ in module.exports)
    lines += [module.body, f"return {{ {given} }};", "})();"]
    return "\n".join(lines)
