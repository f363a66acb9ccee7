// The screens, each fetched when it is first needed: the first page must not wait for the table.

import { loadFamily } from './i18n.js';

const SCREENS = {
  home: { from: () => import('./screens/home.js'), name: 'Home', styles: ['home'] },
  seek: { from: () => import('./screens/seek.js'), name: 'Seek', styles: ['home'] },
  room: { from: () => import('./screens/room.js'), name: 'Room', styles: ['room', 'talk'], texts: ['talk'] },
  table: {
    from: () => import('./table/view.js'), name: 'Table', texts: ['talk'],
    styles: ['cards', 'table', 'moments', 'sheet', 'wide', 'four', 'window', 'needs', 'talk'],
  },
  result: { from: () => import('./screens/result.js'), name: 'Result', styles: ['cards', 'sheet', 'result', 'talk'], texts: ['talk'] },
  replay: {
    from: () => import('./screens/replay.js'), name: 'Replay', texts: ['replay'],
    styles: ['cards', 'table', 'moments', 'sheet', 'wide', 'four', 'window', 'needs', 'replay'],
  },
  history: { from: () => import('./screens/history.js'), name: 'History', texts: ['players'], styles: ['cards', 'home', 'players'] },
  profile: { from: () => import('./screens/profile.js'), name: 'Profile', texts: ['players'], styles: ['cards', 'home', 'window', 'players'] },
  account: { from: () => import('./screens/account.js'), name: 'Account', texts: ['players', 'account'], styles: ['home', 'window', 'players', 'account'] },
  move: { from: () => import('./screens/move.js'), name: 'Move', texts: ['account'], styles: ['home', 'players', 'account'] },
  error: { from: () => import('./screens/error.js'), name: 'Trouble', styles: ['cards'] },
};
const ready = new Map();
const loading = new Map();

/** Give the class of a screen if it is here already, else null. */
export const screenReady = (name) => ready.get(name) || null;

/** Fetch a screen and its styles; a failed attempt may be made again. */
export function loadScreen(name) {
  if (!loading.has(name)) {
    const { from, name: exported, styles, texts = [] } = SCREENS[name];
    const whole = Promise.all([from(), ...styles.map(loadStyle), ...texts.map(loadFamily)]).then(([module]) => ready.set(name, module[exported]));
    whole.catch(() => loading.delete(name));
    loading.set(name, whole);
  }
  return loading.get(name);
}

/** Fetch a style once; whoever opens a window of his own asks for its style. */
export function loadStyle(name) {
  const { href } = new URL(`../css/${name}.css`, import.meta.url);
  if ([...document.querySelectorAll('link[rel=stylesheet]')].some((link) => link.href === href)) return null;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  return new Promise((done, fail) => {
    link.onload = done;
    link.onerror = () => {
      link.remove();
      fail(new Error(`no style ${name}`));
    };
    document.head.append(link);
  });
}
