// The keys of a replay. The arrows go as they point: forward is where the language reads to.

import { wants } from '../settings.js';
import { letterOf } from '../table/letters.js';

const OWN = 'input, select, textarea, [role=dialog]'; // what has keys of its own
const PRESSED = 'button, a, summary';

/** Listen to the keys; gives the function that ends it. */
export function listenToKeys(acts) {
  const onKey = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest(OWN)) return;
    const act = actOf(event, acts);
    if (!act) return;
    act();
    event.preventDefault();
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}

function actOf(event, { step, toggle, jump, start, end }) {
  const ahead = document.documentElement.dir === 'rtl' ? -1 : 1;
  const named = {
    ArrowRight: () => step(ahead), ArrowLeft: () => step(-ahead), Home: start, End: end,
  };
  if (event.key in named) return named[event.key];
  if (event.key === ' ') return event.target.closest(PRESSED) ? null : toggle;
  if (!wants('keys')) return null;
  const kind = { b: 'basra', r: 'round' }[letterOf(event)];
  return kind ? () => jump(kind, event.shiftKey ? -1 : 1) : null;
}
