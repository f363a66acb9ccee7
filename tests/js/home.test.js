import { equal, ok, test } from './harness.js';
import { use } from '/static/js/i18n.js';
import { HomeSync } from '/static/js/net/home_sync.js';
import { Home, seekRefusal } from '/static/js/screens/home.js';
import { OFFER_AFTER_MS, Seek } from '/static/js/screens/seek.js';
import { fitting, roomWish } from '/static/js/screens/setup.js';
import { ensureGuest } from '/static/js/session.js';
import * as change from '/static/js/state.js';
import { createStore } from '/static/js/store.js';
import { PEOPLE, room, view } from './samples.js';
import { endService, service, until } from './service.js';
import { texts } from './texts.js';

use('en', await texts('en', 'talk'));
const PROFILES = [
  { profile: 'classic', target: 121, seats: [2, 4] },
  { profile: 'traditional', target: 101, seats: [2, 4] },
  { profile: 'casual', target: 121, seats: [2] },
];
const SEEK = { id: 's1', seats: 2, rules: 'classic', target: 121, room: null };
const open = (part) => room([0, null], { visibility: 'public', ...part });

/** The first page with what feeds it, as `me` sees it. */
async function atHome(me, answers, act) {
  localStorage.clear();
  const world = service({ 'GET /rooms': { items: [] }, 'GET /matches': { items: [] }, ...answers });
  const store = createStore(me ? change.withMe(change.INITIAL, me) : change.INITIAL);
  const went = [];
  const go = (code) => { went.push(code); };
  const sync = new HomeSync(store, go);
  sync.open();
  const home = new Home({ store, sync, go, profiles: PROFILES });
  document.body.replaceChildren(home.node);
  store.subscribe((state) => home.update(state));
  home.update(store.get());
  const button = (name) => [...home.node.querySelectorAll('button')].find((one) => one.textContent === name);
  const tables = () => [...home.node.querySelectorAll('[data-testid=open-table]')];
  try {
    await act({ ...world, store, sync, home, went, button, tables });
  } finally {
    sync.close();
    endService();
    localStorage.clear();
  }
}

test('the first page leads to what is said about privacy', () => atHome(null, {}, ({ home }) => {
  equal(home.node.querySelectorAll('.footnote a[href="/privacy"]').length, 1);
}));

test('a wish that no rule set fits falls back to the classic one', () => {
  equal(fitting(PROFILES, { seats: 4, rules: 'casual' }).rules, 'classic');
  equal(fitting(PROFILES, { seats: 2, rules: 'casual' }).rules, 'casual');
  equal(fitting(PROFILES, {}).turn_seconds, 120);
});

test('the rule set keeps its own target unless another is wanted', () => {
  const wish = fitting(PROFILES, { seats: 4, isPublic: true, spectators: true });
  equal(roomWish(wish), { seats: 4, rules: 'classic', turn_seconds: 120, spectators: true, visibility: 'public', chat: false });
  equal(roomWish({ ...wish, target: 'none' }).target, null);
  equal(roomWish({ ...wish, target: '51' }).target, 51);
});

test('a visitor asks for the open tables, a player hears of them', async () => {
  await atHome(null, { 'GET /rooms': { items: [open()] } }, async ({ asked, sockets, tables }) => {
    await until(() => tables().length === 1);
    equal([asked, sockets.length], [['GET /rooms?limit=50'], 0]);
    equal(tables()[0].dataset.free, '1');
  });
  await atHome(PEOPLE[1], {}, async ({ asked, sockets, tables }) => {
    ok(sockets[0].url.endsWith('/api/v1/channel'), sockets[0].url);
    sockets[0].hear({ type: 'lobby', items: [open(), open({ code: 'ABCDEF' })] });
    await until(() => tables().length === 2);
    sockets[0].hear({ type: 'lobby', items: [] });
    await until(() => tables().length === 0);
    ok(!asked.includes('GET /rooms?limit=50'));
  });
});

test('a seat that was taken meanwhile is told at once, and the list is asked for anew', () => {
  let isFull = false;
  return atHome(null, {
    'GET /rooms': () => ({ items: isFull ? [] : [open()] }),
    'POST /players': { player: PEOPLE[1] },
    'POST /rooms/KTRMSA/joins': () => { isFull = true; return { http: 409, code: 'room.full' }; },
  }, async ({ home, tables, went }) => {
    await until(() => tables().length === 1);
    tables()[0].querySelector('button').click();
    await until(() => home.trouble.textContent !== '');
    equal(home.trouble.textContent, 'Somebody was faster: every seat is taken.');
    await until(() => tables().length === 0);
    equal(went, []);
  });
});

test('one tap on practice makes a guest, a room and a bot', () => {
  const bodies = [];
  const note = (answer) => (body) => { bodies.push(body); return answer; };
  return atHome(null, {
    'POST /players': note({ player: PEOPLE[0] }),
    'POST /rooms': note(room([0, null])),
    'POST /rooms/KTRMSA/bots': note(room([0, 'easy'], { status: 'playing' })),
  }, async ({ button, went }) => {
    button('Practice').click();
    await until(() => went.length === 1);
    equal(went, ['KTRMSA']);
    ok(/^Guest [1-9]\d{3}$/.test(bodies[0].name) && bodies[0].session, `a guest without a name is ${bodies[0].name}`);
    const { client_commitment: own, ...wishes } = bodies[1];
    equal(wishes, { seats: 2, turn_seconds: 600, visibility: 'private' });
    ok(/^[0-9a-f]{64}$/.test(own), 'no part of my own in the deal');
    equal(bodies[2], { seat: 1, level: 'easy' });
  });
});

