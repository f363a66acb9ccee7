import { equal, ok, test } from './harness.js';
import { RoomSync } from '/static/js/net/sync.js';
import * as change from '/static/js/state.js';
import { createStore } from '/static/js/store.js';
import { OPENING, played, view } from './samples.js';

const realFetch = window.fetch;
const RealSocket = window.WebSocket;

/** A service whose answers the test gives: `answers` is path -> JSON, an Error for a network that fails. */
function service(answers) {
  const asked = [];
  const sockets = [];
  window.fetch = async (url, { method, body }) => {
    const path = url.replace('/api/v1', '');
    asked.push(`${method} ${path}`);
    const given = answers[`${method} ${path.split('?')[0]}`];
    const answer = typeof given === 'function' ? given(body && JSON.parse(body)) : given;
    if (answer instanceof Error) throw answer;
    const { http = 200, ...json } = answer;
    return new Response(JSON.stringify(json), { status: http });
  };
  window.WebSocket = class {
    constructor(url) {
      this.url = url;
      sockets.push(this);
    }

    close() {}

    hear(message) { this.onmessage({ data: JSON.stringify(message) }); }
  };
  return { asked, sockets };
}

const moment = (ms = 0) => new Promise((done) => setTimeout(done, ms));

async function until(what) {
  for (let n = 0; n < 200; n += 1) {
    if (what()) return;
    await moment(10);
  }
  throw new Error(`never came: ${what}`);
}

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
    window.fetch = realFetch;
    window.WebSocket = RealSocket;
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
    ok(store.get().pending, 'no sign that the move is in flight');
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
