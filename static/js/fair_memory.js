// What this browser saw of a deal by basra-deal/1 before its first card was played. It is kept here, out of the service's
// reach, and held against the transcript when the match is over. Of basra-deal/2 fair_notes.js knows more.

import { remember, remembered } from './session.js';

const SCHEME = 'basra-deal/1';
const KEPT = 40; // matches
let noted = null; // the match that was seen last: the table tells of it at every change

/** Note what is shown of a running match's deal, the first time only. */
export function noteDeal({ id, status, fairness, you, seeded }) {
  if (id === noted || status !== 'playing' || !you || seeded || fairness?.scheme !== SCHEME) return;
  noted = id;
  const known = remembered('deals', []);
  if (known.some((deal) => deal.match === id)) return;
  const deal = { match: id, commitment: fairness.commitment, clientSeeds: fairness.client_seeds };
  remember('deals', [deal, ...known].slice(0, KEPT));
}

/** What is known here of a finished match: {seen, mine} as `verify` takes it. */
export function knownOf({ id, you }) {
  const seen = remembered('deals', []).find((deal) => deal.match === id) || null;
  const seeds = seen?.sent || []; // those of the page as it was when it sent seeds
  return { seen, mine: you && seeds.length ? { seat: you.seat, seeds } : null };
}
