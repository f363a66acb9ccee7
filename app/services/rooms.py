"""Rooms: making, showing, listing and closing them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, or_, select, tuple_
from sqlalchemy.orm import Session

from app.config import settings
from app.extensions import db, write_transaction
from app.models import Message, Player, Room, RoomSeat
from app.services import room_caps
from app.services.errors import Refusal, refuse_field
from app.services.ids import new_code, parse_code
from app.services.match_start import next_scheme, next_server_seed
from app.services.match_views import is_connected
from app.services.news import News, RematchSaid, RoomChanged
from app.services.paging import Cursor, key_of, page_of
from app.services.players import living, player_json
from app.services.room_rules import RoomWish, is_rated, may_be_rated, resolve
from app.services.times import rfc3339, utcnow
from engine.rules import Rules
from engine.shuffle import SCHEME_2, commitment

# How long a room that nobody uses stays open.
KEPT = {"waiting": timedelta(hours=2), "finished": timedelta(hours=24)}
# A room is looked at from this age on. One with an open channel is then young again, so that what counts is the end of
# its use, give or take this much; a day's finished rooms are too many to ask after each of them all the time.
LOOKED_AT = {"waiting": timedelta(minutes=5), "finished": timedelta(hours=12)}
EXPIRED_AT_ONCE = 200


def create(player_id: str, wish: RoomWish) -> tuple[dict[str, Any], list[News]]:
    """Make a room; its creator is the host and, unless he asks otherwise, sits on seat 0.

    Errors: request.invalid for a rule set or a combination that cannot be; room.too_many.
    """
    rules = resolve(wish)
    if wish.client_commitment is not None and not wish.join:
        refuse_field("client_commitment", "Only who sits down takes part in the deal.")
    with write_transaction() as session:
        if wish.rated:
            _require_rateable(living(session, player_id))
        room_caps.require_place(session, player_id, wish.visibility)
        room = make(session, player_id, wish, rules, utcnow())
        if wish.join:
            seat = RoomSeat(room_code=room.code, seat=0, player_id=player_id, joined_at=room.created_at)
            commit_to(room, seat, wish.client_commitment)
            session.add(seat)
            session.flush()
            session.expire(room, ["seating"])
            touch(room, room.created_at)
        code = room.code
    return room_json(code), [RoomChanged(code)]


def make(session: Session, host_id: str, wish: RoomWish, rules: Rules, now: datetime) -> Room:
    """A new room in which nobody sits yet; a program's is not rated, whoever will sit there.

    Errors: auth.required for a deleted host.
    """
    rated = False if living(session, host_id).bot else wish.rated
    room = Room(
        code=_free_code(session),
        host_id=host_id,
        name=wish.name,
        seats=wish.seats,
        rules=rules.to_json(),
        turn_seconds=wish.turn_seconds,
        visibility=wish.visibility,
        rated=rated is not False and may_be_rated(rules, wish.seats, seeded=wish.seed is not None),
        rated_wanted=rated,
        seed=wish.seed,
        spectators=wish.spectators,
        chat=wish.chat,
        status="waiting",
        matches_played=0,
        server_seed=next_server_seed(wish.seed, 1),
        scheme=next_scheme(wish.seed),
        tally=[0, 0],
        created_at=now,
        active_at=now,
    )
    session.add(room)
    session.flush()
    return room


def close(player_id: str, code: str) -> list[News]:
    """Close a room in which nobody plays; only its host may.

    Errors: not_found, auth.forbidden, room.closed, room.started.
    """
    with write_transaction() as session:
        room = open_room(session, code)
        require_host(room, player_id)
        require_idle(room)
        host = seat_of(room, player_id)
        told = drop_asks(room, None if host is None else host.seat)
        shut(session, room)
        room.active_at = utcnow()
        return [*told, RoomChanged(room.code)]


def shut(session: Session, room: Room) -> None:
    """Close a room, however it came to that: what was written in it is gone with it."""
    room.status = "closed"
    session.execute(delete(Message).where(Message.room_code == room.code))


def expire(now: datetime, is_used: Callable[[str], bool]) -> list[News]:
    """Close the rooms that nobody has used for long; `is_used` tells whether anyone follows a room by its code."""
    stale = db.session.execute(select(Room.code, Room.status, Room.active_at).where(_is_older(LOOKED_AT, now))).all()
    used = {room.code for room in stale if is_used(room.code)}
    unused = [room.code for room in stale if room.code not in used and room.active_at <= now - KEPT[room.status]]
    if not used and not unused:
        return []
    with write_transaction() as session:
        for room in session.scalars(select(Room).where(Room.code.in_(used), Room.status.in_(KEPT))):
            room.active_at = now
        wanted = Room.code.in_(unused[:EXPIRED_AT_ONCE])
        closed = session.scalars(select(Room).where(wanted, _is_older(KEPT, now))).all()
        for room in closed:
            drop_asks(room, None)
            shut(session, room)
            room.active_at = now
        return [RoomChanged(room.code) for room in closed]


def room_json(code: str) -> dict[str, Any]:
    """The room as the contract shows it to everyone.

    Errors: not_found.
    """
    room = db.session.get(Room, parse_code(code) or "", populate_existing=True)
    if room is None:
        raise Refusal("not_found")
    return _json(room)


def waiting_rooms(cursor: Cursor | None, limit: int) -> tuple[list[dict[str, Any]], Cursor | None]:
    """A page of the public rooms that wait for players, newest first, and where the next page begins."""
    query = (
        select(Room)
        .where(Room.visibility == "public", Room.status == "waiting")
        .order_by(Room.created_at.desc(), Room.code.desc())
    )
    listed = room_caps.is_listed()
    if listed is not None:
        query = query.where(listed)
    if cursor is not None:
        query = query.where(tuple_(Room.created_at, Room.code) < key_of(cursor))
    rooms = db.session.scalars(query.limit(limit + 1)).all()
    return page_of(rooms, limit, _json, lambda room: Cursor(room.created_at, room.code))


def open_room(session: Session, code: str) -> Room:
    """The room, for a command.

    Errors: not_found.
    """
    room = session.get(Room, parse_code(code) or "")
    if room is None:
        raise Refusal("not_found")
    return room


def own_seat(session: Session, code: str, player_id: str) -> tuple[Room, RoomSeat]:
    """The room, and the player's seat in it.

    Errors: not_found, auth.forbidden for who does not sit there.
    """
    room = open_room(session, code)
    own = seat_of(room, player_id)
    if own is None:
        raise Refusal("auth.forbidden", "Only those who sit in the room may do this.")
    return room, own


def require_seated(code: str, player_id: str) -> None:
    """Refuse who does not sit in a room that is only known by its code.

    Errors: not_found, auth.forbidden.
    """
    own_seat(db.session(), code, player_id)


def require_open(room: Room) -> None:
    """Refuse what cannot be done in a closed room."""
    if room.status == "closed":
        raise Refusal("room.closed")


def require_host(room: Room, player_id: str) -> None:
    """Refuse anyone but the host."""
    if room.host_id != player_id:
        raise Refusal("auth.forbidden", "Only the host of the room may do this.")


def require_host_of(code: str, player_id: str) -> None:
    """Refuse anyone but the host of a room that is only known by its code.

    Errors: not_found, auth.forbidden.
    """
    require_host(open_room(db.session(), code), player_id)


def require_idle(room: Room) -> None:
    """Refuse what cannot be done to a closed room, or once a match is dealt."""
    require_open(room)
    if has_begun(room):
        raise Refusal("room.started")


def has_begun(room: Room) -> bool:
    """Whether the seats are fixed: a match is played here, or seeds are being opened for one."""
    return room.status in ("dealing", "playing")


def commit_to(room: Room, taken: RoomSeat, client_commitment: str | None) -> bool:
    """Note what a player committed to for the next match, where anybody does; tells whether it is new."""
    if client_commitment is None or room.scheme != SCHEME_2 or taken.client_commitment == client_commitment:
        return False
    taken.client_commitment = client_commitment
    return True


def seat_of(room: Room, player_id: str) -> RoomSeat | None:
    """The seat that a player has taken in the room."""
    return next((taken for taken in room.seating if taken.player_id == player_id), None)


def drop_asks(room: Room, seat: int | None) -> list[News]:
    """End every ask for a rematch, and tell whose doing it is: the seat has declined, or withdrawn the only ask."""
    asked = [taken for taken in room.seating if taken.rematch]
    for taken in asked:
        taken.rematch = False
    if not asked or seat is None:
        return []
    declined = any(taken.seat != seat for taken in asked)
    return [RematchSaid(room.code, seat, "declined" if declined else "withdrawn")]


def touch(room: Room, now: datetime) -> None:
    """Note that something happened in a room, and whether it is still rated."""
    room.active_at = now
    room.rated = is_rated(room)


def _require_rateable(host: Player) -> None:
    if host.bot:
        refuse_field("rated", "A bot account plays no rated matches with people.")
    if host.guest:
        refuse_field("rated", "Rated matches are for registered players; a guest can register.")


def _is_older(ages: dict[str, timedelta], now: datetime) -> ColumnElement[bool]:
    return or_(*(and_(Room.status == status, Room.active_at <= now - age) for status, age in ages.items()))


def _free_code(session: Session) -> str:
    while True:
        code = new_code()
        if session.get(Room, code) is None:
            return code


def _json(room: Room) -> dict[str, Any]:
    taken = {seat.seat: seat for seat in room.seating}
    return {
        "code": room.code,
        "url": f"{settings().public_url}/r/{room.code}",
        "host": room.host_id,
        "name": room.name,
        "seats": room.seats,
        "rules": room.rules,
        "turn_seconds": room.turn_seconds,
        "visibility": room.visibility,
        "rated": room.rated,
        "seeded": room.seed is not None,
        "spectators": room.spectators,
        "chat": room.chat,
        "status": room.status,
        "seating": [_place_json(room, seat, taken.get(seat)) for seat in range(room.seats)],
        "match_id": room.match_id,
        "tally": room.tally,
        "rematch": [taken.seat for taken in room.seating if taken.rematch],
        "fairness": _fairness_json(room, taken),
        "created_at": rfc3339(room.created_at),
    }


def _fairness_json(room: Room, taken: dict[int, RoomSeat]) -> dict[str, Any]:
    """What is known of the next match's deal; of the seeds nothing but what they were committed to."""
    committed = {seat: place.client_commitment or "" for seat, place in taken.items()}
    shown = {
        "scheme": room.scheme,
        "commitment": commitment(room.server_seed),
        "client_commitments": [committed.get(seat, "") for seat in range(room.seats)],
    }
    return shown if room.reveal_by is None else {**shown, "reveal_by": rfc3339(room.reveal_by)}


def _place_json(room: Room, seat: int, taken: RoomSeat | None) -> dict[str, Any]:
    player = taken.player if taken else None
    bot = taken.bot if taken else None
    return {
        "seat": seat,
        "side": seat % 2,
        "player": player_json(player) if player else None,
        "bot": bot,
        "connected": taken is not None and is_connected(room.code, seat, bot),
    }
