// How a room is passed on: its code, its link, the telephone's own way to share, WhatsApp, and a code to point a camera at.

import { copyButton } from '../copy.js';
import { h, setAttr, setText } from '../dom.js';
import { t } from '../i18n.js';
import { linkTo } from '../rooms.js';

// The marks that keep a link apart in a sentence would become part of it where chats look for links.
const plain = (text) => text.replace(/[\u2066-\u2069]/g, '').trim();
const ROOMY_PX = 740; // below that the seats come first

export class Share {
  #code;

  constructor(code) {
    this.#code = code;
    this.link = h('input', {
      type: 'text', readonly: true, dir: 'ltr', value: linkTo({ code }), 'aria-label': t('room.link'), data: { testid: 'room-link' },
      on: { focus: () => this.link.select(), blur: () => requestAnimationFrame(() => this.#showEnd()) },
    });
    new ResizeObserver(() => this.#showEnd()).observe(this.link); // also when it is shown first
    this.copy = copyButton(t('room.copy'), () => this.link.value, { class: 'primary', done: (worked) => this.#tell(worked) });
    this.byHand = h('p', { class: 'small by-hand', role: 'status' });
    this.picture = h('img', { class: 'qr', alt: t('room.qr'), width: '132', height: '132', data: { testid: 'qr' } });
    this.node = h('div', { class: 'share paper' },
      h('p', { class: 'small' }, t('room.share_hint')),
      h('p', { class: 'code display', dir: 'ltr', data: { testid: 'room-code' } }, code),
      h('div', { class: 'link-row' }, this.link, this.copy),
      this.byHand,
      h('div', { class: 'share-ways' }, this.#native(), h('a', {
        class: 'button quiet', target: '_blank', rel: 'noopener', data: { testid: 'whatsapp' },
        href: `https://wa.me/?text=${encodeURIComponent(plain(t('room.share_text', { url: linkTo({ code }) })))}`,
      }, t('room.whatsapp'))),
      h('details', { class: 'by-camera', open: window.innerHeight >= ROOMY_PX, on: { toggle: () => this.#draw() } },
        h('summary', {}, t('room.qr_hint')), this.picture));
  }

  /** Where the whole link has no room, its end is seen: that is the room. */
  #showEnd() {
    this.link.scrollLeft = this.link.scrollWidth;
  }

  /** The picture is fetched by those who want it. */
  #draw() {
    if (!this.picture.hasAttribute('src')) setAttr(this.picture, 'src', `/r/${this.#code}/qr.svg`);
  }

  /** The telephone's own sheet of people and programs, where there is one. */
  #native() {
    if (!navigator.share) return null;
    const url = linkTo({ code: this.#code });
    const share = () => navigator.share({ title: t('home.title'), text: plain(t('room.share_text', { url: '' })), url });
    // Whoever closes the sheet without choosing has changed his mind; that is no trouble.
    return h('button', { type: 'button', class: 'quiet', on: { click: () => share().catch(() => {}) } }, t('room.share'));
  }

  #tell(copied) {
    if (!copied) this.link.focus(); // which selects it
    setText(this.byHand, copied ? '' : t('room.copy_yourself'));
  }
}
