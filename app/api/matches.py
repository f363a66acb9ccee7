"""Matches: looking, playing, and what is left of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Response, request

from app import limits
from app.api import cursors
from app.api.blueprint import BODY, Blueprint, calling, maybe_calling, reply, unchanged
from app.auth import Caller
from app.realtime import publish
from app.schemas.answers import ref
from app.schemas.requests import Empty, EventsQuery, NewCut, NewMove
from app.schemas.standings import HistoryQuery
from app.services import clock, history, marks, matches
from app.services.errors import Refusal
from app.services.match_filters import MatchFilter
from app.services.news import News

blp = Blueprint("matches", __name__, url_prefix="/api/v1/matches", description="Playing, and looking back.")

COMMAND = ("auth.forbidden", "not_found", *BODY, "match.over")


def _is_visible(caller: Caller | None, match_id: str) -> None:
    history.visible(match_id, caller.player_id if caller else None)


def _has_seat(caller: Caller, match_id: str) -> None:
    matches.own_seat(matches.load(match_id), caller.player_id)


def _answer(match_id: str, command: Callable[[], tuple[matches.Answer, list[News]]]) -> Response:
    answer, news = clock.command(match_id, command)
    publish(news)
    if isinstance(answer, Refusal):
        raise answer
    return reply({"events": answer.events, "view": answer.view}, 201 if answer.fresh else 200)


def _of_this_moment(response: Response) -> Response:
    """Keep a view out of caches that ask again by themselves: its `now` is no part of its mark, and would be old."""
    response.headers["Cache-Control"] = "no-store"
    return response


@blp.get("")
@limits.reads
@blp.operation("listMatches", scope="read", refusals=("not_found", "request.invalid"))
@blp.arguments(HistoryQuery, location="query")
@blp.response(200, ref("HistoryPage"))
def list_matches(query: dict[str, Any]) -> Response:
    """List a player's matches, newest first.

    Of other players only the matches of public rooms are listed.
    """
    names = ("status", "opponent", "outcome", "rated", "rules", "seats", "since", "until")
    wanted = MatchFilter(**{name: query[name] for name in names if name in query})
    items, more = history.matches_of(
        query["player"], calling().player_id, wanted, cursors.decode(query.get("cursor")), query["limit"]
    )
    return reply({"items": items, "next": cursors.encode(more)})


@blp.get("/<match_id>")
@limits.reads
@blp.operation("getMatch", scope="read", nameless=True, guard=_is_visible, refusals=("not_found",))
@blp.response(200, ref("Match"))
def get_match(match_id: str) -> Response:
    """Show a match as you may see it.

    A running match is shown to its seats and, where the room allows them, to spectators; a finished one to everyone
    who knows its id.
    """
    player_id = maybe_calling()
    if request.if_none_match and (same := unchanged(marks.mark_for(match_id, player_id))):
        return _of_this_moment(same)
    view, mark = marks.marked_view(match_id, player_id)
    return _of_this_moment(reply(view, mark=mark))


@blp.post("/<match_id>/moves")
@limits.plays
@blp.operation("playCard", scope="play", guard=_has_seat, refusals=(
    *COMMAND, "match.stale_turn", "match.wrong_phase", "match.not_your_turn", "match.card_not_in_hand",
    "match.illegal_capture"))  # fmt: skip
@blp.arguments(NewMove)
@blp.response(201, ref("CommandAnswer"))
@blp.alt_response(200, schema=ref("CommandAnswer"), description="A repeat: the same events again.", success=True)
def play_card(body: dict[str, Any], match_id: str) -> Response:
    """Play a card.

    Send the same move again as often as you like: it counts once.
    """
    player_id, turn, card, capture = calling().player_id, body["turn"], body["card"], body["capture"]
    return _answer(match_id, lambda: matches.play(player_id, match_id, turn, card, capture))


@blp.post("/<match_id>/cuts")
@limits.plays
@blp.operation("cutPack", scope="play", guard=_has_seat, refusals=(
    *COMMAND, "match.stale_turn", "match.wrong_phase", "match.not_your_turn"))  # fmt: skip
@blp.arguments(NewCut)
@blp.response(201, ref("CommandAnswer"))
@blp.alt_response(200, schema=ref("CommandAnswer"), description="A repeat: the same events again.", success=True)
def cut_pack(body: dict[str, Any], match_id: str) -> Response:
    """Cut the pack of a round.

    Due where the rules have `cut: neighbour`, for 10 s; after that it is cut for you. The same cut again counts once.
    """
    player_id, number, at = calling().player_id, body["round"], body["at"]
    return _answer(match_id, lambda: matches.cut(player_id, match_id, number, at))


@blp.post("/<match_id>/forfeits")
@limits.plays
@blp.operation("forfeitMatch", scope="play", guard=_has_seat, refusals=COMMAND)
@blp.arguments(Empty, required=False)
@blp.response(201, ref("CommandAnswer"))
@blp.alt_response(200, schema=ref("CommandAnswer"), description="A repeat: the same events again.", success=True)
def forfeit_match(body: dict[str, Any], match_id: str) -> Response:
    """Leave a running match, and lose it.

    With four seats for your partner too. It cannot be taken back; sent again it counts once.
    """
    player_id = calling().player_id
    return _answer(match_id, lambda: matches.forfeit(player_id, match_id))


@blp.get("/<match_id>/events")
@limits.reads
@blp.operation("listEvents", scope="read", nameless=True, guard=_is_visible, refusals=("not_found", "request.invalid"))
@blp.arguments(EventsQuery, location="query")
@blp.response(200, ref("EventPage"))
def list_events(query: dict[str, Any], match_id: str) -> Response:
    """List the events of a match as you may see them, oldest first.

    Versions rise by one. Hands of others stay hidden after the end too; the transcript has them. They are kept as long
    as the match.
    """
    after = cursors.decode_number(query["cursor"], 0) if "cursor" in query else query.get("after", 0)
    items, more = history.events(match_id, maybe_calling(), after, query["limit"])
    return reply({"items": items, "next": None if more is None else cursors.encode_value(more)})


@blp.get("/<match_id>/transcript")
@limits.reads
@blp.operation("getTranscript", scope="read", nameless=True, guard=_is_visible, refusals=("not_found", "match.running"))
@blp.response(200, ref("Transcript"))
def get_transcript(match_id: str) -> Response:
    """Show the transcript of a finished match.

    All cards, the seeds, enough to play it again and to verify the deal. It never changes.
    """
    return reply(history.transcript(match_id, maybe_calling()))
