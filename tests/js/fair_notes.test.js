import { equal, ok, test } from './harness.js';
import { noteRoom, noteTaken, notesOf, partIn, takePart } from '/static/js/fair_notes.js';
import { fingerprintOf } from '/static/js/fair_seed.js';
import { noteTable, tableOf } from '/static/js/fair_table.js';
import { witness } from '/static/js/fair_witness.js';
import { hearDeal } from '/static/js/net/dealing.js';
import { Seeker } from '/static/js/net/seeker.js';
import { askRematch, joinRoom, playBots } from '/static/js/rooms.js';
import * as change from '/static/js/state.js';
import { createStore } from '/static/js/store.js';
import { PEOPLE, room } from './samples.js';
import { endService, service, until } from './service.js';

const ME = PEOPLE[0];
const CODE = 'KTRMSA';
const HERS = 'b'.repeat(64); // what Mona has committed to
const REVEALS = `POST /rooms/${CODE}/reveals`;

const fairness = (own, part = {}) => ({ scheme: 'basra-deal/2', commitment: 'c0', client_commitments: [own, HERS], ...part });
const shown = (own, status, part = {}, promised = {}) => room([0, 1], { status, fairness: fairness(own, promised), ...part });
const playing = (match_id) => room([0, 1], { status: 'playing', match_id });
const notes = () => Object.keys(localStorage).filter((key) => key.startsWith('basra.dealing.')).map((key) => JSON.parse(localStorage[key]));
const noteOf = (own) => notes().find((note) => note.own === own);

/** With a service whose answer to an opening is given; `opened` has the seeds that were sent to it. */
async function withService(answer, act, more = {}) {
  localStorage.clear();
  const opened = [];
  const { asked } = service({
    [REVEALS]: (body) => { opened.push(body.client_seed); return typeof answer === 'function' ? answer(opened.length) : answer; }, ...more,
  });
  try {
    await act({ opened, asked });
  } finally {
    endService();
    localStorage.clear();
  }
}

/** Take a seat in the room as it was shown first; gives the fingerprint. */
async function sitDown(promise = 'c0', after = null) {
  const own = await takePart({ room: CODE, commitment: promise, after });
  noteTaken(own, CODE);
  return own;
}

/** What was played, as its transcript tells it. */
const told = (own, seed, part = {}, rest = {}) => ({ seeded: false, fairness: { ...fairness(own), server_seed: '5e', client_seeds: [seed, '77'], ...part }, ...rest });

/** What I make of a transcript: my part in it, and the steps that fail. */
async function judged(transcript, id = 'm1') {
  const mine = notesOf({ id, room: CODE, you: { seat: 0 }, fairness: transcript.fairness });
  const { part, found } = await witness(transcript, mine);
  return [part, ...found.filter((one) => !one.ok).map(({ step }) => step)];
}

const ANSWERED = { http: 201, code: CODE };

test('a seed is noted before its fingerprint is given away, and opened when all are bound', () => withService(ANSWERED, async ({ opened }) => {
  const own = await sitDown();
  const { client_seed: seed, commitment } = noteOf(own);
  ok(/^[0-9a-f]{32}$/.test(seed), seed);
  equal([await fingerprintOf(seed), commitment], [own, 'c0']);
  await hearDeal(shown(own, 'waiting'), ME);
  equal(opened, []);
  await hearDeal(shown(own, 'dealing'), ME);
  equal([opened, noteOf(own).client_commitments, noteOf(own).opened], [[seed], [own, HERS], 'accepted']);
  await hearDeal(shown(own, 'dealing'), ME);
  await hearDeal(playing('m1'), ME);
  equal([opened.length, noteOf(own).match], [1, 'm1']);
  equal(await judged(told(own, seed)), ['whole']);
}));

