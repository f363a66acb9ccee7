import { equal, ok, test } from './harness.js';
import { use } from '/static/js/i18n.js';
import { pointsOf, ratingCurve, valuesOf } from '/static/js/players/curve.js';
import { queryOf, readFilters } from '/static/js/players/filters.js';
import { matchLine } from '/static/js/players/match_list.js';
import { ratingText } from '/static/js/players/words.js';
import { History } from '/static/js/screens/history.js';
import { Home } from '/static/js/screens/home.js';
import { Profile } from '/static/js/screens/profile.js';
import * as change from '/static/js/state.js';
import { createStore } from '/static/js/store.js';
import { PEOPLE } from './samples.js';
import { endService, service, until } from './service.js';

const texts = async (lang) => ({ ...await (await fetch(`/static/i18n/${lang}.json`)).json(), ...await (await fetch(`/static/i18n/players.${lang}.json`)).json() });
const english = await texts('en');
const arabic = await texts('ar');
use('en', english);

const seat = (number, player, bot = null) => ({ seat: number, side: number % 2, player, bot });
const match = (part = {}) => ({
  id: 'm1', room: 'KTRMSA', status: 'finished', rules: { profile: 'classic', target: 121 }, seats: [seat(0, PEOPLE[1]), seat(1, PEOPLE[0])],
  scores: [90, 121], result: { winner: 1, reason: 'target', seat: null, scored: true }, started_at: '2026-11-30T08:00:00Z',
  finished_at: '2026-11-30T08:20:00Z', your_turn: false, outcome: 'win', points: 24, rating_change: 8, ...part,
});
const line = (part) => {
  const node = matchLine(match(part), 'p0');
  const one = (testid) => node.querySelector(`[data-testid=${testid}]`);
  return { node, one };
};

test('a line has my points first, what the match brought, and the way to its replay', () => {
  const { node, one } = line();
  equal([node.dataset.outcome, one('scores').textContent, one('rating-change').dataset.value], ['win', '121 – 90', '8']);
  equal([...node.querySelectorAll('a')].map((link) => link.getAttribute('href')), ['/players/p1', '/replay/m1']);
  equal(one('open-match').textContent, 'Won. To the replay');
});

test('a match that was voided says so', () => {
  const { node } = line({ result: { winner: 0, reason: 'target', seat: null, scores: [121, 90], scored: false, voided_at: '2026-01-01T00:00:00Z' } });
  ok(node.textContent.includes('voided'));
  ok(!line().node.textContent.includes('voided'));
});

test('a match that runs leads to its table, one of bots names them and links to nobody', () => {
  const { node, one } = line({ status: 'playing', outcome: null, result: null, finished_at: null, points: null, rating_change: null, seats: [seat(0, PEOPLE[0]), seat(1, null, 'easy')] });
  equal([node.dataset.outcome, one('open-match').getAttribute('href'), one('rating-change')], ['running', '/r/KTRMSA', null]);
  ok(node.querySelector('.people').textContent.includes('Easy bot'));
  equal(node.querySelectorAll('.player-link').length, 0);
});

test('four have a partner, and a match that was left says so', () => {
  const four = [seat(0, PEOPLE[0]), seat(1, PEOPLE[1]), seat(2, PEOPLE[2]), seat(3, PEOPLE[3])];
  const { node } = line({ seats: four, result: { winner: 0, reason: 'forfeit', seat: 1, scored: true } });
  equal(node.querySelector('.people').textContent, 'Against Mona, TarekWith Laila');
  ok(node.textContent.includes('given up'));
});

test('a curve begins before the first change, and stays within its picture', () => {
  const changes = [{ at: '2026-11-30T08:00:00Z', delta: -20, value: 1490, match: null }, { at: '2026-11-29T08:00:00Z', delta: 10, value: 1510, match: 'm1' }];
  equal(valuesOf(changes), [1500, 1510, 1490]);
  equal(valuesOf([]), []);
  for (const values of [[1500, 1510, 1490], [7, 7], [1, 2, 3, 4]]) {
    const points = pointsOf(values).split(' ').map((point) => point.split(',').map(Number));
    ok(points.every(([x, y]) => x >= 0 && x <= 320 && y >= 0 && y <= 96), JSON.stringify(points));
  }
  const box = ratingCurve(changes);
  equal(box.querySelector('svg').getAttribute('aria-label'), 'Rating over 2 matches: from 1500 to 1490');
  equal([...box.querySelectorAll('tbody tr')].map((row) => row.lastElementChild.textContent), ['1490', '1510']);
  equal(box.querySelectorAll('tbody a').length, 1, 'a match that I may not know of has no link');
  equal(ratingCurve([]), null);
});

