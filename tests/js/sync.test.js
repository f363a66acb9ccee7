import { equal, ok, test } from './harness.js';
import { RoomSync } from '/static/js/net/sync.js';
import * as change from '/static/js/state.js';
import { createStore } from '/static/js/store.js';
import { OPENING, PEOPLE, played, room, view } from './samples.js';
import { endService, service, until } from './service.js';

async function atTable(answers, act) {
  const world = service({
    'GET /matches/m1/events': { items: OPENING, next: null },
    'GET /matches/m1': view({ version: 3 }),
    ...answers,
  });
  const store = createStore(change.goTo(change.INITIAL, { name: 'room', code: 'KTRMSA' }));
  const sync = new RoomSync(store, 'KTRMSA');
  sync.open();
  world.sockets[0].hear({ type: 'view', view: view({ version: 3 }) });
  await until(() => store.get().match && change.versionOf(store.get()) === 3);
  world.asked.length = 0;
  try {
    await act({ ...world, store, sync });
  } finally {
    sync.close();
    endService();
  }
}

const after = (version, turn) => view({ version, turn, to_act: turn % 2 });

test('a view on opening fetches the events that lead to it', () => atTable({}, async ({ store }) => {
  equal(store.get().slots, { KC: 0, '3C': 1, '5D': 2, '8S': 3 });
  equal(store.get().news, null);
}));

test('events in order are taken as they come, nothing is asked', () => atTable({}, async ({ sockets, store, asked }) => {
  sockets[0].hear({ type: 'events', match: 'm1', events: [played(4, 0, 0, 'QS')], view: after(4, 1) });
  equal([store.get().match.version, store.get().news.length, asked], [4, 1, []]);
}));

test('a gap in the versions is filled by asking', () => {
  const more = [played(4, 0, 0, 'QS'), played(5, 1, 1, '2H')];
  let moved = false;
  return atTable({
    'GET /matches/m1/events': () => ({ items: moved ? more : OPENING, next: null }),
    'GET /matches/m1': () => (moved ? after(5, 2) : view({ version: 3 })),
  }, async ({ sockets, store, asked }) => {
    moved = true;
    sockets[0].hear({ type: 'events', match: 'm1', events: more.slice(1), view: after(5, 2) });
    await until(() => store.get().match.version === 5);
    equal(asked[0], 'GET /matches/m1/events?after=3&limit=500');
    equal(store.get().log.map(({ version }) => version), [1, 2, 3, 4, 5]);
  });
});

test('a ping with a newer version heals what was lost', () => atTable({}, async ({ sockets, asked }) => {
  sockets[0].hear({ type: 'ping', match: 'm1', version: 3 });
  equal(asked, []);
  sockets[0].hear({ type: 'ping', match: 'm1', version: 7 });
  await until(() => asked.length > 0);
}));

test('a move is sent until it is answered, and lands once', () => {
  let tries = 0;
  return atTable({
    'POST /matches/m1/moves': (body) => {
      tries += 1;
      if (tries < 2) return new TypeError('network');
      equal(body, { turn: 0, card: 'QS', capture: [] });
      return { events: [played(4, 0, 0, 'QS')], view: after(4, 1) };
    },
  }, async ({ sync, store, sockets }) => {
    const sent = sync.play('QS', []);
    equal(store.get().pending, { turn: 0, card: 'QS', capture: [], basra: 0, kept: false });
    await until(() => store.get().pending.kept);
    await sent;
    sockets[0].hear({ type: 'events', match: 'm1', events: [played(4, 0, 0, 'QS')], view: after(4, 1) });
    equal([tries, store.get().log.length, store.get().match.turn], [2, 4, 1]);
  });
});

test('a refused move comes back with its reason', () => atTable({
  'POST /matches/m1/moves': { http: 409, code: 'match.not_your_turn' },
}, async ({ sync, store }) => {
  await sync.play('QS', []);
  equal([store.get().pending, store.get().refusal.code], [null, 'match.not_your_turn']);
}));

test('the channel is opened with what is known', () => atTable({}, async ({ sockets, sync }) => {
  sync.takeBack();
  ok(sockets[1].url.endsWith('/api/v1/rooms/KTRMSA/channel?match=m1&after=3'), sockets[1].url);
}));

test('a room that is gone is said to be gone', () => atTable({
  'GET /rooms/KTRMSA': { http: 404, code: 'not_found' },
}, async ({ sockets, store }) => {
  sockets[0].onclose({ code: 1006 });
  await until(() => store.get().error);
  equal(store.get().error.kind, 'room_missing');
}));

