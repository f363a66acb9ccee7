"""Rooms, and who sits in them."""

from __future__ import annotations

from typing import Any

from flask import Response

from app import auth, guesses, limits
from app.api import cursors
from app.api.blueprint import BODY, Blueprint, calling, reply
from app.auth import Caller
from app.realtime import publish
from app.schemas.answers import ref
from app.schemas.requests import NewBot, NewJoin, NewRematch, NewReveal, NewRoom, PageQuery
from app.services import dealing, rematches, rooms, seating
from app.services.room_rules import RoomWish

blp = Blueprint("rooms", __name__, url_prefix="/api/v1/rooms", description="Where people meet and sit down.")


def _exists(_caller: Caller | None, code: str) -> None:
    rooms.room_json(code)


def _is_open_to(caller: Caller, code: str) -> None:
    seating.require_open_to(code, caller.player_id)


def _is_host(caller: Caller, code: str) -> None:
    rooms.require_host_of(code, caller.player_id)


def _sits_there(caller: Caller, code: str) -> None:
    rooms.require_seated(code, caller.player_id)


def _sits(caller: Caller, code: str) -> None:
    rematches.require_seat(code, caller.player_id)


def _may_ask(caller: Caller, code: str) -> None:
    rematches.require_may_ask(code, caller.player_id)


@blp.post("")
@limits.create
@blp.operation("createRoom", scope="play", refusals=("auth.forbidden", *BODY, "chat.muted", "room.too_many"))
@blp.arguments(NewRoom, required=False)
@blp.response(201, ref("Room"), headers={"Location": {"schema": {"type": "string"}}})
def create_room(body: dict[str, Any]) -> Response:
    """Make a room.

    All fields are optional. You are its host and, unless `join` is false, sit on seat 0. You may be host of 20 rooms
    that wait or play, 3 of them public.
    """
    if body.get("name") is not None:
        auth.require_voice(calling())
    room, news = rooms.create(calling().player_id, RoomWish(**body))
    publish(news)
    response = reply(room, 201)
    response.headers["Location"] = f"/api/v1/rooms/{room['code']}"
    return response


@blp.get("")
@limits.reads
@blp.operation("listRooms", scope=None, refusals=("request.invalid",))
@blp.arguments(PageQuery, location="query")
@blp.response(200, ref("RoomPage"))
def list_rooms(query: dict[str, Any]) -> Response:
    """List the public rooms that wait for players, newest first, no more than two of one host.

    A room that nobody uses closes after 2 hours of waiting. `/api/v1/channel` tells when the list has changed.
    """
    items, more = rooms.waiting_rooms(cursors.decode(query.get("cursor")), query["limit"])
    return reply({"items": items, "next": cursors.encode(more)})


@blp.get("/<code>")
@guesses.room_codes
@limits.reads
@blp.operation("getRoom", scope=None, guard=_exists, refusals=("not_found",))
@blp.response(200, ref("Room"))
def get_room(code: str) -> Response:
    """Show a room.

    Its code is taken in either case.
    """
    return reply(rooms.room_json(code))


@blp.delete("/<code>")
@guesses.room_codes
@limits.moves
@blp.operation(
    "closeRoom", scope="play", guard=_is_host, refusals=("auth.forbidden", "not_found", "room.closed", "room.started")
)
@blp.response(204)
def close_room(code: str) -> Response:
    """Close your room, as long as nobody plays in it.

    For good: its channels end, and what was written there is gone. Its matches stay.
    """
    publish(rooms.close(calling().player_id, code))
    return Response(status=204)


@blp.post("/<code>/joins")
@guesses.room_codes
@limits.moves
@blp.operation("joinRoom", scope="play", guard=_is_open_to, refusals=(
    "auth.forbidden", "not_found", "room.blocked", *BODY, "room.closed", "room.started", "room.full",
    "room.seat_taken"))  # fmt: skip
@blp.arguments(NewJoin, required=False)
@blp.response(201, ref("Room"))
@blp.alt_response(200, schema=ref("Room"), description="You sat there already.", success=True)
def join_room(body: dict[str, Any], code: str) -> Response:
    """Sit down, move to another free seat, or commit to a client seed.

    Not where you and the host, or somebody who sits there, have blocked one another. The match starts when every seat
    is taken; if somebody committed, the room is `dealing` first, and has no `match_id` yet.
    """
    room, joined, news = seating.join(calling().player_id, code, body["seat"], body["client_commitment"])
    publish(news)
    return reply(room, 201 if joined else 200)