test('a rating has no thousands, and a question mark while it is not settled', () => {
  equal([ratingText({ value: 1500, provisional: true }), ratingText({ value: 1712, provisional: false })], ['1500?', '1712']);
  use('ar', arabic, 'arab');
  equal(ratingText({ value: 1712, provisional: false }), '١٧١٢');
  use('en', english);
});

test('filters stand in the address and come back from it', () => {
  equal(readFilters('?outcome=win&seats=2&nonsense=1&rules='), { outcome: 'win', seats: '2' });
  equal([queryOf({ outcome: 'win', opponent: 'p1' }), queryOf({})], ['?outcome=win&opponent=p1', '']);
});

const at = (place, me) => createStore({ ...change.INITIAL, me, place });

async function history(answers, search = '', me = PEOPLE[0]) {
  window.history.replaceState(null, '', `/${search}`);
  const { asked } = service(answers);
  const screen = new History({ store: at({ name: 'history' }, me) });
  document.body.replaceChildren(screen.node);
  await until(() => screen.node.dataset.state !== 'loading');
  return { screen, asked, one: (testid) => screen.node.querySelector(`[data-testid=${testid}]`), lines: () => screen.node.querySelectorAll('[data-testid=match]').length };
}

test('a history goes on by its cursor, and begins anew with every filter', async () => {
  const pages = [{ items: [match()], next: 'more' }, { items: [match({ id: 'm2' })], next: null }, { items: [], next: null }];
  const { screen, asked, one, lines } = await history({ 'GET /matches': () => pages.shift() });
  equal([lines(), one('more').hidden], [1, false]);
  one('more').click();
  await until(() => lines() === 2);
  equal([asked[1].includes('cursor=more'), one('more').hidden], [true, true]);
  equal([...one('filter-opponent').options].map(({ value }) => value), ['', 'p1']);
  one('filter-outcome').value = 'loss';
  one('filter-outcome').dispatchEvent(new Event('change'));
  await until(() => one('no-matches'));
  equal([asked[2].includes('outcome=loss'), asked[2].includes('cursor'), location.search], [true, false, '?outcome=loss']);
  ok(one('no-matches').textContent.includes('No match fits'));
  screen.destroy();
  endService();
});

test('who has not played is invited, without asking anybody', async () => {
  const { screen, asked, one } = await history({}, '', null);
  equal([asked, one('no-matches').querySelector('a').getAttribute('href')], [[], '/']);
  screen.destroy();
  endService();
});

test('an answer that comes too late is not shown, a lost line says so', async () => {
  let release;
  const slow = new Promise((done) => { release = done; });
  const answers = [slow, { items: [match({ id: 'm2' })], next: null }, new Error('no line')];
  const { screen, one, lines } = await (async () => {
    service({ 'GET /matches': () => answers.shift() });
    const shown = new History({ store: at({ name: 'history' }, PEOPLE[0]) });
    document.body.replaceChildren(shown.node);
    return { screen: shown, one: (testid) => shown.node.querySelector(`[data-testid=${testid}]`), lines: () => [...shown.node.querySelectorAll('[data-testid=match]')].map(({ dataset }) => dataset.match) };
  })();
  const choose = (value) => {
    one('filter-seats').value = value;
    one('filter-seats').dispatchEvent(new Event('change'));
  };
  choose('2');
  await until(() => lines().length === 1);
  release({ items: [match()], next: null });
  await slow;
  await new Promise((done) => setTimeout(done));
  equal(lines(), ['m2']);
  choose('4');
  await until(() => one('history-failed'));
  screen.destroy();
  endService();
});

const STATS = { matches: 3, wins: 2, draws: 0, losses: 1, forfeits: 1, basras_per_match: 1.33, best_round: 41, streak: 1, best_streak: 2 };
const player = (who, part = {}) => ({ ...who, points: 51, rating: { value: 1555, deviation: 200, provisional: true }, stats: STATS, ...part });
const none = { items: [], next: null };

