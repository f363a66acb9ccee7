// The fair deal, schemes basra-deal/1 and /2, done again from their description alone (docs/fair-deal.md): whoever has a
// finished match's transcript can find out here whether it was dealt as its seeds say. No page in here.

import { ascii, fingerprintOf, toHex } from './fair_seed.js';

const SCHEMES = ['basra-deal/1', 'basra-deal/2'];
const STREAM = 'basra-deal/1'; // the same seeds give the same cards in both
const PACK = ['C', 'D', 'H', 'S'].flatMap((suit) => [...'A23456789TJQK'].map((rank) => rank + suit));
const SWEEPERS = new Set(['JC', 'JD', 'JH', 'JS', '7D']);
const HAND = 4;
const FLOOR = 4;
const WORDS = 2 ** 32;
const BLOCK = 32; // bytes, eight words
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

function fromHex(text) {
  if (!/^([0-9a-f]{2})+$/.test(text)) throw new Error('not hex');
  return Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
}

/** What is shown of a server seed before anybody knows it. */
export const commitmentOf = async (serverSeed) => toHex(await crypto.subtle.digest('SHA-256', fromHex(serverSeed)));

/** The words of one round, drawn one after the other. */
class Stream {
  #key;
  #prefix;
  #words = [];
  #block = 0;

  constructor(key, clientSeeds, round) {
    this.#key = key;
    this.#prefix = `${STREAM}:${round}:${clientSeeds.join(',')}:`;
  }

