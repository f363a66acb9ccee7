"""A second opinion on deals: straight from the scheme's description, and whether a transcript's was a fair one."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

PACK = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
SWEEPERS = ("JC", "JD", "JH", "JS", "7D")


class Words:
    """The words of a round, from the block that is due on."""

    def __init__(self, server_seed: str, client_seeds: list[str], number: int) -> None:
        self.key, self.text = bytes.fromhex(server_seed), f"basra-deal/1:{number}:{','.join(client_seeds)}:"
        self.read = 0

    def draw(self, n: int) -> int:
        while True:
            block, place = divmod(self.read, 8)
            digest = hmac.new(self.key, f"{self.text}{block}".encode("ascii"), hashlib.sha256).digest()
            word = int.from_bytes(digest[4 * place : 4 * place + 4], "big")
            self.read += 1
            if word < 2**32 - 2**32 % n:
                return word % n


def deal(words: Words, dealer: int, seats: int, own_cut: int | None = None) -> dict[str, Any]:
    """Deal one round: its pack, cut, first hands, floor and burials."""
    shuffled = list(PACK)
    for i in reversed(range(1, 52)):
        j = words.draw(i + 1)
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    cut = 1 + words.draw(51)
    cut = cut if own_cut is None else own_cut
    pack = shuffled[cut:] + shuffled[:cut]
    hands: list[list[str]] = [[] for _ in range(seats)]
    for turn in range(1, seats + 1):
        hands[(dealer + turn) % seats], pack = pack[:4], pack[4:]
    floor, buried = [], []
    while len(floor) < 4:
        card, *pack = pack
        if card in SWEEPERS:
            at = 1 + words.draw(len(pack))
            pack.insert(at, card)
            buried.append({"card": card, "at": at})
        else:
            floor.append(card)
    return {"shuffled": shuffled, "cut": cut, "hands": hands, "floor": floor, "buried": buried}


def is_fair(transcript: dict[str, Any]) -> bool:
    """Tell whether a transcript was dealt by its seeds, and its seeds are those that were committed to."""
    fairness, seats = transcript["fairness"], transcript["seats"]
    server_seed, seeds = fairness["server_seed"], fairness["client_seeds"]
    if hashlib.sha256(bytes.fromhex(server_seed)).hexdigest() != fairness["commitment"]:
        return False
    if fairness["scheme"] == "basra-deal/2":
        shown = zip(seeds, fairness["client_commitments"], strict=True)
        if any(seed and hashlib.sha256(seed.encode()).hexdigest() != committed for seed, committed in shown):
            return False
    dealer = Words(server_seed, seeds, 0).draw(seats)
    for number, rnd in enumerate(transcript["rounds"], start=1):
        own_cut = rnd["cut"] if rnd["cut_by"] == "player" else None
        due = deal(Words(server_seed, seeds, number), dealer, seats, own_cut)
        told = {**rnd, "hands": rnd["hands"][0]}
        if rnd["dealer"] != dealer or any(told[name] != value for name, value in due.items()):
            return False
        dealer = (dealer + 1) % seats
    return True
