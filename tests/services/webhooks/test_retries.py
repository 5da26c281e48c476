"""Which delivery is tried next: by a clock that the test moves."""

from __future__ import annotations

from services.webhooks.retries import (
    DAY,
    SECOND,
    WAITING_MAX,
    Delivery,
    Patience,
    Receiver,
    RetrySchedule,
)

PATIENCE = Patience(at_once=(("sound", 3), ("doubtful", 2)))


def delivery(number: int, webhook: str = "w", **said: int) -> Delivery:
    return Delivery(
        id=f"{webhook}{number}", webhook=webhook, kind="turn", made=said.pop("made", 0),
        body=b"{}", version=number, **said,
    )  # fmt: skip


def rounds(luck: float = 1.0) -> RetrySchedule:
    return RetrySchedule(PATIENCE, lambda: luck)


def begun(found: RetrySchedule, now: int) -> list[str]:
    """Begins deliveries and returns their ids; each webhook belongs to another person."""
    return [one.id for one in found.begin(now, lambda webhook: webhook)]


def test_one_delivery_at_a_time_goes_to_a_webhook_in_order():
    found = rounds()
    first, second = delivery(1), delivery(2)
    assert found.add([second, first, first]) == []
    assert begun(found, 0) == ["w1"]
    assert begun(found, 0) == []
    found.delivered(first, 5)
    assert (first.state, first.attempts, first.tried) == ("delivered", 1, 5)
    assert begun(found, 5) == ["w2"]
    found.delivered(second, 6)
    assert found.webhooks == []  # each was added once


def test_a_webhook_for_which_nothing_waits_gets_no_record():
    found, one = rounds(), delivery(1)
    found.add([one])
    found.delivered(one, 5)
    found.receivers.clear()
    assert begun(found, 6) == []
    assert found.receivers == {}


def test_pauses_double_up_to_an_hour_and_luck_shortens_them_by_half_at_most():
    pauses = [PATIENCE.pause(failures, 1.0) // SECOND for failures in range(1, 14)]
    assert pauses == [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600, 3600]
    assert PATIENCE.pause(3, 0.0) == 10 * SECOND


def test_while_a_receiver_is_down_it_is_tried_with_one_delivery_and_not_with_all():
    found, now, tries = rounds(), 0, 0
    found.add([delivery(number) for number in range(100)])
    while now < 3_600 * SECOND:
        for one in found.begin(now, lambda _: "p"):
            tries += 1
            found.failed(one, now)
        now += SECOND
    assert tries == 10  # 0, 5, 15, 35, ... 2555
    [one] = found.begin(now + 3_600 * SECOND, lambda _: "p")
    found.delivered(one, now)
    assert len(begun(found, now)) == 1  # at once


def test_a_delivery_that_is_refused_does_not_hold_up_the_others():
    found = rounds()
    bad, good = delivery(1), delivery(2)
    found.add([bad, good])
    assert begun(found, 0) == ["w1"]
    found.failed(bad, 0)
    assert begun(found, 4 * SECOND) == []
    assert begun(found, 5 * SECOND) == ["w2"]


def test_after_a_day_a_delivery_is_given_up_and_the_receiver_is_said_to_be_lost():
    found, now, stopped = rounds(), 1, False
    one = delivery(1)
    found.add([one])
    tries = 0
    while one.state == "waiting":
        for begins in found.begin(now, lambda _: "p"):
            tries += 1
            stopped = found.failed(begins, now)
        now += 60 * SECOND
    assert stopped
    assert DAY <= now < DAY + 2 * 3_600 * SECOND
    assert 30 < tries < 40
    assert found.webhooks == []


def test_a_receiver_that_took_something_meanwhile_is_not_lost():
    found = rounds()
    bad = delivery(1)
    found.add([bad])
    for one in found.begin(1, lambda _: "p"):
        assert not found.failed(one, 1)
    found.delivered(delivery(2), DAY)
    [again] = found.begin(DAY + 1, lambda _: "p")
    assert not found.failed(again, DAY + 1)
    assert bad.state == "given up"


def test_who_says_when_to_come_again_is_believed_up_to_an_hour():
    for said, waited in ((90 * SECOND, 90 * SECOND), (DAY, 3_600 * SECOND)):
        found = rounds()
        found.add([delivery(1)])
        [one] = found.begin(0, lambda _: "p")
        found.failed(one, 0, said)
        assert begun(found, waited - 1) == []
        assert begun(found, waited) == ["w1"]


def test_what_its_owner_asks_for_goes_at_once():
    found = rounds()
    found.add([delivery(1)])
    [one] = found.begin(0, lambda _: "p")
    found.failed(one, 0)
    assert begun(found, 1) == []
    found.add([delivery(9, asked=True, made=1)])
    assert begun(found, 1) == ["w9"]


def test_doubtful_receivers_fill_their_own_lane_and_no_other():
    found = rounds()
    for name in "abc":
        found.receivers[name] = Receiver(sound=True)
    found.add([delivery(1, name) for name in "uvxyzabc"])
    assert sorted(begun(found, 0)) == ["a1", "b1", "c1", "u1", "v1"]


def test_a_receiver_is_sound_once_it_has_taken_something_quickly_and_until_it_fails():
    found = rounds()
    quick, slow = delivery(1, "q"), delivery(1, "s")
    quick.milliseconds, slow.milliseconds = 100, 5 * SECOND
    for one in (quick, slow):
        found.add([one])
        found.begin(0, lambda webhook: webhook)
        found.delivered(one, 0)
    assert found.receiver("q").sound
    assert not found.receiver("s").sound
    again = delivery(2, "q")
    found.add([again])
    found.begin(0, lambda webhook: webhook)
    assert found.lane("q") == "sound"
    found.failed(again, 0)
    assert not found.receiver("q").sound


def test_two_of_one_person_s_are_under_way_at_most():
    found = rounds()
    for name in "abcd":
        found.receivers[name] = Receiver(sound=True)
    found.add([delivery(1, name) for name in "abcd"])
    assert [one.id for one in found.begin(0, lambda w: "p" if w != "d" else "o")] == [
        "a1",
        "b1",
        "d1",
    ]


def test_a_thousand_wait_for_a_webhook_and_what_comes_then_is_given_back():
    found = rounds()
    assert found.add(delivery(number) for number in range(WAITING_MAX)) == []
    extra = delivery(WAITING_MAX)
    assert found.add([extra, delivery(1, "other")]) == [extra]
    assert len(found.drop("w")) == WAITING_MAX
    assert found.webhooks == ["other"]
