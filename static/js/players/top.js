// The way back and the ways to the other pages about players.

import { h, picture } from '../dom.js';
import { t } from '../i18n.js';

const PAGES = [['profile', '/profile', 'profile.mine'], ['history', '/history', 'history.title'], ['leaderboard', '/leaderboard', 'home.leaderboard']];

/** Home, and the pages beside the one that is `here`. */
export const pageTop = (here) => h('nav', { class: 'players-nav', 'aria-label': t('players.pages') },
  h('a', { class: 'button icon-button', href: '/', 'aria-label': t('result.home') }, picture('arrow', 'icon flips')),
  ...PAGES.map(([name, href, text]) => h('a', { class: 'players-tab', href, 'aria-current': name === here ? 'page' : null }, t(text))));
