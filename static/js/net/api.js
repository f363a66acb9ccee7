// Requests to the service. A refusal is an ApiError with the contract's code; no answer at all is a NoAnswer.

const BASE = '/api/v1';
const TIMEOUT_MS = 8000;
const RETRY_FIRST_MS = 400;
const RETRY_MOST_MS = 5000;
const RETRY_AFTER_S = 1; // where the service does not say
const COME_BACK = new Set([502, 503, 504]);

export class ApiError extends Error {
  constructor(status, problem, retry_s = 0) {
    super(problem.detail || problem.title || `HTTP ${status}`);
    this.status = status;
    this.retry_s = retry_s; // after so long it may be tried again
    this.code = problem.code || 'internal';
    this.problem = problem;
  }
}

export class NoAnswer extends Error {}

const [, REVISION] = import.meta.url.match(/\/static\/([0-9a-f]+)\//) || [];
let tellOther = null; // called once
let tellBanned = () => {};

/** Call `listener()` when the server turns out to have another revision of this page. */
export function onOtherRevision(listener) {
  tellOther = listener;
}

/** Call `listener(until)` whenever the service says that I am shut out, and until when. */
export function onBanned(listener) {
  tellBanned = listener;
}

function noteRevision(revision) {
  if (!tellOther || !REVISION || !revision || revision === REVISION) return;
  tellOther();
  tellOther = null;
}

/** Ask once. Gives the JSON of the answer, or null when there is none. */
export async function ask(method, path, body, patience_ms = TIMEOUT_MS) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), patience_ms);
  try {
    const answer = await fetch(BASE + path, {
      method,
      signal: stop.signal,
      credentials: 'same-origin',
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    noteRevision(answer.headers.get('Basra-Revision'));
    const json = answer.status === 204 ? null : await answer.json().catch(() => ({}));
    if (json?.code === 'auth.banned') tellBanned(json.until);
    if (!answer.ok) throw new ApiError(answer.status, json, Number(answer.headers.get('Retry-After')) || RETRY_AFTER_S);
    return json;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new NoAnswer(error.message);
  } finally {
    clearTimeout(timer);
  }
}

/** Send a last word as the page goes; nobody hears the answer. */
export function leaveWord(method, path) {
  fetch(BASE + path, { method, credentials: 'same-origin', keepalive: true }).catch(() => {});
}

/**
 * Ask until there is an answer, for commands that may be repeated without harm. `isWanted()` false ends it and
 * gives null; `onSilence()` hears of every time that nobody answered.
 */
export async function insist(method, path, body, isWanted, onSilence = () => {}) {
  for (let wait_ms = RETRY_FIRST_MS; isWanted(); wait_ms = Math.min(2 * wait_ms, RETRY_MOST_MS)) {
    try {
      return await ask(method, path, body);
    } catch (error) {
      if (error instanceof ApiError && !COME_BACK.has(error.status)) throw error;
    }
    onSilence();
    await new Promise((done) => setTimeout(done, wait_ms));
  }
  return null;
}

export const get = (path) => ask('GET', path);
export const post = (path, body = {}) => ask('POST', path, body);
export const remove = (path) => ask('DELETE', path);

/** A script that is needed now; that it did not come is no answer, either. */
export const bring = (module) => module.catch((error) => { throw new NoAnswer(error.message); });

/** Make a guest whose session the browser keeps; where new guests may choose no name, one is given. */
export async function becomeGuest(name) {
  try {
    return (await post('/players', { name, session: true })).player;
  } catch (error) {
    if (error.code !== 'chat.muted') throw error;
    return (await post('/players', { session: true })).player;
  }
}

/** Give all events of a match after a version, page by page. */
export async function eventsAfter(matchId, version) {
  const path = `/matches/${encodeURIComponent(matchId)}/events`;
  const events = [];
  let page = await get(`${path}?after=${version}&limit=500`);
  events.push(...page.items);
  while (page.next) {
    page = await get(`${path}?cursor=${encodeURIComponent(page.next)}&limit=500`);
    events.push(...page.items);
  }
  return events;
}
