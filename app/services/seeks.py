"""Quick match: those who look for the same kind of match are brought together in order of arrival.

Between registered players it can be rated; so for a while they wait for one another, and after that for anybody.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import combinations
from typing import Any

from sqlalchemy import ColumnElement, and_, or_, select, true
from sqlalchemy.orm import Session

from app.extensions import db, delete_if_any, write_transaction
from app.models import Player, Room, RoomSeat, Seek
from app.services import blocks, dealing, penalties, rooms
from app.services.errors import Refusal
from app.services.ids import is_id, new_id
from app.services.news import News, SeekPaired
from app.services.players import living
from app.services.room_rules import RoomWish, resolve
from app.services.times import rfc3339, utcnow

# Who is not heard of for so long is gone.
ALIVE = timedelta(seconds=30)
# A seek that found its room can be asked for so much longer, by a player who had lost his network meanwhile.
KEPT = timedelta(minutes=10)
# For so long a registered player waits for registered ones.
AMONG_REGISTERED = timedelta(seconds=10)
# Of those who wait so many are tried; more wait for the same match only where most have blocked one another.
MOST_TRIED = 50


def seek(player_id: str, wish: RoomWish) -> tuple[dict[str, Any], bool, list[News]]:
    """Look for others who want the same match, and begin it if enough of them are there.

    A player has one seek: the same wish again is the same seek, also just after it was paired, and another wish takes
    its place. The second answer is whether it is a new one.

    Errors: request.invalid for a match that cannot be, auth.required for a deleted player, rate_limited for who has
    let down others of late.
    """
    rules = resolve(wish)
    news: list[News] = []
    with write_transaction() as session:
        now = utcnow()
        player = living(session, player_id)
        own = session.scalar(select(Seek).where(Seek.player_id == player_id))
        wanted = (wish.seats, rules.profile, rules.target)
        fresh = own is None or not _is_repeated(session, own, wanted, now)
        if own is None or fresh:
            penalties.require_may_seek(player, now)
            if own is not None:
                session.delete(own)
                session.flush()
            own = _add(session, player_id, wanted, now)
            own.client_commitment = wish.client_commitment or ""
            news = _pair(session, own, now)
        elif own.room_code is None:
            own.seen_at = now
            own.client_commitment = wish.client_commitment or own.client_commitment
        return _json(own), fresh, news


def hear_of(player_id: str, seek_id: str) -> tuple[dict[str, Any], list[News]]:
    """A seek as its player asks for it, which keeps it alive; it may be time for it to be paired.

    Errors: not_found, also for another player's and for one that nobody asked for in time.
    """
    news: list[News] = []
    with write_transaction() as session:
        now = utcnow()
        own = _own(session, player_id, seek_id, now)
        if own.room_code is None:
            own.seen_at = now
            news = _pair(session, own, now)
        return _json(own), news


def give_up(player_id: str, seek_id: str) -> None:
    """Look no longer.

    Errors: not_found; room.started if the match was found already and runs.
    """
    with write_transaction() as session:
        own = _own(session, player_id, seek_id, utcnow())
        if _is_played(session, own):
            raise Refusal("room.started", "Your match was found and has begun.")
        session.delete(own)


def try_again(player_id: str) -> list[News]:
    """Pair a player's seek with those who wait already: somebody may be among them who was blocked until now."""
    with write_transaction() as session:
        now = utcnow()
        own = session.scalar(select(Seek).where(Seek.player_id == player_id, _waits(now)))
        return [] if own is None else _pair(session, own, now)


def patient(since: datetime, until: datetime) -> list[str]:
    """The seeks of registered players that have begun between two moments to wait for guests, too, the oldest first."""
    now_patient = and_(Seek.created_at > since - AMONG_REGISTERED, Seek.created_at <= until - AMONG_REGISTERED)
    query = select(Seek.id).join(Player).where(_waits(until), now_patient, ~Player.guest)
    return list(db.session.scalars(query.order_by(Seek.created_at, Seek.id)))


def pair(seek_id: str, now: datetime) -> list[News]:
    """Pair a seek with those who wait already, if it waits still."""
    with write_transaction() as session:
        own = session.scalar(select(Seek).where(Seek.id == seek_id, _waits(now)))
        return [] if own is None else _pair(session, own, now)


def require_own(player_id: str, seek_id: str) -> None:
    """Refuse who may not know of a seek.

    Errors: not_found.
    """
    _own(db.session(), player_id, seek_id, utcnow())


def open_seeks(player_id: str) -> list[dict[str, Any]]:
    """What a player looks for at this moment."""
    query = select(Seek).where(Seek.player_id == player_id, _waits(utcnow()))
    return [_json(found) for found in db.session.scalars(query)]


def seek_json(seek_id: str) -> dict[str, Any]:
    """A seek as its player is shown it, whether it is paired or not.

    Errors: not_found.
    """
    found = db.session.get(Seek, seek_id, populate_existing=True)
    if found is None:
        raise Refusal("not_found")
    return _json(found)


