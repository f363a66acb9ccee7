// What the client knows, and every way in which that changes. Pure: no page, no network, no clock.

import { afterEvent, reconcile } from './table/slots.js';

export const INITIAL = Object.freeze({
  me: null, // {id, name}, once the server has said so
  place: { name: 'home' }, // where the address points: home, a room by its code, a replay or a player by an id, or my history
  room: null,
  promise: null, // of the room's next deal, as it was shown first: {commitment, after}, `after` the room's last match
  match: null, // the latest view
  log: [], // the match's events, from the first one when complete
  slots: {}, // floor card -> slot
  dealt: [], // my hand as it was dealt, for cards that keep their places
  offset_ms: 0, // the server's clock minus ours
  conn: 'connecting',
  lifted: null, // {card, choice}
  glanced: null, // a card of mine under the mouse, or with the keyboard's focus
  pending: null, // the move in flight: {turn, card, capture, basra, kept}; kept while there is no line to send it by
  news: null, // events just arrived, to be moved and spoken
  sheet: null, // the number of the round whose score sheet lies on the table
  refusal: null, // why the last command was refused: {code, serial}
  error: null, // a whole screen's trouble: {kind}
  banned: null, // until when I am shut out, wherever on the page I am
  mine: [], // my running matches, for the first page: those that wait for me first
  lobby: null, // the public rooms that wait; null until known
  lobbyLost: false, // whether they were asked for in vain
  seek: null, // my quick match in the making: {id, seats, rules, since_ms, wait}
  lingers: false, // whether the result stays on the screen although the room waits for others already
  rematch: null, // what was said last about another match: {seat, state, serial}
  said: [], // the phrases said last: {seat, phrase, serial}; talk/changes.js has what changes these three
  chat: null, // what was written here: {items, sending}; null until something is known
  chatRead: null, // the message as far as which I have read
});

const merge = (state, part) => ({ ...state, ...part });

/** The version of the last event that is known without a gap. */
export const versionOf = (state) => state.log.length ? state.log[state.log.length - 1].version : 0;

/** Do these events leave a gap after what is known? Events of another match start at 1. */
export function hasGap(state, matchId, events) {
  const known = state.match && state.match.id === matchId ? versionOf(state) : 0;
  return events.length > 0 && events[0].version > known + 1;
}

/** Who I am. Another player has other matches. */
export const withMe = (state, me) => merge(state, { me, mine: state.me && state.me.id === me.id ? state.mine : [] });
export const withLobby = (state, lobby) => merge(state, { lobby, lobbyLost: false });
export const withoutLobby = (state) => merge(state, { lobby: null, lobbyLost: true });
export const withSeek = (state, seek) => merge(state, { seek });

const byNeed = (one, other) => Number(Boolean(other.your_turn)) - Number(Boolean(one.your_turn));

/** My running matches; whose turn it is was perhaps said before they were listed. */
export function withMine(state, mine) {
  const known = new Map(state.mine.map(({ id, your_turn }) => [id, your_turn]));
  const marked = mine.map((match) => ({ your_turn: known.get(match.id) ?? null, ...match }));
  return merge(state, { mine: marked.sort(byNeed) });
}

/** Note whose turn it is in my matches, from `{id, your_turn}` of each; a match that is over is one no more. */
export function withTurns(state, items) {
  const said = new Map(items.map((item) => [item.id, item]));
  const going = state.mine.filter(({ id }) => said.get(id)?.status !== 'finished');
  const mine = going.map((match) => ({ ...match, your_turn: said.get(match.id)?.your_turn ?? match.your_turn }));
  return merge(state, { mine: mine.sort(byNeed) });
}
export const withConn = (state, conn) => (conn === state.conn ? state : merge(state, { conn }));
/** Note a trouble of the whole screen; that I am shut out is the greater one. */
export const withError = (state, kind) => (state.banned ? state : merge(state, { error: kind ? { kind } : null }));


/** Note that I am shut out: whatever else there is to show, this is said. */
export const withBan = (state, until) => (until === state.banned ? state : merge(state, { banned: until, error: { kind: 'banned' } }));

/** Go to another place of the page; what belonged to the former room is forgotten. */
export function goTo(state, place) {
  const { me, mine, lobby, banned } = state;
  return merge(INITIAL, { me, mine, lobby, place, banned, error: banned ? { kind: 'banned' } : null });
}

/** The number of my seat in a room, or null. */
export function seatIn(room, me) {
  const mine = room && me && room.seating.find(({ player }) => player && player.id === me.id);
  return mine ? mine.seat : null;
}