test('the notes are what the engine reads', () => withService(ANSWERED, async () => {
  const own = await sitDown();
  await hearDeal(shown(own, 'dealing'), ME);
  await hearDeal(playing('m1'), ME);
  equal(notesOf({ id: 'm1', room: CODE, you: { seat: 0 }, fairness: fairness(own) }), {
    format: 'basra-notes/1', scheme: 'basra-deal/2', room: CODE, match: 'm1',
    dealings: [{ commitment: 'c0', client_seed: noteOf(own).client_seed, seat: 0, client_commitments: [own, HERS], opened: 'accepted', match: 'm1' }],
    table: null,
  });
}));

test('a seed that was never opened is in no honest deal', () => withService(ANSWERED, async () => {
  const own = await sitDown();
  await hearDeal(playing('m1'), ME);
  equal(await judged(told(own, noteOf(own).client_seed)), ['whole', 'secret']);
}));

const HAND = ['7D', 'KC', '4S', '2H'];
const FLOOR = ['3C', '9S', 'QD', 'TH'];
const RULES = { profile: 'classic', target: 121 };
const DEALT = { type: 'dealt', round: 1, deal: 1, hand: HAND, floor: FLOOR };
const PLAYED = { type: 'played', turn: 0, seat: 1, card: '8H' };
const running = (own, part = {}) => ({ id: 'm1', status: 'playing', rules: RULES, fairness: fairness(own), seeded: false, you: { seat: 0 }, ...part });
const recorded = (part = {}, rules = RULES) => ({
  rules, rounds: [{ number: 1, hands: [[HAND, ['8H', 'AC', 'JD', '5S']]], floor: FLOOR, plays: [{ seat: 1, card: '8H' }], ...part }],
});

test('what was seen at the table stays as it was seen first, and is only noted while it is played', () => withService(ANSWERED, async () => {
  const own = await sitDown();
  noteTable(running(own, { status: 'finished' }), [DEALT]);
  noteTable(running(own, { you: null }), [DEALT]);
  noteTable(running(own, { seeded: true }), [DEALT]);
  equal(tableOf('m1'), null);
  noteTable(running(own), [{ type: 'match_started' }, DEALT]);
  noteTable(running(own), [PLAYED, { ...PLAYED, card: 'AC' }, { ...DEALT, hand: ['2C'] }, { ...DEALT, deal: 2, hand: ['2C'], floor: undefined }]);
  equal(tableOf('m1'), {
    seat: 0, rules: RULES, hands: [{ round: 1, deal: 1, cards: HAND }, { round: 1, deal: 2, cards: ['2C'] }],
    floors: [{ round: 1, cards: FLOOR }], plays: [{ turn: 0, seat: 1, card: '8H' }],
  });
}));

test('a record that was made up afterwards is found though it fits every seed', () => withService(ANSWERED, async () => {
  const own = await sitDown();
  await hearDeal(shown(own, 'dealing'), ME);
  await hearDeal(playing('m1'), ME);
  noteTable(running(own), [DEALT, PLAYED]);
  const { client_seed: seed } = noteOf(own);
  equal(await judged(told(own, seed, {}, recorded())), ['whole']);
  for (const made of [
    recorded({ hands: [[['2C', 'KC', '4S', '2H'], []]] }), recorded({ hands: [] }), recorded({ floor: ['3C'] }), recorded({ plays: [] }),
    recorded({ plays: [{ seat: 1, card: 'AC' }] }), recorded({ plays: [{ seat: 0, card: '8H' }] }), recorded({}, { ...RULES, target: 10 }), { rules: RULES, rounds: [] },
  ]) equal(await judged(told(own, seed, {}, made)), ['whole', 'table']);
}));

/** An honest deal as far as the match, whose transcript is then told in another way. */
const ATTACKS = {
  'the service drew another seed after mine was opened': [{ commitment: 'c1' }, 'shown'],
  'a puppet chose its seed after mine was opened': [{ client_commitments: (own) => [own, 'd'.repeat(64)] }, 'bound'],
  'my opening was dropped': [{ client_seeds: () => ['', '77'] }, 'mine'],
  'my seat has another seed': [{ client_seeds: () => ['12', '77'] }, 'mine'],
  'it was dealt as before, where nobody commits first': [{ scheme: 'basra-deal/1', client_commitments: () => undefined }, 'kept'],
};

