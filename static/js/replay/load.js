// Fetches a finished match once: its people, its transcript, and the positions that follow from it.

import { ApiError, get } from '../net/api.js';
import { framesOf } from './frames.js';

const kept = new Map();

/** Give {match, transcript, frames}, or {match} alone while it is still being played. */
export function loadMatch(id) {
  if (!kept.has(id)) {
    const asked = fetchMatch(id);
    kept.set(id, asked);
    // What failed, and what is not over yet, is asked for again.
    asked.then(({ frames }) => frames || kept.delete(id), () => kept.delete(id));
  }
  return kept.get(id);
}

async function fetchMatch(id) {
  const path = `/matches/${encodeURIComponent(id)}`;
  const match = await get(path);
  if (match.status !== 'finished') return { match };
  const transcript = await get(`${path}/transcript`);
  return { match, transcript, frames: framesOf(transcript) };
}

/** What to say of a failure: "missing", also to who may not know of it, "rate_limited" or "failed". */
export function troubleOf(error) {
  if (!(error instanceof ApiError)) return 'failed';
  if ([401, 403, 404].includes(error.status)) return 'missing';
  return error.code === 'rate_limited' ? 'rate_limited' : 'failed';
}
