"""Matches, positions and walks that the engine's tests share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from engine.bots import choose
from engine.cards import PACK, Card
from engine.match import Event, Match
from engine.rules import OVERRIDES, PROFILES, Rules, resolve_rules
from engine.shuffle import seeded_server_seed
from engine.state import Action, Play, apply, legal_actions, start_match
from engine.view import view

#: Every profile with every number of seats.
TABLES = [(rules, seats) for rules in PROFILES.values() for seats in rules.seats]

#: Every value of every overridable field once, on short matches, and a match of one round.
VARIANTS = [
    (resolve_rules("classic", target=40, overrides={name: value}), seats)
    for name, values in OVERRIDES.items()
    for value, seats in zip(values, (2, 4, 2, 4), strict=False)
] + [(resolve_rules(name, target=None), PROFILES[name].seats[-1]) for name in PROFILES]


def name_of(table: object) -> str:
    """Name a table in a test's id."""
    if isinstance(table, Rules):
        own = PROFILES[table.profile].to_json()
        changed = [f"{name}={value}" for name, value in table.to_json().items() if value != own[name]]
        return "-".join([table.profile, *changed])
    return str(table)


def begin(
    rules: Rules = PROFILES["classic"],
    seats: int = 2,
    seed: str = "test",
    bots: Sequence[str | None] | None = None,
    **settings: Any,
) -> tuple[Match, list[Event]]:
    """Start a match of people, or of bots where they are given."""
    match, events = start_match(
        rules,
        seats,
        server_seed=seeded_server_seed(seed, 1),
        client_seeds=settings.pop("client_seeds", [""] * seats),
        bots=bots or [None] * seats,
        **settings,
    )
    return match, list(events)


def random_action(rng: Random) -> Callable[[Match], Action]:
    """Choose any legal action."""
    return lambda match: rng.choice(legal_actions(match))


def bot_action(level: str, rng: Random) -> Callable[[Match], Action]:
    """Choose as a bot does, though a person may hold the seat; where a cut is due, cut anywhere."""

    def act(match: Match) -> Action:
        if match.round.phase == "cut" or match.to_act is None:
            return rng.choice(legal_actions(match))
        card, capture = choose(level, view(match, match.to_act), rng=rng)
        return Play(match.to_act, card, capture, by="bot" if match.bots[match.to_act] else "player")

    return act


def walk(match: Match, act: Callable[[Match], Action]) -> Iterator[tuple[Match, Action, Match, list[Event]]]:
    """Go on to the end; gives each state, the action, the state after it and its events."""
    while match.result is None:
        action = act(match)
        after, events = apply(match, action)
        yield match, action, after, list(events)
        match = after


def finish(match: Match, act: Callable[[Match], Action]) -> tuple[Match, list[Event]]:
    """Go on to the end; gives that and the events on the way."""
    events: list[Event] = []
    for _, _, after, more in walk(match, act):
        match = after
        events += more
    return match, events


def position(
    *,
    hands: Sequence[Sequence[Card]],
    floor: Sequence[Card] = (),
    undealt: Sequence[Card] = (),
    piles: Sequence[int] | None = None,
    rules: Rules = PROFILES["classic"],
    to_act: int = 0,
    last_capture: int | None = 0,
    **settings: Any,
) -> Match:
    """Make a position in mid-round; the other cards of the pack go to the piles, so many to the first side's."""
    match, _ = begin(rules, len(hands), bots=settings.pop("bots", None))
    used = {*floor, *undealt, *(card for hand in hands for card in hand)}
    others = tuple(card for card in PACK if card not in used)
    first = len(others) // 2 if piles is None else piles[0]
    rnd = match.round._replace(
        dealer=settings.pop("dealer", (to_act - 1) % len(hands)),
        phase="play",
        deal=1,
        hands=tuple(map(tuple, hands)),
        floor=tuple(floor),
        undealt=tuple(undealt),
        piles=(others[:first], others[first:]),
        basras=((), ()),
        last_capture=last_capture,
    )
    return match._replace(round=rnd, to_act=to_act, **settings)
