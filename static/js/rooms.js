// What I ask of the service about rooms, seats and rematches.

import { get, post, remove } from './net/api.js';
import { ensureGuest } from './session.js';

const PRACTICE = { seats: 2, turn_seconds: 600, visibility: 'private' };
const LOBBY_LENGTH = 50;

const path = (code) => `/rooms/${encodeURIComponent(code)}`;

/** The link to share: by the service's public address, else by the one that I opened myself, which works from here. */
export const linkTo = (room) => `${document.documentElement.dataset.origin || location.origin}/r/${room.code}`;

export const findRoom = (code) => get(path(code));

/** Make a room and sit down in it; gives the room. */
export async function makeRoom(store, name, wishes = {}) {
  await ensureGuest(store, name);
  const { code } = await post('/rooms', wishes);
  return post(`${path(code)}/joins`);
}

/** Take a seat of a room, the first free one if none is named; gives the room. */
export async function joinRoom(store, code, name, seat = null) {
  await ensureGuest(store, name);
  return post(`${path(code)}/joins`, { seat });
}

/** Move to another free seat of the room in which I sit. */
export const moveTo = (code, seat) => post(`${path(code)}/joins`, { seat });

export const leaveRoom = (code) => remove(`${path(code)}/joins/me`);
export const closeRoom = (code) => remove(path(code));
export const seatBot = (code, seat, level) => post(`${path(code)}/bots`, { seat, level });
export const unseat = (code, seat, isBot) => remove(`${path(code)}/${isBot ? 'bots' : 'joins'}/${seat}`);

/** Make a room in which bots have all other seats; the match begins at once. Gives the room. */
export async function playBots(store, name, level, wishes = {}) {
  const room = await makeRoom(store, name, { ...PRACTICE, ...wishes });
  let now = room;
  for (let seat = 1; seat < room.seats; seat += 1) now = await seatBot(room.code, seat, level);
  return now;
}

/** Ask for another match with the same people, or agree to it; gives the room. */
export const askRematch = (code) => post(`${path(code)}/rematches`);

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
