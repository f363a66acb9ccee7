// Another player at my table: a button over his face and name, and behind it his page, and what keeps him away.

import { h, setAttr } from '../dom.js';
import { isolated, loadFamily, t } from '../i18n.js';
import { get } from '../net/api.js';
import { loadStyle } from '../screens.js';
import { seatIn } from '../state.js';
import { announce } from '../table/announce.js';
import { refusalText } from '../table/words.js';
import { openWindow } from '../window.js';
import * as change from './changes.js';

/** Open what there is to be done about a player, in the room where I sit with him. What he wrote goes with him when he is muted. */
export async function openPerson(player, onChange = () => {}, room = null) {
  const [{ Relations }] = await Promise.all([import('../players/relations.js'), loadFamily('players'), loadStyle('window'), loadStyle('players')]);
  const page = h('a', { class: 'button quiet', href: `/players/${player.id}`, target: '_blank', rel: 'noopener', data: { testid: 'profile-link' } }, t('talk.profile'));
  openWindow({ title: isolated(player.name), className: 'person', testid: 'person' }, page, new Relations(player, onChange, room).node);
}

/** Ask for the messages as they are now for me. */
export async function hearAnew(store) {
  const state = store.get();
  if (!change.mayChat(state)) return;
  const { items } = await get(`/rooms/${encodeURIComponent(state.place.code)}/messages`);
  if (store.get().place === state.place) store.change(change.withMessages, items);
}

/** The button of a seat; hidden where nobody sits about whom there is anything to do. */
export class PersonButton {
  #player = null;

  constructor(store) {
    const myRoom = () => (seatIn(store.get().room, store.get().me) === null ? null : store.get().place.code);
    const renew = () => hearAnew(store).catch(() => {}); // the next line to the server tells it
    this.node = h('button', {
      type: 'button', class: 'person-button', 'aria-haspopup': 'dialog', hidden: true, data: { testid: 'about-player' },
      on: { click: () => openPerson(this.#player, renew, myRoom()).catch(() => announce(refusalText('no_answer'), 'assertive')) },
    });
  }

  update(player, me) {
    const is = Boolean(player) && player.id !== me?.id;
    this.#player = player;
    setAttr(this.node, 'hidden', !is);
    if (is) setAttr(this.node, 'aria-label', t('talk.about', { name: player.name }));
  }
}
