// Copies a text for somebody who asked for it.

import { h } from './dom.js';

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
