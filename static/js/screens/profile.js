// A player: what he has played and how it went, how his rating moved, his last matches.

import { h, picture, setData } from '../dom.js';
import { number, t } from '../i18n.js';
import { languageCorner } from '../language.js';
import { ApiError, get } from '../net/api.js';
import { ratingCurve } from '../players/curve.js';
import { matchLine } from '../players/match_list.js';
import { Relations } from '../players/relations.js';
import { pageTop } from '../players/top.js';
import { ratingText, rounded } from '../players/words.js';
import { ensureGuest } from '../session.js';
import { initialOf, shownName } from '../table/words.js';
import { notice } from './notice.js';

const LAST_MATCHES = 5;
const CHANGES = 100;

export class Profile {
  #store;
  #id;
  #gone = false;

  constructor({ store }) {
    this.#store = store;
    this.#id = store.get().place.id;
    this.title = h('h1', { class: 'display', tabindex: '-1' }, t('profile.title'));
    this.body = h('div', { class: 'profile-body' });
    this.node = h('section', { class: 'home players-page' }, languageCorner(), pageTop(this.#id === 'me' ? 'profile' : null), this.title, this.body);
    this.#load();
  }

  async #load() {
    const { me } = this.#store.get();
    if (this.#id === 'me' && !me) {
      this.#invite();
      return;
    }
    this.#say('loading', h('p', { class: 'small' }, t('players.loading')));
    try {
      // Profiles are shown to players; a visitor becomes one, as he does to watch a match.
      if (!me) await ensureGuest(this.#store);
      const path = `/players/${encodeURIComponent(this.#id)}`;
      const asked = [get(path), get(`${path}/ratings?limit=${CHANGES}`), get(`/matches?player=${encodeURIComponent(this.#id)}&status=finished&limit=${LAST_MATCHES}`)];
      const [player, changes, matches] = await Promise.all(asked);
      if (!this.#gone) this.#show(player, changes.items, matches.items);
    } catch (error) {
      if (!this.#gone) this.#failed(error);
    }
  }

  #show(player, changes, matches) {
    const mine = player.id === this.#store.get().me.id;
    const name = shownName(player);
    document.title = `${name} · ${t('home.title')}`;
    this.title.replaceChildren(h('bdi', {}, name));
    const tags = [mine ? 'profile.you' : null, player.bot ? 'profile.bot' : null, player.guest ? 'profile.guest' : null].filter(Boolean);
    this.#say('ready',
      h('div', { class: 'who-is', data: { us: mine } }, h('span', { class: 'avatar', 'aria-hidden': 'true' }, player.bot ? picture('bot', 'bot-face') : initialOf(name)),
        h('span', { class: 'tags' }, ...tags.map((tag) => h('span', { class: 'tag small' }, t(tag))))),
      figures(player), this.#rating(player, changes), this.#matches(player, matches, mine), mine ? accountWay(player) : new Relations(player).node);
  }

  #rating(player, changes) {
    return h('section', { class: 'panel', 'aria-labelledby': 'rating-title' }, h('h2', { id: 'rating-title' }, t('players.rating')),
      h('p', { class: 'rating-now' }, h('b', { data: { testid: 'rating', value: player.rating.value, provisional: player.rating.provisional } }, ratingText(player.rating)),
        ' ', h('span', { class: 'small' }, t('profile.deviation', { deviation: player.rating.deviation }))),
      player.rating.provisional ? h('p', { class: 'small' }, t('profile.provisional_hint')) : null,
      ratingCurve(changes) || h('p', { class: 'small' }, t('profile.no_curve')));
  }

  #matches(player, matches, mine) {
    const all = mine ? '/history' : `/history?opponent=${encodeURIComponent(player.id)}`;
    return h('section', { class: 'panel', 'aria-labelledby': 'matches-title' }, h('h2', { id: 'matches-title' }, t('profile.matches')),
      matches.length ? h('ul', { class: 'match-lines' }, ...matches.map((match) => matchLine(match, player.id)))
        : h('p', { class: 'small' }, t(mine ? 'history.none_text' : 'profile.no_matches')),
      h('a', { class: 'button quiet', href: matches.length || !mine ? all : '/' }, t(matches.length || !mine ? (mine ? 'profile.all' : 'profile.together') : 'players.play')));
  }

  #invite() {
    this.#say('empty', notice({ title: t('profile.nobody'), text: t('profile.nobody_text'), testid: 'profile-empty' },
      h('a', { class: 'button primary', href: '/' }, t('players.play'))));
  }

  #failed(error) {
    const missing = error instanceof ApiError && error.status === 404;
    const again = h('button', { type: 'button', class: 'primary', on: { click: () => this.#load() } }, t('error.again'));
    const home = h('a', { class: 'button quiet', href: '/' }, t('result.home'));
    this.#say(missing ? 'missing' : 'failed', notice({
      title: t(missing ? 'profile.missing' : 'error.failed.title'), text: t(missing ? 'profile.missing_text' : 'error.failed.text'),
      testid: missing ? 'profile-missing' : 'profile-failed',
    }, missing ? null : again, home));
  }

  #say(state, ...content) {
    setData(this.node, 'state', state);
    this.body.replaceChildren(...content.filter(Boolean));
  }

  update() {}

  destroy() {
    this.#gone = true;
  }
}

/** From my own page to my account; a guest is told what one is good for. */
const accountWay = ({ guest }) => h('section', { class: 'panel', 'aria-label': t('profile.account') }, guest ? h('p', {}, t('profile.keep')) : null,
  h('a', { class: guest ? 'button primary' : 'button quiet', href: '/account', data: { testid: 'to-account' } }, t('profile.account')));

/** The numbers of a player, each with its name. */
function figures({ points, stats }) {
  const shown = [
    ['points', number(points)], ['matches', number(stats.matches)], ['wins', number(stats.wins)], ['draws', number(stats.draws)],
    ['losses', number(stats.losses)], ['forfeits', number(stats.forfeits)], ['basras_per_match', rounded(stats.basras_per_match)],
    ['best_round', number(stats.best_round)], ['streak', number(stats.streak)], ['best_streak', number(stats.best_streak)],
  ];
  return h('dl', { class: 'figures' }, ...shown.map(([name, value]) => h('div', { data: { testid: 'figure', name } },
    h('dt', { class: 'small' }, t(FIGURES[name])), h('dd', { data: { value: { points, ...stats }[name] } }, value))));
}

const FIGURES = {
  points: 'figure.points', matches: 'figure.matches', wins: 'figure.wins', draws: 'figure.draws', losses: 'figure.losses',
  forfeits: 'figure.forfeits', basras_per_match: 'figure.basras', best_round: 'figure.best_round', streak: 'figure.streak',
  best_streak: 'figure.best_streak',
};
