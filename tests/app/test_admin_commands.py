"""`flask --app wsgi admin …`: what each command does, what it leaves on the trail, and how it says no."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from click.testing import Result
from flask import Flask

from app.cli import moderation, reading
from app.extensions import DatabaseBusy, db, write_transaction
from app.models import MatchSeat, Player, Room
from app.moments import read_rfc3339
from app.realtime import publish
from app.services import audit, networks, notices, oversight, sanctions
from app.services.audit import Actor
from app.services.errors import Refusal
from app.services.times import utcnow
from engine.errors import TranscriptError
from engine.shuffle import client_commitment
from engine.transcript import verify
from tests.app.accounts import PASSWORD, account, browser, sign_in
from tests.app.people import Caller, guest, ok, refused, sit_down

WHY = ("--reason", "Was asked to stop.")


def run(app: Flask, *args: str) -> Result:
    return app.test_cli_runner().invoke(args=["admin", *args])


def done(app: Flask, *args: str) -> Any:
    """What a command answers to a program."""
    result = run(app, *args, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def trail(app: Flask, subject: str) -> list[dict[str, Any]]:
    return list(done(app, "trail", "--subject", subject))


def test_a_banned_player_forfeits_leaves_and_is_told_until_when(app: Flask) -> None:
    table = sit_down(app)
    mona, adel = table.person(0), table.person(1)
    waiting = ok(mona.post("/rooms", {}), 201)["code"]
    ok(mona.post("/seeks", {"target": 77}), 201)
    found = done(app, "ban", mona.id, "--for", "7d", *WHY)
    assert found["player"] == {"id": mona.id, "name": "Mona"}
    until = found["banned_until"]
    problem = refused(mona.get("/players/me"), 403, "auth.banned")
    assert problem["until"] == until
    for answer in (
        mona.get("/rules"), mona.post("/rooms", {}), mona.get("/players/me/export"), mona.post("/seeks", {}),
    ):  # fmt: skip
        refused(answer, 403, "auth.banned")
    result = adel.view(table.match_id)["result"]
    assert (result["winner"], result["reason"], result["seat"]) == (1, "forfeit", 0)
    assert ok(adel.get(f"/rooms/{table.code}"))["seating"][0]["player"] is None
    assert ok(Caller(app).get(f"/rooms/{waiting}"))["status"] == "closed"
    (entry,) = trail(app, mona.id)
    assert (entry["action"], entry["details"], entry["reason"]) == ("ban", {"until": until}, WHY[1])
    assert entry["by"]["user"] and entry["by"]["player"] is None
    assert entry["name"] == "Mona"


def test_who_is_banned_while_the_cards_are_dealt_has_forfeited_that_match(app: Flask) -> None:
    mona, adel = guest(app), guest(app, "Adel")
    seed = "ab" * 16
    body = {"client_commitment": client_commitment(seed)}
    code = ok(mona.post("/rooms", body), 201)["code"]
    assert ok(adel.post(f"/rooms/{code}/joins", {}), 201)["status"] == "dealing"
    assert run(app, "close-room", code, *WHY).exit_code == 1
    done(app, "ban", adel.id, "--for", "1d", *WHY)
    room = ok(mona.post(f"/rooms/{code}/reveals", {"client_seed": seed}), 201)
    result = mona.view(room["match_id"])["result"]
    assert (result["winner"], result["reason"], result["seat"]) == (0, "forfeit", 1)
    assert [place["player"] is None for place in room["seating"]] == [False, True]


def test_a_ban_ends_by_itself_or_is_lifted(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    mona = guest(app)
    done(app, "ban", mona.id, "--for", "1h", *WHY)
    refused(mona.get("/players/me"), 403, "auth.banned")
    done(app, "unban", mona.id, *WHY)
    ok(mona.get("/players/me"))
    assert run(app, "unban", mona.id, *WHY).exit_code == 1
    done(app, "ban", mona.id, "--for", "1h", *WHY)
    with app.app_context():
        over = oversight.player(mona.id)["banned_until"]
    monkeypatch.setattr(sanctions, "utcnow", lambda: read_rfc3339(over))
    ok(mona.get("/players/me"))
    assert [entry["action"] for entry in trail(app, mona.id)] == ["ban", "unban", "ban"]


def test_who_signs_in_with_the_right_password_is_told_of_a_ban_and_nobody_else(app: Flask) -> None:
    mona = account(app)
    name = mona.player["username"]
    code = ok(mona.post("/players/me/transfers"), 201)["code"]
    done(app, "ban", name, "--for", "1d", *WHY)
    problem = refused(sign_in(app, name), 403, "auth.banned")
    assert problem["until"]
    refused(sign_in(app, name, "not the password"), 401, "auth.required")
    refused(Caller(app).post("/transfers", {"code": code}), 403, "auth.banned")
    done(app, "unban", name, *WHY)
    ok(sign_in(app, name), 201)
    ok(Caller(app).post("/transfers", {"code": code}), 201)


def test_a_muted_player_plays_but_says_and_names_nothing(app: Flask) -> None:
    table = sit_down(app, chat=True)
    mona = table.person(0)
    until = done(app, "mute", mona.id, "--until", "2030-01-01T00:00:00Z", *WHY)["muted_until"]
    assert until == "2030-01-01T00:00:00.000Z"
    room = f"/rooms/{table.code}"
    for answer in (
        mona.post(f"{room}/messages", {"text": "hello"}),
        mona.post(f"{room}/phrases", {"phrase": "hello"}),
        mona.post("/rooms", {"name": "Hello"}),
        mona.send("PATCH", "/players/me", {"name": "Hello"}),
        mona.post(f"{room}/messages", {"text": 5}),
    ):
        assert refused(answer, 403, "chat.muted")["until"] == until
    ok(mona.get(f"{room}/messages"))
    ok(mona.post("/rooms", {}), 201)
    ok(mona.post(f"{table.path}/forfeits"), 201)
    assert ok(mona.get("/players/me/export"))["sanctions"] == {"banned_until": None, "muted_until": until}
    done(app, "unmute", mona.id, *WHY)
    ok(mona.post(f"{room}/messages", {"text": "hello"}), 201)
    assert [one["action"] for one in ok(mona.get("/players/me/export"))["decisions"]] == ["unmute", "mute"]


HERE = {"environ_base": {"REMOTE_ADDR": "198.51.100.7"}}
NEXT_DOOR = {"environ_base": {"REMOTE_ADDR": "198.51.101.7"}}


def addressed(app: Flask, *args: str) -> Any:
    """What a command about an address answers, once a server has heard of it."""
    found = done(app, *args)
    publish_notices(app)
    return found


def publish_notices(app: Flask) -> None:
    with app.app_context():
        publish(notices.take())


def test_a_banned_address_stops_guests_and_sign_ups_but_not_those_who_are_registered(app: Flask) -> None:
    visiting, registered = guest(app), account(app)
    code = ok(visiting.post("/players/me/transfers"), 201)["code"]
    found = addressed(app, "ban-address", "198.51.100.99/24", "--for", "2d", *WHY)
    assert found["network"] == "198.51.100.0/24"
    assert done(app, "addresses") == [found]
    for answer in (
        visiting.get("/players/me", **HERE),
        visiting.get("/rooms", **HERE),
        visiting.post("/players/me/account", {"username": "somebody", "password": PASSWORD}, **HERE),
        Caller(app).post("/players", {}, **HERE),
        Caller(app).post("/transfers", {"code": code}, **HERE),
    ):
        assert refused(answer, 403, "auth.banned")["until"] == found["until"]
    ok(registered.get("/players/me", **HERE))
    ok(sign_in(app, registered.player["username"], **HERE), 201)
    ok(Caller(app).get("/rooms", **HERE))
    ok(visiting.get("/players/me", **NEXT_DOOR))
    ok(Caller(app).post("/players", {}, **NEXT_DOOR), 201)
    addressed(app, "unban-address", "198.51.100.0/24", *WHY)
    ok(visiting.get("/players/me", **HERE))
    assert done(app, "addresses") == []
    assert [entry["action"] for entry in trail(app, "198.51.100.0/24")] == ["unban_address", "ban_address"]
    assert run(app, "unban-address", "198.51.100.0/24", *WHY).exit_code == 1


def test_a_ban_of_an_address_ends_by_itself_and_is_forgotten(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    visiting = guest(app)
    found = addressed(app, "ban-address", "198.51.100.0/24", "--for", "2d", *WHY)
    refused(visiting.get("/players/me", **HERE), 403, "auth.banned")
    over = read_rfc3339(found["until"])
    monkeypatch.setattr(networks, "utcnow", lambda: over)
    monkeypatch.setattr(sanctions, "utcnow", lambda: over)
    ok(visiting.get("/players/me", **HERE))
    assert done(app, "addresses") == []
    monkeypatch.undo()
    with app.app_context():
        networks.expire(over - timedelta(seconds=1))
        assert networks.in_force() == [found]
        networks.expire(over)
        assert networks.in_force() == []
        networks.forget_known()


def test_a_muted_address_gives_guests_no_voice(app: Flask) -> None:
    visiting, registered = guest(app), account(app)
    addressed(app, "mute-address", "2001:db8:7::1", "--for", "2d", *WHY)
    assert done(app, "addresses")[0]["network"] == "2001:db8:7::/64"
    there: dict[str, Any] = {"environ_base": {"REMOTE_ADDR": "2001:db8:7::5"}}
    refused(visiting.post("/rooms", {"name": "Hello"}, **there), 403, "chat.muted")
    refused(Caller(app).post("/players", {"name": "Hello"}, **there), 403, "chat.muted")
    ok(Caller(app).post("/players", {}, **there), 201)
    ok(registered.post("/rooms", {"name": "Hello"}, **there), 201)
    addressed(app, "unmute-address", "2001:db8:7::/64", *WHY)
    ok(visiting.post("/rooms", {"name": "Hello"}, **there), 201)


@pytest.mark.parametrize("end", [("--until", "2020-01-01T00:00:00Z"), ("--for", "522w")])
def test_an_end_lies_ahead_but_not_too_far(app: Flask, end: tuple[str, str]) -> None:
    mona = guest(app)
    for command in (("ban", mona.id), ("mute", mona.id), ("ban-address", "192.0.2.1")):
        result = run(app, *command, *end, *WHY)
        assert (result.exit_code, result.stderr) == (1, "Error: Must lie ahead, within ten years.\n")
    ok(mona.get("/players/me"))


@pytest.mark.parametrize("network", ["nothing", "10.0.0.0/7", "::/0", "1.2.3.4.5", "10.0.0.0/33", "::ffff:0:0/96"])
def test_what_is_no_network_is_refused(app: Flask, network: str) -> None:
    result = run(app, "ban-address", network, "--for", "1h", *WHY)
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: ")


def test_a_renamed_player_is_called_so_everywhere_and_their_rooms_lose_their_names(app: Flask) -> None:
    table = sit_down(app, name="Rude room")
    mona = table.person(0)
    assert done(app, "rename", mona.id, "Samira", *WHY)["name"] == "Samira"
    room = ok(mona.get(f"/rooms/{table.code}"))
    assert (room["name"], room["seating"][0]["player"]["name"]) == (None, "Samira")
    assert mona.view(table.match_id)["seats"][0]["player"]["name"] == "Samira"
    with app.app_context():
        assert db.session.get(MatchSeat, (table.match_id, 0)).name == "Samira"
    assert done(app, "rename", mona.id, *WHY)["name"].startswith("Player ")
    assert trail(app, mona.id)[1]["details"] == {"before": "Mona", "name": "Samira"}
    assert run(app, "rename", mona.id, "\u202e", *WHY).exit_code == 2


@pytest.mark.parametrize("plays", [0, 5])
def test_a_room_is_closed_also_while_it_is_played(app: Flask, plays: int) -> None:
    table = sit_down(app)
    if plays:
        table.play_plays(plays)
    assert done(app, "close-room", table.code.lower(), *WHY) == {"code": table.code, "match": table.match_id}
    view = table.person(0).view(table.match_id)
    assert view["status"] == "finished"
    result = view["result"]
    assert (result["reason"], result["winner"], result["seat"], result["by"]) == ("abandoned", None, None, "operator")
    assert result["scored"] is False
    assert ok(table.person(0).get(f"/rooms/{table.code}"))["status"] == "closed"
    transcript = ok(table.person(0).get(f"{table.path}/transcript"))
    assert verify(transcript).result is not None
    del transcript["result"]["by"]  # as a server would write it that ended a match for nobody without a word
    with pytest.raises(TranscriptError):
        verify(transcript)
    assert run(app, "close-room", table.code, *WHY).exit_code == 1
    assert run(app, "close-room", "ABCDEF", *WHY).exit_code == 1


def test_a_room_that_waits_is_closed(app: Flask) -> None:
    mona = guest(app)
    code = ok(mona.post("/rooms", {}), 201)["code"]
    assert done(app, "close-room", code, *WHY)["match"] is None
    with app.app_context():
        assert db.session.get(Room, code).status == "closed"


def test_a_voided_match_brings_nothing_any_more(app: Flask) -> None:
    table = sit_down(app)
    assert run(app, "void-match", table.match_id, *WHY).exit_code == 1
    table.play_plays(6)
    ok(table.person(1).post(f"{table.path}/forfeits"), 201)
    assert ok(table.person(0).get("/players/me"))["points"] > 0
    first = done(app, "void-match", table.match_id, *WHY)
    assert sorted(change["points"] for change in first["changes"]) == [-24, -3]
    assert ok(table.person(0).get("/players/me"))["points"] == 0
    again = done(app, "void-match", table.match_id, *WHY)
    assert (again["voided_at"], again["changes"]) == (first["voided_at"], [])
    assert [entry["action"] for entry in trail(app, table.match_id)] == ["void_match"]
    assert "Void since" in run(app, "void-match", table.match_id, *WHY).stdout
    assert run(app, "void-match", "no-such-match", *WHY).exit_code == 1


def test_ended_tokens_stand_for_nobody(app: Flask) -> None:
    mona = account(app)
    there = browser(app, mona)
    token = ok(mona.post("/tokens", {"label": "bot", "scopes": ["read"]}), 201)["token"]
    assert done(app, "end-tokens", mona.player["username"], *WHY)["ended"] >= 3
    for caller in (mona, there, Caller(app, token)):
        refused(caller.get("/players/me"), 401, "auth.required")
    ok(sign_in(app, mona.player["username"]), 201)


def test_reports_are_listed_read_and_handled_once(app: Flask) -> None:
    table = sit_down(app, chat=True)
    mona, adel = table.person(0), table.person(1)
    ok(adel.post(f"/rooms/{table.code}/messages", {"text": "rude"}), 201)
    body = {"player": adel.id, "room": table.code, "reason": "insult", "text": "Was rude."}
    made = ok(mona.post("/reports", body), 201)["id"]
    (listed,) = [one for one in done(app, "reports") if one["id"] == made]
    assert listed == done(app, "report", made)
    assert (listed["handled_at"], listed["sanctions"]["banned_until"]) == (None, None)
    assert [(line["name"], line["text"]) for line in listed["messages"]] == [("Adel", "rude")]
    first = done(app, "handle", made, *WHY)["handled_at"]
    assert first is not None
    assert done(app, "handle", made, *WHY)["handled_at"] == first
    assert made not in [one["id"] for one in done(app, "reports")]
    assert made in [one["id"] for one in done(app, "reports", "--status", "handled")]
    assert len(trail(app, made)) == 1
    assert done(app, "player", adel.id)["reports"] == {"open": 0, "handled": 1}
    assert run(app, "handle", "no-such-report", *WHY).exit_code == 1


def test_addresses_where_many_accounts_are_made_are_listed(app: Flask) -> None:
    there: dict[str, Any] = {"environ_base": {"REMOTE_ADDR": "192.0.2.200"}}
    for number in range(3):
        body = {"username": f"crowd_{number}", "password": PASSWORD}
        ok(guest(app).post("/players/me/account", body, **there), 201)
    (crowd,) = [one for one in done(app, "crowds", "--least", "3") if one["address"] == "192.0.2.200"]
    assert crowd["accounts"] == 3
    assert "192.0.2.200  3  accounts" in run(app, "crowds", "--least", "3").stdout
    assert "192.0.2.200" not in run(app, "crowds", "--least", "4").stdout


def test_only_an_account_becomes_an_admin(app: Flask) -> None:
    mona, visitor = account(app), guest(app)
    assert run(app, "make-admin", visitor.id, *WHY).exit_code == 1
    assert done(app, "make-admin", mona.player["username"], *WHY)["admin"] is True
    assert mona.id in [one["id"] for one in done(app, "admins")]
    assert done(app, "unmake-admin", mona.id, *WHY)["admin"] is False
    assert mona.id not in [one["id"] for one in done(app, "admins")]
    assert [entry["action"] for entry in trail(app, mona.id)] == ["unmake_admin", "make_admin"]


def test_players_are_found_by_id_username_and_a_part_of_the_name(app: Flask) -> None:
    mona = account(app, "Mona 100% Hussein")
    for text in (mona.id, mona.player["username"].upper(), "100% huss"):
        assert mona.id in [one["id"] for one in done(app, "players", text)], text
    assert mona.id not in [one["id"] for one in done(app, "players", "100_")]
    assert run(app, "player", "nobody-at-all").exit_code == 1


def test_nothing_that_players_wrote_moves_the_terminal(app: Flask) -> None:
    mona, adel = guest(app), guest(app, "Adel")
    text = "\x1b[2J\x9b31m\u202eedir\nnew \u2066line\u2069 منى"
    made = ok(mona.post("/reports", {"player": adel.id, "reason": "other", "text": text}), 201)["id"]
    for command in (("reports",), ("report", made), ("reports", "--json")):
        shown = run(app, *command).stdout
        assert not set(shown) & set("\x1b\x9b\u202e\u2066\u2069")
        assert "منى" in shown
    assert done(app, "report", made)["text"] == text
    old = app.test_cli_runner().invoke(args=["reports"]).stdout
    assert not set(old) & set("\x1b\x9b\u202e\u2066\u2069")
    assert json.loads(old.splitlines()[-1])["text"] == text


@pytest.mark.parametrize(
    "args",
    [
        ("ban", "x", "--reason", "why"),
        ("ban", "x", "--for", "1d"),
        ("ban", "x", "--for", "1d", "--until", "2030-01-01T00:00:00Z", "--reason", "why"),
        ("ban", "x", "--for", "0d", "--reason", "why"),
        ("ban", "x", "--for", "tomorrow", "--reason", "why"),
        ("ban", "x", "--until", "2030-01-01", "--reason", "why"),
        ("trail", "--days", "0"),
        ("players", "x", "--colour"),
        ("nothing",),
    ],
)
def test_a_wrong_command_line_is_told_and_changes_nothing(app: Flask, args: tuple[str, ...]) -> None:
    result = run(app, *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error" in result.stderr


def test_an_id_may_begin_with_a_dash(app: Flask) -> None:
    for name in ("-2mCjMdEqhX-zB7U9c6N2A", "--json_EqhX-zB7U9c6N2A"):
        with app.app_context(), write_transaction() as session:
            session.add(Player(id=name, name="Dash", guest=True, created_at=utcnow()))
        assert done(app, "player", name)["name"] == "Dash"


def test_a_refusal_is_told_to_people_and_to_programs(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    told = run(app, "ban", "nobody-here", "--for", "1d", *WHY)
    assert (told.exit_code, told.stdout) == (1, "")
    assert told.stderr == "Error: There is no player of this id or username.\n"
    told = run(app, "ban", "nobody-here", "--for", "1d", *WHY, "--json")
    assert json.loads(told.stderr)["code"] == "not_found"

    def busy(_: str) -> None:
        raise DatabaseBusy

    monkeypatch.setattr(oversight, "find", busy)
    assert run(app, "players", "x").exit_code == 75


def test_every_command_is_for_people_and_for_programs(app: Flask) -> None:
    mona = account(app, "Zeinab")
    done(app, "mute", mona.id, "--for", "1d", *WHY)
    for command in (*reading.COMMANDS, *moderation.COMMANDS):
        assert "--json" in [name for parameter in command.params for name in parameter.opts], command.name
    for command in moderation.COMMANDS:
        assert [parameter for parameter in command.params if parameter.name == "reason" and parameter.required]
    shown = run(app, "player", mona.id).stdout
    assert "Zeinab" in shown and "muted until" in shown and WHY[1] in shown
    assert "No decisions." in run(app, "trail", "--subject", "nothing").stdout
    assert mona.id in run(app, "players", "Zeinab").stdout


def test_who_leaves_for_good_takes_the_words_about_them_along(app: Flask) -> None:
    mona = guest(app)
    done(app, "rename", mona.id, "Samira", *WHY)
    assert mona.delete("/players/me").status_code == 204
    (entry,) = trail(app, mona.id)
    assert (entry["action"], entry["reason"], entry["details"]) == ("rename", "", {})


def test_the_trail_forgets_after_two_years(app: Flask) -> None:
    mona = guest(app)
    done(app, "mute", mona.id, "--for", "1d", *WHY)
    with app.app_context():
        (entry,) = audit.entries(None, 1, subject=mona.id)[0]
        at = read_rfc3339(entry["at"])
        audit.expire(at + audit.KEPT)
        assert audit.entries(None, 1, subject=mona.id)[0]
        audit.expire(at + audit.KEPT + timedelta(seconds=1))
        assert not audit.entries(None, 1, subject=mona.id)[0]


def test_an_admin_decides_nothing_about_another(app: Flask) -> None:
    mona, zeinab = account(app), account(app)
    for one in (mona, zeinab):
        done(app, "make-admin", one.id, *WHY)
    with app.app_context(), pytest.raises(Refusal):
        oversight.end_tokens(Actor(player_id=mona.id), zeinab.id, "why not")
