"""A bot for Basra in one file: it makes a room, seats an easy bot, and plays one round.

    pip install websocket-client
    python bot.py http://127.0.0.1:8000 classic

The token that it prints is the player: keep it (BASRA_TOKEN=bsr_…) and the bot comes back as the same one.
"""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request

import websocket

BASE = (sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000").rstrip("/") + "/api/v1"
RULES = sys.argv[2] if len(sys.argv) > 2 else "classic"
LONGEST_PAUSE_S = 16
token = os.environ.get("BASRA_TOKEN")


def call(method, path, body=None):
    """Ask the API, one request at a time; what got lost is asked again, which is safe: a move counts once."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    pause = 1
    while True:
        wait = pause
        try:
            request = urllib.request.Request(BASE + path, data, headers, method=method)
            with urllib.request.urlopen(request, timeout=10) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            if refused.code == 409:  # things have moved on without this request: the next view says where they are
                return json.load(refused)
            if refused.code not in (429, 502, 503, 504):
                sys.exit(f"{method} {path}: {refused.read().decode()}")
            wait = float(refused.headers.get("Retry-After", pause))
        except (OSError, http.client.HTTPException) as lost:
            print(f"{method} {path}: {lost}, again in {pause} s", file=sys.stderr)
        time.sleep(wait)
        pause = min(2 * pause, LONGEST_PAUSE_S)


def views(code, match_id):
    """The match as it goes on: from the channel, and read anew whenever something was missed."""
    url, header = BASE.replace("http", "ws", 1) + f"/rooms/{code}/channel", [f"Authorization: Bearer {token}"]
    version, pause = 0, 1
    while True:
        try:  # there is a ping every 10 s: who hears nothing for 25 s has no line any more
            channel = websocket.create_connection(url, header=header, timeout=25)
            while (received := channel.recv_data())[0] != websocket.ABNF.OPCODE_CLOSE:
                message, pause = json.loads(received[1]), 1
                view = message.get("view")
                if message["type"] == "ping" and message["version"] != version:
                    view = call("GET", f"/matches/{match_id}")
                if view and view["version"] > version:
                    version = view["version"]
                    yield view
            closed = int.from_bytes(received[1][:2], "big")
            if closed in (1008, 4000):  # not allowed, or another channel has the seat: stay away
                sys.exit(f"the channel was closed: {closed} {received[1][2:].decode()}")
            pause = max(pause, 5) if closed == 1013 else pause  # too many channels
        except websocket.WebSocketBadStatusException as refused:
            if refused.status_code in (401, 403, 404):
                sys.exit(f"the channel was refused: {refused.status_code} {refused.resp_body.decode()}")
            pause = float(refused.resp_headers.get("retry-after", pause))
        except (OSError, ValueError, websocket.WebSocketException):
            pass  # the server restarts, or the network was lost: come back, nothing is lost
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE_S)


def match_in(code):
    """The room's match, as soon as there is one: where somebody takes part in the deal, that is a few seconds later."""
    while not (match_id := call("GET", f"/rooms/{code}")["match_id"]):
        time.sleep(0.5)
    return match_id


def choose(view):
    """The play that takes most, else the first one: put something better here."""
    best = max(view["you"]["plays"], key=lambda play: len(play["captures"][0]["cards"]))
    return {"card": best["card"], "capture": best["captures"][0]["cards"]}


if not token:
    token = call("POST", "/players", {"name": "Tea bot"})["token"]
    call("POST", "/players/me/bot")  # be honest, before the first match: programs are shown as bots
    print(token, file=sys.stderr)
code = call("POST", "/rooms", {"target": None, "rules": RULES})["code"]
call("POST", f"/rooms/{code}/bots", {"seat": 1, "level": "easy"})
for view in views(code, match_in(code)):
    if view["status"] == "finished":
        print(json.dumps(view["result"]))
        break
    if view["to_act"] == view["you"]["seat"] and view["round"]["phase"] == "cut":  # in the middle of the pack
        call("POST", f"/matches/{view['id']}/cuts", {"round": view["round"]["number"], "at": 26})
    elif view["to_act"] == view["you"]["seat"]:
        call("POST", f"/matches/{view['id']}/moves", {"turn": view["turn"], **choose(view)})