test('practice is played under the name that was typed, and another name makes nobody else of me', () => {
  const names = [];
  const named = (how) => ({ name }) => { names.push([how, name]); return { ...PEOPLE[1], name }; };
  return atHome(null, {
    'POST /players': (body) => ({ player: named('new')(body) }), 'PATCH /players/me': named('renamed'),
    'POST /rooms': room([0, null]), 'POST /rooms/KTRMSA/bots': room([0, 'easy']),
  }, async ({ home, store, button, went }) => {
    home.name.input.value = ' Mona ';
    button('Practice').click();
    await until(() => went.length === 1);
    equal(names, [['new', 'Mona']]);
    button('Use another name').click();
    home.name.input.value = 'Laila';
    button('Practice').click();
    await until(() => went.length === 2);
    equal(names, [['new', 'Mona'], ['renamed', 'Laila']]);
    equal(store.get().me, { ...PEOPLE[1], name: 'Laila' });
  });
});

test('while a match of mine runs I stay who I am', () => atHome(PEOPLE[0], {
  'GET /matches': { items: [{ id: 'm1', room: 'KTRMSA', seats: view().seats, your_turn: false }] },
}, async ({ home, store, button, asked }) => {
  await until(() => store.get().mine.length === 1);
  ok(button('Use another name').hidden, 'another name is offered');
  ok(home.name.node.hidden, 'a name is asked for');
  equal((await ensureGuest(store, 'Laila')).id, PEOPLE[0].id);
  ok(!asked.includes('POST /players'));
}));

test('my running matches come first, with whose turn it is', () => atHome(PEOPLE[0], {
  'GET /matches': { items: [{ id: 'm1', room: 'KTRMSA', seats: view().seats, your_turn: false }] },
}, async ({ home, sockets }) => {
  const card = () => home.node.querySelector('[data-testid=resume]');
  await until(card);
  equal([card().getAttribute('href'), card().dataset.yourTurn], ['/r/KTRMSA', 'false']);
  sockets[0].hear({ type: 'match', match: { id: 'm1', room: 'KTRMSA', your_turn: true, status: 'playing' } });
  await until(() => card().dataset.yourTurn === 'true');
  sockets[0].hear({ type: 'match', match: { id: 'm1', room: 'KTRMSA', your_turn: false, status: 'finished' } });
  await until(() => !card());
}));

test('a quick match: sought, kept alive, found', () => atHome(PEOPLE[0], {
  'POST /seeks': SEEK, 'GET /seeks/s1': SEEK,
}, async ({ button, store, sockets, asked, went }) => {
  button('Quick match').click();
  await until(() => store.get().seek);
  equal(change.screenOf(store.get()), 'seek');
  sockets[0].hear({ type: 'ping', match: null, version: null });
  await until(() => asked.includes('GET /seeks/s1'));
  sockets[0].hear({ type: 'seek', seek: { ...SEEK, room: 'ABCDEF' } });
  equal([went, store.get().seek], [['ABCDEF'], null]);
}));

test('a seek that the server has forgotten is made anew', () => atHome(PEOPLE[0], {
  'POST /seeks': SEEK, 'GET /seeks/s1': { http: 404, code: 'not_found' },
}, async ({ sync, store, asked }) => {
  await sync.seeker.start({ seats: 2, rules: 'classic' });
  await sync.seeker.keepAlive();
  equal(asked.filter((one) => one === 'POST /seeks').length, 2);
  ok(store.get().seek);
}));

test('a quick match given up just when it was found is played', () => atHome(PEOPLE[0], {
  'POST /seeks': SEEK, 'DELETE /seeks/s1': { http: 409, code: 'room.started' }, 'GET /seeks/s1': { ...SEEK, room: 'ABCDEF' },
}, async ({ sync, went }) => {
  await sync.seeker.start({ seats: 2, rules: 'classic' });
  await sync.seeker.cancel();
  equal(went, ['ABCDEF']);
}));

test('a bot is offered after a while, never before', () => atHome(PEOPLE[0], { 'POST /seeks': SEEK }, async ({ sync, store, home }) => {
  home.destroy();
  await sync.seeker.start({ seats: 2, rules: 'classic' });
  const seek = new Seek({ store, sync, go() {} });
  seek.update();
  ok(seek.offer.hidden, 'offered at once');
  store.change(change.withSeek, { ...store.get().seek, since_ms: Date.now() - OFFER_AFTER_MS });
  seek.update();
  ok(!seek.offer.hidden, 'not offered');
  equal(seek.time.textContent, '0:20');
  seek.destroy();
}));

test('a code is taken out of what was pasted; where there is none, that is said', async () => {
  await atHome(null, {}, async ({ home, went, button }) => {
    const field = home.node.querySelector('input[name=code]');
    const trouble = home.node.querySelector('[role=alert]');
    field.value = 'Nothing to read';
    button('Enter room').click();
    await until(() => trouble.textContent);
    equal([trouble.textContent, document.activeElement === field, went], ['A room code has six letters.', true, []]);
    field.value = 'Sit down here: https://basra.example/r/scjhyn\u200f.';
    button('Enter room').click();
    await until(() => went.length);
    equal([trouble.textContent, went], ['', ['SCJHYN']]);
  });
});

test('who stayed away from quick matches reads how long to wait, and who only asks too fast does not', () => {
  const told = (problem, retry_s) => seekRefusal('rate_limited', { problem, retry_s });
  equal(told({ until: '2026-01-01T00:02:00Z' }, 113), 'You missed two quick matches in an hour. Try again in 2 minutes.');
  equal(told({}, 1), 'Too fast. Wait a moment and try again.');
  equal(seekRefusal('unavailable', {}), 'The server is busy. Try again in a moment.');
});
