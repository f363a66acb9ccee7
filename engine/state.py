"""How a match goes on: its start, the actions that are legal, and what each of them changes.

Nothing here is random and nothing reads a clock: chance comes from the seeds that a match starts with, times come in.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn, TypeVar

from engine.capture import Capture, best_capture, captures, named_capture
from engine.cards import Card
from engine.errors import (
    CardNotInHand,
    EngineError,
    IllegalCapture,
    MatchOver,
    NotYourTurn,
    RulesError,
    StaleTurn,
    WrongPhase,
)
from engine.match import CUT, PLAY, Match, Played, Result, Round, match_from_json
from engine.rules import Rules
from engine.scoring import leader_of, score_round
from engine.shuffle import (
    CUT_MAX,
    CUT_MIN,
    HAND_SIZE,
    SCHEME,
    Chance,
    Deal,
    FairChance,
    commitment,
    deal_hands,
    is_client_seed,
    is_server_seed,
)

__all__ = [
    "CAPTURES_SHOWN",
    "EPOCH",
    "Abandon",
    "Action",
    "Cut",
    "Forfeit",
    "Match",
    "Play",
    "apply",
    "legal_actions",
    "match_from_json",
    "start_match",
]

EPOCH = "1970-01-01T00:00:00Z"

#: The most captures of one card that anyone is shown; what is legal does not end there.
CAPTURES_SHOWN = 64

_T = TypeVar("_T")
_BySide = tuple[tuple[_T, ...], tuple[_T, ...]]
Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Play:
    """A seat plays a card; without a capture the best one is made, without a turn none is checked."""

    seat: int
    card: Card
    capture: tuple[Card, ...] | None = None
    turn: int | None = None
    by: str = "player"  # "bot" and only that for a bot's seat; "clock" with four seats for one who is absent


@dataclass(frozen=True, slots=True)
class Cut:
    """A seat cuts the pack, or with `at` None and by "clock" has it cut automatically."""

    seat: int
    at: int | None  # cards taken off the top
    round: int | None = None
    by: str = "player"


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A seat leaves the match, or with two seats let its turn's deadline pass."""

    seat: int
    reason: str = "forfeit"


@dataclass(frozen=True, slots=True)
class Abandon:
    """The match ends without a winner because nobody is there any more."""


Action = Play | Cut | Forfeit | Abandon


def start_match(
    rules: Rules,
    seats: int,
    *,
    server_seed: str,
    client_seeds: Sequence[str],
    bots: Sequence[str | None],
    rated: bool = False,
    seeded: bool = False,
    at: str = EPOCH,
    chance: Chance | None = None,
) -> tuple[Match, tuple[Event, ...]]:
    """Start a match and deal, or wait for the first cut.

    A chance other than the match's own seeds is for replays only.

    Errors: RulesError where the rules forbid that many seats, EngineError for seeds that are none.
    """
    if seats not in rules.seats:
        raise RulesError("seats", f"{rules.profile!r} is for {' or '.join(map(str, rules.seats))} seats, not {seats!r}")
    if len(client_seeds) != seats or len(bots) != seats:
        raise EngineError(f"{seats} seats need as many client seeds and bots (or None)")
    if not is_server_seed(server_seed) or not all(map(is_client_seed, client_seeds)):
        raise EngineError("a server seed is 64, a client seed up to 64 lower-case hex digits")
    if seeded and any(client_seeds):
        raise EngineError("a seeded match ignores client seeds: all are empty")
    chance = chance or FairChance(server_seed, tuple(client_seeds))
    dealer = chance.first_dealer()
    match = Match(
        rules=rules,
        seats=seats,
        bots=tuple(bots),
        server_seed=server_seed,
        client_seeds=tuple(client_seeds),
        rated=rated,
        seeded=seeded,
        version=1,
        turn=0,
        to_act=None,
        scores=(0, 0),
        carried=0,
        sheets=(),
        last_play=None,
        result=None,
        round=_new_round(1, dealer, seats, ()),
        attended=False,
        unattended_deals=0,
    )
    started = {
        "version": 1,
        "type": "match_started",
        "at": at,
        "dealer": dealer,
        "seats": [{"seat": seat, "side": seat % 2, "bot": bot} for seat, bot in enumerate(bots)],
        "rules": rules.to_json(),
        "fairness": fairness_of(match),
        "rated": rated,
        "seeded": seeded,
    }
    match, events = _open_round(match, 1, dealer, at, chance)
    return match, (started, *events)


