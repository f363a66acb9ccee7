"""How a match goes on: its start, the actions that are legal, and what each of them changes.

Nothing here is random and nothing reads a clock: chance comes from the seeds that a match starts with, times come in.
"""

from collections.abc import Sequence
from typing import Any, NoReturn

from engine.actions import Abandon, Action, Cut, Forfeit, Play
from engine.capture import Capture, best_capture, captures, named_capture
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
from engine.match import CUT, PLAY, Event, Match, Played, Result, add_to, match_from_json
from engine.rounds import deal_first, end_deal, finish, new_round, open_round
from engine.rules import Rules
from engine.shuffle import (
    CUT_MAX,
    CUT_MIN,
    SCHEME_1,
    SCHEME_2,
    Chance,
    FairChance,
    commitment,
    is_client_commitment,
    is_client_seed,
    is_opening,
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
    "fairness_of",
    "legal_actions",
    "match_from_json",
    "scheme_of",
    "start_match",
]

EPOCH = "1970-01-01T00:00:00Z"

#: The most captures of one card that anyone is shown; what is legal does not end there.
CAPTURES_SHOWN = 64


def start_match(
    rules: Rules,
    seats: int,
    *,
    server_seed: str,
    client_seeds: Sequence[str],
    client_commitments: Sequence[str] | None = None,
    bots: Sequence[str | None],
    rated: bool = False,
    seeded: bool = False,
    at: str = EPOCH,
    chance: Chance | None = None,
) -> tuple[Match, tuple[Event, ...]]:
    """Start a match and deal, or wait for the first cut.

    With the players' commitments, by seat, it is a match of scheme basra-deal/2. A chance other than the match's own
    seeds is for replays only, which leave it to `verify` whether seeds and commitments agree.

    Errors: RulesError where the rules forbid that many seats, EngineError for seeds that are none.
    """
    if seats not in rules.seats:
        raise RulesError("seats", f"{rules.profile!r} is for {' or '.join(map(str, rules.seats))} seats, not {seats!r}")
    if len(client_seeds) != seats or len(bots) != seats:
        raise EngineError(f"{seats} seats need as many client seeds and bots (or None)")
    _check_seeds(server_seed, client_seeds, seeded=seeded)
    if client_commitments is not None:
        _check_commitments(client_commitments, client_seeds, seeded=seeded, opened=chance is None)
    chance = chance or FairChance(server_seed, tuple(client_seeds))
    dealer = chance.first_dealer()
    match = Match(
        rules=rules,
        seats=seats,
        bots=tuple(bots),
        server_seed=server_seed,
        client_seeds=tuple(client_seeds),
        client_commitments=None if client_commitments is None else tuple(client_commitments),
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
        round=new_round(1, dealer, seats),
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
    match, events = open_round(match, 1, dealer, at, chance)
    return match, (started, *events)


def _check_seeds(server_seed: str, client_seeds: Sequence[str], *, seeded: bool) -> None:
    if not is_server_seed(server_seed) or not all(map(is_client_seed, client_seeds)):
        raise EngineError("a server seed is 64, a client seed up to 64 lower-case hex digits")
    if seeded and any(client_seeds):
        raise EngineError("a seeded match ignores client seeds: all are empty")


def _check_commitments(commitments: Sequence[str], client_seeds: Sequence[str], *, seeded: bool, opened: bool) -> None:
    if seeded:
        raise EngineError("a seeded match has no commitments")
    if len(commitments) != len(client_seeds) or not all(map(is_client_commitment, commitments)):
        raise EngineError("each seat has a client commitment, 64 lower-case hex digits or empty")
    if opened and not all(map(is_opening, client_seeds, commitments)):
        raise EngineError("a client seed is not the one that was committed to")


def scheme_of(match: Match) -> str:
    """Give the scheme by which a match is dealt."""
    return SCHEME_1 if match.client_commitments is None else SCHEME_2


def fairness_of(match: Match) -> dict[str, Any]:
    """Give what everyone may know of the deal before the end."""
    return {
        "scheme": scheme_of(match),
        "commitment": commitment(match.server_seed),
        "client_commitments": list(match.client_commitments or [""] * match.seats),
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
        [
            Play(seat, card, cards, match.turn, by)
            for card in sorted(rnd.hands[seat])
            for cards, _, _ in sorted(captures(match.rules, rnd.floor, card))
        ]
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
            return _apply_play(match, action, at, chance)
        case Cut():
            return _apply_cut(match, action, at, chance or _fair_chance(match))
        case Forfeit():
            return _apply_forfeit(match, action, at)
        case Abandon():
            if action.by == "clock" and not match.unattended_deals:
                raise EngineError("only a match that nobody plays any more is abandoned")
            by = None if action.by == "clock" else action.by
            return finish(match, Result(None, "abandoned", None, match.scores, by), at)


def _apply_play(match: Match, play: Play, at: str, chance: Chance | None) -> tuple[Match, tuple[Event, ...]]:
    capture = _check_play(match, play)
    rnd, seat, card = match.round, play.seat, play.card
    hand = rnd.hands[seat]
    place = hand.index(card)
    left = hand[:place] + hand[place + 1 :]
    hands = (*rnd.hands[:seat], left, *rnd.hands[seat + 1 :])
    if capture.cards:
        side = seat % 2
        rnd = rnd._replace(
            hands=hands,
            floor=tuple([lying for lying in rnd.floor if lying not in capture.cards]),
            piles=add_to(rnd.piles, side, (card, *capture.cards)),
            last_capture=side,
            basras=add_to(rnd.basras, side, ((card, capture.basra),)) if capture.basra else rnd.basras,
        )
    else:
        rnd = rnd._replace(hands=hands, floor=(*rnd.floor, card))
    version = match.version + 1
    played = Played(version, at, match.turn, seat, card, capture.cards, capture.groups, capture.basra, play.by)
    is_person = play.by == "player"
    match = match._replace(
        version=version,
        turn=match.turn + 1,
        to_act=(seat + 1) % match.seats,
        last_play=played,
        round=rnd,
        attended=match.attended or is_person,
        unattended_deals=0 if is_person else match.unattended_deals,
    )
    # The dealer plays last, so hands run out together with his.
    if left or seat != rnd.dealer:
        return match, (played.to_json(),)
    match, events = end_deal(match, at, chance or _fair_chance(match))
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
    if play.by != ("bot" if match.bots[seat] else "player") and not _can_stand_in(match, play):
        raise EngineError(f"seat {seat} is not played by {play.by!r}")
    if play.card not in rnd.hands[seat]:
        raise CardNotInHand(f"{play.card!r} is not in the hand of seat {seat}")
    if play.capture is None:
        return best_capture(match.rules, rnd.floor, play.card)
    return named_capture(match.rules, rnd.floor, play.card, play.capture) or _refuse_capture(match, play)


def _can_stand_in(match: Match, play: Play) -> bool:
    """Tell whether a play is the clock's for an absent person; with two seats it would have been a time-out."""
    return play.by == "clock" and match.seats == 4 and match.bots[play.seat] is None


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
    return deal_first(match, chance.deal(rnd.number, rnd.dealer, cut.at), cut.by, at)


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
    return finish(match, Result(1 - seat % 2, forfeit.reason, seat, match.scores), at)
