"""The hub and what is published through it: order, seats and secrets."""

from __future__ import annotations

import json
from collections.abc import Callable

from flask import Flask

from app.realtime import publish
from app.realtime.hub import Hub
from app.realtime.places import Places
from app.realtime.subscriber import REPLACED, RESTARTING, Message, Subscriber
from app.services.news import MatchMoved, RoomChanged
from tests.live import wait_until
from tests.runtime.conftest import Served
from tests.runtime.people import Channel, open_channel
from tests.runtime.tables import Table

MakeTable = Callable[..., Table]
Serve = Callable[[Flask], Served]


class Wakeups:
    """Counts how often a handler would have been woken."""

    def __init__(self) -> None:
        self.count = 0

    def set(self) -> None:
        self.count += 1


def subscribe(hub: Hub, player_id: str, code: str = "KMNPAB") -> Subscriber:
    subscriber = Subscriber((code,), player_id, Wakeups(), lambda: None)
    hub.join(subscriber)
    return subscriber


def texts(subscriber: Subscriber) -> list[dict[str, object]]:
    return [json.loads(message.text) for message in subscriber.take()[0]]


def test_a_seat_is_connected_while_its_players_channel_is_open() -> None:
    hub = Hub(Places(10, 10))
    mona = subscribe(hub, "mona")
    assert not hub.connected("KMNPAB", 0)
    hub.seat_players("KMNPAB", {"mona": 0, "karim": 1})
    assert hub.connected("KMNPAB", 0)
    assert not hub.connected("KMNPAB", 1)
    hub.leave(mona)
    hub.leave(mona)
    assert not hub.connected("KMNPAB", 0)


def test_a_player_who_gave_up_his_seat_is_no_longer_on_it() -> None:
    hub = Hub(Places(10, 10))
    mona = subscribe(hub, "mona")
    hub.seat_players("KMNPAB", {"mona": 0})
    hub.seat_players("KMNPAB", {"karim": 0})
    assert mona.seat is None


def test_of_two_channels_on_a_seat_the_newer_stays() -> None:
    hub = Hub(Places(10, 10))
    older, newer = subscribe(hub, "mona"), subscribe(hub, "mona")
    hub.seat_players("KMNPAB", {"mona": 0})
    closing = older.take()[2]
    assert closing is not None
    assert closing.code == REPLACED
    assert newer.take()[2] is None
    hub.leave(older)
    assert hub.connected("KMNPAB", 0)


def test_the_first_order_to_close_counts() -> None:
    subscriber = Subscriber(("KMNPAB",), "mona", Wakeups(), lambda: None)
    subscriber.close(REPLACED, "replaced")
    subscriber.close(RESTARTING, "restarting")
    closing = subscriber.take()[2]
    assert closing is not None
    assert closing.code == REPLACED


def test_what_was_queued_is_still_taken_with_the_order_to_close() -> None:
    subscriber = Subscriber(("KMNPAB",), "mona", Wakeups(), lambda: None)
    subscriber.put(Message("last words"))
    subscriber.close(RESTARTING, "restarting")
    messages, lost, closing = subscriber.take()
    assert (messages, lost, closing is not None) == ([Message("last words")], False, True)


def test_who_comes_while_the_service_goes_is_sent_away() -> None:
    hub = Hub(Places(10, 10))
    hub.close_all()
    closing = subscribe(hub, "mona").take()[2]
    assert closing is not None
    assert closing.code == RESTARTING


def test_a_hand_is_told_to_the_player_it_was_dealt_to_whatever_the_room_says(make_table: MakeTable) -> None:
    table = make_table(seats=4)
    hub: Hub = table.app.extensions["hub"]
    listening = [subscribe(hub, player_id, table.code) for player_id in table.players]
    stranger = subscribe(hub, "stranger", table.code)
    # A room's news that is older than the match put everyone on a wrong seat.
    hub.seat_players(table.code, {player: 3 - seat for seat, player in enumerate(table.players)} | {"stranger": 0})
    with table.app.app_context():
        publish(table.play())
    record = table.record()
    for seat, subscriber in enumerate(listening):
        (told,) = texts(subscriber)
        view = told["view"]
        assert isinstance(view, dict)
        assert view["you"]["seat"] == seat
        assert view["you"]["hand"] == list(record.match.round.hands[seat])
    assert texts(stranger) == []


def test_spectators_share_one_view_without_hands(make_table: MakeTable) -> None:
    table = make_table(spectators=True)
    hub: Hub = table.app.extensions["hub"]
    watching = [subscribe(hub, f"stranger {number}", table.code) for number in range(3)]
    with table.app.app_context():
        publish(table.play())
    taken = [subscriber.take()[0] for subscriber in watching]
    assert len({id(messages[0].text) for messages in taken}) == 1
    told = json.loads(taken[0][0].text)
    assert told["view"]["you"] is None


def test_news_in_the_wrong_order_ends_in_the_right_view(make_table: MakeTable, serve: Serve) -> None:
    table = make_table()
    served = serve(table.app)
    channel = open_as(served, table, 0)
    version = channel.until_type("view")["view"]["version"]
    first, second, third = table.play(), table.play(), table.play()
    with table.app.app_context():
        publish(second)
        publish(first)
        publish(third)
    assert channel.until_type("view")["view"]["version"] == version + 3
    table_moves_on = table.play()
    with table.app.app_context():
        publish(table_moves_on)
    message = channel.next()
    assert message["type"] == "events"
    assert message["events"][0]["version"] == version + 4


def test_a_deadline_that_moves_without_events_comes_as_a_view(make_table: MakeTable, serve: Serve) -> None:
    table = make_table()
    served = serve(table.app)
    channel = open_as(served, table, 0)
    channel.until_type("view")
    record = table.record()
    with table.app.app_context():
        publish([MatchMoved(table.code, table.match_id, (), record)])
    assert channel.next()["view"]["version"] == record.version


def test_news_of_a_room_without_listeners_is_no_trouble(make_table: MakeTable) -> None:
    table = make_table()
    with table.app.app_context():
        publish([RoomChanged(table.code), RoomChanged("ZZZZZZ"), *table.play()])


def open_as(served: Served, table: Table, seat: int) -> Channel:
    header = {"Authorization": f"Bearer {table.tokens[seat]}"}
    channel = Channel(open_channel(served, table.code, header=header))
    wait_until(lambda: table.app.extensions["hub"].connected(table.code, seat), "the channel to be open")
    return channel
