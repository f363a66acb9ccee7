// Copies a text for somebody who asked for it.

import { h, setText } from './dom.js';
import { t } from './i18n.js';
import { announce } from './table/announce.js';

const COPIED_FOR_MS = 2500;

/** A button that copies what `read()` gives and says so for a moment; `done(worked)` hears of every attempt. */
export function copyButton(label, read, { done = () => {}, ...attributes } = {}) {
  const button = h('button', { type: 'button', class: 'quiet', ...attributes }, label);
  button.addEventListener('click', async () => {
    const worked = await copyText(read());
    done(worked);
    if (!worked) return;
    setText(button, t('copy.done'));
    announce(t('copy.done'));
    setTimeout(() => setText(button, label), COPIED_FOR_MS);
  });
  return button;
}

/** Copy a text; gives whether that worked. The focus is where it was. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByHand(text);
  }
}

/** Without https there is no clipboard to write to; the old way works on a selected text. */
function copyByHand(text) {
  const before = document.activeElement;
  const field = h('textarea', { class: 'hidden', readonly: true });
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (before) before.focus({ preventScroll: true });
  return done;
}
