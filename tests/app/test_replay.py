"""What is stored agrees with itself: the events, played again, give the state and the transcript."""

import random

import pytest
from flask import Flask
from sqlalchemy import select

from app.extensions import db
from app.models import MatchEvent, MatchRow
from engine.rules import parse_rules
from engine.state import Action, Cut, Forfeit, Play, apply, start_match
from tests.app.people import ok, sit_down


def action_of(event: dict) -> Action | None:
    """The action that an event tells of; None for what only follows from one."""
    if event["type"] == "played":
        return Play(event["seat"], event["card"], tuple(event["captured"]), turn=event["turn"], by=event["by"])
    if event["type"] == "cut" and event["by"] != "auto":
        return Cut(event["seat"], event["cut"], round=event["round"])
    if event["type"] == "match_finished" and event["result"]["reason"] == "forfeit":
        return Forfeit(event["result"]["seat"])
    return None


@pytest.mark.parametrize(
    ("people", "rules", "plays"), [(2, "classic", 61), (4, "traditional", 70), (2, "komi", None), (2, "casual", 9)]
)
def test_replaying_the_stored_events_gives_the_stored_state(
    app: Flask, people: int, rules: str, plays: int | None
) -> None:
    table = sit_down(app, people, rules=rules, target=30 if plays is None else 121)
    rng = random.Random(rules)
    if plays is None:
        table.play_out(rng)
    for _ in range(plays or 0):
        person, view = table.due()
        if view["round"]["phase"] == "cut":
            body = {"round": view["round"]["number"], "at": rng.randint(1, 51)}
            ok(person.post(f"{table.path}/cuts", body, checked=False), 201)
        else:
            table.play(rng.choice(view["you"]["hand"]), checked=False)
    with app.app_context():
        row = db.session.get(MatchRow, table.match_id)
        stored = list(
            db.session.scalars(
                select(MatchEvent).where(MatchEvent.match_id == table.match_id).order_by(MatchEvent.version)
            )
        )
    assert [event.version for event in stored] == list(range(1, row.version + 1))
    match, made = start_match(
        parse_rules(row.rules),
        people,
        server_seed=row.server_seed,
        client_seeds=row.client_seeds,
        client_commitments=row.client_commitments,
        bots=[None] * people,
        rated=row.rated,
        seeded=row.seeded,
        at=stored[0].event["at"],
    )
    events = list(made)
    for event in stored:
        action = action_of(event.event)
        if action is not None:
            match, more = apply(match, action, at=event.event["at"])
            events += more
    assert events == [event.event for event in stored]
    assert match.to_json() == row.state
    assert (match.version, match.to_act, match.status) == (row.version, row.to_act, row.status)


def test_commands_are_marked_by_their_first_version(app: Flask) -> None:
    table = sit_down(app, target=None)
    table.play_plays(8)
    with app.app_context():
        rows = db.session.execute(
            select(MatchEvent.version, MatchEvent.command, MatchEvent.type, MatchEvent.turn)
            .where(MatchEvent.match_id == table.match_id)
            .order_by(MatchEvent.version)
        ).all()
    assert [tuple(row) for row in rows[:3]] == [
        (1, 1, "match_started", None),
        (2, 1, "cut", None),
        (3, 1, "dealt", None),
    ]
    assert [tuple(row) for row in rows[-2:]] == [(11, 11, "played", 7), (12, 11, "dealt", None)]
