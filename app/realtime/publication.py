"""Turns the news of use cases into the messages that each receiver may see, and hands them to the hub."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from flask import current_app

from app.extensions import db
from app.observability import log_failure
from app.realtime.hub import NOT_ALLOWED, Hub, Message
from app.services import matches, rooms
from app.services.news import LobbyChanged, MatchMoved, News, RematchSaid, RoomChanged, SeekPaired


def publish(news: Iterable[News]) -> None:
    """Tell everyone who listens what a use case has changed, after its commit.

    A publication that fails must not fail a command that is stored: clients notice the gap by the versions.
    """
    hub: Hub = current_app.extensions["hub"]
    for item in news:
        try:
            with hub.publishing:
                _publish(hub, item)
        except Exception as error:
            log_failure("publication_failed", error, kind=type(item).__name__)
        for watcher in current_app.extensions["news_watchers"]:
            watcher(item)


def _publish(hub: Hub, item: News) -> None:
    if isinstance(item, SeekPaired | LobbyChanged) or not hub.listeners(item.code):
        return
    if isinstance(item, RoomChanged):
        _publish_room(hub, item.code)
    elif isinstance(item, RematchSaid):
        _publish_rematch(hub, item)
    else:
        _publish_match(hub, item)


def _publish_room(hub: Hub, code: str) -> None:
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
        if seat not in texts:
            texts[seat] = _events_text(item, seat) if item.events else view_text(matches.view_of(record, seat))
        subscriber.put(Message(texts[seat], item.match_id, first, record.version, bool(item.events)))


def _publish_rematch(hub: Hub, item: RematchSaid) -> None:
    text = _text({"type": "rematch", "seat": item.seat, "state": item.state})
    for subscriber in hub.listeners(item.code):
        subscriber.put(Message(text))


def announce_presence(code: str, seat: int) -> None:
    """Tell the room whether a seat's channel is open."""
    hub: Hub = current_app.extensions["hub"]
    with hub.publishing:
        text = _text({"type": "presence", "seat": seat, "connected": hub.connected(code, seat)})
        for subscriber in hub.listeners(code):
            if subscriber.seat != seat:
                subscriber.put(Message(text))


def read_room(hub: Hub, code: str) -> dict[str, Any]:
    """The room as everyone sees it now, after its listeners have been given their seats of now."""
    db.session.rollback()
    room = rooms.room_json(code)
    hub.seat_players(room["code"], seats_of(room))
    for place in room["seating"]:
        if place["player"]:
            place["connected"] = hub.connected(room["code"], place["seat"])
    return room


def seats_of(room: dict[str, Any]) -> dict[str, int]:
    """The seat of each player in the room."""
    return {place["player"]["id"]: place["seat"] for place in room["seating"] if place["player"]}


def may_follow(room: dict[str, Any], seat: int | None) -> bool:
    """Whether a caller may follow the room: anyone while it waits, later its seats and, where allowed, spectators."""
    return room["status"] == "waiting" or seat is not None or (room["spectators"] and room["status"] != "closed")


def room_text(room: dict[str, Any]) -> str:
    """The message that shows the room."""
    return _text({"type": "room", "room": room})


def view_text(view: dict[str, Any]) -> str:
    """The message that shows the match as its receiver sees it."""
    return _text({"type": "view", "view": view})


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