def fairness_of(match: Match) -> dict[str, Any]:
    """Give what everyone may know of the deal before the end."""
    return {
        "scheme": SCHEME,
        "commitment": commitment(match.server_seed),
        "client_seeds": list(match.client_seeds),
    }


def _fair_chance(match: Match) -> Chance:
    return FairChance(match.server_seed, match.client_seeds)


def legal_actions(match: Match) -> tuple[Play | Cut, ...]:
    """Give what the seat to act may do, sorted by card and capture or by cut; empty only after the end.

    Every play names its capture. To forfeit is always possible and not listed.
    """
    seat = match.to_act
    if seat is None:
        return ()
    rnd = match.round
    if rnd.phase == CUT:
        return tuple(Cut(seat, at, rnd.number) for at in range(CUT_MIN, CUT_MAX + 1))
    by = "player" if match.bots[seat] is None else "bot"
    return tuple(
        Play(seat, card, cards, match.turn, by)
        for card in sorted(rnd.hands[seat])
        for cards in sorted(capture.cards for capture in captures(match.rules, rnd.floor, card))
    )


def apply(
    match: Match, action: Action, at: str = EPOCH, chance: Chance | None = None
) -> tuple[Match, tuple[Event, ...]]:
    """Give the state after an action, and its events, full: what they hide is for `redact`.

    A chance other than the match's own seeds is for replays only.

    Errors: EngineError, by its class what is wrong; nothing has changed then.
    """
    if match.result is not None:
        raise MatchOver("the match is over")
    match action:
        case Play():
            return _apply_play(match, action, at, chance or _fair_chance(match))
        case Cut():
            return _apply_cut(match, action, at, chance or _fair_chance(match))
        case Forfeit():
            return _apply_forfeit(match, action, at)
        case Abandon():
            return _finish(match, Result(None, "abandoned", None, match.scores), at)


def _apply_play(match: Match, play: Play, at: str, chance: Chance) -> tuple[Match, tuple[Event, ...]]:
    capture = _check_play(match, play)
    rnd, seat, card = match.round, play.seat, play.card
    side = seat % 2
    hand = rnd.hands[seat]
    place = hand.index(card)
    left = hand[:place] + hand[place + 1 :]
    changes: dict[str, Any] = {"hands": (*rnd.hands[:seat], left, *rnd.hands[seat + 1 :])}
    if capture.cards:
        taken = set(capture.cards)
        changes["floor"] = tuple(lying for lying in rnd.floor if lying not in taken)
        changes["piles"] = _add(rnd.piles, side, (card, *capture.cards))
        changes["last_capture"] = side
        if capture.basra:
            changes["basras"] = _add(rnd.basras, side, ((card, capture.basra),))
    else:
        changes["floor"] = (*rnd.floor, card)
    version = match.version + 1
    played = Played(version, at, match.turn, seat, card, capture.cards, capture.groups, capture.basra, play.by)
    is_person = play.by == "player"
    match = replace(
        match,
        version=version,
        turn=match.turn + 1,
        to_act=(seat + 1) % match.seats,
        last_play=played,
        round=replace(rnd, **changes),
        attended=match.attended or is_person,
        unattended_deals=0 if is_person else match.unattended_deals,
    )
    # The dealer plays last, so hands run out together with his.
    if left or seat != rnd.dealer:
        return match, (played.to_json(),)
    match, events = _end_deal(match, at, chance)
    return match, (played.to_json(), *events)


