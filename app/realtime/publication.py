"""Turns the news of use cases into the messages that each receiver may see, and hands them to the hub."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from flask import current_app

from app.extensions import db
from app.observability import log_failure
from app.realtime.hub import Hub
from app.realtime.lobby import Lobby
from app.realtime.subscriber import NOT_ALLOWED, Message, own_topic
from app.services import matches, messages, networks, rooms, sanctions, seeks
from app.services.news import (
    AddressSanctioned,
    MatchMoved,
    MessageWritten,
    News,
    PhraseSaid,
    PlayerBanned,
    RematchSaid,
    RoomChanged,
    SeekPaired,
    SignedOut,
)
from app.services.running import running_of

# So many rooms the lobby tells of; whoever wants more pages through the list of the API.
LOBBY_LENGTH = 50
# So many messages of a table are told on opening; whoever wants more pages through the list of the API.
MESSAGES_SHOWN = 50


def publish(news: Iterable[News]) -> None:
    """Tell everyone who listens what a use case has changed, after its commit.

    What fails here must not fail a command that is stored: clients notice the gap by the versions.
    """
    hub: Hub = current_app.extensions["hub"]
    for item in news:
        try:
            with hub.publishing:
                _publish(hub, item)
        except Exception as error:
            log_failure("publication_failed", error, kind=type(item).__name__)
        for watcher in tuple(current_app.extensions["news_watchers"]):  # a clock that stops takes its own away
            try:
                watcher(item)
            except Exception as error:
                log_failure("watcher_failed", error, kind=type(item).__name__)


def _publish(hub: Hub, item: News) -> None:
    match item:
        case RoomChanged():
            lobby().changed()
            _publish_room(hub, item.code)
        case MatchMoved():
            _publish_match(hub, item)
            _tell_players(hub, item)
        case RematchSaid():
            _publish_rematch(hub, item)
        case SeekPaired():
            _publish_seek(hub, item)
        case SignedOut():
            hub.sign_out(item.token_ids)
        case PlayerBanned():
            hub.shut_out({item.player_id}, f"banned until {item.until}")
        case AddressSanctioned():
            _publish_address(hub, item)
        case PhraseSaid():
            _publish_phrase(hub, item)
        case MessageWritten():
            _publish_message(hub, item)


def _publish_address(hub: Hub, item: AddressSanctioned) -> None:
    """Have the sanctions read anew, and shut the guests out who are here from a banned network."""
    networks.forget_known()
    if item.banned_until is None:
        return
    db.session.rollback()
    there = [players for address, players in hub.players_by_address().items() if networks.is_of(address, item.network)]
    guests = sanctions.guests_among(set().union(*there))
    hub.shut_out(guests, f"banned until {item.banned_until}")


def _publish_room(hub: Hub, code: str) -> None:
    if not hub.is_used(code):
        return
    room = read_room(hub, code)
    text = room_text(room)
    for subscriber in hub.listeners(code):
        subscriber.put(Message(text))
        if not may_follow(room, subscriber.seat):
            subscriber.close(NOT_ALLOWED, "this room is no longer open to you")


def _publish_match(hub: Hub, item: MatchMoved) -> None:
    record, texts = item.record, {}
    # Without events only a deadline has moved: the view is all there is to tell.
    first = item.events[0]["version"] if item.events else record.version
    for subscriber in hub.listeners(item.code):
        # From the match itself: whatever the room says by now, a hand is shown to the player it was dealt to.
        seat = record.seat_of(subscriber.player_id)
        if seat is None and not record.may_watch():
            continue
        if item.events and item.events[0]["type"] == "match_started":
            subscriber.since_start_of = record.id
        if seat not in texts:
            texts[seat] = _events_text(item, seat) if item.events else view_text(matches.view_of(record, seat))
        subscriber.put(Message(texts[seat], item.match_id, first, record.version, bool(item.events)))


def _tell_players(hub: Hub, item: MatchMoved) -> None:
    """Tell players on their own channels when their match begins, when it is their turn, and when it is over."""
    record = item.record
    if not item.events:
        return
    tells_all = record.is_over or item.events[0]["type"] == "match_started"
    for taken in record.seats:
        your_turn = record.match.to_act == taken.seat
        if taken.player_id is None or not (tells_all or your_turn):
            continue
        match = {"id": record.id, "room": record.room_code, "your_turn": your_turn, "status": record.status}
        message = Message(_text({"type": "match", "match": match}), record.id, last=record.version)
        for subscriber in hub.listeners(own_topic(taken.player_id)):
            subscriber.put(message)


def _publish_seek(hub: Hub, item: SeekPaired) -> None:
    listeners = hub.listeners(own_topic(item.player_id))
    if listeners:
        db.session.rollback()
        text = _text({"type": "seek", "seek": seeks.seek_json(item.seek_id)})
        for subscriber in listeners:
            subscriber.put(Message(text))


def _publish_rematch(hub: Hub, item: RematchSaid) -> None:
    text = _text({"type": "rematch", "seat": item.seat, "state": item.state})
    for subscriber in hub.listeners(item.code):
        subscriber.put(Message(text))


def _publish_phrase(hub: Hub, item: PhraseSaid) -> None:
    text = _text({"type": "phrase", "seat": item.seat, "phrase": item.phrase, "at": item.at})
    for subscriber in hub.listeners(item.code):
        if subscriber.player_id not in item.deaf:
            subscriber.put(Message(text))


def _publish_message(hub: Hub, item: MessageWritten) -> None:
    text = _text({"type": "message", "message": item.message})
    for subscriber in hub.listeners(item.code):
        if subscriber.player_id in item.readers:
            subscriber.put(Message(text))


def announce_presence(code: str, seat: int) -> None:
    """Tell the room whether a seat's channel is open."""
    hub: Hub = current_app.extensions["hub"]
    with hub.publishing:
        text = _text({"type": "presence", "seat": seat, "connected": hub.connected(code, seat)})
        for subscriber in hub.listeners(code):
            if subscriber.seat != seat:
                subscriber.put(Message(text))
    lobby().changed()


