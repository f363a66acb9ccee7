"""Serves one socket from the upgrade to its end: says hello where nobody is known yet, and closes with a code."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from simple_websocket import ConnectionClosed, Server

from app import auth
from app.addresses import address
from app.auth import Caller
from app.extensions import db
from app.observability import log_failure
from app.realtime.admission import kind_for
from app.realtime.channel import Channel, Refused, reading
from app.realtime.hub import Hub
from app.realtime.places import Place, TooMany
from app.realtime.subscriber import FAULT, NOT_ALLOWED, TOO_MANY, Subscriber
from app.realtime.wire import Wire
from app.services.errors import Refusal

HELLO_S = 5.0
# How long the end of a channel may take before the connection is cut.
CLOSING_S = 0.5


@dataclass
class Opening:
    """What a channel that is about to open has been given, for its handler and for giving it back."""

    place: Place
    wire: Wire
    caller: Caller | None
    has_said_hello: bool = False


def serve(hub: Hub, ws: Server, opening: Opening, code: str | None, make: Callable[[str], Channel]) -> None:
    """Serve one channel until it ends; whatever goes wrong closes it with a code and never writes HTTP into it.

    A caller who is not known yet must say who he is first. `make` gives the channel of a player.
    """
    try:
        try:
            caller = opening.caller or _say_hello(hub, ws, opening, code)
            channel = make(caller.player_id)
            _sit_down(hub, channel.subscriber, opening)
            channel.opened_by(caller.token_id, caller.expires_at, address())
            channel.run()
        except Refused as refused:
            _close(ws, refused.code, refused.reason)
        except (ConnectionClosed, OSError):
            pass
        except Exception as error:
            log_failure("channel_failed", error)
            _close(ws, FAULT, "fault")
    finally:
        db.session.remove()
        # The reader has the client's answer to wait for, or itself to answer to what the client sent.
        ws.thread.join(CLOSING_S)
        opening.wire.cut()


def _say_hello(hub: Hub, ws: Server, opening: Opening, code: str | None) -> Caller:
    """Wait for the hello; returns whom its token stands for."""
    stranger = Subscriber((), None, ws.event, opening.wire.cut)
    _sit_down(hub, stranger, opening)
    hub.welcome(stranger)
    # A client can keep this handler busy, but not the watch.
    hub.watch.after(HELLO_S, partial(_end_if_silent, hub, stranger, opening))
    try:
        token = _hello_token(ws, stranger)
        opening.has_said_hello = True
    finally:
        hub.leave(stranger)
    with reading():
        caller = auth.caller_of(token)
        if caller is None or "read" not in caller.scopes:
            raise Refused(NOT_ALLOWED, "this token is not known or not made for this")
        try:
            hub.places.claim(opening.place, kind_for(hub, code, caller.player_id), caller.player_id)
        except Refusal:
            raise Refused(NOT_ALLOWED, "this room is not open to you") from None
        except TooMany:
            raise Refused(TOO_MANY, "too many channels") from None
    return caller


def _hello_token(ws: Server, stranger: Subscriber) -> str:
    if not ws.input_buffer and ws.connected:
        ws.event.wait()
    close = stranger.take()[2]
    if close is not None:
        raise Refused(close.code, close.reason)
    try:
        message = json.loads(ws.input_buffer[0] if ws.input_buffer else "")
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict) or message.get("type") != "hello" or not isinstance(message.get("token"), str):
        raise Refused(NOT_ALLOWED, "a hello with a token was expected")
    # What is no token at all, even no text that can be written down, is an unknown one.
    return str(message["token"].encode("ascii", "replace"), "ascii")


def _sit_down(hub: Hub, subscriber: Subscriber, opening: Opening) -> None:
    """Let a subscriber sit on the place that was taken, and leave it when somebody comes who needs it more."""
    subscriber.place = opening.place
    opening.place.ended_by(partial(hub.end, subscriber, TOO_MANY, "the place is needed for a player's seat"))


def _end_if_silent(hub: Hub, stranger: Subscriber, opening: Opening) -> None:
    if not opening.has_said_hello:
        hub.end(stranger, NOT_ALLOWED, "a hello with a token was expected")


def _close(ws: Server, code: int, reason: str) -> None:
    with suppress(ConnectionClosed, OSError):
        ws.close(code, reason)
