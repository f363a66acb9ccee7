"""What happens in the evening whose requests and answers are the document's examples."""

from __future__ import annotations

from typing import Any

from engine.shuffle import client_commitment
from tests.examples.evening import Evening, service

PASSWORD = "sugar, no milk"


def tell() -> dict[str, Any]:
    """Live through the evening, and give what was noted of every operation."""
    with service() as app:
        evening = Evening(app)
        mona, karim, leila = (evening.call(None, "createPlayer", {"name": name}) for name in ("Mona", "Karim", "Leila"))
        arrive(evening, mona, karim)
        play(evening, mona, karim)
        look_back(evening, mona, karim)
        keep_house(evening, mona, leila)
        look_for_others(evening, mona, karim, leila)
        keep_away(evening, mona, karim)
        make_tokens(evening, mona)
        move_on(evening, mona)
        say_goodbye(evening, leila)
        return evening.noted


def arrive(evening: Evening, mona: Any, karim: Any) -> None:
    # Only between registered players is a match rated; another token comes in place of the guest's.
    for one, username in ((mona, "mona_of_cairo"), (karim, "karim")):
        made = evening.call(one["token"], "registerAccount", {"username": username, "password": PASSWORD})
        one["token"] = made["token"]
    token = mona["token"]
    evening.call(token, "changePlayer", {"name": "Mona"})
    evening.call(token, "getOwnPlayer")
    evening.call(None, "listRules", limit=1)
    evening.call(None, "listPhrases", limit=3)


def part(client_seed: str) -> dict[str, str]:
    """What somebody says who takes part in a deal."""
    return {"client_commitment": client_commitment(client_seed)}


def play(evening: Evening, mona: Any, karim: Any) -> None:
    room = evening.call(mona["token"], "createRoom", {"rules": "traditional", "chat": True, **part("7ea")})
    code = room["code"]
    evening.call(mona["token"], "joinRoom", part("c0ffee"), code=code)
    evening.call(karim["token"], "joinRoom", part("cafe"), code=code)
    for _ in range(2):  # the second time it is a repeat
        evening.call(mona["token"], "revealSeed", {"client_seed": "c0ffee"}, code=code)
    match_id = evening.call(karim["token"], "revealSeed", {"client_seed": "cafe"}, code=code)["match_id"]
    evening.call(None, "getRoom", code=code)
    tokens = [mona["token"], karim["token"]]
    view = evening.call(tokens[0], "getMatch", match_id=match_id)
    for _ in range(2):  # the second time it is a repeat
        evening.call(tokens[view["to_act"]], "cutPack", {"round": 1, "at": 26}, match_id=match_id)
    for _ in range(6):
        seat = evening.call(tokens[0], "getMatch", match_id=match_id)["to_act"]
        mine = evening.call(tokens[seat], "getMatch", match_id=match_id)
        best = mine["you"]["plays"][0]
        move = {"turn": mine["turn"], "card": best["card"], "capture": best["captures"][0]["cards"]}
        evening.call(tokens[seat], "playCard", move, match_id=match_id)
    evening.call(tokens[seat], "playCard", move, match_id=match_id)
    evening.noted["getMatch"]["answers"]["200"] = evening.call(tokens[0], "getMatch", match_id=match_id)
    evening.call(karim["token"], "sayPhrase", {"phrase": "well_played"}, code=code)
    evening.call(mona["token"], "writeMessage", {"text": "Tea?"}, code=code)
    evening.call(karim["token"], "listMessages", code=code)
    evening.call(mona["token"], "listEvents", match_id=match_id, after=2, limit=3)
    for _ in range(2):
        evening.call(karim["token"], "forfeitMatch", {}, match_id=match_id)
        evening.call(mona["token"], "askForRematch", part("decaf"), code=code)
    evening.call(karim["token"], "declineRematch", code=code)
    evening.call(None, "getTranscript", match_id=match_id)


def look_back(evening: Evening, mona: Any, karim: Any) -> None:
    evening.call(mona["token"], "listMatches", player="me", status="finished")
    evening.call(mona["token"], "listRatings", player_id="me")
    evening.call(mona["token"], "getLeaderboard", kind="points")
    evening.call(mona["token"], "getPlayer", player_id=karim["player"]["id"])


def keep_house(evening: Evening, mona: Any, leila: Any) -> None:
    wish = {"seats": 4, "visibility": "public", "name": "The corner table", "spectators": True}
    code = evening.call(mona["token"], "createRoom", wish)["code"]
    evening.call(mona["token"], "seatBot", {"seat": 2, "level": "medium"}, code=code)
    evening.call(leila["token"], "joinRoom", {"seat": 1}, code=code)
    evening.call(None, "listRooms")
    evening.call(mona["token"], "unseatBot", code=code, seat=2)
    evening.call(mona["token"], "unseatPlayer", code=code, seat=1)
    evening.call(leila["token"], "joinRoom", {}, code=code)
    evening.call(leila["token"], "leaveRoom", code=code)
    evening.call(mona["token"], "closeRoom", code=code)


def look_for_others(evening: Evening, mona: Any, karim: Any, leila: Any) -> None:
    wish = {"seats": 2, "rules": "classic", "target": 121}
    for _ in range(2):
        seek = evening.call(leila["token"], "createSeek", wish)
    evening.call(leila["token"], "getSeek", seek_id=seek["id"])
    evening.call(leila["token"], "deleteSeek", seek_id=seek["id"])


def keep_away(evening: Evening, mona: Any, karim: Any) -> None:
    him = karim["player"]["id"]
    evening.call(mona["token"], "blockPlayer", {"kind": "mute"}, player_id=him)
    evening.call(mona["token"], "listBlocks")
    evening.call(mona["token"], "unblockPlayer", player_id=him)
    evening.call(mona["token"], "reportPlayer", {"player": him, "reason": "other", "text": "He left."})


def make_tokens(evening: Evening, mona: Any) -> None:
    made = evening.call(
        mona["token"], "createToken", {"label": "Tea bot", "scopes": ["read", "play"], "expires_in_days": 30}
    )
    evening.call(mona["token"], "listTokens")
    evening.call(mona["token"], "revokeToken", token_id=made["id"])
    program = evening.call(None, "createPlayer", {"name": "Tea bot"})
    evening.call(program["token"], "declareBot", {})


def move_on(evening: Evening, mona: Any) -> None:
    code = evening.call(mona["token"], "createTransfer", {})["code"]
    evening.call(None, "useTransfer", {"code": code})
    signed_in = evening.call(None, "signIn", {"username": "mona_of_cairo", "password": PASSWORD})
    here = signed_in["token"]
    evening.call(here, "listSessions")
    evening.call(here, "changePassword", {"password": PASSWORD, "new_password": "two sugars, no milk"})
    evening.call(here, "signOut", session_id="current")


def say_goodbye(evening: Evening, leila: Any) -> None:
    evening.call(leila["token"], "exportPlayer")
    evening.call(leila["token"], "deletePlayer", {})
