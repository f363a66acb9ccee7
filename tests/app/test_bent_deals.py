"""Whoever runs the service arranges the cards: the transcript looks well, and an honest witness's notes refuse it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from engine.__main__ import main
from engine.shuffle import client_commitment
from tests.app.people import Caller, guest, ok
from tests.engine.deal_referee import is_fair
from tests.runtime.bent_server import WAYS, bend

# What the check says of each way to cheat.
SAID = {
    "redrawn": "drawn anew",
    "puppet": "the commitment of seat 1 (Adel)",
    "dropped": "your seed was accepted, and is not in the deal",
    "downgraded": "dealt by basra-deal/1",
    "seeded": "the match was seeded",
    "dealt twice": "dealt again",
    "retold": "this is not the match that was played",
}


class Witness:
    """An honest player, who notes what is shown as docs/fair-deal.md says."""

    def __init__(self, app: Flask, name: str) -> None:
        self.caller: Caller = guest(app, name)
        self.dealings: list[dict[str, Any]] = []
        self.match: str | None = None
        self.table: dict[str, Any] | None = None

    def take_part(self, path: str, shown: dict[str, Any] | None) -> dict[str, Any]:
        """Commit to a new seed; `shown` is the room as it was before, if there was one."""
        seed = f"{len(self.dealings):02x}" + self.caller.id.encode().hex()[:30]
        first = shown and shown["fairness"]["commitment"]
        self.dealings.append(
            {"commitment": first, "client_seed": seed, "seat": None, "client_commitments": None, "opened": None,
             "match": None}
        )  # fmt: skip
        room: dict[str, Any] = self.caller.post(path, {"client_commitment": client_commitment(seed)}).json
        self.see(room)
        return room

    def see(self, room: dict[str, Any]) -> None:
        """Note what a room shows."""
        dealing, fairness = self.dealings[-1], room["fairness"]
        if room["match_id"] is not None:
            dealing["match"] = self.match = room["match_id"]
        dealing["commitment"] = dealing["commitment"] or fairness["commitment"]
        if room["status"] == "dealing" and dealing["client_commitments"] is None:
            people = [place["player"] and place["player"]["id"] for place in room["seating"]]
            dealing.update(seat=people.index(self.caller.id), client_commitments=fairness["client_commitments"])

    def open(self, code: str) -> None:
        """Open the seed of the last dealing."""
        room = ok(self.caller.get(f"/rooms/{code}"))
        self.see(room)
        dealing = self.dealings[-1]
        dealing["opened"] = "sent"
        answer = self.caller.post(f"/rooms/{code}/reveals", {"client_seed": dealing["client_seed"]})
        dealing["opened"] = {200: "accepted", 201: "accepted", 422: "refused"}.get(answer.status_code, "late")
        self.see(ok(self.caller.get(f"/rooms/{code}")))

    def look(self) -> None:
        """Note what the table shows before the first card."""
        view = self.caller.view(str(self.match))
        self.table = {
            "seat": view["you"]["seat"], "rules": view["rules"], "plays": [],
            "hands": [{"round": 1, "deal": 1, "cards": view["you"]["hand"]}],
            "floors": [{"round": 1, "cards": view["round"]["floor"]}],
        }  # fmt: skip

    def notes(self) -> dict[str, Any]:
        return {"format": "basra-notes/1", "scheme": "basra-deal/2", "room": "", "match": self.match,
                "dealings": self.dealings, "table": self.table}  # fmt: skip


def play(app: Flask) -> tuple[Witness, Witness]:
    """Deal a match in two steps, or in as many as the service asks for."""
    mona, adel = Witness(app, "Mona"), Witness(app, "Adel")
    code = mona.take_part("/rooms", None)["code"]
    path = f"/rooms/{code}"
    for _ in range(2):
        adel.take_part(f"{path}/joins", ok(adel.caller.get(path)))
        mona.open(code)
        adel.open(code)
        room = ok(mona.caller.get(path))
        mona.see(room)
        if room["status"] == "playing":
            break
        mona.take_part(f"{path}/joins", room)
    for witness in (mona, adel):
        witness.look()
    ok(mona.caller.post(f"/matches/{mona.match}/forfeits"), 201)
    return mona, adel


def check(witness: Witness, folder: Path, *, with_notes: bool = True) -> int:
    """Run the check of the command line; gives its exit status."""
    transcript, notes = folder / "match.json", folder / "notes.json"
    transcript.write_text(witness.caller.get(f"/matches/{witness.match}/transcript").text)
    notes.write_text(json.dumps(witness.notes()))
    return main(["verify", str(transcript), *(["--notes", str(notes)] if with_notes else [])])


def test_an_honest_deal_is_one_to_both(app: Flask, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for witness in play(app):
        assert check(witness, tmp_path) == 0
        assert "nothing was arranged" in capsys.readouterr().out
        assert is_fair(json.loads((tmp_path / "match.json").read_text()))


@pytest.mark.parametrize("how", WAYS)
def test_a_deal_that_was_arranged_is_found(
    app: Flask, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    bend(how, monkeypatch.setattr)
    mona, _ = play(app)
    assert check(mona, tmp_path, with_notes=False) == 0, "even without notes this would be found"
    capsys.readouterr()
    assert check(mona, tmp_path) == 1
    said = capsys.readouterr().out
    assert SAID[how] in said
    assert "nothing was arranged" not in said
