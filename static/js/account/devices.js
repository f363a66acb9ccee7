// The devices where one is signed in, and taking oneself to another one.

import { h } from '../dom.js';
import { t } from '../i18n.js';
import { post, remove } from '../net/api.js';
import { momentText } from '../players/words.js';
import { guarded } from '../screens/parts.js';
import { announce } from '../table/announce.js';
import { copyOf, keptList, undoButton } from './kept.js';
import { section, troubleLine } from './section.js';
import { accountRefusal } from './words.js';

/** The list of devices; `sign out` of this one is told by `left()`. */
export function devices(left) {
  const trouble = troubleLine();
  const line = (session) => h('li', { data: { testid: 'device', current: session.current } },
    h('span', { class: 'about' }, h('bdi', {}, session.label || t('account.device_unknown')),
      h('span', { class: 'small' }, session.current ? t('account.device_this') : lastSeen(session))),
    undoButton(t('account.sign_out'), t('account.sign_out_of', { device: session.label || t('account.device_unknown') }), trouble, async () => {
      await remove(`/sessions/${session.current ? 'current' : encodeURIComponent(session.id)}`);
      if (session.current) left();
      else await load();
    }));
  const { list, load, show } = keptList('/sessions', trouble, line);
  return { node: section('devices', 'account.devices', null, list, trouble), refresh: show };
}

const lastSeen = ({ last_used_at: used, created_at: made }) => t('account.last_used', { when: momentText(used || made) });

/** A code that signs another device in as me. */
export function moving() {
  const trouble = troubleLine();
  const place = h('div', { class: 'transfer' });
  const make = guarded(trouble, async () => {
    const { code, url, expires_at: until } = await post('/players/me/transfers');
    const link = h('input', { type: 'text', readonly: true, dir: 'ltr', value: url, 'aria-label': t('account.move_link'), data: { testid: 'transfer-link' } });
    place.replaceChildren(
      h('p', { class: 'code display', dir: 'ltr', data: { testid: 'transfer-code' } }, code),
      h('p', { class: 'small' }, t('account.move_how', { address: `${location.host}/move`, when: momentText(until) })),
      link, copyOf(link, t('account.copy_link'), 'quiet'));
    announce(t('account.move_ready'));
  }, accountRefusal);
  return section('move', 'account.move', 'account.move_hint', place, trouble,
    h('button', { type: 'button', class: 'quiet', on: { click: make } }, t('account.move_button')));
}
