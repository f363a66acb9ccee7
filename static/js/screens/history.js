// The matches that I have played, newest first, to be narrowed down and looked at again.

import { h, setAttr, setData } from '../dom.js';
import { t } from '../i18n.js';
import { languageCorner } from '../language.js';
import { get } from '../net/api.js';
import { Filters, queryOf, readFilters } from '../players/filters.js';
import { matchLine } from '../players/match_list.js';
import { pageTop } from '../players/top.js';
import { notice } from './notice.js';

const A_PAGE = 20;

export class History {
  #me;
  #next = null;
  #asked = 0;

  constructor({ store }) {
    this.#me = store.get().me;
    this.title = h('h1', { class: 'display', tabindex: '-1' }, t('history.title'));
    this.filters = new Filters(readFilters(location.search), () => this.#narrow());
    this.list = h('ul', { class: 'match-lines' });
    this.state = h('div', { class: 'history-state' });
    this.more = h('button', { type: 'button', class: 'quiet', hidden: true, data: { testid: 'more' }, on: { click: () => this.#load() } }, t('history.more'));
    this.node = h('section', { class: 'home players-page' }, languageCorner(), pageTop('history'), this.title,
      this.filters.node, this.list, this.state, this.more);
    document.title = `${t('history.title')} · ${t('home.title')}`;
    this.#narrow();
  }

  #narrow() {
    this.#asked += 1;
    this.#next = null;
    this.list.replaceChildren();
    history.replaceState(history.state, '', `/history${queryOf(this.filters.chosen)}`);
    if (this.#me) this.#load();
    else this.#empty();
  }

  async #load() {
    const asked = this.#asked;
    setAttr(this.more, 'hidden', true);
    this.#say('loading', h('p', { class: 'small' }, t('players.loading')));
    try {
      const page = await get(this.#path());
      if (asked !== this.#asked) return;
      this.#next = page.next;
      this.list.append(...page.items.map((match) => matchLine(match, this.#me.id)));
      this.filters.meet(page.items.flatMap(({ seats }) => othersOf(seats, this.#me.id)));
      setAttr(this.more, 'hidden', !page.next);
      if (this.list.childElementCount) this.#say('ready');
      else this.#empty();
    } catch {
      if (asked === this.#asked) this.#failed();
    }
  }

  #path() {
    const query = new URLSearchParams({ ...this.filters.chosen, player: 'me', limit: A_PAGE });
    if (this.#next) query.set('cursor', this.#next);
    return `/matches?${query}`;
  }

  #empty() {
    const narrowed = Object.keys(this.filters.chosen).length > 0;
    const text = narrowed ? t('history.none_fits') : t('history.none');
    const play = h('a', { class: 'button primary', href: '/' }, t('players.play'));
    this.#say('empty', notice({ title: text, text: narrowed ? null : t('history.none_text'), testid: 'no-matches' }, narrowed ? null : play));
  }

  #failed() {
    this.#say('failed', notice({ title: t('error.failed.title'), text: t('error.failed.text'), testid: 'history-failed' },
      h('button', { type: 'button', class: 'primary', on: { click: () => this.#load() } }, t('error.again'))));
  }

  #say(state, ...content) {
    setData(this.node, 'state', state);
    this.state.replaceChildren(...content);
  }

  update() {}

  destroy() {
    this.#asked += 1;
  }
}

const othersOf = (seats, me) => {
  const own = seats.find(({ player }) => player && player.id === me);
  return seats.filter(({ player, side }) => player && own && side !== own.side).map(({ player }) => player);
};
