"""How the service stops, and what viewers and players see of it: nothing is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from ledger.log.stores.redis import RedisStore
from tests.support.live.served import Bots, Gunicorn, Tokens, Viewer, asks, in_order
from tests.support.services.processes import wait_until

VIEWERS = 50


def test_a_stop_lets_fifty_viewers_go_within_five_seconds_and_they_come_back(
    serve: Callable[..., Gunicorn], club: Tokens
):
    one = serve()
    ports = [one.port]
    match = club.table(one.port)
    viewers = [Viewer(lambda: ports[-1], match).start() for _ in range(VIEWERS)]
    assert all(viewer.connected.wait(20) for viewer in viewers)
    assert wait_until(lambda: all(len(viewer.events) == 4 for viewer in viewers))
    bots = Bots(club, lambda: ports[-1])
    for _ in range(2):
        assert bots.step(match)
    assert one.end() < 5
    assert wait_until(lambda: all(viewer.cleanly == 1 for viewer in viewers), 10)
    assert [viewer.broken for viewer in viewers if viewer.cleanly != 1] == []
    ports.append(serve().port)  # until here they were told that nobody is there
    while bots.step(match):
        pass
    bots.close()
    last = bots.decided[-1].version
    assert wait_until(lambda: all(in_order(viewer, last) for viewer in viewers), 20)
    assert len({viewer.heads[last] for viewer in viewers}) == 1
    for viewer in viewers:
        viewer.stop()


def test_what_was_acknowledged_survives_kill_9_in_the_middle_and_viewers_go_on(
    serve: Callable[..., Gunicorn], club: Tokens
):
    web, live = serve(HEGEMON_LIVE_PLACES="0"), serve("services.web.live:create_app()")
    matches = [club.table(web.port, "hegemonic") for _ in range(3)]
    viewers = [
        Viewer(lambda: live.port, match, club.tokens[seat] if word else "", word).start()
        for match in matches
        for seat, word in ((0, "0"), (1, "1"), (0, ""))
    ]
    players = [Bots(club, lambda: web.port, pause=0.01) for _ in matches]
    threads = [
        threading.Thread(target=_play, args=(player, match))
        for player, match in zip(players, matches, strict=True)
    ]
    for thread in threads:
        thread.start()
    for killed in (web, live, web, live):
        time.sleep(0.7)
        killed.kill()
        killed.start()
    time.sleep(0.7)
    for player in players:
        player.going = False
    for thread in threads:
        thread.join(40)
    for player, match in zip(players, matches, strict=True):
        _check_log(club.store, match, player)
        last = club.store.tip(match).version
        watching = [viewer for viewer in viewers if viewer.match == match]
        assert wait_until(lambda last=last, all_=watching: all(in_order(v, last) for v in all_), 20)
        events = {event.version: event.head.hex() for event in club.store.events(match)}
        assert all(viewer.heads == events for viewer in watching)
    assert sum(viewer.broken + viewer.cleanly for viewer in viewers) >= len(viewers)
    for viewer in viewers:
        viewer.stop()


def _play(player: Bots, match: str) -> None:
    while player.going and player.step(match):
        pass
    player.close()


def _check_log(store: RedisStore, match: str, player: Bots) -> None:
    """Each decision that was acknowledged is in the log, once, where the answer said."""
    assert len(player.decided) > 5
    assert player.overtaken == 0
    heads = {event.version: event.head.hex() for event in store.events(match)}
    version = 4
    for decided in player.decided:
        assert decided.first == version + 1, "a decision is there twice, or another is lost"
        assert heads[decided.version] == decided.head
        version = decided.version


def test_pages_are_served_while_all_places_of_viewers_are_taken(
    serve: Callable[..., Gunicorn], club: Tokens
):
    web = serve(HEGEMON_LIVE_PLACES="3")
    match = club.table(web.port)
    viewers = [Viewer(lambda: web.port, match).start() for _ in range(3)]
    assert all(viewer.connected.wait(10) for viewer in viewers)
    for _ in range(40):  # more than there are threads
        status, said = asks(web.port, "GET", f"/live/matches/{match}")
        assert (status, said["code"]) == (503, "no_place")
    assert asks(web.port, "GET", "/")[0] == 200
    for viewer in viewers:
        viewer.stop()
    bots = Bots(club, lambda: web.port)
    assert bots.step(match)  # which wakes them, so that they leave
    bots.close()
    late = Viewer(lambda: web.port, match).start()  # comes again and again, as browsers do
    assert late.connected.wait(20)
    late.stop()


def test_a_process_without_places_sends_viewers_elsewhere(
    serve: Callable[..., Gunicorn], club: Tokens
):
    web = serve(HEGEMON_LIVE_PLACES="0")
    match = club.table(web.port)
    status, said = asks(web.port, "GET", f"/live/matches/{match}")
    assert (status, said["code"]) == (503, "no_place")


def test_figures_are_those_of_all_workers(serve: Callable[..., Gunicorn], club: Tokens):
    web = serve("services.web:create_app()", "--workers", "3", HEGEMON_METRICS_TOKEN="watch")
    for _ in range(60):
        assert asks(web.port, "GET", "/api/v1/matches")[0] == 200
    match = club.table(web.port)
    viewers = [Viewer(lambda: web.port, match).start() for _ in range(9)]
    assert all(viewer.connected.wait(10) for viewer in viewers)
    said = asks(web.port, "GET", "/metrics", "watch")[1].decode()
    asked = 'hegemon_requests_total{method="GET",route="/api/v1/matches",status="200"}'
    assert f"{asked} 60.0" in said
    assert "hegemon_live_viewers 9.0" in said
    for viewer in viewers:
        viewer.stop()
