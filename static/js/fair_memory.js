// What this browser saw and sent of a deal before its first card was played. It is kept here, out of the service's
// reach, and held against the transcript when the match is over.

import { remember, remembered, sentSeeds } from './session.js';

const KEPT = 40; // matches
let noted = null; // the match that was seen last: the table tells of it at every change

/** Note what is shown of a running match's deal, the first time only. */
export function noteDeal({ id, room, status, fairness, you, seeded }) {
  if (id === noted || status !== 'playing' || !you || seeded || !fairness) return;
  noted = id;
  const known = remembered('deals', []);
  if (known.some((deal) => deal.match === id)) return;
  const deal = { match: id, commitment: fairness.commitment, clientSeeds: fairness.client_seeds, sent: sentSeeds(room) };
  remember('deals', [deal, ...known].slice(0, KEPT));
}

/** What is known here of a finished match: {seen, mine} as `verify` takes it. */
export function knownOf({ id, you }) {
  const seen = remembered('deals', []).find((deal) => deal.match === id) || null;
  const seeds = seen ? seen.sent : [];
  return { seen, mine: you && seeds.length ? { seat: you.seat, seeds } : null };
}
