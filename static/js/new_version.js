// There is a newer revision of this page: it says so once, calmly, and not over a match.

import { h } from './dom.js';
import { onLanguage, t } from './i18n.js';

/** Offer to load the page anew. */
export function offerNewVersion() {
  const text = h('p', { role: 'status' });
  const reload = h('button', { type: 'button', class: 'primary', on: { click: () => location.reload() } });
  const later = h('button', { type: 'button', class: 'quiet', on: { click: () => close() } });
  const node = h('aside', { class: 'new-version paper', data: { testid: 'new-version' } }, text, reload, later);
  const say = () => {
    text.textContent = t('version.new');
    reload.textContent = t('version.reload');
    later.textContent = t('version.later');
  };
  function close() {
    node.remove();
    document.querySelector('main').focus({ preventScroll: true });
  }
  document.body.append(node);
  say();
  onLanguage(say);
}
