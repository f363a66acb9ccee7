"""Rules profiles: every difference between the ways to play is a field here, never a test of a profile's name."""

from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any, Final, NamedTuple

from engine.cards import PACK, Card
from engine.errors import RulesError

TARGET_MIN, TARGET_MAX = 10, 500  # points


class Keep(Enum):
    """The type of `KEEP`, which says that the profile's own target stays."""

    KEEP = "keep"


KEEP: Final = Keep.KEEP


class Rules(NamedTuple):
    """One resolved rule set."""

    profile: str
    target: int | None  # points that win the match; None: one round decides
    seats: tuple[int, ...]  # how many may sit down
    allocation: str  # "best", "choice" or "union": what happens where sums overlap
    cut: str  # "automatic" or "neighbour"
    komi_basra: str  # "total" or "clearable": when a sweep by the komi is a basra
    jack_on_jack: int  # points for a jack that takes a lone jack; 0: no basra
    burned_komi: int  # points for a basra that has the komi among the cards taken
    majority: int  # points for 27 cards or more
    carry: bool  # whether a tied majority is added to the next round's
    card_points: tuple[tuple[str, int], ...]  # by rank ("A") or by card ("2C")

    def points_of(self, *cards: Card) -> int:
        """Give the card points of cards together."""
        return sum(map(_points_table(self.card_points).__getitem__, cards))

    def to_json(self) -> dict[str, Any]:
        """Give every field, as the contract shows a resolved rule set."""
        return {
            "profile": self.profile,
            "target": self.target,
            "seats": list(self.seats),
            "allocation": self.allocation,
            "cut": self.cut,
            "komi_basra": self.komi_basra,
            "jack_on_jack": self.jack_on_jack,
            "burned_komi": self.burned_komi,
            "majority": self.majority,
            "carry": self.carry,
            "card_points": dict(self.card_points),
        }


@cache
def _points_table(card_points: tuple[tuple[str, int], ...]) -> dict[Card, int]:
    worth = dict(card_points)
    return {card: worth.get(card, worth.get(card[0], 0)) for card in PACK}


_CLASSIC = Rules(
    profile="classic",
    target=121,
    seats=(2, 4),
    allocation="best",
    cut="automatic",
    komi_basra="total",
    jack_on_jack=0,
    burned_komi=10,
    majority=30,
    carry=True,
    card_points=(("A", 1), ("J", 1), ("2C", 2), ("TD", 3)),
)

#: The rule sets that a room starts from. Source: the table "Profiles" of the rules.
PROFILES: Mapping[str, Rules] = {
    rules.profile: rules
    for rules in (
        _CLASSIC,
        _CLASSIC._replace(profile="traditional", target=101, allocation="choice", cut="neighbour"),
        _CLASSIC._replace(
            profile="komi",
            komi_basra="clearable",
            jack_on_jack=30,
            burned_komi=30,
            carry=False,
            card_points=(),
        ),
        _CLASSIC._replace(profile="casual", seats=(2,), allocation="union"),
    )
}

#: The fields that a room may override, each with the values it may have.
OVERRIDES: Mapping[str, tuple[str | int | bool, ...]] = {
    "allocation": ("best", "choice", "union"),
    "cut": ("automatic", "neighbour"),
    "komi_basra": ("total", "clearable"),
    "jack_on_jack": (0, 10, 20, 30),
    "burned_komi": (10, 30),
    "carry": (True, False),
}

_FIELDS = frozenset(Rules._fields)


def resolve_rules(
    profile: object = "classic", *, target: object = KEEP, overrides: Mapping[str, object] | None = None
) -> Rules:
    """Give the rule set of a profile with a target and single fields of one's own.

    Errors: RulesError with the field "rules", "target" or "overrides".
    """
    if not isinstance(profile, str) or profile not in PROFILES:
        raise RulesError("rules", f"{profile!r} is not a rules profile; there are {', '.join(PROFILES)}")
    rules = PROFILES[profile]
    if target is not KEEP:
        rules = rules._replace(target=_parse_target(target))
    for name, value in (overrides or {}).items():
        _check_override(name, value)
        if name == "carry" and rules.target is None:
            raise RulesError("overrides", "'carry' has no effect in a match of one round")
        rules = rules._replace(**{name: value})  # type: ignore[arg-type]  # _check_override knows the type
    return rules


def parse_rules(data: object) -> Rules:
    """Read a profile's name, `{"profile": …, overrides…}` or a whole resolved rule set.

    Errors: RulesError.
    """
    if isinstance(data, str):
        return resolve_rules(data)
    if not isinstance(data, Mapping):
        raise RulesError("rules", f"{data!r} is neither a profile's name nor an object")
    unknown = sorted(str(name) for name in data if name not in _FIELDS)
    if unknown:
        raise RulesError("rules", f"{unknown[0]!r} is not a field of a rule set")
    if "profile" not in data:
        raise RulesError("rules", "a rule set names its 'profile'")
    own = resolve_rules(data["profile"]).to_json()
    whole = data.keys() == _FIELDS
    overrides = {}
    for name, value in data.items():
        same = type(value) is type(own[name]) and value == own[name]
        if name in OVERRIDES:
            # In a whole rule set a field as the profile has it is no override.
            if not (whole and same):
                overrides[name] = value
        elif name not in ("profile", "target") and not same:
            raise RulesError("rules", f"{name!r} cannot be other than {own[name]!r} in {data['profile']!r}")
    return resolve_rules(data["profile"], target=data.get("target", KEEP), overrides=overrides)


def restore_rules(data: Mapping[str, Any]) -> Rules:
    """Read what `Rules.to_json` wrote, unchecked: for states of our own."""
    fields = {**data, "seats": tuple(data["seats"]), "card_points": tuple(data["card_points"].items())}
    return Rules(**fields)


def _parse_target(target: object) -> int | None:
    if target is None:
        return None
    # bool is an int to Python, but not to a reader of JSON.
    if isinstance(target, int) and not isinstance(target, bool) and TARGET_MIN <= target <= TARGET_MAX:
        return target
    raise RulesError("target", f"the target is {TARGET_MIN} to {TARGET_MAX} or null, not {target!r}")


def _check_override(name: object, value: object) -> None:
    if not isinstance(name, str) or name not in OVERRIDES:
        raise RulesError("overrides", f"{name!r} cannot be overridden; there are {', '.join(OVERRIDES)}")
    allowed = OVERRIDES[name]
    if not any(type(value) is type(one) and value == one for one in allowed):
        raise RulesError("overrides", f"{name!r} is one of {', '.join(map(str, allowed))}, not {value!r}")