for (const [attack, [changes, step]] of Object.entries(ATTACKS)) {
  test(`found: ${attack}`, () => withService(ANSWERED, async () => {
    const own = await sitDown();
    await hearDeal(shown(own, 'dealing'), ME);
    await hearDeal(playing('m1'), ME);
    const honest = told(own, noteOf(own).client_seed);
    equal(await judged(honest), ['whole']);
    const part = Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, typeof value === 'function' ? value(own) : value]));
    const [, ...failed] = await judged({ ...honest, fairness: { ...honest.fairness, ...part } });
    ok(failed.includes(step), failed);
  }));
}

test('found: a match that was seeded, where nothing of it had been said', () => withService(ANSWERED, async () => {
  const own = await sitDown();
  await hearDeal(shown(own, 'waiting'), ME);
  await hearDeal(playing('m1'), ME);
  equal(await judged(told(own, '', {}, { seeded: true })), ['away', 'kept']);
}));

test('found: an opening that fits and was refused', () => withService({ http: 422, code: 'request.invalid' }, async () => {
  const own = await sitDown();
  await hearDeal(shown(own, 'dealing'), ME);
  await hearDeal(playing('m1'), ME);
  equal(await judged(told(own, '')), ['away', 'mine']);
}));

test('a promise that changed before mine was opened is not opened for, and found', () => withService(ANSWERED, async ({ opened }) => {
  const own = await sitDown('c0');
  await hearDeal(shown(own, 'dealing', {}, { commitment: 'c1' }), ME);
  await hearDeal(playing('m1'), ME);
  equal([opened, await judged(told(own, '', { commitment: 'c1' }))], [[], ['away', 'shown']]);
}));

test('a second dealing is not opened for, and found', () => withService(ANSWERED, async ({ opened }) => {
  const own = await sitDown();
  await hearDeal(shown(own, 'dealing'), ME);
  await hearDeal(shown(own, 'dealing', {}, { commitment: 'c1' }), ME);
  await hearDeal(shown(own, 'dealing', {}, { client_commitments: [own, 'd'.repeat(64)] }), ME);
  await hearDeal(playing('m1'), ME);
  equal(opened.length, 1);
  equal(await judged(told(own, opened[0], { commitment: 'c1' })), ['whole', 'shown']);
}));

test('a dealing that led to nothing, and another one after it, is found', () => withService(ANSWERED, async ({ opened }) => {
  const first = await sitDown();
  await hearDeal(shown(first, 'dealing'), ME);
  await hearDeal(shown('', 'waiting'), ME);
  const own = await sitDown('c1');
  await hearDeal(shown(own, 'dealing', {}, { commitment: 'c1' }), ME);
  await hearDeal(playing('m1'), ME);
  equal(opened.length, 2);
  equal(await judged(told(own, opened[1], { commitment: 'c1' })), ['whole', 'only']);
}));

test('two matches by one dealing are found', () => withService(ANSWERED, async ({ opened }) => {
  const own = await sitDown();
  await hearDeal(shown(own, 'dealing'), ME);
  await hearDeal(playing('m1'), ME);
  await hearDeal(playing('m2'), ME);
  equal(await judged(told(own, opened[0]), 'm2'), ['whole', 'only']);
}));

