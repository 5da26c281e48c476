"""The bare endpoint of the benchmark `http`: the least that a decision over HTTP can be.

The token is checked, the limit counted, the body loaded by marshmallow, and one event appended. It
knows no rules, no table, no other seat, and never refuses.
"""

from __future__ import annotations

import os
from typing import Any

from flask import Flask, Response, jsonify, request

from ledger.log.format.chain import EMPTY, Tip, link
from ledger.log.stores.protocol import Appended, Batch, Command, Conflict
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from services.matches.club import Club
from services.web.app.limits import Limits, OnServer
from services.web.matches.schemas import DecisionShape

BODY = b"\x84" + b"x" * 150  # as long as a decision is
QUOTA = 1_000_000_000


def create_app() -> Flask:
    """The application."""
    app = Flask(__name__)
    store = RedisStore(Connection(os.environ["HEGEMON_LEDGER_URL"]))
    club = Club(store)
    limits = Limits(OnServer(Connection(os.environ["HEGEMON_JOBS_URL"])), quotas={"writes": QUOTA})
    shape, tips = DecisionShape(), dict[str, Tip]()

    @app.post("/api/v1/matches/<match>/decisions")
    def decide(match: str) -> tuple[Response, int]:
        caller = club.caller(request.headers["Authorization"].removeprefix("Bearer "), ("token",))
        assert caller is not None
        state = limits.count("writes", caller.pass_id)
        assert state is not None
        assert not state.exceeded
        asked: Any = shape.load(request.get_json())
        command = Command(request.headers["Idempotency-Key"], str(asked["decision"]).encode())
        tip = tips.get(match, EMPTY)
        while True:
            event = link(match, tip, BODY)
            answer = store.append(match, Batch(expect=tip, events=(event,), command=command))
            if isinstance(answer, Appended):
                break
            assert isinstance(answer, Conflict)
            tip = answer.tip
        tips[match] = answer.tip
        return jsonify(version=answer.tip.version, head=answer.tip.head.hex()), 201

    return app
