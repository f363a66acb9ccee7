"""The channels' addresses: who may open one is settled here, before the upgrade, with ordinary HTTP answers."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import partial

from flask import Blueprint, Flask, current_app, g, request
from simple_websocket import Server

from app import auth, limits
from app.extensions import db, sock
from app.realtime.admission import kind_for
from app.realtime.hub import Hub
from app.realtime.lobby import Lobby
from app.realtime.own_channel import OwnChannel
from app.realtime.places import Kind, Place, Places, TooMany
from app.realtime.publication import lobby, read_lobby
from app.realtime.room_channel import RoomChannel
from app.realtime.serving import serve
from app.realtime.wire import NoCompression, Wire, wrap
from app.services import rooms
from app.services.errors import Refusal, refuse_field

# A client only listens; the longest thing it may say is a hello.
LONGEST_MESSAGE = 4096

channels = Blueprint("channels", __name__, url_prefix="/api/v1")


@dataclass
class Opening:
    """What a channel that is about to open has been given, for its handler and for giving it back."""

    place: Place
    wire: Wire


def init_app(app: Flask) -> None:
    """Give the app its hub, its lobby and the channels' routes."""
    settings = app.extensions["settings"]
    hub = Hub(Places(settings.max_sockets, settings.max_sockets_per_player))
    app.extensions["hub"] = hub
    app.extensions["lobby"] = Lobby(hub, read_lobby)
    # Called with every news after its publication.
    app.extensions["news_watchers"] = []
    app.config["SOCK_SERVER_OPTIONS"] = {
        "max_message_size": LONGEST_MESSAGE,
        # Its reader: nothing to wait for when the process ends.
        "thread_class": partial(threading.Thread, daemon=True),
    }
    app.register_blueprint(channels)
    app.wsgi_app = NoCompression(app.wsgi_app)  # type: ignore[method-assign]


@channels.before_request
@limits.room_codes
@limits.reads
def admit() -> None:
    """Refuse by an HTTP answer whoever may not open the channel, and take a place for whoever may."""
    hub: Hub = current_app.extensions["hub"]
    _check_what_the_client_has()
    caller = auth.identify(unsafe=True)
    if caller is None and auth.COOKIE_NAME in request.cookies:
        raise Refusal("auth.required")
    if caller is not None and "read" not in caller.scopes:
        raise Refusal("auth.scope_missing")
    code = (request.view_args or {}).get("code")
    wire = wrap(request.environ)
    try:
        if caller is not None:
            place = hub.places.take(kind_for(hub, code, caller.player_id), caller.player_id)
        else:
            if code is not None:
                rooms.room_json(code)
            # Whatever he turns out to be, he must not take what is kept for those who said so at once.
            place = hub.places.take(Kind.SPECTATOR, None)
    except TooMany:
        raise Refusal("unavailable", "Too many channels are open.") from None
    finally:
        db.session.remove()
    g.opening = Opening(place, wire)


@channels.teardown_request
def give_back(_error: BaseException | None) -> None:
    """Give the place back, however the channel ended."""
    opening: Opening | None = g.pop("opening", None)
    if opening is not None:
        hub: Hub = current_app.extensions["hub"]
        hub.places.give_back(opening.place)


@sock.route("/rooms/<code>/channel", bp=channels)  # type: ignore[untyped-decorator]
def room_channel(ws: Server, code: str) -> None:
    """The news of a room."""
    hub: Hub = current_app.extensions["hub"]
    opening: Opening = g.opening
    code = code.upper()  # as the room has it, whichever way the address did
    serve(hub, ws, opening.wire, opening.place, code, partial(RoomChannel, hub, ws, opening.wire, code))


@sock.route("/channel", bp=channels)  # type: ignore[untyped-decorator]
def own_channel(ws: Server) -> None:
    """What concerns a player, and the lobby."""
    hub: Hub = current_app.extensions["hub"]
    opening: Opening = g.opening
    serve(hub, ws, opening.wire, opening.place, None, partial(OwnChannel, hub, lobby(), ws, opening.wire))


def _check_what_the_client_has() -> None:
    after = request.args.get("after")
    if after is not None and not (after.isascii() and after.isdigit() and len(after) < 10):
        refuse_field("after", "a version, as a whole number")
