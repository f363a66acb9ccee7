"""Departures: a player leaves for good. What he shared with others stands; what was his alone, or names him, goes."""

from __future__ import annotations

from functools import partial

from sqlalchemy import String, cast, delete, or_, select, update
from sqlalchemy.orm import Session

from app.extensions import db, write_transaction
from app.models import Block, KnownDevice, MatchSeat, Message, Player, Report, Room, RoomSeat, Seek, Token, Transfer
from app.services import audit, clock, matches, seating
from app.services.errors import Refusal
from app.services.news import News, SignedOut
from app.services.running import running_of
from app.services.times import utcnow

NAME = "Deleted player"
# A seek may be paired between the last forfeit and the departure; then that match is forfeited too.
TRIES = 3


def leave(player_id: str, password_hash: str | None) -> tuple[Refusal | None, list[News]]:
    """Delete a player who has just shown the password of this hash, or has none.

    A refusal is returned and not raised, because the matches that were forfeited before it are news all the same:
    auth.required if he was deleted already, account.wrong_password if the password was changed meanwhile, unavailable.
    """
    news: list[News] = []
    for _ in range(TRIES):
        refusal = forfeit_all(player_id, news)
        if refusal is not None:
            return refusal, news
        with write_transaction() as session:
            player = session.get(Player, player_id)
            if player is None or player.deleted_at is not None:
                return Refusal("auth.required"), news
            if player.password_hash != password_hash:
                return Refusal("account.wrong_password"), news
            if not running_of(session, player_id):
                return None, [*news, *_forget(session, player)]
    return Refusal("unavailable"), news


def forfeit_all(player_id: str, news: list[News]) -> Refusal | None:
    """Give up all running matches of the player, as he would himself."""
    for running in running_of(db.session(), player_id):
        answer, more = clock.command(running.id, partial(matches.forfeit, player_id, running.id))
        news += more
        if isinstance(answer, Refusal) and answer.code != "match.over":
            return answer
    return None


def _forget(session: Session, player: Player) -> list[News]:
    # Rooms are called after who made them.
    session.execute(update(Room).where(Room.host_id == player.id).values(name=None))
    player.name = NAME
    news = seating.leave_all(session, player.id)
    # A seat for which a match is being dealt goes with that match, which they have forfeited.
    dealt = select(Room.code).where(Room.status == "dealing")
    session.execute(delete(RoomSeat).where(RoomSeat.player_id == player.id, RoomSeat.room_code.not_in(dealt)))
    session.execute(update(MatchSeat).where(MatchSeat.player_id == player.id).values(name=NAME))
    _forget_words(session, player.id)
    token_ids = tuple(session.scalars(select(Token.id).where(Token.player_id == player.id)))
    for table in (Token, Transfer, Seek, KnownDevice):
        session.execute(delete(table).where(table.player_id == player.id))
    session.execute(delete(Block).where(or_(Block.player_id == player.id, Block.other_id == player.id)))
    player.username, player.password_hash, player.admin, player.muted_until = None, None, False, None
    player.deleted_at = utcnow()
    return [*news, SignedOut(token_ids)]


def _forget_words(session: Session, player_id: str) -> None:
    """Forget what the player wrote: to a table, about others, and where others' reports quote him."""
    session.execute(delete(Message).where(Message.player_id == player_id))
    session.execute(delete(Report).where(Report.reporter_id == player_id))
    audit.forget_words_about(session, player_id)
    for report in session.scalars(select(Report).where(cast(Report.messages, String).contains(player_id))):
        report.messages = [line for line in report.messages if line["player"] != player_id]
