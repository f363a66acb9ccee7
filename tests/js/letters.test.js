import { equal, ok, test } from './harness.js';
import { use } from '/static/js/i18n.js';
import { choose } from '/static/js/settings.js';
import { createStore } from '/static/js/store.js';
import * as change from '/static/js/state.js';
import { letterOf } from '/static/js/table/letters.js';
import { Table } from '/static/js/table/view.js';
import { OPENING, played, view } from './samples.js';
import { texts } from './texts.js';

use('en', await texts('en', 'talk'));
const NOW = Date.parse('2026-01-01T00:00:00Z');

/** A table among live regions; `press` gives what was said politely. */
function laid(part = {}) {
  const place = { name: 'room', code: 'KTRMSA' };
  const news = { events: OPENING, view: view({ version: 3, ...part }), live: true, now_ms: NOW };
  const store = createStore(change.heard(change.withNews({ ...change.INITIAL, place, conn: 'open' }, news)));
  const table = new Table({ store, sync: {}, onLeave() {} });
  const polite = document.createElement('div');
  polite.id = 'live-polite';
  document.body.replaceChildren(polite, table.node);
  table.update(store.get());
  const press = (key, code = '') => {
    polite.textContent = '';
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true }));
    return polite.textContent.replace('\u00a0', '');
  };
  table.hand.focus();
  return { table, press };
}

test('each letter answers one question', () => {
  const { press, table } = laid({ scores: [12, 30], last_play: { ...played(3, 0, 1, '9H', ['9S']), by: 'player' } });
  equal(press('f'), 'On the floor: king of clubs, 3 of clubs, 5 of diamonds, and 8 of spades.');
  equal(press('L'), 'Mona played 9 of hearts and took 9 of spades.');
  equal(press('s'), 'You: 12, Mona: 30.');
  equal(press('m'), '8 of hearts, takes 8 of spades and 3 of clubs + 5 of diamonds');
  ok(press('p').startsWith('You: pile 0, 0 basras. Mona: pile 0'));
  equal(press('t'), '0 seconds left.');
  table.destroy();
});

test('an Arabic keyboard has the same keys in the same places', () => {
  equal([letterOf({ key: '\u0628', code: 'KeyF' }), letterOf({ key: '\u061f', code: 'Slash' }), letterOf({ key: 'Shift', code: 'ShiftLeft' })], ['f', '?', '']);
});

test('letters can be switched off, and say nothing away from the table', () => {
  const { press, table } = laid();
  choose('keys', false);
  equal(press('f'), '');
  choose('keys', true);
  document.activeElement.blur();
  equal(press('f'), '');
  table.destroy();
});

test('the list of keys holds the focus and gives it back', () => {
  const { press, table } = laid();
  const before = document.activeElement;
  press('?');
  const box = document.querySelector('[data-testid=help]');
  ok(box.contains(document.activeElement));
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true }));
  ok(box.contains(document.activeElement), 'the focus left the window');
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  equal([document.querySelector('[data-testid=help]'), document.activeElement === before], [null, true]);
  table.destroy();
});
