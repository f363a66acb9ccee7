// My turn while nobody looks at the page: its title and its icon say so, and a notification for those who asked for it.

import { t } from './i18n.js';
import { wants } from './settings.js';

const icon = () => document.querySelector('link[rel=icon]');
const PICTURES = { calm: 'icon.svg', due: 'icon-turn.svg' };
const picture = (name) => new URL(`../img/${PICTURES[name]}`, import.meta.url).href;

export class Away {
  #title = null; // what the page was called before
  #due = false;
  #note = null;
  #told = null; // the turn that a notification was sent for
  #onSeen = () => { if (!document.hidden) this.#calm(); };

  constructor() {
    document.addEventListener('visibilitychange', this.#onSeen);
  }

  /** Is it my turn, which one, and in which room? */
  update({ mine, turn, code }) {
    if (!mine || !document.hidden) {
      this.#calm();
      return;
    }
    if (!this.#due) {
      this.#due = true;
      this.#title = document.title;
      document.title = t('away.title', { title: this.#title });
      icon()?.setAttribute('href', picture('due'));
    }
    if (this.#told !== turn) this.#notify(code);
    this.#told = turn;
  }

  #notify(code) {
    if (!wants('notify') || !canNotify() || Notification.permission !== 'granted') return;
    try {
      this.#note = new Notification(t('away.note_title'), {
        body: t('away.note_text', { code }), icon: picture('due'), tag: `basra-${code}`,
      });
      this.#note.onclick = () => window.focus();
    } catch {
      this.#notifyByWorker(code);
    }
  }

  /** Phones let only a service worker notify; without one the title and the icon say it. */
  async #notifyByWorker(code) {
    const tag = `basra-${code}`;
    const worker = await navigator.serviceWorker?.getRegistration().catch(() => null);
    if (!worker || !this.#due) return;
    this.#note = { close: () => worker.getNotifications({ tag }).then((all) => all.forEach((one) => one.close())) };
    await worker.showNotification(t('away.note_title'), {
      body: t('away.note_text', { code }), icon: picture('due'), tag, data: { path: `/r/${code}` },
    }).catch(() => {});
    if (!this.#due) this.#note?.close();
  }

  #calm() {
    if (!this.#due) return;
    this.#due = false;
    document.title = this.#title;
    icon()?.setAttribute('href', picture('calm'));
    if (this.#note) this.#note.close();
    this.#note = null;
  }

  destroy() {
    this.#calm();
    document.removeEventListener('visibilitychange', this.#onSeen);
  }
}

export const canNotify = () => 'Notification' in window;

/** Ask for the browser's permission; gives whether there is one now. */
export async function askToNotify() {
  if (!canNotify()) return false;
  return Notification.permission === 'granted' || (await Notification.requestPermission()) === 'granted';
}