async function profile(id, answers, me = PEOPLE[0]) {
  const { asked } = service(answers);
  const screen = new Profile({ store: at({ name: 'profile', id }, me) });
  document.body.replaceChildren(screen.node);
  await until(() => screen.node.dataset.state !== 'loading');
  return { screen, asked, one: (testid) => screen.node.querySelector(`[data-testid=${testid}]`), figure: (name) => screen.node.querySelector(`[data-name=${name}] dd`).textContent };
}

test('my own page has my numbers and nothing to keep me away with', async () => {
  const { screen, one, figure } = await profile('me', { 'GET /players/me': player(PEOPLE[0]), 'GET /players/me/ratings': none, 'GET /matches': { items: [match()], next: null } });
  equal(['points', 'wins', 'forfeits', 'basras_per_match', 'best_streak'].map(figure), ['51', '2', '1', '1.3', '2']);
  equal([one('rating').textContent, one('block'), one('match').dataset.match], ['1555?', null, 'm1']);
  screen.destroy();
  endService();
});

test('another player is muted, blocked and let be by the same buttons', async () => {
  const asked = [];
  const { screen, one } = await profile('p1', {
    'GET /players/p1': player(PEOPLE[1]), 'GET /players/p1/ratings': none, 'GET /matches': none,
    'GET /blocks': { items: [{ player: PEOPLE[1], kind: 'mute' }], next: null },
    'PUT /blocks/p1': (body) => (asked.push(body.kind), {}), 'DELETE /blocks/p1': () => (asked.push(null), { http: 204 }),
  });
  await until(() => one('mute').getAttribute('aria-pressed') === 'true');
  one('block').click();
  await until(() => one('block').getAttribute('aria-pressed') === 'true');
  equal(one('mute').getAttribute('aria-pressed'), 'false');
  one('block').click();
  await until(() => one('block').getAttribute('aria-pressed') === 'false');
  equal(asked, ['block', null]);
  screen.destroy();
  endService();
});

test('a report is sent with its reason and words', async () => {
  let sent = null;
  const { screen, one } = await profile('p1', {
    'GET /players/p1': player(PEOPLE[1]), 'GET /players/p1/ratings': none, 'GET /matches': none, 'GET /blocks': none,
    'POST /reports': (body) => { sent = body; return { id: 'r1' }; },
  });
  one('report').click();
  const form = document.querySelector('[data-testid=report-window] form');
  form.querySelector('select').value = 'name';
  form.querySelector('select').dispatchEvent(new Event('change'));
  form.querySelector('textarea').value = ' That name! ';
  form.requestSubmit();
  await until(() => document.querySelector('[data-testid=reported]'));
  equal(sent, { player: 'p1', room: null, reason: 'name', text: 'That name!' });
  document.querySelector('.window-close').click();
  screen.destroy();
  endService();
});

test('nobody, somebody who is not there, and a lost line each have their page', async () => {
  const nobody = await profile('me', {}, null);
  ok(nobody.one('profile-empty'));
  const missing = await profile('p9', { 'GET /players/p9': { http: 404, code: 'not_found' }, 'GET /players/p9/ratings': none, 'GET /matches': none });
  ok(missing.one('profile-missing'));
  const lost = await profile('p1', { 'GET /players/p1': () => new Error('no line'), 'GET /players/p1/ratings': none, 'GET /matches': none });
  ok(lost.one('profile-failed').querySelector('button'));
  for (const { screen } of [nobody, missing, lost]) screen.destroy();
  endService();
});

test('the first page leads to mine once it knows me', () => {
  service({});
  const home = new Home({ store: createStore(change.INITIAL), sync: {}, go() {}, profiles: [{ profile: 'classic', target: 121, seats: [2, 4] }] });
  home.update({ ...change.INITIAL });
  equal(home.myPage.hidden, true);
  home.update({ ...change.INITIAL, me: PEOPLE[1] });
  equal([home.myPage.hidden, home.myPage.getAttribute('href'), home.myPage.textContent], [false, '/profile', 'MMona']);
  endService();
});
