"""The channel's address: who may open it is settled here, before the upgrade, with ordinary HTTP answers."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import partial

from flask import Blueprint, Flask, current_app, g, request
from simple_websocket import Server

from app import auth, limits
from app.extensions import db, sock
from app.realtime import channel
from app.realtime.hub import Hub, TooMany
from app.realtime.publication import may_follow, seats_of
from app.realtime.wire import NoCompression, Wire, wrap
from app.services import rooms
from app.services.errors import Refusal, refuse_field

# A client only listens; the longest thing it may say is a hello.
LONGEST_MESSAGE = 4096

channels = Blueprint("channels", __name__, url_prefix="/api/v1")


@dataclass
class Place:
    """What a channel that is about to open has been given, for its handler and for giving it back."""

    wire: Wire | None = None
    player_id: str | None = None
    code: str = ""


def init_app(app: Flask) -> None:
    """Give the app its hub and the channels' route."""
    settings = app.extensions["settings"]
    app.extensions["hub"] = Hub(settings.max_sockets, settings.max_sockets_per_player)
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
    room = rooms.room_json((request.view_args or {})["code"])
    player_id = caller.player_id if caller else None
    if caller is not None and not may_follow(room, seats_of(room).get(caller.player_id)):
        raise Refusal("auth.forbidden")
    db.session.remove()
    try:
        hub.reserve()
        g.place = Place(code=room["code"])
        if player_id is not None:
            hub.reserve_for(player_id)
            g.place.player_id = player_id
    except TooMany:
        raise Refusal("unavailable", "Too many channels are open.") from None
    g.place.wire = wrap(request.environ)


@channels.teardown_request
def give_back(_error: BaseException | None) -> None:
    """Give the place back, however the channel ended."""
    place: Place | None = g.pop("place", None)
    if place is not None:
        hub: Hub = current_app.extensions["hub"]
        hub.release()
        if place.player_id is not None:
            hub.release_for(place.player_id)


@sock.route("/rooms/<code>/channel", bp=channels)  # type: ignore[untyped-decorator]
def room_channel(ws: Server, code: str) -> None:
    """The news of a room."""
    place: Place = g.place
    assert place.wire is not None
    channel.serve(ws, place.wire, place.code, place.player_id)


def _check_what_the_client_has() -> None:
    after = request.args.get("after")
    if after is not None and not (after.isascii() and after.isdigit() and len(after) < 10):
        refuse_field("after", "a version, as a whole number")
