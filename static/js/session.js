// Who I am, and what this browser remembers of me to spare me typing and choosing it again.

import { t } from './i18n.js';
import { ApiError, ask, becomeGuest, get } from './net/api.js';
import * as change from './state.js';

const PREFIX = 'basra.';
const LEAST_NUMBER = 1000;
const NUMBERS = 9000; // of guests without a name of their own

/** What was remembered under a name, or the fallback. */
export function remembered(name, fallback) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name)) ?? fallback;
  } catch {
    return fallback; // storage may be forbidden or hold what an older page wrote; nothing depends on it
  }
}

/** Remember something for the next time; gives whether that worked. */
export function remember(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false; // as above
  }
}

/** The names that begin so, of what is remembered. */
export function rememberedNames(beginning) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX + beginning)).map((key) => key.slice(PREFIX.length));
  } catch {
    return []; // as above
  }
}

/** Remember something no longer. */
export const forget = (name) => localStorage.removeItem(PREFIX + name);

/** The name used last. */
export const rememberedName = () => String(remembered('name', ''));

/** Find out who I am, if the browser has a session at all (the page says so: the cookie is hidden from scripts). */
export async function recognise(store) {
  if (document.documentElement.dataset.known !== 'true') return;
  try {
    store.change(change.withMe, await get('/players/me'));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  }
}

/** A name for a guest who gives none, in his own language; the others see it, too. */
const nameless = () => `${t('guest.name')} ${LEAST_NUMBER + Math.floor(Math.random() * NUMBERS)}`;

/**
 * Be someone: a new guest where I am nobody yet, else the player that I am, under another name if one is wanted; what is
 * mine stays mine. While I have a match that runs nothing changes: its table keeps the name of before.
 */
export async function ensureGuest(store, name = '') {
  const { me, mine } = store.get();
  if (me && (!name || name === me.name || mine.length)) return me;
  const player = me ? await ask('PATCH', '/players/me', { name }) : await becomeGuest(name || nameless());
  if (name) remember('name', name);
  store.change(change.withMe, player);
  return player;
}
