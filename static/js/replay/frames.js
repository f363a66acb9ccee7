// A transcript, told again: the match's events one after the other, and the table as it stood after each of them. Pure:
// no page, no network, no clock, and no rule of the game; what a card took is what the transcript says.

import { afterEvent } from '../table/slots.js';

const PACK = 52;
const FLOOR = 4;
const HAND = 4;

/** The events of the match from its second one on (the first says only that it began), in order. */
export function eventsOf(transcript) {
  const events = [];
  const tell = (type, fields) => events.push({ version: events.length + 2, type, ...fields });
  const scores = [0, 0];
  let turn = 0;
  for (const round of transcript.rounds) {
    if (round.cut !== null) tell('cut', cutOf(round, transcript.seats));
    let plays = 0;
    for (let deal = 1; deal <= round.hands.length; deal += 1) {
      tell('dealt', dealOf(round, deal, transcript.seats));
      const due = round.plays.slice(plays, deal * HAND * transcript.seats);
      for (const play of due) {
        tell('played', { turn, ...play });
        turn += 1;
      }
      plays += due.length;
    }
    if (round.scores) {
      round.scores.points.forEach((points, side) => { scores[side] += points; });
      tell('round_scored', { sheet: round.scores, scores: [...scores] });
    }
  }
  tell('match_finished', { result: transcript.result });
  return events;
}

const cutOf = ({ number, dealer, cut, cut_by: by }, seats) => ({ round: number, seat: (dealer + seats - 1) % seats, cut, by });

function dealOf({ number, hands, floor, buried }, deal, seats) {
  const event = {
    round: number, deal, hands: hands[deal - 1], counts: Array(seats).fill(HAND), undealt: PACK - FLOOR - deal * HAND * seats,
  };
  return deal === 1 ? { ...event, floor, buried } : event;
}

/** The table before anything has happened. */
const EMPTY = {
  number: 1, dealer: 0, leader: 0, phase: 'cut', deal: 0, undealt: PACK, floor: [], piles: [0, 0], basras: [[], []],
  last_capture: null, carried: 0,
};

const FOLDS = {
  cut({ rounds, round }, event, { told }) {
    const { number, dealer, leader } = told.get(event.round);
    const carried = rounds.length ? rounds[rounds.length - 1].carry : round.carried;
    return { round: { ...EMPTY, number, dealer, leader, carried }, to_act: leader };
  },
  dealt({ round }, { deal, undealt, hands, floor }) {
    return { hands, dealt: hands, round: { ...round, phase: 'play', deal, undealt, floor: floor || round.floor } };
  },
  played({ round, hands }, event, { seats }) {
    const { seat, card, captured, basra } = event;
    const taken = { floor: [...round.floor, card] };
    if (captured.length) {
      const side = seat % 2;
      taken.floor = round.floor.filter((one) => !captured.includes(one));
      taken.piles = addTo(round.piles, side, captured.length + 1);
      taken.last_capture = side;
      if (basra) taken.basras = round.basras.map((all, of) => (of === side ? [...all, { card, points: basra }] : all));
    }
    return {
      hands: hands.map((hand, of) => (of === seat ? hand.filter((one) => one !== card) : hand)),
      turn: event.turn + 1, to_act: (seat + 1) % seats, last_play: event, round: { ...round, ...taken },
    };
  },
  round_scored({ rounds, round }, { sheet, scores }) {
    const piles = sheet.leftover_side === null ? round.piles : addTo(round.piles, sheet.leftover_side, sheet.leftover.length);
    return { rounds: [...rounds, sheet], scores, to_act: null, round: { ...round, floor: [], piles } };
  },
  // Where a match ended early, what lay there stays to be seen.
  match_finished: (_, { result }) => ({ result, to_act: null }),
};

const addTo = (both, side, more) => both.map((one, of) => (of === side ? one + more : one));

/**
 * Give the positions of a match, one an event: `{index, event, turn, round, hands, dealt, scores, rounds, last_play,
 * to_act, result, slots}`, `hands` and `dealt` by seat; the view of the contract as far as it is told here.
 */
export function framesOf(transcript) {
  const { seats } = transcript;
  const context = { seats, told: new Map(transcript.rounds.map((round) => [round.number, round])) };
  const nobody = Array(seats).fill([]);
  let position = {
    turn: 0, hands: nobody, dealt: nobody, scores: [0, 0], rounds: [], last_play: null, to_act: null, result: null, slots: {},
    round: { ...EMPTY, dealer: transcript.rounds[0].dealer, leader: transcript.rounds[0].leader },
  };
  return eventsOf(transcript).map((event, index) => {
    position = { ...position, ...FOLDS[event.type](position, event, context), slots: afterEvent(position.slots, event), index, event };
    return position;
  });
}

/** The view of a match at a position: what the table draws. `match` has the people and who I am. */
export function viewAt(match, { hands, round, ...position }) {
  const { deals } = match.round;
  return {
    ...match, ...position, status: position.result ? 'finished' : 'playing',
    result: position.result ? { ...match.result, ...position.result } : null,
    seats: match.seats.map((one) => ({ ...one, cards: hands[one.seat].length, connected: true })),
    round: { ...round, deals, majority: match.rules.majority + round.carried },
    you: match.you ? { ...match.you, hand: hands[match.you.seat], plays: [] } : null,
  };
}

const isBasra = ({ event }) => event.type === 'played' && event.basra > 0;
const isRoundEnd = ({ event }) => event.type === 'round_scored';
const KINDS = { basra: isBasra, round: isRoundEnd };

/** The index of the next (`step` 1) or former (-1) position of a kind, "basra" or "round"; null if there is none. */
export function seek(frames, from, kind, step) {
  for (let index = from + step; index >= 0 && index < frames.length; index += step) if (KINDS[kind](frames[index])) return index;
  return null;
}

/** The position that a turn alone stands for: after that many plays; at the start, the first cards on the floor. */
function homeOf(frames, turn) {
  const played = frames.find((one) => one.turn === turn && one.event.type === 'played');
  return played || frames.find((one) => one.turn === turn && one.event.type === 'dealt') || frames.find((one) => one.turn === turn);
}

/** The address of a position within the replay: "66" after 66 plays, "66.2" two events later. */
export function addressOf(frames, index) {
  const { turn } = frames[index];
  const home = homeOf(frames, turn).index;
  const first = frames.find((one) => one.turn === turn).index;
  return index === home ? String(turn) : `${turn}.${index - first}`;
}

/** The index of what an address names, the nearest there is; null where it names nothing. */
export function indexOf(frames, address) {
  const [, turn, more] = address.match(/^(\d{1,6})(?:\.(\d))?$/) || [];
  if (turn === undefined) return null;
  const last = frames[frames.length - 1];
  if (Number(turn) > last.turn) return last.index;
  if (more === undefined) return homeOf(frames, Number(turn)).index;
  return Math.min(frames.find((one) => one.turn === Number(turn)).index + Number(more), last.index);
}
