"""The fair deal: the shared vectors, the scheme's edges, and whether every card is as likely in every place."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from engine.cards import PACK
from engine.shuffle import (
    FairChance,
    Stream,
    commitment,
    deal_hands,
    is_client_seed,
    is_server_seed,
    seeded_server_seed,
    shuffled_pack,
)

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "deals.json").read_text())


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_shared_vectors(vector: dict[str, Any]) -> None:
    chance = FairChance(vector["server_seed"], tuple(vector["client_seeds"]))
    assert commitment(vector["server_seed"]) == vector["commitment"]
    assert chance.first_dealer() == vector["dealer"]
    deal = chance.deal(1, vector["dealer"])
    assert list(deal.shuffled) == list(chance.pack(1)) == vector["shuffled"]
    assert deal.cut == vector["cut"]
    assert [list(hand) for hand in deal.hands] == vector["hands"]
    assert list(deal.floor) == vector["floor"]
    assert [{"card": card, "at": at} for card, at in deal.buried] == vector["buried"]
    assert list(deal.undealt) == vector["undealt"]


def test_words_come_from_the_blocks_in_order() -> None:
    key = bytes(range(32))
    blocks = b"".join(hmac.new(key, b"basra-deal/1:3:ab,:%d" % i, "sha256").digest() for i in range(3))
    words = [int.from_bytes(blocks[i : i + 4], "big") for i in range(0, len(blocks), 4)]
    stream = Stream(key.hex(), ["ab", ""], 3)
    assert [stream.draw(1) for _ in range(2)] == [0, 0]
    # 2**32 is a multiple of 32: no word is skipped.
    assert [stream.draw(32) for _ in range(22)] == [word % 32 for word in words[2:24]]


def test_words_beyond_the_last_whole_multiple_are_skipped() -> None:
    class Told(Stream):
        def __init__(self, *words: int) -> None:
            self._words = iter(words)

    limit = 2**32 // 52 * 52
    assert limit < 2**32
    assert Told(limit, 2**32 - 1, limit - 1).draw(52) == 51
    assert Told(limit, 7).draw(52) == 7
    assert Told(2**32 - 1).draw(2) == 1


def test_the_seed_of_a_seeded_room() -> None:
    assert seeded_server_seed("بصرة", 12) == hashlib.sha256("بصرة#12".encode()).hexdigest()


@pytest.mark.parametrize("text", ["", "0", "00ff", "a" * 64])
def test_client_seeds(text: str) -> None:
    assert is_client_seed(text)


@pytest.mark.parametrize("text", ["A", "g", "0x", "a" * 65, "a\n", " ", None, 7])
def test_client_seeds_that_are_none(text: object) -> None:
    assert not is_client_seed(text)


@pytest.mark.parametrize("text", ["", "ab", "A" * 64, "a" * 63, "a" * 64 + "\n", "a" * 65, None])
def test_server_seeds_that_are_none(text: object) -> None:
    assert not is_server_seed(text)


def test_hands_go_whole_from_the_dealers_right() -> None:
    hands, rest = deal_hands(PACK, dealer=2, seats=4)
    assert hands == (PACK[4:8], PACK[8:12], PACK[12:16], PACK[0:4])
    assert rest == PACK[16:]


def test_a_players_cut_replaces_the_drawn_one_and_shifts_no_draw() -> None:
    chance = FairChance("5a" * 32, ("01", ""))
    drawn = chance.deal(4, 1)
    again = chance.deal(4, 1, drawn.cut)
    assert again == drawn
    other = chance.deal(4, 1, drawn.cut % 51 + 1)
    assert other.shuffled == drawn.shuffled
    assert other.hands != drawn.hands


def test_every_seed_and_the_rounds_number_matter() -> None:
    packs = [
        FairChance("00" * 32, ("", "")).pack(1),
        FairChance("00" * 32, ("", "")).pack(2),
        FairChance("01" + "00" * 31, ("", "")).pack(1),
        FairChance("00" * 32, ("0", "")).pack(1),
        FairChance("00" * 32, ("", "0")).pack(1),
        FairChance("00" * 32, ("", "", "", "")).pack(1),
    ]
    assert len(set(packs)) == len(packs)


def assert_uniform(counts: Iterable[int], freedom: int) -> None:
    """Check by chi-square that counts are as even as chance makes them; the seeds are fixed, so it never wavers."""
    counts = list(counts)
    expected = sum(counts) / len(counts)
    chi_square = sum((count - expected) ** 2 for count in counts) / expected
    assert abs(chi_square - freedom) < 4 * sqrt(2 * freedom), chi_square


def test_positions_cuts_and_burials_are_even() -> None:
    shuffled: Counter[tuple[str, int]] = Counter()
    cut_packs: Counter[tuple[str, int]] = Counter()
    cuts: Counter[int] = Counter()
    burials: dict[int, Counter[int]] = defaultdict(Counter)
    for number in range(6000):
        deal = FairChance(seeded_server_seed("even", number), ("", "")).deal(1, 0)
        shuffled.update((card, place) for place, card in enumerate(deal.shuffled))
        cut_pack = deal.shuffled[deal.cut :] + deal.shuffled[: deal.cut]
        cut_packs.update((card, place) for place, card in enumerate(cut_pack))
        cuts[deal.cut] += 1
        if deal.buried:
            # The first card that is buried may go under any of those below the top, as many as were left.
            card, at = deal.buried[0]
            burials[51 - cut_pack.index(card)][at] += 1
    for table in (shuffled, cut_packs):
        assert len(table) == 52 * 52
        assert_uniform(table.values(), 51 * 51)
    assert sorted(cuts) == list(range(1, 52))
    assert_uniform(cuts.values(), 50)
    for undealt in (43, 42):
        assert set(burials[undealt]) <= set(range(1, undealt + 1))
        assert_uniform([burials[undealt][at] for at in range(1, undealt + 1)], undealt - 1)


def test_first_dealers_are_even() -> None:
    for seats in (2, 4):
        dealers = Counter(
            FairChance(seeded_server_seed("dealer", number), ("",) * seats).first_dealer() for number in range(2000)
        )
        assert_uniform((dealers[seat] for seat in range(seats)), seats - 1)


def test_the_drawn_pack_is_whole() -> None:
    assert sorted(shuffled_pack(Stream("00" * 32, ["", ""], 1))) == sorted(PACK)