def expire(now: datetime) -> list[News]:
    """Forget the seeks of those who are gone; nobody is left to be told."""
    dead = or_(
        and_(Seek.room_code.is_(None), Seek.seen_at <= now - ALIVE),
        and_(Seek.room_code.is_not(None), Seek.seen_at <= now - KEPT),
    )
    delete_if_any(Seek, dead)
    return []


def _add(session: Session, player_id: str, wanted: tuple[int, str, int | None], now: datetime) -> Seek:
    seats, rules, target = wanted
    added = Seek(id=new_id(), player_id=player_id, seats=seats, rules=rules, target=target, created_at=now, seen_at=now)
    session.add(added)
    session.flush()
    return added


def _pair(session: Session, newest: Seek, now: datetime) -> list[News]:
    """Seat those who have waited longest for the same match, as soon as there are enough who get along."""
    found = _those_who_get_along(session, newest, _others(session, newest, now), now)
    if not found:
        return []
    wish = RoomWish(seats=newest.seats, rules=newest.rules, target=newest.target, visibility="public")
    room = rooms.make(session, found[0].player_id, wish, resolve(wish), now)
    room.quick = True
    room.seating = [
        RoomSeat(
            seat=seat,
            player=session.get_one(Player, one.player_id),
            client_commitment=one.client_commitment,
            joined_at=now,
        )
        for seat, one in enumerate(found)
    ]
    session.flush()
    for one in found:
        one.room_code, one.seen_at = room.code, now
    return [*(SeekPaired(one.player_id, one.id) for one in found), *dealing.begin(session, room, now)]


def _others(session: Session, newest: Seek, now: datetime) -> list[Seek]:
    """Who waits for the same match, the longest first; programs and people do not meet this way."""
    player = session.get_one(Player, newest.player_id)
    query = (
        select(Seek)
        .join(Player, Player.id == Seek.player_id)
        .where(
            _waits(now),
            Seek.id != newest.id,
            Seek.seats == newest.seats,
            Seek.rules == newest.rules,
            Seek.target.is_not_distinct_from(newest.target),
            Player.bot.is_(player.bot),
            _may_meet(newest, player, now),
            Player.deleted_at.is_(None),
        )
        .order_by(Seek.created_at, Seek.id)
        .limit(MOST_TRIED)
    )
    return list(session.scalars(query))


def _those_who_get_along(session: Session, newest: Seek, others: list[Seek], now: datetime) -> list[Seek]:
    """With one seek the first of the others who can sit at one table, in order of arrival; none if they are too few."""
    if len(others) < newest.seats - 1:
        return []
    people = [newest.player_id, *(one.player_id for one in others)]
    apart = blocks.apart(session, people)
    guests = _guests_among(session, people)
    for some in combinations(others, newest.seats - 1):
        table = sorted((*some, newest), key=lambda one: (one.created_at, one.id))
        pairs = combinations([one.player_id for one in table], 2)
        if not any(frozenset(pair) in apart for pair in pairs) and _may_sit_together(table, guests, now):
            return table
    return []


def _may_meet(newest: Seek, player: Player, now: datetime) -> ColumnElement[bool]:
    """With whom a seeker may meet now; programs, whose matches are never rated, with any other."""
    if player.bot:
        return true()
    if not player.guest:
        return true() if newest.created_at <= now - AMONG_REGISTERED else ~Player.guest
    return or_(Player.guest, Seek.created_at <= now - AMONG_REGISTERED)


def _may_sit_together(table: list[Seek], guests: set[str], now: datetime) -> bool:
    """Whether nobody sits among guests who still waits for registered players."""
    if not any(one.player_id in guests for one in table):
        return True
    return all(one.player_id in guests or one.created_at <= now - AMONG_REGISTERED for one in table)


def _guests_among(session: Session, player_ids: list[str]) -> set[str]:
    """Those of some people who are guests; programs have no part in it."""
    query = select(Player.id).where(Player.id.in_(player_ids), Player.guest, ~Player.bot)
    return set(session.scalars(query))


def _waits(now: datetime) -> ColumnElement[bool]:
    return and_(Seek.room_code.is_(None), Seek.seen_at > now - ALIVE)


def _is_repeated(session: Session, own: Seek, wanted: tuple[int, str, int | None], now: datetime) -> bool:
    if (own.seats, own.rules, own.target) != wanted or own.seen_at <= now - ALIVE:
        return False
    # Sent twice, while the first one began the match: that must not begin another.
    return own.room_code is None or _is_played(session, own)


def _is_played(session: Session, own: Seek) -> bool:
    room = None if own.room_code is None else session.get(Room, own.room_code)
    return room is not None and rooms.has_begun(room)


def _own(session: Session, player_id: str, seek_id: str, now: datetime) -> Seek:
    found = session.get(Seek, seek_id) if is_id(seek_id) else None
    if found is None or found.player_id != player_id:
        raise Refusal("not_found")
    if found.seen_at <= now - (ALIVE if found.room_code is None else KEPT):
        raise Refusal("not_found", "The seek has ended, because nobody asked for it in time.")
    return found


def _json(found: Seek) -> dict[str, Any]:
    return {
        "id": found.id,
        "seats": found.seats,
        "rules": found.rules,
        "target": found.target,
        "room": found.room_code,
        "created_at": rfc3339(found.created_at),
    }
