import { equal, ok, test } from './harness.js';
import { loadFamily, use } from '/static/js/i18n.js';
import { listenToKeys } from '/static/js/replay/keys.js';
import { pauseOf, Player, SPEEDS } from '/static/js/replay/player.js';
import { placeOf } from '/static/js/router.js';
import { Replay } from '/static/js/screens/replay.js';
import { addressOf, framesOf, indexOf, seek } from '/static/js/replay/frames.js';
import * as change from '/static/js/state.js';
import { createStore } from '/static/js/store.js';
import { view } from './samples.js';
import { endService, service, until } from './service.js';

use('en', { ...await (await fetch('/static/i18n/en.json')).json(), ...await (await fetch('/static/i18n/replay.en.json')).json() });

const SHEET = {
  round: 1, cards: [2, 50], leftover: [], leftover_side: null, majority: [0, 30], card_points: [1, 12], basras: [10, 0], points: [11, 42], carry: 0,
};
const play = (seat, card, captured = [], basra = 0) => ({ seat, card, captured, basra, by: 'player' });
const TRANSCRIPT = {
  seats: 2, scores: [11, 42], result: { winner: 1, reason: 'forfeit', seat: 0, scores: [11, 42] },
  rounds: [{
    number: 1, dealer: 1, leader: 0, cut: 26, cut_by: 'auto', buried: [], floor: ['KC', '3C', '5D', '8S'],
    hands: [[['8H', '7D', 'QS', 'AC'], ['9H', '2C', '4D', 'TS']]],
    plays: [play(0, '8H', ['3C', '5D', '8S']), play(1, '9H'), play(0, '7D', ['KC', '9H'], 10), play(1, '2C')],
    scores: SHEET,
  }],
};

test('jumps find the next and the former of their kind, and nothing beyond', () => {
  const frames = framesOf(TRANSCRIPT);
  equal(frames.map(({ event }) => event.type), ['cut', 'dealt', 'played', 'played', 'played', 'played', 'round_scored', 'match_finished']);
  equal([seek(frames, 0, 'basra', 1), seek(frames, 4, 'basra', 1), seek(frames, 7, 'basra', -1)], [4, null, 4]);
  equal([seek(frames, 0, 'round', 1), seek(frames, 7, 'round', -1), seek(frames, 6, 'round', -1)], [6, 6, null]);
});

test('each page of the client has its address, and no other', () => {
  equal(['/', '/r/ktrmsa', '/replay/aQGbDa_rkPIP2ETMapWJwg', '/history', '/profile', '/players/p-1'].map(placeOf), [
    { name: 'home' }, { name: 'room', code: 'KTRMSA' }, { name: 'replay', id: 'aQGbDa_rkPIP2ETMapWJwg' }, { name: 'history' },
    { name: 'profile', id: 'me' }, { name: 'profile', id: 'p-1' },
  ]);
  equal(['/rules', '/leaderboard', '/fair-deal', '/replay/', '/replay/a/b', '/r/short'].map(placeOf), [null, null, null, null, null, null]);
});

test('an address that names nothing is told from one beyond the end', () => {
  const frames = framesOf(TRANSCRIPT);
  equal([indexOf(frames, ''), indexOf(frames, 'tea'), indexOf(frames, '-1'), indexOf(frames, '99')], [null, null, null, 7]);
  equal([addressOf(frames, 6), indexOf(frames, '4.1'), indexOf(frames, '4.9')], ['4.1', 6, 7]);
});

/** A player whose clock the test winds. */
function wound(act) {
  const real = [window.setTimeout, window.clearTimeout];
  const due = [];
  window.setTimeout = (tick, ms) => due.push({ tick, ms });
  window.clearTimeout = (id) => { if (id) due[id - 1] = null; };
  try {
    act({ due: () => due.filter(Boolean).map(({ ms }) => ms), tick: () => due.splice(due.findIndex(Boolean), 1)[0].tick() });
  } finally {
    [window.setTimeout, window.clearTimeout] = real;
  }
}

const EVENTS = [{ type: 'dealt' }, { type: 'played', captured: [], basra: 0 }, { type: 'played', captured: ['8S'], basra: 10 }];

test('it goes on by its clock, faster when told, and stops at the end', () => wound(({ due, tick }) => {
  const heard = [];
  const player = new Player(EVENTS, 0, (from) => heard.push([from, player.index, player.playing]));
  player.toggle();
  equal([player.playing, due()], [true, [pauseOf(EVENTS[0])]]);
  player.faster();
  equal([player.speed, due()], [2, [pauseOf(EVENTS[0]) / 2]]);
  tick();
  tick();
  equal([player.index, player.playing, due()], [2, false, []]);
  equal(heard.slice(-2), [[0, 1, true], [1, 2, false]]);
  player.toggle();
  equal([player.index, player.playing], [0, true], 'from the end it begins anew');
  player.pause();
  equal([player.playing, due()], [false, []]);
}));

test('the speeds go round', () => {
  const player = new Player(EVENTS, 0, () => {});
  equal(SPEEDS.map(() => (player.faster(), player.speed)), [2, 4, 0.5, 1]);
});

