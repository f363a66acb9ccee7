import { equal, ok, test } from './harness.js';
import { render, SOUNDS } from '/static/js/audio.js';
import { soundOf } from '/static/js/table/effects.js';
import { MS, staggerOf } from '/static/js/table/moments.js';
import { pips, placesOf } from '/static/js/table/pips.js';
import { choose, onChoice, showSettings, wants } from '/static/js/settings.js';
import { played } from './samples.js';

const LONGEST_S = 0.4;

test('every sound is short, and really sounds', async () => {
  const rate = 22050;
  for (const [name, voices] of Object.entries(SOUNDS)) {
    ok(voices.every(({ at, length }) => at + length <= LONGEST_S + 1e-9), `${name} is too long`);
    const context = new OfflineAudioContext(1, rate * 0.5, rate);
    render(context, voices, 0);
    const heard = (await context.startRendering()).getChannelData(0);
    ok(heard.some((sample) => Math.abs(sample) > 0.02), `${name} is silent`);
    ok(heard.every((sample) => Math.abs(sample) <= 1), `${name} is too loud`);
  }
});

test('each play has its own sound', () => {
  const sound = (...args) => soundOf(played(4, 0, 0, ...args));
  equal([sound('8H'), sound('8H', ['8S']), sound('JS', ['8S', 'KC']), sound('8H', ['8S'], 10), sound('7D', ['8S'])],
    ['down', 'take', 'sweep', 'basra', 'komi']);
  equal([soundOf({ type: 'dealt' }), soundOf({ type: 'cut' })], ['deal', null]);
});

test('a deal takes at most 900 ms, however many cards there are', () => {
  equal(staggerOf(4), MS.stagger);
  for (const cards of [1, 8, 16, 20]) ok(MS.deal + (cards - 1) * staggerOf(cards) <= MS.dealAtMost);
});

test('a card has as many pips as it is worth, and none over another', () => {
  for (const rank of 'A23456789T') {
    const card = `${rank}H`;
    const worth = { A: 1, T: 10 }[rank] || Number(rank);
    equal(pips(card, 'suit-h').childElementCount, worth);
    equal(new Set(placesOf(card).map(String)).size, worth);
  }
});

test('what a device likes is remembered, shown on the page and told', () => {
  const told = [];
  const stop = onChoice((name) => told.push(name));
  equal([wants('sounds'), wants('fourColours')], [true, false]);
  choose('fourColours', true);
  equal([document.documentElement.dataset.fourColours, JSON.parse(localStorage.getItem('basra.settings')).fourColours], ['on', true]);
  choose('fourColours', false);
  stop();
  choose('marks', true);
  equal(told, ['fourColours', 'fourColours']);
  showSettings();
  equal(document.documentElement.dataset.marks, 'on');
});
