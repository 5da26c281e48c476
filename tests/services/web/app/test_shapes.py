"""A flag is true or false, and nothing that Python takes for either."""

import pytest
from marshmallow import ValidationError

from services.web.app.shapes import Flag, Shape


class Flagged(Shape):
    on = Flag(required=True)


@pytest.mark.parametrize("value", [0, 1, 0.0, 1.0, "true", "", [], None])
def test_what_is_neither_true_nor_false_is_refused(value):
    with pytest.raises(ValidationError):
        Flagged().load({"on": value})


@pytest.mark.parametrize("value", [True, False])
def test_true_and_false_are_taken(value):
    assert Flagged().load({"on": value}) == {"on": value}
