// Who I am and what I ask of the service outside a match: guests, rooms, seats.

import { ApiError, becomeGuest, get, post, remove } from './net/api.js';
import * as change from './state.js';

const NAME_KEY = 'basra.name';

/** The name used last, to spare typing it again. */
export function rememberedName() {
  try {
    return localStorage.getItem(NAME_KEY) || '';
  } catch {
    return ''; // storage may be forbidden; nothing depends on it
  }
}

function rememberName(name) {
  try {
    localStorage.setItem(NAME_KEY, name);
  } catch {
    // as above
  }
}

/** Find out who I am, if the browser has a session at all (the page says so: the cookie is hidden from scripts). */
export async function recognise(store) {
  if (document.documentElement.dataset.known !== 'true') return;
  try {
    store.change(change.withMe, await get('/players/me'));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  }
}

/** Be someone: the guest that I am, or a new one when there is none yet or another name is wanted. */
export async function ensureGuest(store, name) {
  const { me } = store.get();
  if (me && (!name || name === me.name)) return me;
  const guest = await becomeGuest(name);
  if (name) rememberName(name);
  store.change(change.withMe, guest);
  return guest;
}

/** Make a room for two and sit down in it; gives the room. */
export async function makeRoom(store, name, wishes = {}) {
  await ensureGuest(store, name);
  return post('/rooms', wishes);
}

/** Take a free seat of a room; gives the room. */
export async function joinRoom(store, code, name) {
  await ensureGuest(store, name);
  return post(`/rooms/${code}/joins`);
}

export const leaveRoom = (code) => remove(`/rooms/${code}/joins/me`);
export const findRoom = (code) => get(`/rooms/${encodeURIComponent(code)}`);

/** My running matches, newest first. */
export async function myMatches() {
  const { items } = await get('/matches?player=me&status=playing');
  return items;
}
