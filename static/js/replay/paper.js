// The paper that lies on the table where a round was counted, and where the match was over.

import { h } from '../dom.js';
import { number, t } from '../i18n.js';
import { progress, sheetTable } from '../sheet.js';
import { outcomeOf, reasonText, titleOf } from '../outcome.js';
import { sideName, sidesOf } from '../table/words.js';

/** Give the paper of a position, or null where none is due. `events` are those up to it. */
export function paperOf(view, { event }, events, more) {
  if (event.type === 'round_scored') return roundPaper(view, event.sheet, events);
  return event.type === 'match_finished' ? endPaper(view, more) : null;
}

const paper = (testid, title, data, ...content) => h('section', {
  class: 'sheet paper', 'aria-labelledby': 'paper-title', data: { testid, ...data },
}, h('h2', { id: 'paper-title', class: 'display' }, title), ...content);

const roundPaper = (view, sheet, events) => paper('sheet', t('sheet.title', { number: sheet.round }), { round: sheet.round },
  sheetTable(view, events, sheet), progress(view));

function endPaper(view, more) {
  const scores = sidesOf(view).map((side, index) => h('div', { class: 'score', data: { testid: 'score', side, value: view.result.scores[side], us: index === 0 } },
    h('b', {}, number(view.result.scores[side])), h('bdi', { class: 'small' }, sideName(view, side))));
  return paper('end', titleOf(view), { outcome: outcomeOf(view) },
    h('p', { class: 'reason' }, reasonText(view)),
    h('div', { class: 'final', role: 'group', 'aria-label': t('result.scores') }, ...scores), ...more);
}
