"""A second opinion on captures: brute force over the places of the floor, straight from the text of the rules."""

from __future__ import annotations

from itertools import combinations

VALUES = {rank: value for value, rank in enumerate("A23456789T", start=1)}
POINTS = {"2C": 2, "TD": 3} | {rank + suit: 1 for rank in "AJ" for suit in "CDHS"}


def groups_of(floor: list[str], value: int) -> list[int]:
    """Give every group of two or more number cards that total a value, as a bit mask of places."""
    numbers = [i for i, card in enumerate(floor) if card[0] in VALUES]
    return [
        sum(1 << i for i in group)
        for size in range(2, value + 1)
        for group in combinations(numbers, size)
        if sum(VALUES[floor[i][0]] for i in group) == value
    ]


def allocations_of(floor: list[str], value: int) -> set[int]:
    """Give every maximal set of places that disjoint groups can take."""
    groups = groups_of(floor, value)
    seen, fresh = {0}, [0]
    while fresh:
        mask = fresh.pop()
        for group in groups:
            if not mask & group and mask | group not in seen:
                seen.add(mask | group)
                fresh.append(mask | group)
    return {mask for mask in seen if all(mask & group for group in groups)}


def captures_of(floor: list[str], card: str, allocation: str, points: dict[str, int]) -> list[list[str]]:
    """Give every legal capture, best first."""
    if not floor:
        return [[]]
    if card[0] == "J" or card == "7D":
        return [list(floor)]
    same = sum(1 << i for i, lying in enumerate(floor) if lying[0] == card[0])
    value = VALUES.get(card[0], 0)
    if allocation == "union":
        masks = {0}
        for group in groups_of(floor, value):
            masks = {next(iter(masks)) | group}
    else:
        masks = allocations_of(floor, value)
    places = [[i for i in range(len(floor)) if (mask | same) >> i & 1] for mask in masks]
    places.sort(key=lambda taken: (-len(taken), -sum(points.get(floor[i], 0) for i in taken), taken))
    if allocation == "best":
        del places[1:]
    return [[floor[i] for i in taken] for taken in places]


def is_clearable(floor: list[str]) -> bool:
    """Tell whether some number card would take the whole floor by rank and disjoint sums."""
    full = (1 << len(floor)) - 1
    for rank, value in VALUES.items():
        same = sum(1 << i for i, card in enumerate(floor) if card[0] == rank)
        if any(mask | same == full for mask in allocations_of(floor, value)):
            return True
    return False


def basra_of(floor: list[str], card: str, taken: list[str], rules: dict[str, object]) -> object:
    """Give the points of a basra, 0 where a capture is none."""
    if not floor or len(taken) < len(floor):
        return 0
    if card[0] == "J":
        return rules["jack_on_jack"] if len(floor) == 1 and floor[0][0] == "J" else 0
    if card == "7D":
        if any(lying[0] not in VALUES for lying in floor):
            return 0
        if rules["komi_basra"] == "total":
            return 10 if sum(VALUES[lying[0]] for lying in floor) <= 10 else 0
        return 10 if is_clearable(floor) else 0
    return rules["burned_komi"] if "7D" in taken else 10


def lines_of(
    hands: list[list[str]], floor: list[str], seat: int, depth: int, rules: dict[str, object]
) -> tuple[int, int, int]:
    """Count the lines of play of a length within one deal, those that end in a capture and in a basra."""
    lines = captured = basras = 0
    for card in hands[seat]:
        points = POINTS if rules["card_points"] else {}
        for taken in captures_of(floor, card, str(rules["allocation"]), points):
            if depth == 1:
                found = (1, int(bool(taken)), int(bool(basra_of(floor, card, taken, rules))))
            else:
                after = [lying for lying in floor if lying not in taken] if taken else [*floor, card]
                rest = [[held for held in hand if held != card] for hand in hands]
                found = lines_of(rest, after, (seat + 1) % len(hands), depth - 1, rules)
            lines, captured, basras = lines + found[0], captured + found[1], basras + found[2]
    return lines, captured, basras
