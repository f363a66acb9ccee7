import { equal, ok, test } from './harness.js';
import { Channel, SILENCE_MS } from '/static/js/net/channel.js';

/** A browser whose time, network and sockets the test holds. */
function world() {
  const target = new EventTarget();
  const sockets = [];
  let now = 0;
  let serial = 0;
  let timers = [];
  class FakeSocket {
    constructor(url) {
      this.url = url;
      this.closed = false;
      sockets.push(this);
    }

    close() { this.closed = true; }

    hear(message) { this.onmessage({ data: JSON.stringify(message) }); }

    lose(code) { this.onclose({ code }); }
  }
  const add = (act, wait, every) => {
    serial += 1;
    timers.push({ id: serial, at: now + wait, act, every });
    return serial;
  };
  const env = {
    WebSocket: FakeSocket,
    Date: { now: () => now },
    Math: { random: () => 0.5 },
    navigator: { onLine: true },
    document: new EventTarget(),
    addEventListener: (...args) => target.addEventListener(...args),
    removeEventListener: (...args) => target.removeEventListener(...args),
    setTimeout: (act, wait) => add(act, wait, null),
    setInterval: (act, wait) => add(act, wait, wait),
    clearTimeout: (id) => { timers = timers.filter((timer) => timer.id !== id); },
    clearInterval: (id) => { timers = timers.filter((timer) => timer.id !== id); },
  };
  const pass = (ms) => {
    const end = now + ms;
    for (;;) {
      const [next] = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      now = next.at;
      if (next.every) next.at += next.every;
      else timers = timers.filter((timer) => timer !== next);
      next.act();
    }
    now = end;
  };
  const fire = (type) => target.dispatchEvent(new Event(type));
  return { env, sockets, pass, fire, timers: () => timers.length };
}

function opened() {
  const w = world();
  const heard = [];
  const states = [];
  const channel = new Channel({
    address: () => 'ws://here/channel',
    onMessage: (message) => heard.push(message),
    onState: (state) => { if (states[states.length - 1] !== state) states.push(state); },
    env: w.env,
  });
  channel.open();
  w.sockets[0].hear({ type: 'room' });
  return { ...w, channel, heard, states };
}

test('it opens, and passes on what it hears', () => {
  const { heard, states } = opened();
  equal([heard, states], [[{ type: 'room' }], ['connecting', 'open']]);
});

test('a closed socket is opened again, each time a little later', () => {
  const { sockets, pass, states } = opened();
  sockets[0].lose(1006);
  equal(sockets.length, 1);
  pass(300);
  equal(sockets.length, 2);
  sockets[1].lose(1006);
  pass(300);
  equal(sockets.length, 2);
  pass(300);
  equal(sockets.length, 3);
  equal(states, ['connecting', 'open', 'reconnecting']);
});

test('silence counts as lost, and pings keep the line', () => {
  const { sockets, pass } = opened();
  for (let n = 0; n < 5; n += 1) {
    pass(10_000);
    sockets[0].hear({ type: 'ping' });
  }
  equal(sockets.length, 1);
  pass(SILENCE_MS + 2000);
  ok(sockets[0].closed, 'the silent socket was left open');
  equal(sockets.length, 2);
});

test('what a dead socket still delivers is ignored', () => {
  const { sockets, pass, heard } = opened();
  pass(SILENCE_MS + 2000);
  sockets[1].hear({ type: 'view' });
  sockets[0].hear({ type: 'events' });
  sockets[0].lose(1006);
  equal(heard, [{ type: 'room' }, { type: 'view' }]);
  equal(sockets.length, 2);
});

test('going offline is noticed at once, and coming back connects at once', () => {
  const { sockets, env, fire, states } = opened();
  env.navigator.onLine = false;
  fire('offline');
  ok(sockets[0].closed);
  equal(states[states.length - 1], 'offline');
  env.navigator.onLine = true;
  fire('online');
  equal(sockets.length, 2);
});

test('a seat taken over by another tab is not fought for', () => {
  const { sockets, pass, states, channel } = opened();
  sockets[0].lose(4000);
  pass(60_000);
  equal([sockets.length, states[states.length - 1]], [1, 'replaced']);
  channel.takeBack();
  equal(sockets.length, 2);
});

test('a restarting server is named, a full one is left alone for a while', () => {
  const one = opened();
  one.sockets[0].lose(1012);
  equal(one.states[one.states.length - 1], 'restarting');
  const two = opened();
  two.sockets[0].lose(1013);
  two.pass(4900);
  equal(two.sockets.length, 1);
  two.pass(200);
  equal(two.sockets.length, 2);
});

test('closing undoes every listener and timer', () => {
  const { sockets, channel, timers, fire } = opened();
  channel.close();
  ok(sockets[0].closed);
  equal(timers(), 0);
  fire('online');
  equal(sockets.length, 1);
});
