"""A bot for Basra in one file: it makes a room, seats an easy bot, and plays one round.

    pip install websocket-client
    python bot.py http://127.0.0.1:8000

The token that it prints is the player: keep it (BASRA_TOKEN=bsr_…) and the bot comes back as the same one.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request

import websocket

BASE = (sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000").rstrip("/") + "/api/v1"
token = os.environ.get("BASRA_TOKEN")


def call(method, path, body=None):
    """Ask the API, one request at a time; who is asked to wait waits as long as he is told."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    while True:
        try:
            with urllib.request.urlopen(urllib.request.Request(BASE + path, data, headers, method=method)) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            if refused.code not in (429, 503):
                raise SystemExit(f"{method} {path}: {refused.read().decode()}") from None
            time.sleep(float(refused.headers.get("Retry-After", 1)))


def views(code, match_id):
    """The match as it goes on: from the channel, and read anew whenever something was missed."""
    version = 0
    while True:
        try:
            channel = websocket.create_connection(
                BASE.replace("http", "ws", 1) + f"/rooms/{code}/channel", header=[f"Authorization: Bearer {token}"]
            )
            channel.settimeout(25)  # there is a ping every 10 s: who hears nothing so long has no line any more
            while message := json.loads(channel.recv()):
                view = message.get("view")
                if message["type"] == "ping" and message["version"] != version:
                    view = call("GET", f"/matches/{match_id}")
                if view and view["version"] > version:
                    version = view["version"]
                    yield view
        except (OSError, ValueError, websocket.WebSocketException):
            time.sleep(1)  # the server restarts, or the network was lost: come back, nothing is lost


def choose(view):
    """The card that takes most, else the first one: put something better here."""
    return max(view["you"]["plays"], key=lambda play: len(play["captures"][0]["cards"]))["card"]


if not token:
    token = call("POST", "/players", {"name": "Tea bot"})["token"]
    call("POST", "/players/me/bot")  # be honest, before the first match: programs are shown as bots
    print(token, file=sys.stderr)
code = call("POST", "/rooms", {"target": None})["code"]
room = call("POST", f"/rooms/{code}/bots", {"seat": 1, "level": "easy"})
for view in views(code, room["match_id"]):
    if view["status"] == "finished":
        print(json.dumps(view["result"]))
        break
    if view["to_act"] == view["you"]["seat"]:
        call("POST", f"/matches/{view['id']}/moves", {"turn": view["turn"], "card": choose(view)})