@blp.delete("/<code>/joins/me")
@guesses.room_codes
@limits.moves
@blp.operation(
    "leaveRoom", scope="play", guard=_exists, refusals=("auth.forbidden", "not_found", "room.closed", "room.started")
)
@blp.response(204)
def leave_room(code: str) -> Response:
    """Give up your seat.

    If you are the host, the next seated person is; the last person out closes the room. A running match is left by
    forfeiting it.
    """
    publish(seating.leave(calling().player_id, code))
    return Response(status=204)


@blp.delete("/<code>/joins/<int(fixed_digits=1):seat>")
@guesses.room_codes
@limits.moves
@blp.operation(
    "unseatPlayer", scope="play", guard=lambda caller, code, seat: _is_host(caller, code),
    refusals=("auth.forbidden", "not_found", "room.closed", "room.started"),
)  # fmt: skip
@blp.response(204)
def unseat_player(code: str, seat: int) -> Response:
    """As the host, free a player's seat.

    Before a match only. He may sit down again, unless you block him.
    """
    publish(seating.unseat(calling().player_id, code, seat, bot=False))
    return Response(status=204)


@blp.post("/<code>/bots")
@guesses.room_codes
@limits.moves
@blp.operation("seatBot", scope="play", guard=_is_host, refusals=(
    "auth.forbidden", "not_found", *BODY, "room.closed", "room.started", "room.full", "room.seat_taken"))  # fmt: skip
@blp.arguments(NewBot)
@blp.response(201, ref("Room"))
def seat_bot(body: dict[str, Any], code: str) -> Response:
    """As the host, seat a bot.

    At least one seat stays a person's. Matches with a bot score nothing.
    """
    room, news = seating.seat_bot(calling().player_id, code, body["seat"], body["level"])
    publish(news)
    return reply(room, 201)


@blp.delete("/<code>/bots/<int(fixed_digits=1):seat>")
@guesses.room_codes
@limits.moves
@blp.operation(
    "unseatBot", scope="play", guard=lambda caller, code, seat: _is_host(caller, code),
    refusals=("auth.forbidden", "not_found", "room.closed", "room.started"),
)  # fmt: skip
@blp.response(204)
def unseat_bot(code: str, seat: int) -> Response:
    """As the host, free a bot's seat.

    Before a match only.
    """
    publish(seating.unseat(calling().player_id, code, seat, bot=True))
    return Response(status=204)


@blp.post("/<code>/reveals")
@guesses.room_codes
@limits.moves
@blp.operation("revealSeed", scope="play", guard=_sits_there, refusals=(
    "auth.forbidden", "not_found", *BODY, "room.not_dealing"))  # fmt: skip
@blp.arguments(NewReveal)
@blp.response(201, ref("Room"))
@blp.alt_response(200, schema=ref("Room"), description="You had opened it already.", success=True)
def reveal_seed(body: dict[str, Any], code: str) -> Response:
    """Open the seed that you committed to, as soon as the room is `dealing`.

    Note the `commitment` and all `client_commitments` of the room first: that they are still the same after the match
    is what proves that nobody chose the cards. When all are open the match starts, else at `reveal_by`, and what was
    not opened counts as empty.
    """
    room, fresh, news = dealing.reveal(calling().player_id, code, body["client_seed"])
    publish(news)
    return reply(room, 201 if fresh else 200)


@blp.post("/<code>/rematches")
@guesses.room_codes
@limits.moves
@blp.operation("askForRematch", scope="play", guard=_may_ask, refusals=(
    "auth.forbidden", "not_found", "room.blocked", *BODY, "room.closed", "room.started",
    "match.wrong_phase", "room.too_many"))  # fmt: skip
@blp.arguments(NewRematch, required=False)
@blp.response(201, ref("Room"))
@blp.alt_response(200, schema=ref("Room"), description="You had asked already.", success=True)
def ask_for_rematch(body: dict[str, Any], code: str) -> Response:
    """Ask for another match once yours is over, or agree to one.

    It starts when every person agreed: everyone keeps his seat, everything is drawn anew. The room's `commitment` is
    the one of that match, so commit to a client seed here. Before the first match is over this is `match.wrong_phase`;
    where you and somebody who sits there have blocked one another, `room.blocked`.
    """
    room, fresh, news = rematches.ask(calling().player_id, code, body["client_commitment"])
    publish(news)
    return reply(room, 201 if fresh else 200)


@blp.delete("/<code>/rematches/me")
@guesses.room_codes
@limits.moves
@blp.operation("declineRematch", scope="play", guard=_sits, refusals=(
    "auth.forbidden", "not_found", "room.closed", "room.started", "match.wrong_phase"))  # fmt: skip
@blp.response(204)
def decline_rematch(code: str) -> Response:
    """Withdraw your ask for a rematch or, if you have not asked, decline that of the others.

    Once it is over for 24 hours, the room closes anyway.
    """
    publish(rematches.take_back(calling().player_id, code))
    return Response(status=204)