def _check_play(match: Match, play: Play) -> Capture:
    """Check a play in the contract's order and give its capture."""
    rnd, seat = match.round, play.seat
    if play.turn is not None and play.turn != match.turn:
        raise StaleTurn(f"turn {match.turn} is due, not {play.turn!r}")
    if rnd.phase != PLAY:
        raise WrongPhase("the pack is to be cut first")
    if seat != match.to_act:
        raise NotYourTurn(f"seat {match.to_act} is to act, not {seat!r}")
    allowed = ("bot",) if match.bots[seat] else ("player",) if match.seats == 2 else ("player", "clock")
    if play.by not in allowed:
        raise EngineError(f"seat {seat} is played by {' or '.join(allowed)}, not {play.by!r}")
    if play.card not in rnd.hands[seat]:
        raise CardNotInHand(f"{play.card!r} is not in the hand of seat {seat}")
    if play.capture is None:
        return best_capture(match.rules, rnd.floor, play.card)
    return named_capture(match.rules, rnd.floor, play.card, play.capture) or _refuse_capture(match, play)


def _refuse_capture(match: Match, play: Play) -> NoReturn:
    legal = [capture.cards for capture in captures(match.rules, match.round.floor, play.card, CAPTURES_SHOWN)]
    raise IllegalCapture(f"{play.card} may not take {list(play.capture or ())!r}", legal)


def _apply_cut(match: Match, cut: Cut, at: str, chance: Chance) -> tuple[Match, tuple[Event, ...]]:
    rnd = match.round
    if cut.at is not None and not (type(cut.at) is int and CUT_MIN <= cut.at <= CUT_MAX):
        raise EngineError(f"a cut takes {CUT_MIN} to {CUT_MAX} cards, not {cut.at!r}")
    if cut.by != ("clock" if cut.at is None else "player"):
        raise EngineError(f"a player's cut says where, the clock's does not: {cut!r}")
    if cut.round is not None and cut.round != rnd.number:
        raise StaleTurn(f"round {rnd.number} is on, not {cut.round!r}")
    if rnd.phase != CUT:
        raise WrongPhase("the pack has been cut")
    if cut.seat != match.to_act:
        raise NotYourTurn(f"seat {match.to_act} is to cut, not {cut.seat!r}")
    return _deal_first(match, chance.deal(rnd.number, rnd.dealer, cut.at), cut.by, at)


def _apply_forfeit(match: Match, forfeit: Forfeit, at: str) -> tuple[Match, tuple[Event, ...]]:
    seat = forfeit.seat
    if seat not in range(match.seats) or match.bots[seat] is not None:
        raise EngineError(f"seat {seat!r} is nobody's to forfeit")
    if forfeit.reason == "timeout":
        if match.seats != 2:
            raise EngineError("only with two seats does a slow turn lose the match")
        if match.round.phase == CUT:
            raise WrongPhase("a slow cut is made automatically")
        if seat != match.to_act:
            raise NotYourTurn(f"seat {match.to_act} is to act, not {seat}")
    elif forfeit.reason != "forfeit":
        raise EngineError(f"{forfeit.reason!r} is no reason to forfeit")
    return _finish(match, Result(1 - seat % 2, forfeit.reason, seat, match.scores), at)


def _end_deal(match: Match, at: str, chance: Chance) -> tuple[Match, tuple[Event, ...]]:
    """Go on when all hands are empty: with the next deal, or the count and the next round, or the end."""
    if not match.attended and None in match.bots:
        match = replace(match, unattended_deals=match.unattended_deals + 1)
    match = replace(match, attended=False)
    if match.round.undealt:
        return _deal_next(match, at)
    match, scored = _score(match, at)
    rules, (sheet, scores) = match.rules, (match.sheets[-1], match.scores)
    leader = leader_of(scores)
    if rules.target is None:
        match, events = _finish(match, Result(leader, "round", None, scores), at)
    elif leader is not None and scores[leader] >= rules.target:
        match, events = _finish(match, Result(leader, "target", None, scores), at)
    else:
        match = replace(match, carried=sheet.carry)
        dealer = (match.round.dealer + 1) % match.seats
        match, events = _open_round(match, sheet.round + 1, dealer, at, chance)
    return match, (scored, *events)


