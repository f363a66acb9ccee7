// What is kept about me, line by line, each with a way to undo it.

import { copyButton } from '../copy.js';
import { h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { get } from '../net/api.js';
import { guarded } from '../screens/parts.js';
import { accountRefusal } from './words.js';

/** The list that `path` answers, as `line(item)` draws it; `load()` draws it anew, `show()` too, and says what went wrong. */
export function keptList(path, trouble, line, empty = null) {
  const list = h('ul', { class: 'kept' });
  const load = async () => {
    const { items } = await get(path);
    list.replaceChildren(...items.map(line));
    if (empty && !items.length) list.append(h('li', { class: 'small' }, empty));
  };
  const show = guarded(trouble, load, accountRefusal);
  show();
  return { list, load, show };
}

/** The button of a line, called `label` in full. */
export const undoButton = (text, label, trouble, undo) => h('button', {
  type: 'button', class: 'quiet', 'aria-label': label, on: { click: guarded(trouble, undo, accountRefusal) },
}, text);

/** A button that copies what stands in a field, or says that one has to do it oneself. */
export function copyOf(field, label, className) {
  const button = copyButton(label, () => field.value, {
    class: className, done: (worked) => { if (!worked) setText(button, t('account.copy_yourself')); },
  });
  return button;
}
