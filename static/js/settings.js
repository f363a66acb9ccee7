// What this device likes: sounds, the deck, motion, keys. Remembered here, shown as data attributes of <html> where the
// styles decide, and told to whoever listens.

import { remember, remembered } from './session.js';

const DEFAULTS = {
  sounds: true, haptics: true, fourColours: false, letters: false, marks: true, motion: true, keys: true, notify: false,
};
const SHOWN = ['fourColours', 'letters', 'marks', 'motion']; // what the styles have to know

let chosen = null;
const listeners = new Set();

function all() {
  if (!chosen) {
    const known = remembered('settings', {});
    chosen = Object.fromEntries(Object.entries(DEFAULTS).map(([name, value]) => [name, Boolean(known[name] ?? value)]));
  }
  return chosen;
}

/** Is this wanted here? */
export const wants = (name) => all()[name];

/** Want it, or not, from now on. */
export function choose(name, value) {
  chosen = { ...all(), [name]: Boolean(value) };
  remember('settings', chosen);
  showSettings();
  for (const listener of [...listeners]) listener(name);
}

/** Call `listener(name)` after a choice; gives the function that ends it. */
export function onChoice(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Let the styles know. */
export function showSettings(root = document.documentElement) {
  for (const name of SHOWN) root.dataset[name] = wants(name) ? 'on' : 'off';
}

const lessMotion = matchMedia('(prefers-reduced-motion: reduce)');

/** Shall things move? Not on a page that nobody sees, nor where less motion is wanted. */
export const moves = () => wants('motion') && !document.hidden && !lessMotion.matches;
