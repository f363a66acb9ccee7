// The players whom I keep away or silent.

import { h } from '../dom.js';
import { t } from '../i18n.js';
import { get, remove } from '../net/api.js';
import { guarded } from '../screens/parts.js';
import { section, troubleLine } from './section.js';
import { accountRefusal } from './words.js';

const MOST = 500;

/** The list, each with a way to undo it. */
export function apart() {
  const trouble = troubleLine();
  const list = h('ul', { class: 'kept' });
  const show = async () => {
    const { items } = await get(`/blocks?limit=${MOST}`);
    list.replaceChildren(...items.map(line));
    if (!items.length) list.replaceChildren(h('li', { class: 'small' }, t('account.nobody_apart')));
  };
  const line = ({ player, kind }) => h('li', { data: { testid: 'apart', kind } },
    h('span', { class: 'about' }, h('a', { class: 'player-link', href: `/players/${player.id}` }, h('bdi', {}, player.name)),
      h('span', { class: 'small' }, t(kind === 'block' ? 'account.is_blocked' : 'account.is_muted'))),
    h('button', {
      type: 'button', class: 'quiet', 'aria-label': t('account.let_be_name', { name: player.name }),
      on: { click: guarded(trouble, async () => {
        await remove(`/blocks/${encodeURIComponent(player.id)}`);
        await show();
      }, accountRefusal) },
    }, t('account.let_be')));
  guarded(trouble, show, accountRefusal)();
  return section('apart', 'account.apart', null, list, trouble);
}
