// Lays a table on a whole page, styles and all, for tests that look at where things are.

import { load } from '/static/js/i18n.js';
import * as change from '/static/js/state.js';
import { createStore } from '/static/js/store.js';
import { Table } from '/static/js/table/view.js';
import { OPENING, played, view, viewOfFour } from './samples.js';

const FULL = ['AC', '2C', '3C', '4C', '5C', '6C', '7C', '8C', '9C', 'TC', 'QC', 'KC', 'AD', '2D', '3D'];
const PLACE = { name: 'room', code: 'KTRMSA' };

/** Put a table with a full floor and a lifted card on the page. */
export async function lay(lang, seats) {
  await load(lang);
  document.documentElement.lang = lang;
  document.documentElement.dir = lang === 'ar' ? 'rtl' : 'ltr';
  const shown = (seats === 4 ? viewOfFour : view)({ version: 3, round: { floor: FULL } });
  const events = OPENING.map((event) => (event.type === 'dealt' ? { ...event, floor: FULL } : event));
  const news = { events, view: shown, live: true, now_ms: Date.parse(shown.now) };
  const store = createStore(change.heard(change.withNews({ ...change.INITIAL, place: PLACE, conn: 'open' }, news)));
  const table = new Table({ store, sync: {}, onLeave() {} });
  document.querySelector('main').replaceChildren(table.node);
  store.subscribe((state) => table.update(state));
  table.update(store.get());
  store.change(change.lift, '8H');
  await Promise.resolve();
  return { store, table };
}

/** Make a catch happen: a basra, or only a card laid down. */
export async function happen({ store, table }) {
  const you = { ...view().you, hand: ['7D', 'QS', 'AC'], plays: [] };
  const after = view({ version: 4, turn: 1, to_act: 1, you, round: { floor: [], piles: [16, 0], basras: [[{ card: '8H', points: 10 }], []] } });
  store.change(change.withNews, { events: [played(4, 0, 0, '8H', FULL, 10)], view: after, live: true, now_ms: 0 });
  await Promise.resolve();
  return document.getAnimations().map((one) => one.effect.getComputedTiming().endTime).concat(table.flip.busy ? [Infinity] : []);
}
