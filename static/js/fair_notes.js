// What this device notes of the deals in which it takes part. The notes lie here, out of the service's reach, and are held
// against the transcript when the match is over. A note is begun before anything is sent, and what stands in it stays:
//
//   own                 the fingerprint of my seed; the note is kept under it
//   client_seed         my seed
//   room, after         the room, once known, and its match before this deal, or null
//   commitment          the service's, as the room showed it first
//   stands              whether the service has taken `own` for the next deal there
//   seat, client_commitments   where I sat and what all had committed to, when that was fixed; null before
//   opened              null, then sent, then accepted, refused or late
//   match               the first new match that the room showed after it

import { canVerify, drawSeed, fingerprintOf } from './fair_seed.js';
import { tableOf } from './fair_table.js';
import { forget, remember, remembered, rememberedNames } from './session.js';

export const SCHEME = 'basra-deal/2';
const FORMAT = 'basra-notes/1';
const PREFIX = 'dealing.';
const KEPT = 60; // notes; the oldest make room
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const find = (own) => (own ? remembered(PREFIX + own, null) : null);
const put = (note) => remember(PREFIX + note.own, note);
const all = () => rememberedNames(PREFIX).map((name) => remembered(name, null)).filter(Boolean).sort((one, other) => one.at - other.at);
const inRoom = (room) => all().filter((note) => note.room === room);

/** Add to a note; gives it as it is now. */
function add(note, part) {
  const next = { ...note, ...part };
  if (!same(next, note)) put(next);
  return next;
}

/**
 * Take part in the next deal of a room: draw a seed, note it, and give its fingerprint to be sent; null where this page
 * cannot. `sight` is what the room showed first, {room, commitment, after}, as far as it is known. `unanswered` is a
 * fingerprint that was sent before in vain: it may have arrived, so it is sent again as long as its seed is secret.
 */
export async function takePart(sight = {}, unanswered = null) {
  if (!canVerify()) return null;
  const before = find(unanswered);
  if (before && !before.client_commitments && !before.match) return before.own;
  const client_seed = drawSeed();
  const known = all();
  const at = Math.max(Date.now(), (known.at(-1)?.at ?? 0) + 1); // in order, whatever the clock does
  const note = {
    own: await fingerprintOf(client_seed), client_seed, room: null, after: null, commitment: null, ...sight, at,
    stands: false, seat: null, client_commitments: null, opened: null, match: null,
  };
  known.slice(0, -KEPT).forEach(({ own }) => forget(PREFIX + own));
  return put(note) ? note.own : null; // what cannot be noted could not be opened after a reload, nor checked
}

/** The service has taken my fingerprint for the next deal of a room, whatever the room may show of that later. */
export function noteTaken(own, room) {
  const note = find(own);
  if (note) add(note, { room, stands: true });
}

/** Note what a room shows to me, who sits at `seat`. Gives the note whose seed is to be opened now, or null. */
export function noteRoom(room, seat) {
  const own = room.fairness.client_commitments?.[seat] || '';
  if (room.match_id) noteMatch(room.code, room.match_id);
  if (room.status === 'playing') return inRoom(room.code).find(({ match, opened }) => match === room.match_id && opened === 'sent') || null;
  if (own) inRoom(room.code).filter((note) => note.own !== own && note.stands).forEach((note) => add(note, { stands: false }));
  const note = find(own);
  if (!note) return null;
  const { commitment } = room.fairness;
  const from = note.room ? {} : { room: room.code, after: room.match_id };
  const shown = add(note, { ...from, stands: true, commitment: note.commitment ?? commitment });
  return room.status === 'dealing' && !room.seeded ? noteDealing(shown, room.fairness, seat) : null;
}

/** Note what all have committed to. What differs from the first that was shown is not opened for. */
function noteDealing(note, { scheme, commitment, client_commitments }, seat) {
  const { client_commitments: fixed } = note;
  const now = add(note, fixed ? {} : { client_commitments, seat });
  const isSame = scheme === SCHEME && now.commitment === commitment && now.seat === seat && same(now.client_commitments, client_commitments);
  return isSame && [null, 'sent'].includes(now.opened) ? now : null;
}

/** Note what became of the opening: sent, accepted, refused or late. */
export function noteOpening(own, opened) {
  const note = find(own);
  if (note) add(note, { opened });
}

/** The first new match after what I opened is what it led to; what I did not open led to it, too, if it stood last. */
function noteMatch(room, match) {
  const due = inRoom(room).filter((note) => note.match === null && note.after !== match);
  if (inRoom(room).some((note) => note.match === match)) return;
  const opened = due.filter((note) => note.opened);
  const led = opened.length ? opened : due.filter((note) => note.stands).slice(-1);
  led.forEach((note) => add(note, { match }));
  due.filter((note) => !led.includes(note)).forEach((note) => add(note, { stands: false }));
}

/**
 * Whose part is mine in a deal whose fingerprints are shown, and once it is done its opened seeds: mine here, away (it was not
 * opened in time), elsewhere (another device's), unable, or none.
 */
export function partIn({ client_commitments: bound, client_seeds: seeds }, seat) {
  if (!canVerify()) return 'unable';
  const own = seat === null ? '' : bound?.[seat];
  if (!own) return 'none';
  if (!find(own)) return 'elsewhere';
  return seeds && !seeds[seat] ? 'away' : 'mine';
}

/** Does somebody who sits in a room that waits have no part in its next deal? */
export const lacksPart = ({ status, seeded, fairness }, seat) => (
  status === 'waiting' && !seeded && seat !== null && fairness.scheme === SCHEME && partIn(fairness, seat) === 'none');

/** Has this device a part in the deal that a room waits for? */
export const holdsPart = ({ status, fairness }, seat) => status !== 'playing' && status !== 'closed' && partIn(fairness, seat) === 'mine';

const told = ({ commitment, client_seed, seat, client_commitments, opened, match }) => (
  { commitment, client_seed, seat, client_commitments, opened, match });

/** My notes of a match's room, for whoever checks the match; null without any of it. */
export function notesOf({ id, room, you, fairness }) {
  if (!you) return null;
  const own = find(fairness.client_commitments?.[you.seat]);
  if (own && own.match === null) add(own, { match: id, room });
  const dealings = inRoom(room).filter((note) => note.client_commitments || note.opened || note.match).map(told);
  return dealings.some(({ match, client_seed }) => match === id || client_seed === own?.client_seed)
    ? { format: FORMAT, scheme: SCHEME, room, match: id, dealings, table: tableOf(id) } : null;
}