test('what is said about a rematch is kept with its order', () => atTable({}, async ({ sockets, store }) => {
  sockets[0].hear({ type: 'rematch', seat: 1, state: 'asked' });
  sockets[0].hear({ type: 'rematch', seat: 1, state: 'withdrawn' });
  equal(store.get().rematch, { seat: 1, state: 'withdrawn', serial: 2 });
}));

/** A room that waits, as I follow it: seated, or as a visitor. */
async function inRoom(me, answers, act) {
  const world = service(answers);
  const store = createStore(change.withMe(change.goTo(change.INITIAL, { name: 'room', code: 'KTRMSA' }), me));
  const sync = new RoomSync(store, 'KTRMSA');
  sync.open();
  world.sockets[0].hear({ type: 'room', room: room([0, 1, null, null]) });
  try {
    await act({ ...world, store, sync });
  } finally {
    sync.close();
    endService();
  }
}

test('who sits there without a part in the next deal takes one, and asks for it once', () => {
  const bodies = [];
  return inRoom(PEOPLE[1], {
    'POST /rooms/KTRMSA/joins': (body) => { bodies.push(body); return room([0, 1, null, null]); },
  }, async ({ sockets }) => {
    sockets[0].hear({ type: 'room', room: room([0, 1, 2, null]) });
    await until(() => bodies.length > 0);
    sockets[0].hear({ type: 'room', room: room([0, 1, null, null]) });
    sockets[0].hear({ type: 'room', room: room([0, 1, null, 3]) });
    equal([bodies.length, Object.keys(bodies[0])], [1, ['client_commitment']]);
  });
});

test('a page that another device has replaced still opens its own part of the deal', async () => {
  localStorage.clear();
  const opened = [];
  let own = null;
  const shown = (status) => room([0, 1, 2, 3], { status, fairness: { ...room([0]).fairness, client_commitments: ['', own, '', ''] } });
  await inRoom(PEOPLE[1], {
    'POST /rooms/KTRMSA/joins': (body) => { own = body.client_commitment; return shown('waiting'); },
    'GET /rooms/KTRMSA': () => shown('dealing'),
    'POST /rooms/KTRMSA/reveals': (body) => { opened.push(body.client_seed); return shown('playing'); },
  }, async ({ sockets, store }) => {
    await until(() => own);
    sockets[0].hear({ type: 'room', room: shown('waiting') });
    sockets[0].onclose({ code: 4000 });
    equal(store.get().conn, 'replaced');
    await until(() => opened.length > 0, 400);
    equal([opened.length, sockets.length], [1, 1]);
  });
  localStorage.clear();
});

test('who loses the seat is told so, and is not connected again', () => inRoom(PEOPLE[1], {}, async ({ sockets, store }) => {
  sockets[0].hear({ type: 'room', room: room([0, null, null, null]) });
  equal(store.get().error.kind, 'room_removed');
  sockets[0].onclose({ code: 1006 });
  equal(sockets.length, 1);
}));

test('who moves to another seat has not lost it', () => inRoom(PEOPLE[1], {}, async ({ sockets, store }) => {
  sockets[0].hear({ type: 'room', room: room([0, null, 1, null]) });
  equal([store.get().error, change.seatIn(store.get().room, PEOPLE[1])], [null, 2]);
}));

test('a room that closes is told to those who wait in it', () => inRoom(PEOPLE[1], {}, async ({ sockets, store }) => {
  sockets[0].hear({ type: 'room', room: room([0, 1, null, null], { status: 'closed' }) });
  equal(store.get().error.kind, 'room_closed');
}));

test('a visitor whom the start shuts out is told so', () => inRoom(PEOPLE[3], {
  'GET /rooms/KTRMSA': room([0, 1, 2, 'easy'], { status: 'playing' }),
}, async ({ sockets, store }) => {
  sockets[0].onclose({ code: 1008 });
  await until(() => store.get().error);
  equal(store.get().error.kind, 'room_playing');
}));

test('who finds no place to watch from is told so, after a few attempts', () => inRoom(PEOPLE[3], {
  'GET /rooms/KTRMSA': room([0, 1, 2, 'easy'], { status: 'playing', spectators: true }),
}, async ({ sockets, store }) => {
  for (let n = 1; n <= 3; n += 1) {
    await until(() => sockets.length === n);
    equal(store.get().error, null);
    sockets[n - 1].onclose({ code: 1006 });
  }
  await until(() => store.get().error);
  equal(store.get().error.kind, 'room_crowded');
}));
