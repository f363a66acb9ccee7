import { equal, test } from './harness.js';
import { play, unlockByGesture } from '/static/js/audio.js';

const done = [];
let open;
const opened = new Promise((resolve) => { open = resolve; });
window.AudioContext = class {
  state = 'suspended';

  currentTime = 0;

  destination = null;

  constructor() {
    done.push('opened');
    open(this);
  }

  /** Some browsers let it run only by what is called in the gesture itself. */
  async resume() {
    done.push('resumed');
    if (!window.event) throw new Error('no gesture');
    this.state = 'running';
  }

  createGain() {
    return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect() {} };
  }

  createOscillator() {
    done.push('heard');
    return { frequency: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect() {}, start() {}, stop() {} };
  }
};
const press = () => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' }));

test('the first tap does not wait for the sound, and what is seen never does', async () => {
  unlockByGesture();
  press();
  equal(done, []);
  const context = await opened;
  await Promise.resolve();
  equal(done, ['opened', 'resumed']);
  equal([context.state, play('away')], ['suspended', false]);
  press();
  equal([context.state, play('away')], ['running', true]);
  equal(done, ['opened', 'resumed', 'resumed']);
  await new Promise((after) => setTimeout(after));
  equal(done.slice(3), ['heard', 'heard']);
  press(); // once it runs, nothing has to be woken
  equal(done.length, 5);
});
