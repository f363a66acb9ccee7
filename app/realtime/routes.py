"""The channels' addresses: who may open one is settled here, before the upgrade, with ordinary HTTP answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Blueprint, Flask, current_app, g, request
from simple_websocket import Server

from app import auth, guesses, limits
from app.addresses import address
from app.auth import Caller
from app.extensions import db, sock
from app.realtime.admission import kind_for
from app.realtime.hub import Hub
from app.realtime.listening import reader
from app.realtime.lobby import Lobby
from app.realtime.own_channel import OwnChannel
from app.realtime.places import Kind, Places, TooMany
from app.realtime.publication import lobby, read_lobby
from app.realtime.room_channel import RoomChannel
from app.realtime.serving import Opening, serve
from app.realtime.wire import asks_for_websocket, wrap
from app.services import rooms
from app.services.errors import Refusal, refuse_field

channels = Blueprint("channels", __name__, url_prefix="/api/v1")


def init_app(app: Flask) -> None:
    """Give the app its hub, its lobby and the channels' routes."""
    settings = app.extensions["settings"]
    hub = Hub(Places(settings.max_sockets, settings.max_sockets_per_player, settings.max_sockets_per_address))
    app.extensions["hub"] = hub
    app.extensions["lobby"] = Lobby(hub, read_lobby)
    # Called with every news after its publication.
    app.extensions["news_watchers"] = []
    app.config["SOCK_SERVER_OPTIONS"] = {"thread_class": partial(reader, limited=settings.rate_limits)}
    app.register_blueprint(channels)


class _Access:
    """Who may open a channel; the API asks this too, before it tells that a method is wrong."""

    nameless = True

    def identify(self, *, unsafe: bool) -> Caller | None:
        """The caller; None if he is to say in the channel who he is."""
        caller = auth.identify(unsafe=unsafe)
        if caller is None and auth.COOKIE_NAME in request.cookies:
            raise Refusal("auth.required")
        if caller is not None:
            auth.require_scope(caller, "read")
        return caller

    def check(self, caller: Caller | None, view_args: dict[str, Any]) -> Kind:
        """What the channel would be to the caller, who is refused if it is not open to him."""
        code = view_args.get("code")
        if caller is None:
            if code is not None:
                rooms.room_json(code)
            # Whoever they turn out to be, they must not take what is kept for those who said so at once.
            return Kind.UNNAMED
        try:
            return kind_for(current_app.extensions["hub"], code, caller.player_id)
        except TooMany:
            raise _too_many() from None


ACCESS = _Access()


def _channel(path: str) -> Callable[[Callable[..., None]], None]:
    """Make a view the channel of a path.

    Requests for anything but a WebSocket come there too, so that `admit` and the API tell what is wrong with them.
    """

    def decorate(view: Callable[..., None]) -> None:
        view.access = ACCESS  # type: ignore[attr-defined]
        sock.route(path, bp=channels, provide_automatic_options=False)(view)
        channels.add_url_rule(path, endpoint=view.__name__, methods=["GET"], provide_automatic_options=False)

    return decorate


@channels.before_request
@guesses.room_codes
@limits.reads
def admit() -> None:
    """Refuse by an HTTP answer whoever may not open the channel, and take a place for whoever may."""
    hub: Hub = current_app.extensions["hub"]
    caller = ACCESS.identify(unsafe=True)
    try:
        kind = ACCESS.check(caller, request.view_args or {})
        if not asks_for_websocket(request.headers):
            raise Refusal("request.malformed", "This is the address of a WebSocket, and no proper one is asked for.")
        _check_what_the_client_has()
        try:
            place = hub.places.take(kind, None if caller is None else caller.player_id, address())
        except TooMany:
            raise _too_many() from None
    finally:
        db.session.remove()
    g.opening = Opening(place, wrap(request.environ), caller)


@channels.teardown_request
def give_back(_error: BaseException | None) -> None:
    """Give the place back, however the channel ended."""
    opening: Opening | None = g.pop("opening", None)
    if opening is not None:
        hub: Hub = current_app.extensions["hub"]
        hub.places.give_back(opening.place)


@_channel("/rooms/<code>/channel")
def room_channel(ws: Server, code: str) -> None:
    """The news of a room."""
    hub: Hub = current_app.extensions["hub"]
    opening: Opening = g.opening
    code = code.upper()  # as the room has it, whichever way the address did
    serve(hub, ws, opening, code, partial(RoomChannel, hub, ws, opening.wire, code))


@_channel("/channel")
def own_channel(ws: Server) -> None:
    """What concerns a player, and the lobby."""
    hub: Hub = current_app.extensions["hub"]
    opening: Opening = g.opening
    serve(hub, ws, opening, None, partial(OwnChannel, hub, lobby(), ws, opening.wire))


def _check_what_the_client_has() -> None:
    after = request.args.get("after")
    if after is not None and not (after.isascii() and after.isdigit() and len(after) < 10):
        refuse_field("after", "a version, as a whole number")


def _too_many() -> Refusal:
    return Refusal("unavailable", "Too many channels are open.")
