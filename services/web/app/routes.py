"""Routes of the API: flask-smorest's blueprint with types, and problems in its document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from flask.views import MethodView
from flask_smorest import Blueprint  # type: ignore[import-untyped]
from marshmallow import Schema

from .access import Access
from .identity import access_of
from .shapes import Parser

View = TypeVar("View", bound=type[MethodView])
Method = TypeVar("Method", bound=Callable[..., Any])

NDJSON: Final = "application/x-ndjson"
# Any route may answer with these.
ALWAYS: Final = (400, 401, 403, 404, 413, 422, 429, 503)


class Strict(Blueprint):  # type: ignore[misc] # flask-smorest has no types
    """A blueprint that reads bodies strictly."""

    ARGUMENTS_PARSER = Parser()


class Routes:
    """The routes of one resource."""

    def __init__(self, name: str, prefix: str, description: str) -> None:
        self.blueprint = Strict(name, name, url_prefix=prefix, description=description)
        self.prefix = prefix

    def route(self, rule: str) -> Callable[[View], View]:
        """Registers a class of methods at an address."""
        decorate: Callable[[View], View] = self.blueprint.route(rule)
        return decorate

    def takes(self, shape: type[Schema], location: str = "json") -> Callable[[Method], Method]:
        """Declares a method's input, its first argument."""

        def decorate(method: Method) -> Method:
            # Made once: of a class webargs would make one for each request.
            taken = self.blueprint.arguments(shape(), location=location)(method)
            done: Method = self._with_problem(415)(taken) if location == "json" else taken
            return done

        return decorate

    def gives(
        self,
        status: int,
        shape: type[Schema] | None = None,
        problems: Sequence[int] = (),
        *,
        lines: bool = False,
        form: str = "",
        later: type[Schema] | None = None,
    ) -> Callable[[Method], Method]:
        """Declares a method's answer, and its problems besides the common ones.

        `lines`: also as NDJSON. `form`: a content type other than JSON. `later`: the schema of the
        202 answer while the result is being made.
        """

        def decorate(method: Method) -> Method:
            said: dict[str, Any] = {"schema": shape}
            if form:
                said = {"schema": {"type": "string"}, "content_type": form}
            answered = self.blueprint.response(status, **said)(method)
            if later is not None:
                answered = self.blueprint.alt_response(202, schema=later, success=True)(answered)
            if lines:
                answered = self.blueprint.alt_response(
                    status, schema={"type": "string"}, content_type=NDJSON, success=True
                )(answered)
            for problem in (*ALWAYS, *problems):
                answered = self._with_problem(problem)(answered)
            row = f"{self.blueprint.name}.{method.__qualname__}"
            done: Method = self.blueprint.doc(
                operationId=row.replace(".", "-"), security=security_of(access_of(method))
            )(answered)
            return done

        return decorate

    def heeds(self, **headers: str) -> Callable[[Method], Method]:
        """Declares required headers and their descriptions. The method checks them."""
        parameters = [
            {
                "name": name.replace("_", "-"),
                "in": "header",
                "required": True,
                "description": says,
                "schema": {"type": "string"},
            }
            for name, says in headers.items()
        ]
        decorate: Callable[[Method], Method] = self.blueprint.doc(parameters=parameters)
        return decorate

    def _with_problem(self, status: int) -> Callable[[Method], Method]:
        document = self.blueprint.alt_response(
            status, schema="Problem", content_type="application/problem+json"
        )

        def decorate(method: Method) -> Method:
            # Only the words are wanted: each wrapper would be gone through with every request.
            method.__dict__["_apidoc"] = document(method).__dict__["_apidoc"]
            return method

        return decorate


def security_of(access: Access | None) -> list[dict[str, list[str]]]:
    """Returns the OpenAPI security of a route."""
    if access is None:
        return [{"token": []}, {"session": []}]  # the route is refused, and a test says so
    shown: list[dict[str, list[str]]] = [{"token": [access.scope]}, {"session": []}]
    return [*shown, {}] if access.who == "anyone" else shown
