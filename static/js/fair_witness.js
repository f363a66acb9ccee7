// What only a witness can check of a deal by basra-deal/2: whether the transcript tells of the same deal that was seen when its
// seeds were still secret. No page in here; the notes are as fair_notes.js gives them and docs/fair-deal.md describes them.

import { fingerprintOf } from './fair_seed.js';

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Hold a transcript against notes. Gives `{part, found}`: `part` is "none" without notes, "away" where my seed is not in the
 * deal because it was not there in time, else "whole"; `found` is as from `verify`. Steps: kept (it is the scheme that was
 * promised), only (my opening led to this match and to no other), shown (the service's commitment), bound (everybody's), mine.
 */
export async function witness(transcript, notes) {
  if (!notes) return { part: 'none', found: [] };
  const found = [];
  const note = (step, ok) => found.push({ step, ok: Boolean(ok), round: null });
  let part = 'away';
  try {
    part = await bear(transcript, notes, note);
  } catch {
    note('readable', false); // what cannot be read proves nothing
  }
  return { part, found };
}

async function bear({ fairness, seeded }, notes, note) {
  note('kept', fairness.scheme === notes.scheme && !seeded);
  const places = notes.dealings.flatMap(({ match }, place) => (match === notes.match ? [place] : []));
  const place = places.length ? places.at(-1) : notes.dealings.length - 1;
  const dealing = notes.dealings[place];
  note('only', places.length === 1 && isOneSeed(notes.dealings, dealing) && !isDealtAgain(notes.dealings, place));
  if (dealing.commitment !== null) note('shown', dealing.commitment === fairness.commitment);
  if (await isOfAnother(dealing, fairness)) return 'none';
  note('bound', await isBound(dealing, fairness));
  const own = fairness.client_seeds[dealing.seat ?? fairness.client_seeds.indexOf(dealing.client_seed)] ?? '';
  const isIn = own === dealing.client_seed;
  // What the service took, and what it took for another than it is, must be in; what did not reach it cannot be.
  note('mine', isIn || (own === '' && !['accepted', 'refused'].includes(dealing.opened)));
  return isIn ? 'whole' : 'away';
}

/** Had I opened a seed for a deal before this one that led to no match? */
function isDealtAgain(dealings, place) {
  const since = dealings.slice(0, place).findLastIndex(({ match }) => match !== null) + 1;
  return dealings.slice(since, place).some(({ opened }) => opened !== null);
}

/** Was this seed opened for one deal only? */
const isOneSeed = (dealings, { client_seed: seed }) => dealings.filter(({ client_seed: one }) => one === seed).length === 1;

/** Did somebody else commit in my place, where I have seen nothing of the dealing? Another device of mine, most likely. */
async function isOfAnother({ client_commitments: seen, client_seed: seed }, { client_commitments: told = [] }) {
  return !seen && told.some(Boolean) && !told.includes(await fingerprintOf(seed));
}

/** Are the commitments those that were seen? Of a deal from which I was away I know at least my own. */
async function isBound({ client_commitments: seen, client_seed: seed, seat }, { client_commitments: told = [] }) {
  if (seen) return same(seen, told);
  const own = await fingerprintOf(seed);
  return seat === null ? told.includes(own) : told[seat] === own;
}
