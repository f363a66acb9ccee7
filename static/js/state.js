// What the client knows, and every way in which that changes. Pure: no page, no network, no clock.

import { afterEvent, reconcile } from './table/slots.js';

export const INITIAL = Object.freeze({
  me: null, // {id, name}, once the server has said so
  place: { name: 'home' }, // where the address points: home, or a room by its code
  room: null,
  match: null, // the latest view
  log: [], // the match's events, from the first one when complete
  slots: {}, // floor card -> slot
  dealt: [], // my hand as it was dealt, for cards that keep their places
  offset_ms: 0, // the server's clock minus ours
  conn: 'connecting',
  lifted: null, // {card, choice}
  pending: null, // the move in flight: {turn, card}
  news: null, // events just arrived, to be moved and spoken
  sheet: null, // the number of the round whose score sheet lies on the table
  refusal: null, // why the last command was refused: {code, serial}
  error: null, // a whole screen's trouble: {kind}
  mine: [], // my running matches, for the first page
});

const merge = (state, part) => ({ ...state, ...part });

/** The version of the last event that is known without a gap. */
export const versionOf = (state) => state.log.length ? state.log[state.log.length - 1].version : 0;

/** Do these events leave a gap after what is known? Events of another match start at 1. */
export function hasGap(state, matchId, events) {
  const known = state.match && state.match.id === matchId ? versionOf(state) : 0;
  return events.length > 0 && events[0].version > known + 1;
}

export const withMe = (state, me) => merge(state, { me });
export const withMine = (state, mine) => merge(state, { mine });
export const withConn = (state, conn) => (conn === state.conn ? state : merge(state, { conn }));
export const withError = (state, kind) => merge(state, { error: kind ? { kind } : null });

/** Go to another place of the page; what belonged to the former room is forgotten. */
export function goTo(state, place) {
  return merge(INITIAL, { me: state.me, mine: state.mine, place });
}

export const withRoom = (state, room) => merge(state, { room });

/** Put events and the view after them in; `live` ones are moved and spoken, those of a resync are not. */
export function withNews(state, { events, view, now_ms, live }) {
  const base = state.match && state.match.id === view.id ? state : forMatch(state);
  const known = versionOf(base);
  const fresh = events.filter((event) => event.version > known);
  const newer = !base.match || view.version >= base.match.version;
  if (!fresh.length && !newer) return state;
  const shown = newer ? view : base.match;
  const log = fresh.length ? [...base.log, ...fresh] : base.log;
  const next = merge(base, {
    log,
    slots: reconcile(fresh.reduce(afterEvent, base.slots), shown.round.floor),
    dealt: fresh.reduce((dealt, event) => (event.type === 'dealt' && event.hand) || dealt, base.dealt),
    match: shown,
    offset_ms: newer ? Date.parse(view.now) - now_ms : base.offset_ms,
    news: nextNews(base.news, fresh, live),
    sheet: live ? newSheet(base.sheet, fresh) : base.sheet,
  });
  return settle(next);
}

function nextNews(current, fresh, live) {
  if (!fresh.length) return current;
  return live ? [...(current || []), ...fresh] : null;
}

const forMatch = (state) => merge(state, {
  match: null, log: [], slots: {}, dealt: [], lifted: null, pending: null, news: null, sheet: null,
});

function newSheet(current, events) {
  const scored = events.filter((event) => event.type === 'round_scored').pop();
  return scored ? scored.sheet.round : current;
}

/** Drop what the new view has made idle: a move that is done, a lifted card that is gone. */
function settle(state) {
  const { match, pending, lifted } = state;
  const hand = match.you ? match.you.hand : [];
  return merge(state, {
    pending: pending && match.turn === pending.turn && hand.includes(pending.card) ? pending : null,
    lifted: lifted && hand.includes(lifted.card) ? lifted : null,
  });
}

/** Note who is there. */
export function withPresence(state, seat, connected) {
  const mark = (seats) => seats.map((one) => (one.seat === seat ? { ...one, connected } : one));
  return merge(state, {
    room: state.room && { ...state.room, seating: mark(state.room.seating) },
    match: state.match && { ...state.match, seats: mark(state.match.seats) },
  });
}

export const lift = (state, card) => merge(state, { lifted: { card, choice: 0 }, refusal: null });
export const lower = (state) => (state.lifted && !state.pending ? merge(state, { lifted: null }) : state);

/** Look at the next of the captures that the lifted card could make. */
export function chooseNext(state) {
  const play = state.match.you.plays.find(({ card }) => card === state.lifted.card);
  const choice = (state.lifted.choice + 1) % play.captures.length;
  return merge(state, { lifted: { ...state.lifted, choice } });
}

export const pend = (state, turn, card) => merge(state, { pending: { turn, card }, refusal: null });

/** A command was refused: the card goes back into the hand. */
export function refuse(state, code) {
  const serial = state.refusal ? state.refusal.serial + 1 : 1;
  return merge(state, { pending: null, lifted: null, refusal: { code, serial } });
}

export const closeSheet = (state) => merge(state, { sheet: null });
export const heard = (state) => (state.news ? merge(state, { news: null }) : state);

/** Which screen shows this state. */
export function screenOf(state) {
  if (state.error) return 'error';
  if (state.place.name === 'home') return 'home';
  if (!state.match) return 'room';
  return state.match.status === 'finished' && state.sheet === null ? 'result' : 'table';
}

/** May I play now? The view says whose turn it is; a move in flight has to land first. */
export function isMyTurn(state) {
  const { match, pending, conn } = state;
  return Boolean(match && match.you && match.to_act === match.you.seat && !pending && conn !== 'replaced');
}
