// My account: registering, devices, tokens, whom I keep away, and leaving.

import { apart } from '../account/apart.js';
import { devices, moving } from '../account/devices.js';
import { registration, signingIn } from '../account/entrance.js';
import { leaving } from '../account/leaving.js';
import { newPassword, renaming } from '../account/myself.js';
import { tokens } from '../account/tokens.js';
import { h, setData } from '../dom.js';
import { t } from '../i18n.js';
import { languageCorner } from '../language.js';
import { ApiError, get } from '../net/api.js';
import { pageTop } from '../players/top.js';
import * as change from '../state.js';
import { announce } from '../table/announce.js';
import { notice } from './notice.js';

export class Account {
  #store;
  #gone = false;

  constructor({ store }) {
    this.#store = store;
    this.title = h('h1', { class: 'display', tabindex: '-1' }, t('account.title'));
    this.body = h('div', { class: 'account-body' });
    this.node = h('section', { class: 'home players-page account-page' }, languageCorner(), pageTop(null), this.title, this.body);
    this.#load();
  }

  async #load() {
    if (!this.#store.get().me) {
      this.#say('nobody', signingIn(() => location.assign('/profile')), h('p', { class: 'small' }, t('account.nobody')),
        h('a', { class: 'button quiet', href: '/' }, t('players.play')));
      return;
    }
    try {
      const player = await get('/players/me');
      if (!this.#gone) this.#show(player);
    } catch (error) {
      if (!this.#gone) this.#failed(error);
    }
  }

  #show(player) {
    const out = () => location.assign('/');
    const known = devices(out);
    const programs = tokens();
    const refresh = () => { known.refresh(); programs.refresh(); };
    const changed = (renamed) => this.#store.change(change.withMe, renamed);
    const isGuest = player.username === null;
    const parts = isGuest
      ? [registration((registered) => this.#registered(registered)), renaming(player, changed), signingIn(() => location.assign('/profile'), 'account.sign_in_instead')]
      : [this.#who(player), renaming(player, changed), newPassword(refresh)];
    this.#say(isGuest ? 'guest' : 'account', ...parts, known.node, moving(), programs.node, apart(), leaving(player, out));
  }

  #who(player) {
    return h('p', { class: 'done', data: { testid: 'signed-in' } }, t('account.signed_in', { username: player.username }));
  }

  #registered(player) {
    this.#store.change(change.withMe, player);
    this.#show(player);
    announce(t('account.registered'));
    this.title.focus();
  }

  #failed(error) {
    const again = h('button', { type: 'button', class: 'primary', on: { click: () => this.#load() } }, t('error.again'));
    const text = error instanceof ApiError && error.code === 'rate_limited' ? 'error.rate_limited.text' : 'error.failed.text';
    this.#say('failed', notice({ title: t('error.failed.title'), text: t(text), testid: 'account-failed' }, again));
  }

  #say(state, ...content) {
    setData(this.node, 'state', state);
    this.body.replaceChildren(...content);
  }

  update() {}

  destroy() {
    this.#gone = true;
  }
}
