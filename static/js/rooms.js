// What I ask of the service about rooms, seats and rematches. Whoever takes a seat takes part in the deal.

import { bring, get, post, remove } from './net/api.js';
import { ensureGuest } from './session.js';

const PRACTICE = { seats: 2, turn_seconds: 600, visibility: 'private' };
const LOBBY_LENGTH = 50;
const A_MOMENT_MS = 500;

/** The scripts of the deal come when somebody sits down: the first page does not wait for them. */
const dealing = () => bring(import('./net/dealing.js'));

/** Ask for a seat at the next deal, with my part of it; gives the room. */
async function takeSeat(store, path, body, sight) {
  const { seatWithPart } = await dealing();
  return seatWithPart(store, path, body, sight);
}

/** What a room has shown of its next deal, here or in the list of open tables, before I sit down. */
function sightOf({ room, promise, lobby }, code) {
  if (room?.code === code) return { room: code, ...promise };
  const listed = lobby?.find((one) => one.code === code);
  return listed ? { room: code, commitment: listed.fairness.commitment, after: listed.match_id } : { room: code };
}

const path = (code) => `/rooms/${encodeURIComponent(code)}`;

/** The link to share: by the service's public address, else by the one that I opened myself, which works from here. */
export const linkTo = (room) => `${document.documentElement.dataset.origin || location.origin}/r/${room.code}`;

export const findRoom = (code) => get(path(code));

/** Make a room and sit down in it; gives the room. */
export async function makeRoom(store, name, wishes = {}) {
  await Promise.all([ensureGuest(store, name), dealing()]);
  return takeSeat(store, '/rooms', wishes);
}

/** Take a seat of a room, the first free one if none is named; gives the room. */
export async function joinRoom(store, code, name, seat = null) {
  await Promise.all([ensureGuest(store, name), dealing()]);
  return takeSeat(store, `${path(code)}/joins`, { seat }, sightOf(store.get(), code));
}

/** Take part in the deal from the seat that I have: it is another match's than the one for which I sat down, or I sat down elsewhere. */
export const joinDeal = (store, code) => takeSeat(store, `${path(code)}/joins`, {}, sightOf(store.get(), code));

/** Move to another free seat of the room in which I sit. */
export const moveTo = (code, seat) => post(`${path(code)}/joins`, { seat });

export const leaveRoom = (code) => remove(`${path(code)}/joins/me`);
export const closeRoom = (code) => remove(path(code));

/** Seat a bot; gives the room. */
export async function seatBot(store, code, seat, level) {
  const room = await post(`${path(code)}/bots`, { seat, level });
  const { hearDeal } = await dealing();
  hearDeal(room, store.get().me);
  return room;
}

export const unseat = (code, seat, isBot) => remove(`${path(code)}/${isBot ? 'bots' : 'joins'}/${seat}`);

/** Make a room in which bots have all other seats; the match begins at once. Gives the room. */
export async function playBots(store, name, level, wishes = {}) {
  const room = await makeRoom(store, name, { ...PRACTICE, ...wishes });
  let now = room;
  for (let seat = 1; seat < room.seats; seat += 1) now = await seatBot(store, room.code, seat, level);
  const { hearDeal } = await dealing();
  // Nobody else has to open anything: where that takes but a moment, the table comes without a word about it.
  await Promise.race([hearDeal(now, store.get().me), new Promise((done) => setTimeout(done, A_MOMENT_MS))]);
  return now;
}

/** Ask for another match with the same people, or agree to it; gives the room. */
export const askRematch = (store, code) => takeSeat(store, `${path(code)}/rematches`, {}, sightOf(store.get(), code));

/** Take my wish for a rematch back, or refuse the others theirs. */
export const dropRematch = (code) => remove(`${path(code)}/rematches/me`);

/** The public rooms that wait. */
export async function openTables() {
  const { items } = await get(`/rooms?limit=${LOBBY_LENGTH}`);
  return items;
}

/** My running matches, newest first. */
export async function myMatches() {
  const { items } = await get('/matches?player=me&status=playing');
  return items;
}
