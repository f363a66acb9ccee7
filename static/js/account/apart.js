// The players whom I keep away or silent.

import { h } from '../dom.js';
import { t } from '../i18n.js';
import { remove } from '../net/api.js';
import { keptList, undoButton } from './kept.js';
import { section, troubleLine } from './section.js';

const MOST = 500;

/** The list, each with a way to undo it. */
export function apart() {
  const trouble = troubleLine();
  const line = ({ player, kind }) => h('li', { data: { testid: 'apart', kind } },
    h('span', { class: 'about' }, h('a', { class: 'player-link', href: `/players/${player.id}` }, h('bdi', {}, player.name)),
      h('span', { class: 'small' }, t(kind === 'block' ? 'account.is_blocked' : 'account.is_muted'))),
    undoButton(t('account.let_be'), t('account.let_be_name', { name: player.name }), trouble, async () => {
      await remove(`/blocks/${encodeURIComponent(player.id)}`);
      await load();
    }));
  const { list, load } = keptList(`/blocks?limit=${MOST}`, trouble, line, t('account.nobody_apart'));
  return section('apart', 'account.apart', null, list, trouble);
}
