"""What follows by itself: deals, the count of a round, the next round and the end of the match."""

from typing import Any

from engine.match import CUT, PLAY, Event, Match, Result, Round, add_to
from engine.scoring import leader_of, score_round
from engine.shuffle import HAND_SIZE, Chance, Deal, deal_hands


def end_deal(match: Match, at: str, chance: Chance) -> tuple[Match, tuple[Event, ...]]:
    """Go on when all hands are empty: with the next deal, or the count and the next round, or the end."""
    unattended = not match.attended and None in match.bots
    match = match._replace(attended=False, unattended_deals=match.unattended_deals + unattended)
    if match.round.undealt:
        return _deal_next(match, at)
    match, scored = _score(match, at)
    rules, (sheet, scores) = match.rules, (match.sheets[-1], match.scores)
    leader = leader_of(scores)
    if rules.target is None:
        match, events = finish(match, Result(leader, "round", None, scores), at)
    elif leader is not None and scores[leader] >= rules.target:
        match, events = finish(match, Result(leader, "target", None, scores), at)
    else:
        match = match._replace(carried=sheet.carry)
        dealer = (match.round.dealer + 1) % match.seats
        match, events = open_round(match, sheet.round + 1, dealer, at, chance)
    return match, (scored, *events)


def _score(match: Match, at: str) -> tuple[Match, Event]:
    """Give the leftover to the last captor's side and count the round."""
    rnd = match.round
    assert rnd.last_capture is not None, "the first jack always captures"
    sheet = score_round(match.rules, rnd.number, rnd.piles, rnd.basras, rnd.floor, rnd.last_capture, match.carried)
    scores = (match.scores[0] + sheet.points[0], match.scores[1] + sheet.points[1])
    match = match._replace(
        version=match.version + 1,
        scores=scores,
        sheets=(*match.sheets, sheet),
        round=rnd._replace(floor=(), piles=add_to(rnd.piles, rnd.last_capture, rnd.floor)),
    )
    return match, _event(match, "round_scored", at, sheet=sheet.to_json(), scores=list(scores))


def open_round(match: Match, number: int, dealer: int, at: str, chance: Chance) -> tuple[Match, tuple[Event, ...]]:
    """Begin a round: cut automatically and deal, or wait for the neighbour's cut."""
    cutter = (dealer - 1) % match.seats
    rnd = new_round(number, dealer, match.seats)
    if match.rules.cut == "neighbour" and match.bots[cutter] is None:
        return match._replace(round=rnd._replace(undealt=chance.pack(number)), to_act=cutter), ()
    match = match._replace(round=rnd, to_act=cutter)
    return deal_first(match, chance.deal(number, dealer, None), "auto", at)


def new_round(number: int, dealer: int, seats: int) -> Round:
    """Give a round that has no cards yet."""
    return Round(
        number=number,
        dealer=dealer,
        leader=(dealer + 1) % seats,
        phase=CUT,
        deal=0,
        hands=((),) * seats,
        floor=(),
        undealt=(),
        piles=((), ()),
        basras=((), ()),
        last_capture=None,
    )


def deal_first(match: Match, deal: Deal, by: str, at: str) -> tuple[Match, tuple[Event, ...]]:
    """Cut the pack, by the seat to act, and make a round's first deal."""
    rnd = match.round
    match = match._replace(version=match.version + 1)
    cut = _event(match, "cut", at, round=rnd.number, seat=match.to_act, cut=deal.cut, by=by)
    match = match._replace(
        version=match.version + 1,
        to_act=rnd.leader,
        round=rnd._replace(phase=PLAY, deal=1, hands=deal.hands, floor=deal.floor, undealt=deal.undealt),
    )
    dealt = _dealt(match, at)
    dealt["floor"] = list(deal.floor)
    dealt["buried"] = [{"card": card, "at": place} for card, place in deal.buried]
    return match, (cut, dealt)


def _deal_next(match: Match, at: str) -> tuple[Match, tuple[Event, ...]]:
    rnd = match.round
    hands, undealt = deal_hands(rnd.undealt, rnd.dealer, match.seats)
    match = match._replace(
        version=match.version + 1, round=rnd._replace(deal=rnd.deal + 1, hands=hands, undealt=undealt)
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


def finish(match: Match, result: Result, at: str) -> tuple[Match, tuple[Event, ...]]:
    """End the match."""
    match = match._replace(version=match.version + 1, to_act=None, result=result)
    return match, (_event(match, "match_finished", at, result=result.to_json()),)


def _event(match: Match, type_: str, at: str, **fields: Any) -> Event:
    """Give the event that a match has just had, by its version."""
    return {"version": match.version, "type": type_, "at": at, **fields}