/** Keep what was promised first for the room's next deal: what counts is what was shown before anybody's part was known. */
function promiseOf(before, { status, match_id: after, fairness }) {
  if (status === 'dealing' || status === 'playing') return status === 'dealing' ? before : null;
  return before && before.after === after ? before : { commitment: fairness?.commitment ?? null, after };
}

/** Take what the room is now. Before a match it can end under me: closed, or my seat taken from me. */
export function withRoom(state, room) {
  const promise = promiseOf(state.promise, room);
  const next = merge(state, { room, promise, lingers: state.lingers || room.status === 'finished' });
  if (screenOf(next) !== 'room') return next;
  if (room.status === 'closed') return withError(next, 'room_closed');
  const had = seatIn(state.room, state.me) !== null;
  return had && seatIn(room, state.me) === null ? withError(next, 'room_removed') : next;
}

/** Note what was said about a rematch. */
export function withRematch(state, seat, said) {
  const serial = state.rematch ? state.rematch.serial + 1 : 1;
  return merge(state, { rematch: { seat, state: said, serial } });
}

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
  match: null, log: [], slots: {}, dealt: [], lifted: null, glanced: null, pending: null, news: null, sheet: null, refusal: null,
  lingers: false, rematch: null,
});

function newSheet(current, events) {
  const scored = events.filter((event) => event.type === 'round_scored').pop();
  return scored ? scored.sheet.round : current;
}

/** Drop what the new view has made idle: a move that is done, a lifted card that is gone. */
function settle(state) {
  const { match, pending, lifted, glanced } = state;
  const hand = match.you ? match.you.hand : [];
  return merge(state, {
    pending: pending && match.turn === pending.turn && hand.includes(pending.card) ? pending : null,
    lifted: lifted && hand.includes(lifted.card) ? lifted : null,
    glanced: hand.includes(glanced) ? glanced : null,
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
export const lower = (state) => (state.lifted || state.glanced ? merge(state, { lifted: null, glanced: null }) : state);

/** Look at what a card of mine would do, or with null at none; it is lifted by that no more than before. */
export const glance = (state, card) => (state.glanced === card ? state : merge(state, { glanced: card }));

/** Look at the next of the captures that the lifted card could make. */
export function chooseNext(state) {
  const play = state.match.you.plays.find(({ card }) => card === state.lifted.card);
  const choice = (state.lifted.choice + 1) % play.captures.length;
  return merge(state, { lifted: { ...state.lifted, choice } });
}

/** Send a move off, with the catch that the view offered for it. */
export function pend(state, turn, card, capture) {
  const play = state.match.you.plays.find((one) => one.card === card);
  const offered = play && play.captures.find(({ cards }) => cards.join() === capture.join());
  const pending = { turn, card, capture, basra: offered ? offered.basra : 0, kept: false };
  return merge(state, { pending, lifted: null, glanced: null, refusal: null });
}

/** There is no line: the move lies in the hand again until it can be sent. */
export function keep(state, turn) {
  const { pending } = state;
  return pending && pending.turn === turn && !pending.kept ? merge(state, { pending: { ...pending, kept: true } }) : state;
}

/** A command was refused: the card goes back into the hand. */
export function refuse(state, code) {
  const serial = state.refusal ? state.refusal.serial + 1 : 1;
  return merge(state, { pending: null, lifted: null, refusal: { code, serial } });
}

/** Leave the result: the room waits for others. */
export const backToRoom = (state) => merge(state, { lingers: false });

export const closeSheet = (state) => merge(state, { sheet: null });
export const heard = (state) => (state.news ? merge(state, { news: null }) : state);

/** Which screen shows this state. */
export function screenOf(state) {
  if (state.error) return 'error';
  if (state.place.name === 'home') return state.seek ? 'seek' : 'home';
  if (state.place.name !== 'room') return state.place.name;
  if (!state.match) return 'room';
  if (state.match.status !== 'finished' || state.sheet !== null) return 'table';
  return hasMovedOn(state) && !state.lingers ? 'room' : 'result';
}

/** Is the room with another match than the one that is shown: does it wait for it, deal it, play it? */
export function hasMovedOn({ room, match }) {
  if (!room || room.status === 'finished' || room.status === 'closed') return false;
  return room.status !== 'playing' || room.match_id !== match.id;
}

/** May I play now? The view says whose turn it is; a move in flight has to land first. */
export function isMyTurn(state) {
  const { match, pending, conn } = state;
  return Boolean(match && match.you && match.to_act === match.you.seat && !pending && conn !== 'replaced');
}
