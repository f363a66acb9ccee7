"""Which floor cards a card may take: pure combinatorics.

Sums depend on nothing but how many cards of each value lie on the floor, so they are worked out once for such a
count and remembered. Suits and places come in only afterwards, when cards are picked for a count: that is where card
points and ties are settled, so the memo cannot make an answer wrong.

A count is one integer with four bits for each value from 1 to 10: 0x21 is one ace and two twos.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, combinations, islice, product
from math import comb, prod
from typing import Any

from engine.cards import KOMI, PACK, Card, card_value, is_sweeper
from engine.rules import Rules

BASRA_POINTS = 10
TOTAL_LIMIT = 10  # the most that a floor may total for a komi basra under "total"

#: What one question may cost, in counts or captures. Any 15 cards stay below it, and no floor in play is larger.
WORK_LIMIT = 2**16

_BITS = 4
_UNIT: dict[Card, int] = {card: 1 << _BITS * (card_value(card) - 1) if card_value(card) else 0 for card in PACK}
# The top bit of every value's four; no pack has eight cards of a value, so it is free to catch a borrow.
_GUARD = 0x8888888888

Places = tuple[int, ...]  # indices on the floor, rising


@dataclass(frozen=True, slots=True)
class Capture:
    """What a played card takes; no cards: it stays on the floor."""

    cards: tuple[Card, ...]  # in floor order
    groups: tuple[tuple[Card, ...], ...]  # why: each card by rank alone, then each sum; a sweep is one group
    basra: int  # points

    def to_json(self) -> dict[str, Any]:
        """Give the capture as a view shows it."""
        return {"cards": list(self.cards), "groups": [list(group) for group in self.groups], "basra": self.basra}


NOTHING = Capture((), (), 0)


def captures(rules: Rules, floor: Sequence[Card], card: Card, limit: int | None = None) -> tuple[Capture, ...]:
    """Give every legal capture of a card, best first, or only the first of them up to a limit.

    Errors: ValueError for a floor, larger than any in play, that can be taken in too many ways to list.

    >>> from engine.rules import PROFILES
    >>> [capture.cards for capture in captures(PROFILES["traditional"], ("2H", "2S", "3S"), "5D")]
    [('2H', '3S'), ('2S', '3S')]
    """
    if rules.allocation != "choice" or limit == 1 or not _has_sums(floor, card):
        return (best_capture(rules, floor, card),)
    same, by_value = _sort_floor(floor, card)
    found = _all_picks(card_value(card), by_value)
    found.sort(key=lambda pick: (-len(pick[0]), -sum(rules.points_of(floor[i]) for i in pick[0]), pick[0]))
    return tuple(_by_sums(rules, floor, same, *pick) for pick in islice(found, limit))


def best_capture(rules: Rules, floor: Sequence[Card], card: Card) -> Capture:
    """Give the capture that is made when none is named."""
    if not floor:
        return NOTHING
    if is_sweeper(card):
        return Capture(tuple(floor), (tuple(floor),), _sweep_basra(rules, floor, card))
    if not _has_sums(floor, card):
        rank = card[0]
        same = tuple(i for i, lying in enumerate(floor) if lying[0] == rank)
        return _by_sums(rules, floor, same, (), ()) if same else NOTHING
    same, by_value = _sort_floor(floor, card)
    if rules.allocation == "union":
        groups = tuple(sorted(_every_group(card_value(card), by_value)))
        return _by_sums(rules, floor, same, tuple(sorted({*chain.from_iterable(groups)})), groups)
    return _by_sums(rules, floor, same, *_best_pick(rules, floor, card_value(card), by_value))


def named_capture(rules: Rules, floor: Sequence[Card], card: Card, names: Collection[Card]) -> Capture | None:
    """Give the legal capture with exactly those cards, None if there is none; exact however many there are."""
    best = best_capture(rules, floor, card)
    if len(names) == len(best.cards) and set(names) == set(best.cards):
        return best
    if rules.allocation != "choice" or is_sweeper(card) or not _has_sums(floor, card):
        return None
    named = set(names)
    same, by_value = _sort_floor(floor, card)
    places = tuple(i for i, lying in enumerate(floor) if lying in named)
    # A card named twice, or one that is not on the floor, leaves fewer places than names.
    if len(places) != len(names) or not named.issuperset(floor[i] for i in same):
        return None
    summed = tuple(i for i in places if i not in same)
    if not all(_UNIT[floor[i]] for i in summed):  # a court, which no count would show
        return None
    taken = sum(_UNIT[floor[i]] for i in summed)
    for allocation, kinds in _allocations(card_value(card), _count(by_value)):
        if allocation == taken:
            return _by_sums(rules, floor, same, summed, _split_groups(kinds, _places_by_value(floor, summed)))
    return None


def _has_sums(floor: Sequence[Card], card: Card) -> bool:
    """Tell whether a card, played, takes any sum; a sweeper and a court never do."""
    value = card_value(card)
    if not value or card == KOMI:
        return False
    below = (1 << _BITS * (value - 1)) - 1
    return _allocations(value, sum(map(_UNIT.__getitem__, floor)) & below)[0][0] != 0


def _sort_floor(floor: Sequence[Card], card: Card) -> tuple[Places, dict[int, list[int]]]:
    """Give the places of the same rank, and those of lower values that sums may use."""
    value = card_value(card)
    same = tuple(i for i, lying in enumerate(floor) if lying[0] == card[0])
    lower = _places_by_value(floor, (i for i, lying in enumerate(floor) if 0 < card_value(lying) < value))
    return same, lower


def _places_by_value(floor: Sequence[Card], places: Collection[int] | Iterator[int]) -> dict[int, list[int]]:
    by_value: dict[int, list[int]] = {}
    for i in places:
        by_value.setdefault(card_value(floor[i]), []).append(i)
    return by_value


def _count(by_value: dict[int, list[int]]) -> int:
    return sum(len(places) << _BITS * (value - 1) for value, places in by_value.items())


def _digits(count: int) -> Iterator[tuple[int, int]]:
    """Give each value in a count with how many cards of it there are."""
    value = 1
    while count:
        if many := count & 0xF:
            yield value, many
        count >>= _BITS
        value += 1


@cache
def _kinds(value: int) -> tuple[int, ...]:
    """Give the counts of all groups that total a value: two cards or more, at most four of a rank."""

    def parts(rest: int, top: int) -> Iterator[int]:
        if rest == 0:
            yield 0
        for part in range(min(rest, top), 0, -1):
            for count in parts(rest - part, part):
                yield count + (1 << _BITS * (part - 1))

    return tuple(count for count in parts(value, value - 1) if all(many <= 4 for _, many in _digits(count)))


@lru_cache(maxsize=2**14)
def _allocations(value: int, count: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Give each maximal count that groups can take, with the kinds of the groups of one way to take it."""
    kinds = [kind for kind in _kinds(value) if ((count | _GUARD) - kind) & _GUARD == _GUARD]
    if not kinds:
        return ((0, ()),)
    _check_work(prod(many + 1 for _, many in _digits(count)))
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
            ends.append((count - left, ways[left]))
    return tuple(ends)