test('a rematch has a note of its own, and the match before it none of that', () => withService(ANSWERED, async ({ opened }) => {
  const first = await sitDown();
  await hearDeal(shown(first, 'dealing'), ME);
  await hearDeal(playing('m1'), ME);
  const over = { match_id: 'm1' };
  await hearDeal(shown('', 'finished', over, { commitment: 'c1' }), ME);
  const withdrawn = await sitDown('c1', 'm1');
  await hearDeal(shown(withdrawn, 'finished', over, { commitment: 'c1' }), ME);
  const own = await sitDown('c1', 'm1');
  await hearDeal(shown(own, 'finished', over, { commitment: 'c1' }), ME);
  await hearDeal(shown(own, 'dealing', {}, { commitment: 'c1' }), ME);
  await hearDeal(playing('m2'), ME);
  equal(await judged(told(first, opened[0]), 'm1'), ['whole']);
  equal(await judged(told(own, opened[1], { commitment: 'c1' }), 'm2'), ['whole']);
  equal(noteOf(withdrawn).match, null);
}));

test('who was away accuses nobody', () => withService({ http: 409, code: 'room.not_dealing' }, async ({ opened }) => {
  const absent = await sitDown();
  await hearDeal(shown(absent, 'waiting'), ME);
  await hearDeal(playing('m1'), ME);
  equal(await judged(told(absent, '')), ['away']);
  localStorage.clear();
  const late = await sitDown();
  await hearDeal(shown(late, 'dealing'), ME);
  await hearDeal(playing('m1'), ME);
  equal([opened.length, noteOf(late).opened, await judged(told(late, ''))], [1, 'late', ['away']]);
}));

test('a match that was not seen running is known by its fingerprint', () => withService(ANSWERED, async () => {
  const own = await sitDown();
  equal(await judged(told(own, '')), ['away']);
  equal(noteOf(own).match, 'm1');
}));

test('an opening is sent until it is answered', () => withService((nth) => (nth < 3 ? new TypeError('network') : ANSWERED), async ({ opened }) => {
  const own = await sitDown();
  await hearDeal(shown(own, 'dealing'), ME);
  equal([opened.length, new Set(opened).size, noteOf(own).opened], [3, 1, 'accepted']);
}));

test('after a reload it is opened by the notes, and asked for once more when the answer was lost', () => withService({ http: 200, code: CODE }, async ({ opened }) => {
  const own = await sitDown();
  noteRoom(shown(own, 'dealing'), 0);
  localStorage.setItem(`basra.dealing.${own}`, JSON.stringify({ ...noteOf(own), opened: 'sent' }));
  await hearDeal(playing('m1'), ME);
  equal([opened.length, noteOf(own).opened], [1, 'accepted']);
}));

test("a seat with another device's fingerprint is left to that device", () => withService(ANSWERED, async ({ opened }) => {
  const here = await sitDown();
  await hearDeal(shown(here, 'waiting'), ME);
  const there = 'e'.repeat(64);
  await hearDeal(shown(there, 'waiting'), ME);
  await hearDeal(shown(there, 'dealing'), ME);
  await hearDeal(playing('m1'), ME);
  equal([opened, partIn(fairness(there), 0), partIn(fairness(here), 0), partIn(fairness(''), 0)], [[], 'elsewhere', 'mine', 'none']);
  equal([partIn(fairness(here, { client_seeds: ['', '77'] }), 0), partIn(fairness(here), null)], ['away', 'none']);
  equal(await judged(told(there, '99')), ['none']);
}));

test('another device that committed in my place, unseen by this one, accuses nobody; a deal as if nobody had is found', () => withService(ANSWERED, async () => {
  const here = await sitDown();
  await hearDeal(shown(here, 'waiting'), ME);
  await hearDeal(playing('m1'), ME);
  equal(await judged(told('e'.repeat(64), '99')), ['elsewhere']);
  equal(await judged(told('', '', { client_commitments: ['', ''], client_seeds: ['', ''] })), ['away', 'bound']);
}));

test('a seeded room is not opened for', () => withService(ANSWERED, async ({ opened }) => {
  const own = await takePart({ room: CODE, commitment: 'c0', after: null });
  await hearDeal(shown(own, 'dealing', { seeded: true }), ME);
  equal(opened, []);
}));

