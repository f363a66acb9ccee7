// Lays a table on a whole page, styles and all, for tests that look at where things are.

import { load, loadFamily } from '/static/js/i18n.js';
import * as change from '/static/js/state.js';
import { createStore } from '/static/js/store.js';
import { Table } from '/static/js/table/view.js';
import { OPENING, PEOPLE, played, view, viewOfFour } from './samples.js';

const FULL = ['AC', '2C', '3C', '4C', '5C', '6C', '7C', '8C', '9C', 'TC', 'QC', 'KC', 'AD', '2D', '3D'];
const PLACE = { name: 'room', code: 'KTRMSA' };

/** Put a table with a full floor and a lifted card on the page; everybody else has this name, if one is given. */
export async function lay(lang, seats, name = null) {
  await load(lang);
  await loadFamily('talk');
  document.documentElement.lang = lang;
  document.documentElement.dir = lang === 'ar' ? 'rtl' : 'ltr';
  const shown = named((seats === 4 ? viewOfFour : view)({ version: 3, round: { floor: FULL } }), name);
  const events = OPENING.map((event) => (event.type === 'dealt' ? { ...event, floor: FULL } : event));
  const news = { events, view: shown, live: true, now_ms: Date.parse(shown.now) };
  const store = createStore(change.heard(change.withNews({ ...change.INITIAL, me: PEOPLE[0], place: PLACE, conn: 'open' }, news)));
  const table = new Table({ store, sync: {}, onLeave() {} });
  document.querySelector('main').replaceChildren(table.node);
  store.subscribe((state) => table.update(state));
  table.update(store.get());
  store.change(change.lift, '8H');
  await Promise.resolve();
  return { store, table };
}

const named = (shown, name) => (name === null ? shown : {
  ...shown, seats: shown.seats.map((one) => (one.seat === 0 ? one : { ...one, bot: null, player: { id: `p${one.seat}`, name } })),
});

/** Let a neighbour catch the last cards of a round, and its sheet come. */
export async function endRound({ store, table }) {
  const sheet = {
    round: 1, cards: [26, 26], leftover: ['3C', '5D'], leftover_side: 1, majority: [0, 0], card_points: [2, 3], basras: [0, 0],
    points: [2, 3], carry: 30, by_card: [{}, {}],
  };
  const { match } = store.get();
  const after = { ...match, version: 5, to_act: 1, rounds: [sheet], scores: [2, 3], round: { ...match.round, number: 2, floor: [] } };
  const events = [played(4, 0, 1, '8H', ['8S']), { version: 5, type: 'round_scored', sheet, scores: [2, 3] }];
  store.change(change.lower);
  store.change(change.withNews, { events, view: after, live: true, now_ms: 0 });
  await Promise.resolve();
  return table.node.querySelector('[data-testid=last-catch]').getClientRects().length;
}

/** Make a catch happen: a basra, or only a card laid down. */
export async function happen({ store, table }) {
  const you = { ...view().you, hand: ['7D', 'QS', 'AC'], plays: [] };
  const after = view({ version: 4, turn: 1, to_act: 1, you, round: { floor: [], piles: [16, 0], basras: [[{ card: '8H', points: 10 }], []] } });
  store.change(change.withNews, { events: [played(4, 0, 0, '8H', FULL, 10)], view: after, live: true, now_ms: 0 });
  await Promise.resolve();
  return document.getAnimations().map((one) => one.effect.getComputedTiming().endTime).concat(table.flip.busy ? [Infinity] : []);
}
