import { equal, test } from './harness.js';
import { unlockByGesture } from '/static/js/audio.js';
import { load, loadFamily } from '/static/js/i18n.js';
import { Result } from '/static/js/screens/result.js';
import * as change from '/static/js/state.js';
import { createStore } from '/static/js/store.js';
import { OPENING, PEOPLE, room, view } from './samples.js';

/** Everything that is heard is noted by its pitch. */
const heard = [];
let open;
const opened = new Promise((done) => { open = done; });
window.AudioContext = class {
  constructor() {
    open();
  }

  state = 'running';

  currentTime = 0;

  destination = null;

  async resume() {}

  createGain() {
    return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect() {} };
  }

  createOscillator() {
    const frequency = { setValueAtTime: (pitch) => heard.push(pitch), exponentialRampToValueAtTime() {} };
    return { frequency, connect() {}, start() {}, stop() {} };
  }
};
unlockByGesture();
document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' }));
const WIN = [392, 494, 587, 784];
const LOSS = [330, 294, 247];

/** A match that ends by somebody's going, as the result shows it. */
async function ended(winner, { reason = 'forfeit', live = true, you = view().you } = {}) {
  await opened;
  await load('en');
  await loadFamily('talk');
  heard.length = 0;
  const place = { name: 'room', code: 'KTRMSA' };
  const over = view({
    version: 4, status: 'finished', to_act: null, you, round: { phase: 'over' }, result: { winner, reason, seat: 1 - (winner ?? 0), scores: [0, 0] },
  });
  const events = [...OPENING, { version: 4, type: 'match_finished' }];
  const base = change.withRoom({ ...change.INITIAL, me: PEOPLE[0], place, conn: 'open' }, room([0, 1], { status: 'finished' }));
  const store = createStore(change.withNews(base, { events, view: over, live, now_ms: 0 }));
  const screen = new Result({ store, go() {} });
  document.body.replaceChildren(screen.node);
  screen.update(store.get());
  screen.update(change.heard(store.get()));
  const said = screen.node.querySelector('.reason').textContent;
  screen.destroy();
  await new Promise((done) => setTimeout(done)); // a sound is made after what is seen
  return { heard: [...heard], said };
}

test('who wins because the other left or had no time hears it, once, and reads why', async () => {
  equal(await ended(0), { heard: WIN, said: 'Mona left the match.' });
  equal(await ended(0, { reason: 'timeout' }), { heard: WIN, said: 'Mona ran out of time.' });
});

test('who loses so hears that', async () => {
  equal(await ended(1), { heard: LOSS, said: 'You left the match, so Mona won.' });
  equal(await ended(1, { reason: 'timeout' }), { heard: LOSS, said: 'Your time ran out.' });
});

test('nobody hears the end of a match that ended long ago, that nobody won or that is not his', async () => {
  equal((await ended(0, { live: false })).heard, []);
  equal((await ended(null, { reason: 'abandoned' })).heard, []);
  equal((await ended(0, { you: null })).heard, []);
});

test('the deck has as many colours here as one likes', async () => {
  document.documentElement.dataset.fourColours = '';
  await ended(0);
  equal(document.documentElement.dataset.fourColours, 'off');
});