def lobby() -> Lobby:
    """The lobby of the current application."""
    found: Lobby = current_app.extensions["lobby"]
    return found


def read_lobby() -> str:
    """The message that lists the public rooms that wait, the newest ones, as they are now."""
    db.session.rollback()
    return _text({"type": "lobby", "items": rooms.waiting_rooms(None, LOBBY_LENGTH)[0]})


def read_own(player_id: str) -> tuple[list[str], dict[str, int]]:
    """The messages that show a player's seeks and running matches as they are now, and the versions of the latter."""
    db.session.rollback()
    running = running_of(db.session(), player_id)
    items = [{"id": match.id, "room": match.room_code, "your_turn": match.your_turn} for match in running]
    texts = [_text({"type": "seeks", "items": seeks.open_seeks(player_id)}), _text({"type": "matches", "items": items})]
    return texts, {match.id: match.version for match in running}


def read_room(hub: Hub, code: str) -> dict[str, Any]:
    """The room as everyone sees it now, after its listeners have been given their seats of now."""
    db.session.rollback()
    room = rooms.room_json(code)
    hub.seat_players(room["code"], seats_of(room), is_running=is_running(room))
    for place in room["seating"]:
        if place["player"]:
            place["connected"] = hub.connected(room["code"], place["seat"])
    return room


def seats_of(room: dict[str, Any]) -> dict[str, int]:
    """The seat of each player in the room."""
    return {place["player"]["id"]: place["seat"] for place in room["seating"] if place["player"]}


def is_running(room: dict[str, Any]) -> bool:
    """Whether a match needs those who sit in the room."""
    return room["status"] in ("dealing", "playing")


def may_follow(room: dict[str, Any], seat: int | None) -> bool:
    """Whether a caller may follow the room: anyone while it waits, later its seats and, where allowed, spectators."""
    return room["status"] == "waiting" or seat is not None or (room["spectators"] and room["status"] != "closed")


def room_text(room: dict[str, Any]) -> str:
    """The message that shows the room."""
    return _text({"type": "room", "room": room})


def view_text(view: dict[str, Any]) -> str:
    """The message that shows the match as its receiver sees it."""
    return _text({"type": "view", "view": view})


def messages_text(code: str, player_id: str) -> str:
    """The message that shows one who sits in a room with a chat what was written there lately."""
    return _text({"type": "messages", "items": messages.messages_of(player_id, code, None, MESSAGES_SHOWN)[0]})


def ping_text(match_id: str | None, version: int | None) -> str:
    """The message that proves the channel alive and tells how far the match is."""
    return _text({"type": "ping", "match": match_id, "version": version})


def _events_text(item: MatchMoved, seat: int | None) -> str:
    return _text(
        {
            "type": "events",
            "match": item.match_id,
            "events": matches.events_for(item.record, item.events, seat),
            "view": matches.view_of(item.record, seat),
        }
    )


def _text(message: dict[str, Any]) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