def _score(match: Match, at: str) -> tuple[Match, Event]:
    """Give the leftover to the last captor's side and count the round."""
    rnd = match.round
    assert rnd.last_capture is not None, "the first jack always captures"
    sheet = score_round(match.rules, rnd.number, rnd.piles, rnd.basras, rnd.floor, rnd.last_capture, match.carried)
    scores = (match.scores[0] + sheet.points[0], match.scores[1] + sheet.points[1])
    match = replace(
        match,
        version=match.version + 1,
        scores=scores,
        sheets=(*match.sheets, sheet),
        round=replace(rnd, floor=(), piles=_add(rnd.piles, rnd.last_capture, rnd.floor)),
    )
    return match, _event(match, "round_scored", at, sheet=sheet.to_json(), scores=list(scores))


def _open_round(match: Match, number: int, dealer: int, at: str, chance: Chance) -> tuple[Match, tuple[Event, ...]]:
    """Begin a round: cut automatically and deal, or wait for the neighbour's cut."""
    cutter = (dealer - 1) % match.seats
    match = replace(match, round=_new_round(number, dealer, match.seats, chance.pack(number)), to_act=cutter)
    if match.rules.cut == "neighbour" and match.bots[cutter] is None:
        return match, ()
    return _deal_first(match, chance.deal(number, dealer, None), "auto", at)


def _new_round(number: int, dealer: int, seats: int, pack: tuple[Card, ...]) -> Round:
    """Give a round of which nothing has been dealt."""
    return Round(
        number=number,
        dealer=dealer,
        leader=(dealer + 1) % seats,
        phase=CUT,
        deal=0,
        hands=((),) * seats,
        floor=(),
        undealt=pack,
        piles=((), ()),
        basras=((), ()),
        last_capture=None,
    )


def _deal_first(match: Match, deal: Deal, by: str, at: str) -> tuple[Match, tuple[Event, ...]]:
    """Cut the pack, by the seat to act, and make a round's first deal."""
    rnd = match.round
    match = replace(match, version=match.version + 1)
    cut = _event(match, "cut", at, round=rnd.number, seat=match.to_act, cut=deal.cut, by=by)
    match = replace(
        match,
        version=match.version + 1,
        to_act=rnd.leader,
        round=replace(rnd, phase=PLAY, deal=1, hands=deal.hands, floor=deal.floor, undealt=deal.undealt),
    )
    dealt = _dealt(match, at)
    dealt["floor"] = list(deal.floor)
    dealt["buried"] = [{"card": card, "at": place} for card, place in deal.buried]
    return match, (cut, dealt)


def _deal_next(match: Match, at: str) -> tuple[Match, tuple[Event, ...]]:
    rnd = match.round
    hands, undealt = deal_hands(rnd.undealt, rnd.dealer, match.seats)
    match = replace(
        match, version=match.version + 1, round=replace(rnd, deal=rnd.deal + 1, hands=hands, undealt=undealt)
    )
    return match, (_dealt(match, at),)


def _dealt(match: Match, at: str) -> Event:
    rnd = match.round
    return _event(
        match,
        "dealt",
        at,
        round=rnd.number,
        deal=rnd.deal,
        counts=[HAND_SIZE] * match.seats,
        hands=[list(hand) for hand in rnd.hands],
        undealt=len(rnd.undealt),
    )


def _finish(match: Match, result: Result, at: str) -> tuple[Match, tuple[Event, ...]]:
    match = replace(match, version=match.version + 1, to_act=None, result=result)
    return match, (_event(match, "match_finished", at, result=result.to_json()),)


def _event(match: Match, type_: str, at: str, **fields: Any) -> Event:
    """Give the event that a match has just had, by its version."""
    return {"version": match.version, "type": type_, "at": at, **fields}


def _add(by_side: _BySide[_T], side: int, more: tuple[_T, ...]) -> _BySide[_T]:
    """Add to what one side has."""
    first, second = by_side
    return (first + more, second) if side == 0 else (first, second + more)
