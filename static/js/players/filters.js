// What a history may be narrowed to, as it stands in the page's address.

import { h, setAttr } from '../dom.js';
import { t } from '../i18n.js';
import { dropdown } from '../screens/parts.js';
import { rulesName } from '../table/words.js';

const NAMES = ['outcome', 'rated', 'rules', 'seats', 'opponent'];
const PROFILES = ['classic', 'traditional', 'komi', 'casual'];

/** Read the filters of an address's query; what is none is left out. */
export function readFilters(search) {
  const query = new URLSearchParams(search);
  return Object.fromEntries(NAMES.filter((name) => query.get(name)).map((name) => [name, query.get(name)]));
}

/** Write filters as a query, "" where there is none. */
export function queryOf(filters) {
  const query = new URLSearchParams(NAMES.filter((name) => filters[name]).map((name) => [name, filters[name]]));
  const text = query.toString();
  return text && `?${text}`;
}

export class Filters {
  #chosen;
  #onChange;
  #people = new Map();

  constructor(chosen, onChange) {
    this.#chosen = { ...chosen };
    this.#onChange = onChange;
    const any = ['', t('history.any')];
    const choice = (name, label, options) => {
      const field = dropdown({ label: t(label), value: this.#chosen[name] || '', options: [any, ...options], onChange: (value) => this.#choose(name, value) });
      field.select.dataset.testid = `filter-${name}`;
      return field;
    };
    this.opponent = choice('opponent', 'history.opponent', []);
    this.all = [
      choice('outcome', 'history.outcome', [['win', t('players.win')], ['draw', t('players.draw')], ['loss', t('players.loss')]]),
      this.opponent,
      choice('rated', 'history.rated', [['true', t('history.rated_yes')], ['false', t('history.rated_no')]]),
      choice('rules', 'setup.rules', PROFILES.map((name) => [name, rulesName(name)])),
      choice('seats', 'setup.players', [['2', t('setup.two')], ['4', t('setup.four')]]),
    ];
    this.clear = h('button', { type: 'button', class: 'link', on: { click: () => this.#clear() } }, t('history.clear'));
    this.node = h('details', { class: 'options filters', open: Object.keys(chosen).length > 0, data: { testid: 'filters' } },
      h('summary', {}, t('history.filter')), h('div', { class: 'option-row' }, ...this.all.map(({ node }) => node)), this.clear);
    this.#show();
  }

  get chosen() {
    return this.#chosen;
  }

  /** Offer everybody who is met in these matches. */
  meet(people) {
    for (const { id, name } of people) this.#people.set(id, name);
    const { opponent } = this.#chosen;
    if (opponent && !this.#people.has(opponent)) this.#people.set(opponent, t('room.somebody'));
    this.opponent.fill([['', t('history.any')], ...this.#people], opponent || '');
  }

  #choose(name, value) {
    this.#chosen = { ...this.#chosen, [name]: value };
    if (!value) delete this.#chosen[name];
    this.#show();
    this.#onChange(this.#chosen);
  }

  #clear() {
    this.#chosen = {};
    for (const { select } of this.all) select.value = '';
    this.#show();
    this.#onChange(this.#chosen);
    this.all[0].select.focus();
  }

  #show() {
    setAttr(this.clear, 'hidden', !Object.keys(this.#chosen).length);
  }
}
