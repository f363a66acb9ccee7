"""Which floor cards a card may take: pure combinatorics.

Sums depend on nothing but how many cards of each value lie on the floor, so they are worked out once for such a
count and remembered. Suits and places come in only afterwards, when cards are picked for a count: that is where card
points and ties are settled, so the memo cannot make an answer wrong.

A count is one integer with four bits for each value from 1 to 10: 0x21 is one ace and two twos.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, combinations, islice, product
from math import comb, prod
from typing import Any, NamedTuple

from engine.cards import KOMI, SWEEPERS, VALUES, Card
from engine.rules import Rules

BASRA_POINTS = 10
TOTAL_LIMIT = 10  # the most that a floor may total for a komi basra under "total"

#: What one question may cost, in counts or captures. Any 15 cards stay below it, and no floor in play is larger.
WORK_LIMIT = 2**16

_UNIT: dict[Card, int] = {card: 1 << 4 * (value - 1) if value else 0 for card, value in VALUES.items()}
# The bits of the values that a card's sums may use: those below its own. A court and a sweeper take no sums.
_USABLE: dict[Card, int] = {card: 0 if card in SWEEPERS or not unit else unit - 1 for card, unit in _UNIT.items()}
# The top bit of every value's four; no pack has eight cards of a value, so it is free to catch a borrow.
_GUARD = 0x8888888888

Places = tuple[int, ...]  # indices on the floor, rising


class Capture(NamedTuple):
    """What a played card takes; no cards: it stays on the floor."""

    cards: tuple[Card, ...]  # in floor order
    groups: tuple[tuple[Card, ...], ...]  # why: each card by rank alone, then each sum; a sweep is one group
    basra: int  # points

    def to_json(self) -> dict[str, Any]:
        """Give the capture as a view shows it."""
        return {"cards": list(self.cards), "groups": [list(group) for group in self.groups], "basra": self.basra}


class Allocation(NamedTuple):
    """One maximal way to take sums, by values alone."""

    taken: int  # the count of the cards taken
    size: int  # how many cards that is
    parts: tuple[tuple[int, int], ...]  # each value with how many cards of it
    sums: tuple[tuple[int, ...], ...]  # the values of each group


NOTHING = Capture((), (), 0)


def captures(rules: Rules, floor: Sequence[Card], card: Card, limit: int | None = None) -> tuple[Capture, ...]:
    """Give every legal capture of a card, best first, or only the first of them up to a limit.

    Errors: ValueError for a floor, larger than any in play, that can be taken in too many ways to list.

    >>> from engine.rules import PROFILES
    >>> [capture.cards for capture in captures(PROFILES["traditional"], ("2H", "2S", "3S"), "5D")]
    [('2H', '3S'), ('2S', '3S')]
    """
    if rules.allocation != "choice" or limit == 1:
        return (best_capture(rules, floor, card),)
    allocations = _allocations(VALUES[card], _count(floor, card))
    if not allocations[0].sums:
        return (best_capture(rules, floor, card),)
    by_value = _places_by_value(floor, card)
    _check_work(sum(prod(comb(len(by_value[part]), many) for part, many in one.parts) for one in allocations))
    picks = []
    for one in allocations:
        for chosen in product(*(combinations(by_value[part], many) for part, many in one.parts)):
            places = tuple(sorted(chain.from_iterable(chosen)))
            picks.append((-len(places), -_worth(rules, floor, places), places, one))
    picks.sort()
    return tuple(_capture_sums(rules, floor, card, places, one) for _, _, places, one in islice(picks, limit))


def best_capture(rules: Rules, floor: Sequence[Card], card: Card) -> Capture:
    """Give the capture that is made when none is named."""
    if not floor:
        return NOTHING
    if card in SWEEPERS:
        return Capture(tuple(floor), (tuple(floor),), _sweep_basra(rules, floor, card))
    value, count = VALUES[card], _count(floor, card)
    if not _kinds_in(value, count):
        rank = card[0]
        same = tuple([lying for lying in floor if lying[0] == rank])
        return _capture(rules, floor, same, tuple([(lying,) for lying in same])) if same else NOTHING
    if rules.allocation == "union":
        return _capture_union(rules, floor, card)
    return _capture_sums(rules, floor, card, *_best_pick(rules, floor, card, _allocations(value, count)))


def named_capture(rules: Rules, floor: Sequence[Card], card: Card, names: Collection[Card]) -> Capture | None:
    """Give the legal capture with exactly those cards, None if there is none; exact however many there are."""
    best = best_capture(rules, floor, card)
    if names == best.cards:
        return best
    named = set(names)
    # Fewer cards than names: one was named twice.
    if len(named) != len(names) or not named.issuperset(lying for lying in floor if lying[0] == card[0]):
        return None
    if named == set(best.cards):
        return best
    # Sweepers, courts and aces make no sums, so they have only the one capture.
    if rules.allocation != "choice" or not _USABLE[card] or not named.issubset(floor):
        return None
    places = tuple(i for i, lying in enumerate(floor) if lying in named and lying[0] != card[0])
    if not all(_UNIT[floor[i]] & _USABLE[card] for i in places):
        return None
    count = sum(_UNIT[floor[i]] for i in places)
    for one in _allocations(VALUES[card], _count(floor, card)):
        if one.taken == count:
            return _capture_sums(rules, floor, card, places, one)
    return None


def _count(floor: Sequence[Card], card: Card) -> int:
    """Count the floor cards that sums of a card may use."""
    return sum(map(_UNIT.__getitem__, floor)) & _USABLE[card]


def _places_by_value(floor: Sequence[Card], card: Card) -> dict[int, list[int]]:
    """Give the places of the floor cards that sums of a card may use."""
    by_value: dict[int, list[int]] = {}
    for i, lying in enumerate(floor):
        if _UNIT[lying] & _USABLE[card]:
            by_value.setdefault(VALUES[lying], []).append(i)
    return by_value


def _parts(count: int) -> tuple[tuple[int, int], ...]:
    """Give each value in a count with how many cards of it there are."""
    return tuple((value, count >> 4 * (value - 1) & 0xF) for value in range(1, 11) if count >> 4 * (value - 1) & 0xF)


@cache
def _kinds(value: int) -> Mapping[int, tuple[int, ...]]:
    """Give all groups that total a value, by their counts: two cards or more, at most four of a rank."""

    def split(rest: int, top: int) -> Iterator[tuple[int, ...]]:
        if rest == 0:
            yield ()
        for part in range(min(rest, top), 0, -1):
            for others in split(rest - part, part):
                yield (*others, part)

    sums = (values for values in split(value, value - 1) if values and all(values.count(part) <= 4 for part in values))
    return {sum(1 << 4 * (part - 1) for part in values): values for values in sums}


@lru_cache(maxsize=2**14)
def _kinds_in(value: int, count: int) -> tuple[int, ...]:
    """Give the counts of the groups that total a value and are in a count."""
    return tuple(kind for kind in _kinds(value) if ((count | _GUARD) - kind) & _GUARD == _GUARD)


@lru_cache(maxsize=2**14)
def _allocations(value: int, count: int) -> tuple[Allocation, ...]:
    """Give every maximal count that groups can take, with one way to take it."""
    kinds = _kinds_in(value, count)
    _check_work(prod(many + 1 for _, many in _parts(count)) if kinds else 0)
    ways: dict[int, tuple[int, ...]] = {count: ()}  # what is left on the floor -> the groups taken to get there
    open_ = [count]
    ends = []
    while open_:
        left = open_.pop()
        is_end = True
        for kind in kinds:
            if ((left | _GUARD) - kind) & _GUARD == _GUARD:
                is_end = False
                if left - kind not in ways:
                    ways[left - kind] = (*ways[left], kind)
                    open_.append(left - kind)
        if is_end:
            sums = tuple(_kinds(value)[kind] for kind in ways[left])
            ends.append(Allocation(count - left, sum(map(len, sums)), _parts(count - left), sums))
    return tuple(ends)


def _check_work(work: int) -> None:
    if work > WORK_LIMIT:
        raise ValueError("the floor is larger than any in play and can be taken in too many ways")


def _best_pick(
    rules: Rules, floor: Sequence[Card], card: Card, allocations: Sequence[Allocation]
) -> tuple[Places, Allocation]:
    """Pick the best sums: most cards, then most card points, then the smallest list of places.

    Ranks are picked one by one: points add up over ranks, and of two lists of places the smaller is the one that has
    the first place in which they differ, which lies within one rank.
    """
    by_value = _places_by_value(floor, card)
    most = max([one.size for one in allocations])
    picks = []
    for one in allocations:
        if one.size == most:
            chosen: list[int] = []
            for part, many in one.parts:
                lying = by_value[part]
                if many < len(lying):
                    ways = combinations(lying, many)
                    lying = list(min(ways, key=lambda places: (-_worth(rules, floor, places), places)))
                chosen += lying
            picks.append((tuple(sorted(chosen)), one))
    if len(picks) == 1:
        return picks[0]
    return min(picks, key=lambda pick: (-_worth(rules, floor, pick[0]), pick[0]))


def _worth(rules: Rules, floor: Sequence[Card], places: Iterable[int]) -> int:
    return rules.points_of(*[floor[i] for i in places])


def _capture_sums(rules: Rules, floor: Sequence[Card], card: Card, places: Places, one: Allocation) -> Capture:
    """Make the capture of all cards of the same rank and of those places, shared out among the groups."""
    rank = card[0]
    taken = tuple([lying for i, lying in enumerate(floor) if lying[0] == rank or i in places])
    left: dict[int, list[int]] = {}
    for i in reversed(places):
        left.setdefault(VALUES[floor[i]], []).append(i)
    groups = sorted([sorted([left[part].pop() for part in values]) for values in one.sums])
    reasons = [(lying,) for lying in taken if lying[0] == rank]
    return _capture(rules, floor, taken, (*reasons, *[tuple([floor[i] for i in group]) for group in groups]))


def _capture_union(rules: Rules, floor: Sequence[Card], card: Card) -> Capture:
    """Make the capture of all cards of the same rank and of every group there is."""
    by_value = _places_by_value(floor, card)
    groups = []
    for kind in _kinds_in(VALUES[card], _count(floor, card)):
        for chosen in product(*(combinations(by_value[part], many) for part, many in _parts(kind))):
            groups.append(tuple(sorted(chain.from_iterable(chosen))))
    places = {*chain.from_iterable(groups)}
    taken = tuple(lying for i, lying in enumerate(floor) if lying[0] == card[0] or i in places)
    reasons = [(lying,) for lying in floor if lying[0] == card[0]]
    return _capture(rules, floor, taken, (*reasons, *(tuple(floor[i] for i in group) for group in sorted(groups))))


def _capture(
    rules: Rules, floor: Sequence[Card], taken: tuple[Card, ...], groups: tuple[tuple[Card, ...], ...]
) -> Capture:
    basra = 0
    if len(taken) == len(floor):
        basra = rules.burned_komi if KOMI in taken else BASRA_POINTS
    return Capture(taken, groups, basra)


def _sweep_basra(rules: Rules, floor: Sequence[Card], card: Card) -> int:
    if card != KOMI:
        return rules.jack_on_jack if len(floor) == 1 and floor[0][0] == "J" else 0
    values = [VALUES[lying] for lying in floor]
    if not all(values):
        return 0
    is_basra = sum(values) <= TOTAL_LIMIT if rules.komi_basra == "total" else _is_clearable(values)
    return BASRA_POINTS if is_basra else 0


def _is_clearable(values: Sequence[int]) -> bool:
    """Tell whether some number card would take all those values by rank and disjoint sums."""
    for value in range(max(values), 11):
        rest = [other for other in values if other != value]
        count = sum(1 << 4 * (other - 1) for other in rest)
        if sum(rest) % value == 0 and any(one.taken == count for one in _allocations(value, count)):
            return True
    return False
