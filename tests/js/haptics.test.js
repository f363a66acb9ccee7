import { equal, test } from './harness.js';
import { choose } from '/static/js/settings.js';
import { Effects } from '/static/js/table/effects.js';
import { played, view } from './samples.js';

const LIFT = 8;
const TAKE = 15;
const BASRA = [30, 40, 60];
const TURN = 40;

/** What a phone would feel of these states, one after the other; the page has been touched, or not yet. */
function felt(states, { touched = true } = {}) {
  const buzzes = [];
  Object.defineProperty(navigator, 'vibrate', { configurable: true, value: (pattern) => buzzes.push(pattern) });
  Object.defineProperty(navigator, 'userActivation', { configurable: true, value: { hasBeenActive: touched } });
  const effects = new Effects();
  for (const state of states) effects.update(state);
  return buzzes;
}

const state = (part = {}, match = {}) => ({ match: view({ to_act: 1, ...match }), lifted: null, news: [], ...part });
const news = (event) => state({ news: [event] });
const lifted = state({ lifted: { card: '8H', choice: 0 } });

test('a lifted card is felt once, however often the table is drawn', () => {
  equal(felt([state(), lifted, lifted, state()]), [LIFT]);
});

test('what I take is felt, and a basra more', () => {
  equal(felt([state(), news(played(4, 0, 0, '8H', ['8S'])), news(played(6, 2, 0, '7D', ['KC'], 10))]), [TAKE, BASRA]);
});

test('what others take and what I lay down is not felt', () => {
  equal(felt([state(), news(played(4, 0, 1, '8H', ['8S'], 10)), news(played(5, 1, 0, 'QS'))]), []);
});

test('my turn is felt when it comes, not when the table appears', () => {
  const mine = state({}, { to_act: 0 });
  equal(felt([mine, mine]), []);
  equal(felt([state(), mine, mine]), [TURN]);
});

test('nothing buzzes before the page was touched, nor where it is not wanted', () => {
  equal(felt([state(), lifted], { touched: false }), []);
  choose('haptics', false);
  equal(felt([state(), lifted]), []);
  choose('haptics', true);
});
