"""What those who run the service do to players, rooms and matches, beside bans and mutes."""

from __future__ import annotations

import secrets
from typing import Any

from sqlalchemy import func, or_, select, update

from app.extensions import db, write_transaction
from app.models import MatchSeat, Player, Report, Room
from app.services import audit, bearers, matches, rooms, sanctions, usernames, voids
from app.services.accounts import seen_in_rooms
from app.services.audit import Actor
from app.services.blocks import require_living
from app.services.errors import Refusal
from app.services.news import News, RoomChanged
from app.services.players import player_json
from app.services.times import rfc3339, utcnow
from engine.state import Abandon

FOUND_MOST = 50
# So often a match that moves under our hands is tried to be ended.
TRIES = 20


def find(text: str) -> list[dict[str, Any]]:
    """The players of an id or a username, or whose name has the text in it; the newest first."""
    pattern = "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    named = or_(Player.id == text, Player.username == usernames.fold(text), Player.name.ilike(pattern, escape="\\"))
    query = select(Player).where(named, Player.deleted_at.is_(None)).order_by(Player.created_at.desc(), Player.id)
    return [_json(player) for player in db.session.scalars(query.limit(FOUND_MOST))]


def id_of(text: str) -> str:
    """The id of a player who is named by it, or by a username.

    Errors: not_found.
    """
    named = or_(Player.id == text, Player.username == usernames.fold(text))
    found = db.session.scalars(select(Player.id).where(named, Player.deleted_at.is_(None))).all()
    if len(found) != 1:
        raise Refusal("not_found", "There is no player of this id or username.")
    return found[0]


def player(player_id: str) -> dict[str, Any]:
    """A player with what only those who run the service are shown.

    Errors: not_found.
    """
    shown = _json(require_living(db.session(), player_id))
    counted = select(func.count()).select_from(Report).where(Report.reported_id == player_id)
    shown["reports"] = {
        "open": db.session.scalar(counted.where(Report.handled_at.is_(None))),
        "handled": db.session.scalar(counted.where(Report.handled_at.is_not(None))),
    }
    return shown


def admins() -> list[dict[str, Any]]:
    """The players who are admins."""
    return [_json(one) for one in db.session.scalars(select(Player).where(Player.admin).order_by(Player.id))]


def set_admin(actor: Actor, player_id: str, reason: str, *, admin: bool) -> dict[str, Any]:
    """Make an account an admin, or an ordinary one again.

    Errors: not_found; account.needed for a guest.
    """
    with write_transaction() as session:
        found = require_living(session, player_id)
        if admin and found.guest:
            raise Refusal("account.needed", "Only a registered player can be an admin.")
        if found.admin != admin:
            found.admin = admin
            audit.note(session, actor, "make_admin" if admin else "unmake_admin", player_id, reason)
        return _json(found)


def rename(actor: Actor, player_id: str, name: str | None, reason: str) -> tuple[dict[str, Any], list[News]]:
    """Show a player under another name, a neutral one if none is given; in the matches of the past too.

    The rooms that they opened lose their names, which are as likely to be the trouble.

    Errors: not_found, auth.forbidden.
    """
    name = name or f"Player {secrets.randbelow(9000) + 1000}"
    with write_transaction() as session:
        found = require_living(session, player_id)
        actor.require_may_touch(found)
        audit.note(session, actor, "rename", player_id, reason, before=found.name, name=name)
        found.name = name
        session.execute(update(MatchSeat).where(MatchSeat.player_id == player_id).values(name=name))
        session.execute(update(Room).where(Room.host_id == player_id).values(name=None))
        return _json(found), seen_in_rooms(session, player_id)


def end_tokens(actor: Actor, player_id: str, reason: str) -> tuple[dict[str, Any], list[News]]:
    """Sign a player out everywhere: sessions, tokens and open codes of transfers stand for nobody any more.

    A guest cannot come back after it.

    Errors: not_found, auth.forbidden.
    """
    with write_transaction() as session:
        found = require_living(session, player_id)
        actor.require_may_touch(found)
        ended = [token for kind in (bearers.API, bearers.SESSION) for token in bearers.valid(session, player_id, kind)]
        bearers.void_codes(session, player_id)
        news = bearers.end(session, ended)
        audit.note(session, actor, "end_tokens", player_id, reason, ended=len(ended))
        return {**_json(found), "ended": len(ended)}, news


def close_room(actor: Actor, code: str, reason: str) -> tuple[dict[str, Any], list[News]]:
    """Close a room, whatever happens in it; a match that is played there is ended as abandoned, and scores nothing.

    Errors: not_found, room.closed, room.started while it deals; unavailable if the match moves too fast to be ended.
    """
    news: list[News] = []
    for _ in range(TRIES):
        news += _abandon(code)
        with write_transaction() as session:
            room = rooms.open_room(session, code)
            rooms.require_open(room)
            if room.status == "dealing":
                raise Refusal("room.started", "The cards are just being dealt: try again in a few seconds.")
            if room.status == "playing":
                continue
            rooms.drop_asks(room, None)
            rooms.shut(session, room)
            room.active_at = utcnow()
            audit.note(session, actor, "close_room", room.code, reason, match=room.match_id)
            return {"code": room.code, "match": room.match_id}, [*news, RoomChanged(room.code)]
    raise Refusal("unavailable", "The match in this room could not be ended just now.")


def void_match(actor: Actor, match_id: str, reason: str) -> tuple[dict[str, Any], list[News]]:
    """Take back the points and ratings that a finished match brought, once; later matches stay.

    Errors: not_found, match.running.
    """
    voided, news = voids.void_match(
        match_id, lambda session: audit.note(session, actor, "void_match", match_id, reason)
    )
    shown = {"match": match_id, "voided_at": rfc3339(voided.voided_at), "changes": voided.changes}
    return shown, news


def _abandon(code: str) -> list[News]:
    """End the match that is played in a room, if there is one, for nobody."""
    room = rooms.open_room(db.session(), code)
    record = matches.load(room.match_id) if room.match_id is not None else None
    if record is None or record.is_over:
        return []
    return matches.act(record.id, Abandon(by="operator"), expect_version=record.version) or []


def _json(player: Player) -> dict[str, Any]:
    return {
        **player_json(player),
        "username": player.username,
        "admin": player.admin,
        "created_at": rfc3339(player.created_at),
        **sanctions.in_force_json(player),
    }