test('the oldest notes make room for new ones', () => withService(ANSWERED, async () => {
  const first = await sitDown();
  for (let n = 0; n < 60; n += 1) localStorage.setItem(`basra.dealing.${n}`, JSON.stringify({ own: String(n), room: 'OTHERS', at: Date.now() + 1000 + n }));
  await sitDown();
  ok(!noteOf(first), 'the first is still there');
  equal(notes().length, 61);
}));

const seatedStore = (part = {}) => createStore({ ...change.goTo(change.withMe(change.INITIAL, ME), { name: 'room', code: CODE }), ...part });

test('a join that nobody answered is sent again with the same fingerprint, and notes what the room had shown', () => {
  const bodies = [];
  const join = (body) => { bodies.push(body); return bodies.length < 2 ? new TypeError('network') : shown(body.client_commitment, 'waiting'); };
  return withService(ANSWERED, async () => {
    const store = seatedStore();
    store.change(change.withRoom, shown('', 'waiting', { match_id: 'm0' }, { commitment: 'c7' }));
    store.change(change.withRoom, shown('', 'waiting', { match_id: 'm0' }, { commitment: 'c8' }));
    await joinRoom(store, CODE, '').catch(() => {});
    await joinRoom(store, CODE, '');
    await joinRoom(store, CODE, '');
    const [one, two, three] = bodies.map((body) => body.client_commitment);
    ok(one === two && two !== three, [one, two, three]);
    equal([noteOf(one).commitment, noteOf(one).after], ['c7', 'm0']);
  }, { [`POST /rooms/${CODE}/joins`]: join });
});

test('the answer to the last join opens at once', () => withService(ANSWERED, async ({ opened }) => {
  await joinRoom(seatedStore(), CODE, '');
  await until(() => opened.length === 1);
}, { [`POST /rooms/${CODE}/joins`]: (body) => shown(body.client_commitment, 'dealing') }));

test('practice is opened for as soon as the bot sits', () => {
  let own = null;
  return withService(ANSWERED, async ({ opened, asked }) => {
    await playBots(seatedStore(), '', 'easy');
    await until(() => opened.length === 1);
    equal(asked, ['POST /rooms', `POST /rooms/${CODE}/bots`, REVEALS]);
  }, {
    'POST /rooms': (body) => { own = body.client_commitment; return room([0, null], { fairness: fairness(own, { client_commitments: [own, ''] }) }); },
    [`POST /rooms/${CODE}/bots`]: () => room([0, 'easy'], { status: 'dealing', fairness: fairness(own, { client_commitments: [own, ''] }) }),
  });
});

test('a quick match is noted by its fingerprint until its room is known', () => {
  let own = null;
  return withService(ANSWERED, async () => {
    const found = [];
    const seeker = new Seeker(seatedStore(), (code) => found.push(code));
    await seeker.start({ seats: 2, rules: 'classic' });
    equal([noteOf(own).room, noteOf(own).commitment], [null, null]);
    seeker.take({ id: 's1', room: CODE });
    await hearDeal(shown(own, 'dealing'), ME);
    equal([found, noteOf(own).room, noteOf(own).commitment, noteOf(own).opened], [[CODE], CODE, 'c0', 'accepted']);
  }, { 'POST /seeks': (body) => { own = body.client_commitment; return { id: 's1', room: null }; } });
});

test('without the browser\'s cryptography nothing is committed to, and all else goes on', () => {
  const bodies = [];
  const answer = (body) => { bodies.push(body); return shown('', 'waiting'); };
  return withService(ANSWERED, async ({ opened }) => {
    Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true });
    try {
      await joinRoom(seatedStore(), CODE, '');
      await askRematch(seatedStore(), CODE);
      equal([bodies, opened, partIn(fairness(''), 0)], [[{ seat: null }, {}], [], 'unable']);
    } finally {
      delete crypto.subtle;
    }
  }, { [`POST /rooms/${CODE}/joins`]: answer, [`POST /rooms/${CODE}/rematches`]: answer });
});
