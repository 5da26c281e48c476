"""Requests that cannot be read: too long, torn, or no HTTP. They never reach the application.

gunicorn would answer with a page of its own and log who asked. Here it is a problem as everywhere,
and what is logged of it is its kind alone.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final

from gunicorn.http.errors import (  # type: ignore[import-untyped]
    ConfigurationProblem,
    InvalidResponseHeader,
    InvalidResponseHeaderName,
    LimitRequestHeaders,
    LimitRequestLine,
    ParseException,
)
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

# What else cannot be read is 400; whatever went wrong otherwise is our fault.
STATUSES: Final = {LimitRequestLine: 414, LimitRequestHeaders: 431}
OURS: Final = (ConfigurationProblem, InvalidResponseHeader, InvalidResponseHeaderName)


class Worker(ThreadWorker):  # type: ignore[misc] # gunicorn has no types
    """A worker that refuses as the API does."""

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Answer, and let the connection go."""
        del req, addr
        status = status_of(exc)
        if status < 500:
            self.log.warning("a request could not be read: %s", type(exc).__name__)
        else:
            self.log.error("a request failed outside the application", exc_info=sys.exc_info())
        with suppress(OSError):
            client.sendall(answer(status))


def status_of(reason: BaseException) -> int:
    """What it is in HTTP."""
    if isinstance(reason, ParseException) and not isinstance(reason, OURS):
        return STATUSES.get(type(reason), 400)
    return 500


def answer(status: int) -> bytes:
    """All that goes over the line."""
    # Not before a worker has begun: the library of figures looks then where its folder is.
    from services.web.api.problems import Problem, problem_response

    response = problem_response(Problem(status))
    body = response.get_data()
    head = [
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
        f"Content-Type: {response.content_type}",
        f"Content-Length: {len(body)}",
        "Cache-Control: no-store",
        "Connection: close",
    ]
    return "\r\n".join([*head, "", ""]).encode() + body