def _check_work(work: int) -> None:
    if work > WORK_LIMIT:
        raise ValueError("the floor is larger than any in play and can be taken in too many ways")


def _best_pick(
    rules: Rules, floor: Sequence[Card], value: int, by_value: dict[int, list[int]]
) -> tuple[Places, tuple[Places, ...]]:
    """Pick the best sums: most cards, then most card points, then the smallest list of places.

    Ranks are picked one by one: points add up over ranks, and of two lists of places the smaller is the one that has
    the first place in which they differ, which lies within one rank.
    """
    allocations = _allocations(value, _count(by_value))
    most = max(_size(taken) for taken, _ in allocations)

    def worth(places: Sequence[int]) -> int:
        return sum(rules.points_of(floor[i]) for i in places)

    picks = []
    for taken, kinds in allocations:
        if _size(taken) == most:
            chosen = {
                part: min(combinations(by_value[part], many), key=lambda places: (-worth(places), places))
                for part, many in _digits(taken)
            }
            places = tuple(sorted(chain.from_iterable(chosen.values())))
            picks.append((-worth(places), places, kinds, chosen))
    _, places, kinds, chosen = min(picks)
    return places, _split_groups(kinds, chosen)


def _all_picks(value: int, by_value: dict[int, list[int]]) -> list[tuple[Places, tuple[Places, ...]]]:
    """Pick cards for every maximal allocation in every way."""
    allocations = _allocations(value, _count(by_value))
    _check_work(sum(prod(comb(len(by_value[part]), many) for part, many in _digits(taken)) for taken, _ in allocations))
    found = []
    for taken, kinds in allocations:
        parts = [part for part, _ in _digits(taken)]
        for pick in product(*(combinations(by_value[part], many) for part, many in _digits(taken))):
            chosen = dict(zip(parts, pick, strict=True))
            found.append((tuple(sorted(chain.from_iterable(pick))), _split_groups(kinds, chosen)))
    return found


def _size(count: int) -> int:
    return sum(many for _, many in _digits(count))


def _split_groups(kinds: Sequence[int], chosen: dict[int, Places] | dict[int, list[int]]) -> tuple[Places, ...]:
    """Share the chosen places of each value out among groups of the given kinds."""
    left = {part: iter(places) for part, places in chosen.items()}
    return tuple(
        sorted(tuple(sorted(next(left[part]) for part, many in _digits(kind) for _ in range(many))) for kind in kinds)
    )


def _every_group(value: int, by_value: dict[int, list[int]]) -> Iterator[Places]:
    for kind in _kinds(value):
        if all(len(by_value.get(part, ())) >= many for part, many in _digits(kind)):
            for pick in product(*(combinations(by_value[part], many) for part, many in _digits(kind))):
                yield tuple(sorted(chain.from_iterable(pick)))


def _by_sums(rules: Rules, floor: Sequence[Card], same: Places, summed: Places, groups: tuple[Places, ...]) -> Capture:
    """Make the capture of the cards of the same rank and of the sums."""
    taken = tuple(floor[i] for i in sorted(same + summed))
    basra = 0
    if len(taken) == len(floor):
        basra = rules.burned_komi if KOMI in taken else BASRA_POINTS
    reasons = tuple((floor[i],) for i in same) + tuple(tuple(floor[i] for i in group) for group in groups)
    return Capture(taken, reasons, basra)


def _sweep_basra(rules: Rules, floor: Sequence[Card], card: Card) -> int:
    if card != KOMI:
        return rules.jack_on_jack if len(floor) == 1 and floor[0][0] == "J" else 0
    values = [card_value(lying) for lying in floor]
    if not all(values):
        return 0
    is_basra = sum(values) <= TOTAL_LIMIT if rules.komi_basra == "total" else _is_clearable(values)
    return BASRA_POINTS if is_basra else 0


def _is_clearable(values: Sequence[int]) -> bool:
    """Tell whether some number card would take all those values by rank and disjoint sums."""
    for value in range(max(values), 11):
        rest = [other for other in values if other != value]
        count = sum(1 << _BITS * (other - 1) for other in rest)
        if sum(rest) % value == 0 and any(taken == count for taken, _ in _allocations(value, count)):
            return True
    return False
