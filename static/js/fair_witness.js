// What only a witness can check of a deal by basra-deal/2: whether the transcript tells of the same deal that was seen when its
// seeds were still secret. No page in here; the notes are as fair_notes.js gives them and docs/fair-deal.md describes them.

import { fingerprintOf } from './fair_seed.js';

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Hold a transcript against notes. Gives `{part, found}`; `found` is as from `verify`. `part`: none without notes; whole with my seed
 * in the deal; away where it was not there in time; elsewhere where what stands at my seat is another device's. Steps: kept (it
 * is the scheme that was promised), only (my seed was for this match and for no other), shown (the service's commitment), bound
 * (everybody's), mine (what the service took is in), secret (what I never opened is not),
 * table (the record tells of the match that was seen at the table).
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

async function bear(transcript, notes, note) {
  const { fairness, seeded } = transcript;
  note('kept', fairness.scheme === notes.scheme && !seeded);
  const places = notes.dealings.flatMap(({ match }, place) => (match === notes.match ? [place] : []));
  if (notes.table) note('table', isAsSeen(transcript, notes.table));
  const place = places.length ? places.at(-1) : notes.dealings.length - 1;
  const dealing = notes.dealings[place];
  note('only', places.length === 1 && isOneSeed(notes.dealings, dealing) && !isDealtAgain(notes.dealings, place));
  if (dealing.commitment !== null) note('shown', dealing.commitment === fairness.commitment);
  const { client_commitments: seen, client_seed: seed, seat, opened } = dealing;
  const { client_commitments: bound = [], client_seeds: seeds } = fairness;
  note('bound', seen ? same(seen, bound) : bound.some(Boolean));
  const isIn = seat === null ? seeds.includes(seed) : seeds[seat] === seed;
  const isElsewhere = !isIn && opened === null && bound.some(Boolean) && !bound.includes(await fingerprintOf(seed));
  if (isElsewhere) return 'elsewhere';
  note('mine', isIn || !['accepted', 'refused'].includes(opened));
  note('secret', !isIn || opened !== null);
  return isIn ? 'whole' : 'away';
}

/** Does the record have the rules, my hands, the floors and the plays that I saw? */
function isAsSeen({ rules, rounds }, { seat, rules: seen, hands, floors, plays }) {
  const round = (number) => rounds[number - 1];
  const played = rounds.flatMap((told) => told.plays);
  return Object.keys(seen).every((name) => same(seen[name], rules[name]))
    && hands.every(({ round: number, deal, cards }) => same(round(number)?.hands[deal - 1]?.[seat], cards))
    && floors.every(({ round: number, cards }) => same(round(number)?.floor, cards))
    && plays.every(({ turn, seat: who, card }) => played[turn]?.seat === who && played[turn].card === card);
}

/** Had I opened a seed for a deal before this one that led to no match? */
function isDealtAgain(dealings, place) {
  const since = dealings.slice(0, place).map(({ match }) => match !== null).lastIndexOf(true) + 1;
  return dealings.slice(since, place).some(({ opened }) => opened !== null);
}

/** Was this seed noted for one deal only? */
const isOneSeed = (dealings, { client_seed: seed }) => dealings.filter(({ client_seed: one }) => one === seed).length === 1;