test('the arrows go as they point, the letters may be switched off', () => {
  const log = [];
  const acts = {
    step: (by) => log.push(by), toggle: () => log.push('toggle'), jump: (kind, by) => log.push([kind, by]),
    start: () => log.push('start'), end: () => log.push('end'),
  };
  const stop = listenToKeys(acts);
  const press = (key, more = {}) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
  document.documentElement.dir = 'ltr';
  press('ArrowRight');
  press('ArrowLeft');
  document.documentElement.dir = 'rtl';
  press('ArrowRight');
  press('ArrowLeft');
  document.documentElement.dir = 'ltr';
  equal(log.splice(0), [1, -1, -1, 1]);
  press(' ');
  press('Home');
  press('End');
  press('b');
  press('B', { shiftKey: true });
  press('\u0642', { code: 'KeyR' });
  equal(log.splice(0), ['toggle', 'start', 'end', ['basra', 1], ['basra', -1], ['round', 1]]);
  press('b', { ctrlKey: true });
  const field = document.createElement('input');
  document.body.replaceChildren(field);
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'b', bubbles: true }));
  equal(log, []);
  stop();
});

const finished = (part = {}) => view({
  id: 'finished1', status: 'finished', turn: 4, to_act: null, you: { seat: 0, side: 0, hand: [], plays: [] },
  result: { ...TRANSCRIPT.result, scored: false }, ...part,
});

/** The screen of a match, once it is there. */
async function shown(id, answers, hash = '') {
  history.replaceState(null, '', `/${hash}`);
  const asked = service(answers);
  const screen = new Replay({ store: createStore({ ...change.INITIAL, place: { name: 'replay', id } }) });
  document.body.replaceChildren(screen.node);
  await until(() => screen.node.dataset.state !== 'loading');
  const one = (testid) => screen.node.querySelector(`[data-testid=${testid}]`);
  return { screen, asked, one, stage: () => one('replay').dataset, all: (testid) => [...screen.node.querySelectorAll(`[data-testid=${testid}]`)] };
}

const answersFor = (id, match = finished({ id })) => ({ [`GET /matches/${id}`]: match, [`GET /matches/${id}/transcript`]: TRANSCRIPT });

test('it opens at its link, from my seat, and shows what lay there', async () => {
  const { screen, stage, all, one } = await shown('finished1', answersFor('finished1'), '#t=1');
  equal([stage().turn, stage().seat, stage().open], ['1', '0', 'false']);
  equal(all('floor-card').map(({ dataset }) => dataset.card), ['KC']);
  equal(all('shown-card').map(({ dataset }) => dataset.card), ['7D', 'QS', 'AC']);
  one('all-open').click();
  equal(all('shown-card').map(({ dataset }) => `${dataset.seat}${dataset.card}`), ['19H', '12C', '14D', '1TS', '07D', '0QS', '0AC']);
  one('forward').click();
  equal([stage().turn, location.hash, all('floor-card').map(({ dataset }) => dataset.card)], ['2', '#t=2', ['KC', '9H']]);
  one('basra-next').click();
  equal([stage().turn, one('pile').dataset.value], ['3', '0'], 'the other has nothing');
  one('round-next').click();
  equal([one('sheet').dataset.round, one('sheet').querySelector('[data-row=points] [data-side="0"]').dataset.value], ['1', '11']);
  one('forward').click();
  equal([one('end').dataset.outcome, one('forward').getAttribute('aria-disabled')], ['lost', '']);
  screen.destroy();
  endService();
});

test('every line of the story leads to its turn', async () => {
  const { screen, all, stage } = await shown('finished2', answersFor('finished2'));
  equal([stage().turn, stage().event], ['0', 'dealt']);
  equal(all('story-link').map((link) => link.getAttribute('href')), ['#t=0.0', '#t=0', '#t=1', '#t=2', '#t=3', '#t=4', '#t=4.1', '#t=4.2']);
  const there = new Promise((done) => window.addEventListener('hashchange', done, { once: true }));
  all('story-link')[4].click();
  await there;
  equal([stage().turn, all('story-link')[4].getAttribute('aria-current')], ['3', 'step']);
  screen.destroy();
  endService();
});

test('who had no seat sees all hands, and may sit anywhere', async () => {
  const { screen, one, stage, all } = await shown('finished3', answersFor('finished3', finished({ id: 'finished3', you: null })));
  equal([stage().open, all('shown-card').length], ['true', 8]);
  const seen = one('seen-from');
  equal([...seen.options].map(({ value }) => value), ['0', '1', 'all']);
  seen.value = '1';
  seen.dispatchEvent(new Event('change'));
  equal([stage().open, stage().seat, all('shown-card').map(({ dataset }) => dataset.seat).join('')], ['false', '1', '1111']);
  screen.destroy();
  endService();
});

test('a match that runs, one that is not there, and a line that is lost each say so', async () => {
  const running = await shown('running1', { 'GET /matches/running1': view({ id: 'running1' }) });
  equal(running.one('replay-running').querySelector('a').getAttribute('href'), '/r/KTRMSA');
  const missing = await shown('missing1', { 'GET /matches/missing1': { http: 404, code: 'not_found' } });
  ok(missing.one('replay-missing'));
  const stranger = await shown('missing2', { 'GET /matches/missing2': { http: 401, code: 'auth.required' } });
  ok(stranger.one('replay-missing'));
  let line = new Error('no line');
  const lost = await shown('finished4', { ...answersFor('finished4'), 'GET /matches/finished4': () => line });
  ok(lost.one('replay-failed'));
  line = finished({ id: 'finished4' });
  lost.one('replay-failed').querySelector('button').click();
  await until(() => lost.screen.node.dataset.state === 'ready');
  for (const { screen } of [running, missing, stranger, lost]) screen.destroy();
  endService();
});

test('texts of a screen of its own come when it is shown, in either language', async () => {
  document.documentElement.lang = 'en';
  await loadFamily('replay');
  const { t } = await import('/static/js/i18n.js');
  equal(t('replay.title'), 'Replay');
});
