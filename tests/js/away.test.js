import { equal, ok, test } from './harness.js';
import { Away } from '/static/js/away.js';
import { use } from '/static/js/i18n.js';
import { choose } from '/static/js/settings.js';

use('en', await (await fetch('/static/i18n/en.json')).json());

let hidden = false;
Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
const see = (seen) => {
  hidden = !seen;
  document.dispatchEvent(new Event('visibilitychange'));
};

/** A page with an icon, and notifications that are noted instead of shown. */
function page() {
  const icon = document.createElement('link');
  icon.rel = 'icon';
  icon.href = '/static/img/icon.svg';
  document.head.replaceChildren(icon);
  document.title = 'Room KTRMSA';
  const notes = [];
  window.Notification = class {
    static permission = 'granted';

    constructor(title, { body }) {
      notes.push([title, body]);
    }

    close() {
      notes.push('closed');
    }
  };
  return { icon, notes };
}

test('my turn on a hidden page shows in its title and icon, until I look', () => {
  const { icon, notes } = page();
  const away = new Away();
  away.update({ mine: true, turn: 4, code: 'KTRMSA' });
  equal(document.title, 'Room KTRMSA');
  see(false);
  away.update({ mine: true, turn: 5, code: 'KTRMSA' });
  equal(document.title, '\u25cf Your turn \u00b7 Room KTRMSA');
  ok(icon.href.endsWith('/img/icon-turn.svg'));
  equal(notes, [], 'nobody asked for notifications');
  see(true);
  equal(document.title, 'Room KTRMSA');
  ok(icon.href.endsWith('/img/icon.svg'));
  away.destroy();
});

test('who asked for it gets one notification a turn, taken back when it is no more my turn', () => {
  const { notes } = page();
  choose('notify', true);
  const away = new Away();
  see(false);
  away.update({ mine: true, turn: 6, code: 'KTRMSA' });
  away.update({ mine: true, turn: 6, code: 'KTRMSA' });
  equal(notes, [['Your turn at Basra', 'Room KTRMSA waits for your card.']]);
  away.update({ mine: false, turn: 7, code: 'KTRMSA' });
  equal([notes.length, document.title], [2, 'Room KTRMSA']);
  choose('notify', false);
  see(true);
  away.destroy();
});
