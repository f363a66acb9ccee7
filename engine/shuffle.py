"""The fair deal: everything that chance decides, from seeds that anyone can check.

In scheme ``basra-deal/1`` the service commits to its seed; in ``basra-deal/2`` every player does, too, before anybody
opens theirs. From the same seeds both deal the same cards.
"""

import hashlib
import hmac
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from struct import unpack
from typing import Protocol

from engine.cards import PACK, SWEEPERS, Card

SCHEME_1, SCHEME_2 = "basra-deal/1", "basra-deal/2"
HAND_SIZE = 4  # cards
FLOOR_SIZE = 4  # cards, at the opening of a round
PLAYS_A_ROUND = len(PACK) - FLOOR_SIZE
CUT_MIN, CUT_MAX = 1, 51  # cards taken off the top

_SERVER_SEED = re.compile(r"[0-9a-f]{64}\Z")
_CLIENT_SEED = re.compile(r"[0-9a-f]{0,64}\Z")
_CLIENT_COMMITMENT = re.compile(r"([0-9a-f]{64})?\Z")
# For a draw of up to 52: the words from here on are skipped, so that each answer stands for as many words.
_LIMITS = [2**32 // n * n if n else 0 for n in range(53)]


def is_server_seed(text: object) -> bool:
    """Tell whether a text is a server seed: 32 bytes in lower-case hex."""
    return isinstance(text, str) and _SERVER_SEED.match(text) is not None


def is_client_seed(text: object) -> bool:
    """Tell whether a text is a client seed: 0 to 64 lower-case hex digits."""
    return isinstance(text, str) and _CLIENT_SEED.match(text) is not None


def commitment(server_seed: str) -> str:
    """Give what is shown of a server seed before anyone knows it: the hex SHA-256 of its bytes."""
    return hashlib.sha256(bytes.fromhex(server_seed)).hexdigest()


def is_client_commitment(text: object) -> bool:
    """Tell whether a text is what a player shows of a client seed, or the empty one of a player without any."""
    return isinstance(text, str) and _CLIENT_COMMITMENT.match(text) is not None


def client_commitment(client_seed: str) -> str:
    """Give what is shown of a client seed before it is opened: the hex SHA-256 of its ASCII text.

    >>> client_commitment("7ea")[:16]
    'ccb0940554478efd'
    """
    return hashlib.sha256(client_seed.encode("ascii")).hexdigest()


def is_opening(client_seed: str, commitment: str) -> bool:
    """Tell whether a client seed is the one that was committed to, or was left unopened and counts as empty."""
    return not client_seed or client_commitment(client_seed) == commitment


def seeded_server_seed(seed: str, number: int) -> str:
    """Give the server seed of the match with that number, from 1, in a room with a seed of its own."""
    return hashlib.sha256(f"{seed}#{number}".encode()).hexdigest()


class Stream:
    """The words of one round, drawn one after the other."""

    def __init__(self, server_seed: str, client_seeds: Sequence[str], round_number: int) -> None:
        self._key = bytes.fromhex(server_seed)
        self._prefix = f"{SCHEME_1}:{round_number}:{','.join(client_seeds)}:"
        self._words = self._read_words()

    def _read_words(self) -> Iterator[int]:
        block = 0
        while True:
            yield from unpack(">8I", hmac.digest(self._key, f"{self._prefix}{block}".encode(), "sha256"))
            block += 1

    def draw(self, n: int) -> int:
        """Give a number from 0 to n - 1, each equally likely; n is at most 52."""
        limit = _LIMITS[n]
        for word in self._words:
            if word < limit:
                return word % n
        raise AssertionError("the stream has no end")


@dataclass(frozen=True, slots=True)
class Deal:
    """What chance and the cut make of one round, up to the first play."""

    shuffled: tuple[Card, ...]  # the pack, top first, before the cut
    cut: int  # cards taken off the top and put below
    hands: tuple[tuple[Card, ...], ...]  # by seat
    floor: tuple[Card, ...]
    buried: tuple[tuple[Card, int], ...]  # each with its new index in the undealt pack
    undealt: tuple[Card, ...]  # next to be dealt first


def shuffled_pack(stream: Stream) -> tuple[Card, ...]:
    """Shuffle a new pack with the first draws of a round's stream."""
    pack = list(PACK)
    for i in range(51, 0, -1):
        j = stream.draw(i + 1)
        pack[i], pack[j] = pack[j], pack[i]
    return tuple(pack)


class Chance(Protocol):
    """Where the deals of a match come from: its seeds, or in a replay its transcript."""

    def first_dealer(self) -> int:
        """Give the seat that deals the first round."""

    def pack(self, number: int) -> tuple[Card, ...]:
        """Give the pack of a round, as it is before the cut."""

    def deal(self, number: int, dealer: int, cut: int | None) -> Deal:
        """Give the deal of a round; without a cut of the neighbour's the automatic one is made."""


@dataclass(frozen=True, slots=True)
class FairChance:
    """The deals of a match by its own seeds."""

    server_seed: str
    client_seeds: tuple[str, ...]

    def first_dealer(self) -> int:
        """Draw the seat that deals the first round."""
        return Stream(self.server_seed, self.client_seeds, 0).draw(len(self.client_seeds))

    def pack(self, number: int) -> tuple[Card, ...]:
        """Shuffle the pack of a round, as it is before the cut."""
        return shuffled_pack(Stream(self.server_seed, self.client_seeds, number))

    def deal(self, number: int, dealer: int, cut: int | None = None) -> Deal:
        """Deal one round fairly; without a cut of the neighbour's the drawn one is made."""
        stream = Stream(self.server_seed, self.client_seeds, number)
        shuffled = shuffled_pack(stream)
        # Drawn always, so that a player's cut does not shift what is drawn after it.
        drawn = CUT_MIN + stream.draw(CUT_MAX)
        return deal_pack(
            shuffled,
            drawn if cut is None else cut,
            dealer,
            len(self.client_seeds),
            bury=lambda card, undealt: 1 + stream.draw(undealt),
        )


def deal_pack(shuffled: tuple[Card, ...], cut: int, dealer: int, seats: int, bury: Callable[[Card, int], int]) -> Deal:
    """Cut a pack, deal the hands and turn the floor; `bury` places a jack or the komi among so many undealt cards."""
    hands, rest = deal_hands(shuffled[cut:] + shuffled[:cut], dealer, seats)
    pack = list(rest)
    floor: list[Card] = []
    buried: list[tuple[Card, int]] = []
    while len(floor) < FLOOR_SIZE:
        card = pack.pop(0)
        if card in SWEEPERS:
            at = bury(card, len(pack))
            pack.insert(at, card)
            buried.append((card, at))
        else:
            floor.append(card)
    return Deal(shuffled, cut, hands, tuple(floor), tuple(buried), tuple(pack))


def deal_hands(
    pack: tuple[Card, ...], dealer: int, seats: int
) -> tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]:
    """Give the hands by seat, dealt whole from the seat on the dealer's right on, and the pack that is left."""
    hands: list[tuple[Card, ...]] = [()] * seats
    for i in range(seats):
        hands[(dealer + 1 + i) % seats] = pack[i * HAND_SIZE : (i + 1) * HAND_SIZE]
    return tuple(hands), pack[seats * HAND_SIZE :]
