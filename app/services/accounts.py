"""Accounts: a guest who registers, a player's name and password, and players who are programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import exists, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.extensions import db, write_transaction
from app.models import MatchSeat, Player, Room, RoomSeat, Seek
from app.services import bearers, devices, passwords, seating, sessions, sign_ups, tokens, usernames
from app.services.errors import Refusal
from app.services.news import News, RoomChanged
from app.services.players import living, profile, require
from app.services.times import utcnow


def own_profile(player_id: str) -> dict[str, Any]:
    """A player as he is shown to himself: with what he signs in as, which is nobody else's business.

    Errors: not_found.
    """
    player = require(player_id)
    return {**profile(player_id), "username": player.username}


@dataclass(frozen=True, slots=True)
class Registered:
    """Who has an account now, and the only showing of what the device keeps: a token in place of a guest's, if any."""

    profile: dict[str, Any]
    token: str | None
    device: str
    news: list[News]


def register(
    player_id: str, username: str, password: str, *, current: str, address: str, device: str | None
) -> Registered:
    """Give a guest an account; they stay who they are, with all that they have but the token that they came with.

    That one may be known to whoever had the guest until now. Who asks with it (`current`) is given another.

    Errors: request.invalid, account.exists, account.username_taken, rate_limited; unavailable.
    """
    name = usernames.parse(username)
    passwords.require_uncommon("password", password)
    sign_ups.require_pause(db.session(), address, utcnow())
    password_hash = passwords.hash_of(password)
    with write_transaction() as session:
        now = utcnow()
        sign_ups.require_pause(session, address, now)
        player = living(session, player_id)
        if not player.guest:
            raise Refusal("account.exists")
        player.username, player.password_hash, player.guest = name, password_hash, False
        try:
            session.flush()
        except IntegrityError:
            raise Refusal("account.username_taken") from None
        sign_ups.note(session, address, now)
        ended = [token for token in bearers.valid(session, player_id, bearers.API) if token.label is None]
        bearers.void_codes(session, player_id)
        news = [*seating.reconsider(session, player_id), *bearers.end(session, ended)]
        token = None
        if any(one.id == current for one in ended):
            _, token = bearers.issue(session, player_id, bearers.API, label=None)
        known_by = devices.remember(session, player_id, device)
    return Registered(own_profile(player_id), token, known_by, news)


def rename(player_id: str, name: str) -> tuple[dict[str, Any], list[News]]:
    """Show a player under another name from now on; matches that have begun keep the one of then."""
    with write_transaction() as session:
        player = living(session, player_id)
        news = seen_in_rooms(session, player_id) if player.name != name else []
        player.name = name
    return own_profile(player_id), news


def change_password(
    player_id: str,
    current: str,
    password: str,
    new_password: str,
    *,
    end_tokens: bool = False,
    device: str | None = None,
) -> list[News]:
    """Give an account another password, and sign it out everywhere but in the session that asks.

    With `end_tokens` what it made for programs ends too; of its devices it knows only the one that asks any more.

    Errors: account.needed, account.wrong_password; unavailable.
    """
    passwords.require_uncommon("new_password", new_password)
    stored = checked_password(player_id, password)
    if stored is None:
        raise Refusal("account.needed")
    password_hash = passwords.hash_of(new_password)
    with write_transaction() as session:
        player = living(session, player_id)
        if player.password_hash != stored:
            raise Refusal("account.wrong_password")
        player.password_hash = password_hash
        devices.forget_others(session, player_id, device)
        ended = tokens.end_others(session, player_id, current) if end_tokens else []
        return [*sessions.sign_out_others(session, player_id, current), *ended]


def checked_password(player_id: str, password: str | None) -> str | None:
    """The stored hash of a player's password, if that is the one given; None for a guest, who has none.

    Errors: account.wrong_password; unavailable.
    """
    stored = db.session.scalar(select(Player.password_hash).where(Player.id == player_id))
    if stored is not None and (password is None or not passwords.is_right(password, stored)):
        raise Refusal("account.wrong_password")
    return stored


def declare_bot(player_id: str) -> tuple[dict[str, Any], list[News]]:
    """Show a player as a program from now on; he leaves the rooms that he sits in, for they were made with a person.

    Errors: bot.too_late once he has played.
    """
    with write_transaction() as session:
        player = living(session, player_id)
        news: list[News] = []
        if not player.bot:
            is_dealt_to = exists().where(
                RoomSeat.player_id == player_id, RoomSeat.room_code == Room.code, Room.status == "dealing"
            )
            if session.scalar(select(exists().where(MatchSeat.player_id == player_id) | is_dealt_to)):
                raise Refusal("bot.too_late")
            for seek in session.scalars(select(Seek).where(Seek.player_id == player_id)):
                session.delete(seek)
            news = seating.leave_all(session, player_id)
            player.bot = True
    return own_profile(player_id), news


def seen_in_rooms(session: Session, player_id: str) -> list[News]:
    """The open rooms that show the player."""
    query = (
        select(Room.code)
        .join(RoomSeat, RoomSeat.room_code == Room.code)
        .where(RoomSeat.player_id == player_id, Room.status != "closed")
        .order_by(Room.code)
    )
    return [RoomChanged(code) for code in session.scalars(query)]
