"""What a room may be: its rule set, whether it can be rated, and what is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app.models import Room
from app.services.errors import refuse_field
from engine.errors import RulesError
from engine.rules import KEEP, PROFILES, Rules, parse_rules, resolve_rules

RATED_PROFILES = ("classic", "traditional")


@dataclass(frozen=True, slots=True)
class RoomWish:
    """What somebody asks a new room to be."""

    seats: int = 2
    rules: str = "classic"
    # KEEP, an engine value, stands for the profile's own target; None for a single round.
    target: Any = KEEP
    overrides: dict[str, Any] | None = None
    turn_seconds: int = 120
    visibility: str = "private"
    rated: bool | None = None
    name: str | None = None
    join: bool = True
    spectators: bool = False
    chat: bool = False
    seed: str | None = None
    # What the wisher commits to for the deal, if they take part in it.
    client_commitment: str | None = None


def resolve(wish: RoomWish) -> Rules:
    """The rule set that a room asks for.

    Errors: request.invalid, naming the field.
    """
    try:
        rules = resolve_rules(wish.rules, target=wish.target, overrides=wish.overrides or {})
    except RulesError as error:
        refuse_field(error.field, str(error))
    if wish.seats not in rules.seats:
        refuse_field("seats", f"The {rules.profile} rules are for {_either(rules.seats)} seats.")
    if wish.seed is not None and wish.visibility != "private":
        refuse_field("seed", "Only a private room may have a seed.")
    if wish.chat and wish.visibility != "private":
        refuse_field("chat", "Only a private room may have a chat.")
    if wish.rated and not may_be_rated(rules, wish.seats, seeded=wish.seed is not None):
        refuse_field(
            "rated",
            "Rated rooms have 2 seats, no seed, no overrides, classic or traditional rules, at least their target.",
        )
    return rules


def may_be_rated(rules: Rules, seats: int, *, seeded: bool, bots: int = 0) -> bool:
    """Whether matches under these conditions can move ratings."""
    if seats != 2 or seeded or bots or rules.profile not in RATED_PROFILES or rules.target is None:
        return False
    own = PROFILES[rules.profile]
    return rules.target >= (own.target or 0) and rules == resolve_rules(rules.profile, target=rules.target)


def is_rated(room: Room) -> bool:
    """Whether a match that began now in this room, with those who sit there, would move ratings.

    A guest makes it unrated even where rated matches were asked for: who is nobody in particular can lose for nothing.
    """
    people = [taken.player for taken in room.seating if taken.player is not None]
    if room.rated_wanted is False or any(player.guest for player in people):
        return False
    bots = sum(taken.bot is not None for taken in room.seating) + sum(player.bot for player in people)
    return may_be_rated(parse_rules(room.rules), room.seats, seeded=room.seed is not None, bots=bots)


def rule_sets() -> list[dict[str, Any]]:
    """All profiles as the contract shows them."""
    return [rules.to_json() for rules in PROFILES.values()]


def _either(seats: tuple[int, ...]) -> str:
    return " or ".join(str(count) for count in seats)