  async draw(n) {
    for (;;) {
      if (!this.#words.length) await this.#fill();
      const word = this.#words.shift();
      if (word < Math.floor(WORDS / n) * n) return word % n;
    }
  }

  async #fill() {
    const bytes = new DataView(await crypto.subtle.sign(HMAC, this.#key, ascii(this.#prefix + this.#block)));
    this.#block += 1;
    for (let at = 0; at < BLOCK; at += 4) this.#words.push(bytes.getUint32(at));
  }
}

/** The chance of one match, by its seeds. */
export class Chance {
  #key;
  #clientSeeds;

  constructor(key, clientSeeds) {
    this.#key = key;
    this.#clientSeeds = clientSeeds;
  }

  static async of(serverSeed, clientSeeds) {
    const key = await crypto.subtle.importKey('raw', fromHex(serverSeed), HMAC, false, ['sign']);
    return new Chance(key, clientSeeds);
  }

  firstDealer = () => new Stream(this.#key, this.#clientSeeds, 0).draw(this.#clientSeeds.length);

  /** Deal a round to its end; `cut` is a player's own, null for the drawn one. */
  async deal(round, dealer, cut = null) {
    const stream = new Stream(this.#key, this.#clientSeeds, round);
    const shuffled = [...PACK];
    for (let i = PACK.length - 1; i > 0; i -= 1) {
      const j = await stream.draw(i + 1);
      [shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]];
    }
    const drawn = 1 + await stream.draw(PACK.length - 1); // always, so that a player's cut shifts nothing after it
    const taken = cut ?? drawn;
    const pack = [...shuffled.slice(taken), ...shuffled.slice(0, taken)];
    const first = handOut(pack, dealer, this.#clientSeeds.length);
    const { floor, buried } = await turn(pack, stream);
    const hands = [first];
    const undealt = [...pack];
    while (pack.length) hands.push(handOut(pack, dealer, this.#clientSeeds.length));
    return { shuffled, cut: taken, hands, floor, buried, undealt };
  }
}

/** Take a hand for each seat off the pack, from the dealer's right on. */
function handOut(pack, dealer, seats) {
  const hands = Array(seats);
  for (let i = 1; i <= seats; i += 1) hands[(dealer + i) % seats] = pack.splice(0, HAND);
  return hands;
}

/** Turn the floor's cards; a jack or the komi goes back into the pack, which is changed. */
async function turn(pack, stream) {
  const floor = [];
  const buried = [];
  while (floor.length < FLOOR) {
    const card = pack.shift();
    if (!SWEEPERS.has(card)) floor.push(card);
    else {
      const at = 1 + await stream.draw(pack.length);
      pack.splice(at, 0, card);
      buried.push({ card, at });
    }
  }
  return { floor, buried };
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Check a transcript's deal. Gives what was found, in the order of the scheme: `{step, ok, round}`, `round` null for
 * what belongs to the whole match. Steps: scheme, commitment, opened (in /2), shown and mine (in /1), dealer; and each round
 * shuffle, cut, hands, floor, buried, plays. What only a witness knows of /2 is for fair_witness.js.
 *
 * `seen`: {commitment, clientSeeds} or null; `mine`: {seat, seeds} or null; both of /1.
 */
export async function verify(transcript, { seen = null, mine = null } = {}) {
  const found = [];
  const note = (step, ok, round = null) => found.push({ step, ok: Boolean(ok), round });
  try {
    await checkMatch(transcript, { seen, mine }, note);
  } catch {
    note('readable', false); // what cannot be read proves nothing
  }
  return found;
}

async function checkMatch(transcript, { seen, mine }, note) {
  const { fairness, seats, rounds } = transcript;
  const { scheme, commitment, server_seed: serverSeed, client_seeds: clientSeeds } = fairness;
  note('scheme', SCHEMES.includes(scheme) && clientSeeds.length === seats && clientSeeds.every((seed) => /^[0-9a-f]{0,64}$/.test(seed)));
  note('commitment', serverSeed.length === 2 * BLOCK && await commitmentOf(serverSeed) === commitment);
  if (scheme === SCHEMES[1]) note('opened', await areOpened(fairness, seats));
  if (seen) note('shown', seen.commitment === commitment && same(seen.clientSeeds, clientSeeds));
  if (mine) note('mine', mine.seeds.includes(clientSeeds[mine.seat]));
  const chance = await Chance.of(serverSeed, clientSeeds);
  const first = await chance.firstDealer();
  note('dealer', rounds.length > 0 && rounds.every(({ number, dealer, leader }, index) => (
    number === index + 1 && dealer === (first + index) % seats && leader === (dealer + 1) % seats)));
  for (const round of rounds) await checkRound(round, whoMayCut(transcript, round), chance, note);
}

/** Does every client seed fit its commitment? One that was not opened is empty; none stands where nothing was committed to. */
async function areOpened({ client_seeds: seeds, client_commitments: commitments = [] }, seats) {
  const fits = await Promise.all(seeds.map(async (seed, seat) => seed === '' || await fingerprintOf(seed) === commitments[seat]));
  return commitments.length === seats && commitments.every((one) => /^([0-9a-f]{64})?$/.test(one)) && fits.every(Boolean);
}

/** Who may have cut a round: a person chooses only where the rules ask one to, or anybody could once the pack is known. */
function whoMayCut({ rules, players, seats }, { dealer }) {
  const isAsked = rules.cut === 'neighbour' && players[(dealer + seats - 1) % seats].bot === null;
  return isAsked ? ['player', 'clock'] : ['auto'];
}

async function checkRound(told, by, chance, note) {
  const own = told.cut_by === 'player' ? told.cut : null;
  const due = await chance.deal(told.number, told.dealer, own);
  note('shuffle', same(told.shuffled, due.shuffled), told.number);
  if (told.cut === null) {
    // The match ended before a person cut: nothing can have been dealt. Where nobody is asked, nothing ends before.
    note('hands', by.includes('player') && told.cut_by === null && ![...told.hands, ...told.floor, ...told.buried, ...told.plays].length, told.number);
    return;
  }
  note('cut', by.includes(told.cut_by) && Number.isInteger(told.cut) && told.cut > 0 && told.cut < PACK.length && told.cut === due.cut, told.number);
  note('hands', told.hands.length > 0 && same(told.hands, due.hands.slice(0, told.hands.length)), told.number);
  note('floor', same(told.floor, due.floor), told.number);
  note('buried', same(told.buried.map(({ card, at }) => [card, at]), due.buried.map(({ card, at }) => [card, at])), told.number);
  note('plays', playedFromHands(told, due.hands), told.number);
}

/** Was every card played by the seat that had it, in its deal, and once? And was nothing dealt before the hands were empty? */
function playedFromHands({ plays, hands }, due) {
  const aDeal = HAND * due[0].length;
  const left = due.map((deal) => deal.map((hand) => new Set(hand)));
  return hands.length <= 1 + Math.floor(plays.length / aDeal)
    && plays.every(({ seat, card }, index) => Boolean(left[Math.floor(index / aDeal)]?.[seat]?.delete(card)));
}
