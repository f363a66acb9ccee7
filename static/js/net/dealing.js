// My part of a deal: it goes with the seat, as a fingerprint, and is opened by itself when the room shows that everybody is
// bound. It is sent until the service has answered: as long as there is time, and afterwards to learn whether it was in time.

import { noteOpening, noteRoom, noteTaken, SCHEME, takePart } from '../fair_notes.js';
import { seatIn } from '../state.js';
import { ApiError, ask, NoAnswer, post } from './api.js';

const ATTEMPT_MS = 1500; // who hears nothing for so long asks anew: the whole has 5 s
const PAUSE_MS = 250;
const GIVE_UP_MS = 30_000;
const REFUSED = 422;
const COME_BACK = new Set([408, 429, 500, 502, 503, 504]);

const unanswered = new Map(); // by what was asked: the fingerprint that went with it
const opening = new Map(); // by fingerprint: when its seed, which is being opened, will be

/** Ask for a seat at the next deal, with my part of it; gives the room. `sight` is what is known of the room already. */
export async function seatWithPart(store, path, body, sight) {
  const own = await takePart(sight, unanswered.get(path));
  unanswered.delete(path);
  try {
    const room = await post(path, own ? { ...body, client_commitment: own } : body);
    if (own && room.fairness.scheme === SCHEME && !room.seeded) noteTaken(own, room.code);
    hearDeal(room, store.get().me); // that may have been the last seat; who follows the room hears it, too, a moment later
    return room;
  } catch (error) {
    if (error instanceof NoAnswer && sight) unanswered.set(path, own);
    throw error;
  }
}

/** Hear what a room is now: note what it shows of its deal, and open my part when it is time. Gives when that is done. */
export async function hearDeal(room, me) {
  const seat = seatIn(room, me);
  const note = seat === null ? null : noteRoom(room, seat);
  if (!note) return;
  if (!opening.has(note.own)) opening.set(note.own, open(note).finally(() => opening.delete(note.own)));
  await opening.get(note.own);
}

async function open({ own, room, client_seed }) {
  const until_ms = performance.now() + GIVE_UP_MS;
  noteOpening(own, 'sent');
  while (performance.now() < until_ms) {
    try {
      await ask('POST', `/rooms/${room}/reveals`, { client_seed }, ATTEMPT_MS);
      noteOpening(own, 'accepted');
      return;
    } catch (error) {
      if (error instanceof ApiError && !COME_BACK.has(error.status)) {
        noteOpening(own, error.status === REFUSED ? 'refused' : 'late');
        return;
      }
      await new Promise((done) => setTimeout(done, Math.max(PAUSE_MS, 1000 * (error.retry_s || 0))));
    }
  }
}
