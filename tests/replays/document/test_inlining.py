"""Modules become one script, or are refused: nothing is half understood."""

from __future__ import annotations

import pytest

from replays.document.inlining import CannotInline, inline_modules

GOOD = {
    "a.js": 'import { b, c as other } from "./lib/b.js";\nimport {\n  d,\n} from "./d.js";\n'
    "export const A = b + other + d();\n",
    "lib/b.js": 'import { d } from "../d.js";\nexport const b = 1;\nexport class c {}\nd();\n',
    "d.js": "/** Gives.\n * @param {import('./a.js').A} x */\nexport function d() { return 1; }\n"
    "export async function e() {}\nexport function* f() {}\n",
    "v.js": "var x=1,y=2;export{x as X,y as default_};",
}


def made(entry: str, **more: str) -> str:
    return inline_modules(entry, {**GOOD, **more}.__getitem__)


def test_modules_stand_in_the_order_in_which_they_need_each_other():
    script = made("a.js")
    places = [script.index(f"// {name}\n") for name in ("d.js", "lib/b.js", "a.js")]
    assert places == sorted(places)
    assert script.count("// d.js\n") == 1
    assert "const { b, c: other } = module1;" in script
    assert "return { d, e, f };" in script
    assert "import" not in script
    assert "export" not in script


def test_what_a_minifier_exports_is_given_under_its_outer_name():
    assert "return { x: X" not in made("v.js")
    assert "return { X: x, default_: y };" in made("v.js")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("export default 1;", "form is not known"),
        ('import x from "./d.js";', "form is not known"),
        ('import * as x from "./d.js";', "form is not known"),
        ('import "./d.js";', "form is not known"),
        ('import { d } from "./d.js"', "form is not known"),  # without its semicolon
        ('import { d } from "preact";', "form is not known"),
        ('import { d } from "https://example.org/d.js";', "form is not known"),
        ("export let x = 1;", "form is not known"),
        ('export { d } from "./d.js";', "form is not known"),
        ('  import { d } from "./d.js";', "form is not known"),
        ('const x = import("./d.js");', "cannot stand"),
        ("const x = import.meta.url;", "cannot stand"),
        ('const x = "</script>";', "cannot stand"),
        ('const x = "<!--";', "cannot stand"),
        ('import { z } from "./d.js";', "does not export z"),
        ('import { z } from "../z.js";', "lies outside"),
    ],
)
def test_a_form_that_is_not_known_is_refused(text, why):
    with pytest.raises(CannotInline, match=why):
        made("x.js", **{"x.js": f"{text}\n"})


def test_modules_that_need_each_other_are_refused():
    one = 'import { b } from "./y.js";\nexport const a = 1;\n'
    other = 'import { a } from "./x.js";\nexport const b = 1;\n'
    with pytest.raises(CannotInline, match="need each other"):
        made("x.js", **{"x.js": one, "y.js": other})
