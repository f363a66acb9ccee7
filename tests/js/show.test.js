import { equal, ok, test } from './harness.js';
import { use } from '/static/js/i18n.js';
import { choose } from '/static/js/settings.js';
import * as change from '/static/js/state.js';
import { createStore } from '/static/js/store.js';
import { Table } from '/static/js/table/view.js';
import { OPENING, played, view } from './samples.js';
import { texts } from './texts.js';

use('en', await texts('en', 'talk'));
const you = { ...view().you, hand: ['7D', 'QS', 'AC'], plays: view().you.plays.slice(1) };
const BASRA = [[played(4, 0, 0, '8H', ['KC', '3C', '5D', '8S'], 10)], view({ version: 4, turn: 1, to_act: 1, you, round: { floor: [] } })];
const SHEET = {
  round: 1, cards: [26, 26], leftover: ['3C', '5D'], leftover_side: 1, majority: [0, 0], card_points: [2, 3], basras: [10, 0],
  points: [12, 3], carry: 30,
};

/** A table that moves, on the page. */
function laid() {
  const place = { name: 'room', code: 'KTRMSA' };
  const first = { events: OPENING, view: view({ version: 3 }), live: true, now_ms: 0 };
  const store = createStore(change.heard(change.withNews({ ...change.INITIAL, place, conn: 'open' }, first)));
  const table = new Table({ store, sync: {}, onLeave() {} });
  document.body.replaceChildren(table.node);
  store.subscribe((state) => {
    table.update(state);
    store.change(change.heard);
  });
  table.update(store.get());
  const tell = async (events, shown) => {
    store.change(change.withNews, { events, view: shown, live: true, now_ms: 0 });
    await Promise.resolve();
  };
  const fx = () => [...table.node.querySelectorAll('.fx > *')].map(({ className }) => className.split(' ')[0]);
  return { store, table, tell, fx, one: (selector) => table.node.querySelector(selector) };
}

test('a basra bursts while the next card can be lifted already', async () => {
  const { tell, fx, one, table } = laid();
  await tell(...BASRA);
  equal([fx().filter((name) => name === 'card').length, fx().includes('burst'), table.node.dataset.busy], [5, true, 'true']);
  one('[data-card="QS"]').click();
  await Promise.resolve();
  equal(one('[data-card="QS"]').getAttribute('aria-pressed'), 'true');
  ok(fx().includes('burst'), 'lifting a card ends nothing');
  table.destroy();
});

test('a new state ends what still moves', async () => {
  const { tell, fx, table } = laid();
  await tell(...BASRA);
  await tell([played(5, 1, 1, '9H')], view({ version: 5, turn: 2, to_act: 0, you, round: { floor: ['9H'] } }));
  equal(fx(), []);
  table.destroy();
});

test('without motion nothing flies, and the state is the same', async () => {
  choose('motion', false);
  const { tell, fx, one, table } = laid();
  await tell(...BASRA);
  equal([fx(), table.node.dataset.busy, one('[data-testid=floor-card]')], [[], 'false', null]);
  choose('motion', true);
  table.destroy();
});

test('the last catch and what was left stay above the sheet, and its sums are there from the start', async () => {
  const { tell, one, table } = laid();
  const shown = view({ version: 5, rounds: [SHEET], scores: [12, 3], round: { number: 2, floor: [] } });
  await tell([played(4, 0, 0, '8H', ['8S'], 10), { version: 5, type: 'round_scored', sheet: SHEET, scores: [12, 3] }], shown);
  equal([...one('[data-testid=last-catch]').querySelectorAll('.card')].map(({ dataset }) => dataset.face), ['8H', '8S', '3C', '5D']);
  equal([...one('[data-row=points]').querySelectorAll('td')].map(({ dataset }) => dataset.value), ['12', '3']);
  equal(one('[data-row=basra] th').textContent.replace(/[^\dA-Za-z]/g, ''), 'Basra88');
  ok(one('[data-row=majority]').textContent.includes('30 carried over'));
  table.destroy();
});

test('the marks of the deals show how many are to come, the way to the hand is the first stop', () => {
  const { one, table } = laid();
  equal([one('[data-testid=deals]').getAttribute('aria-label'), one('[data-testid=deals]').querySelectorAll('[data-done=true]').length], ['5 more deals', 1]);
  one('.skip').click();
  ok(document.activeElement.matches('[data-testid=hand-card]'));
  table.destroy();
});

test('sound is off by one tap, and stays off', () => {
  const { one, table } = laid();
  const button = one('[data-testid=sound]');
  equal(button.getAttribute('aria-pressed'), 'true');
  button.click();
  equal([button.getAttribute('aria-pressed'), JSON.parse(localStorage.getItem('basra.settings')).sounds], ['false', false]);
  button.click();
  table.destroy();
});
