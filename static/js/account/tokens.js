// Tokens for one's own programs.

import { h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { post, remove } from '../net/api.js';
import { momentText } from '../players/words.js';
import { dropdown, guarded, labelled, tick } from '../screens/parts.js';
import { announce } from '../table/announce.js';
import { copyOf, keptList, undoButton } from './kept.js';
import { section, troubleLine } from './section.js';
import { accountRefusal } from './words.js';

const LABEL_MOST = 60;
const SCOPES = { read: 'account.scope_read', play: 'account.scope_play', account: 'account.scope_account' };
const DAYS = [30, 90, 365];
const FOR_EVER = 'none';

/** Making tokens, and the list of those that may be used; `refresh()` looks at it anew. */
export function tokens() {
  const trouble = troubleLine();
  const fresh = h('div', { class: 'fresh-token' });
  const { list, load } = keptList('/tokens', trouble, (token) => tokenLine(token, trouble, () => load()));
  const form = newToken(trouble, async ({ token }) => {
    fresh.replaceChildren(...secret(token));
    announce(t('account.token_made'));
    await load();
  });
  const node = section('tokens', 'account.tokens', 'account.tokens_hint', list, fresh, trouble,
    h('details', { class: 'options' }, h('summary', {}, t('account.token_new')), form),
    h('p', { class: 'small' }, t('account.bots'), ' ', h('a', { class: 'link', href: '/api/docs' }, t('account.docs'))));
  return { node, refresh: load };
}

function newToken(trouble, made) {
  const chosen = new Set(['read', 'play']);
  let days = DAYS[1];
  const label = h('input', { type: 'text', name: 'label', maxlength: LABEL_MOST, required: true, dir: 'auto', autocomplete: 'off' });
  const choose = (scope, on) => (on ? chosen.add(scope) : chosen.delete(scope));
  const lasts = dropdown({
    label: t('account.token_lasts'), value: days, onChange: (value) => { days = value; },
    options: [...DAYS.map((each) => [each, t('account.days', { count: each })]), [FOR_EVER, t('account.token_for_ever')]],
  });
  const submit = guarded(trouble, async () => {
    if (!chosen.size) {
      setText(trouble, t('account.trouble.scopes'));
      return;
    }
    const scopes = Object.keys(SCOPES).filter((scope) => chosen.has(scope));
    await made(await post('/tokens', { label: label.value.trim(), scopes, expires_in_days: days === FOR_EVER ? null : Number(days) }));
    label.value = '';
  }, accountRefusal);
  return h('form', { class: 'account-form', on: { submit } }, labelled(t('account.token_label'), label),
    h('fieldset', { class: 'scopes' }, h('legend', {}, t('account.token_scopes')),
      ...Object.entries(SCOPES).map(([scope, text]) => tick({ label: t(text), value: chosen.has(scope), onChange: (on) => choose(scope, on) }))),
    lasts.node, h('button', { type: 'submit', class: 'quiet' }, t('account.token_make')));
}

/** The token itself, this once. */
function secret(token) {
  const field = h('input', { type: 'text', readonly: true, dir: 'ltr', value: token, 'aria-label': t('account.token_it'), data: { testid: 'token' } });
  return [h('p', {}, t('account.token_once')), field, copyOf(field, t('account.token_copy'), 'primary')];
}

function tokenLine(token, trouble, load) {
  const used = token.last_used_at ? t('account.last_used', { when: momentText(token.last_used_at) }) : t('account.never_used');
  const until = token.expires_at ? t('account.until', { when: momentText(token.expires_at) }) : t('account.token_for_ever');
  return h('li', { data: { testid: 'token-line' } },
    h('span', { class: 'about' }, h('bdi', {}, token.label || t('account.token_first')),
      h('span', { class: 'small' }, token.scopes.map((scope) => t(SCOPES[scope])).join(' · ')), h('span', { class: 'small' }, `${used} · ${until}`)),
    undoButton(t('account.revoke'), t('account.revoke_it', { label: token.label || t('account.token_first') }), trouble, async () => {
      await remove(`/tokens/${encodeURIComponent(token.id)}`);
      await load();
    }));
}
