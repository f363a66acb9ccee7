// The score sheet of a round, line by line, from the sheet itself and the cards that everyone saw being taken.

import { h } from './dom.js';
import { cardShort, number, t } from './i18n.js';
import { moves } from './settings.js';
import { inline } from './table/cards.js';
import { sideName, sidesOf } from './table/words.js';

const CARD_ROWS = { A: 'sheet.aces', J: 'sheet.jacks' };

/** Every card that each side took in a round, by the events; the leftover comes from the sheet. */
export function pilesOf(log, sheet) {
  const piles = [[], []];
  for (const event of roundOf(log, sheet.round)) {
    if (event.captured.length) piles[event.seat % 2].push(event.card, ...event.captured);
  }
  if (sheet.leftover_side !== null) piles[sheet.leftover_side].push(...sheet.leftover);
  return piles;
}

/** The plays of one round. */
export function roundOf(log, round) {
  let now = 0;
  return log.filter((event) => {
    if (event.type === 'cut') now = event.round;
    return event.type === 'played' && now === round;
  });
}

/** The card points, a row for each line of the rule set; one row of the sums if the events do not explain them. */
function cardPointRows(rules, log, sheet) {
  const piles = pilesOf(log, sheet);
  const rows = Object.entries(rules.card_points).map(([what, worth]) => ({
    row: what,
    cells: piles.map((pile) => worth * pile.filter((card) => card.startsWith(what)).length),
  }));
  const explained = sheet.card_points.every((points, side) => (
    points === rows.reduce((total, { cells }) => total + cells[side], 0)));
  return explained ? rows : [{ row: 'card_points', cells: sheet.card_points }];
}

/** The basras of a round, a row each: who made it, and with which cards. */
function basraRows(log, sheet) {
  const made = roundOf(log, sheet.round).filter((event) => event.basra);
  const known = [0, 1].every((side) => (
    made.filter((event) => event.seat % 2 === side).reduce((sum, event) => sum + event.basra, 0) === sheet.basras[side]));
  if (!known || !made.length) return [{ row: 'basras', cells: sheet.basras }];
  return made.map((event) => ({
    row: 'basra', cards: [event.card, ...event.captured], cells: [0, 1].map((side) => (event.seat % 2 === side ? event.basra : 0)),
  }));
}

/** All rows of a sheet: {row, cells, cards}. */
export function sheetRows(rules, log, sheet) {
  return [
    { row: 'cards', cells: sheet.cards },
    { row: 'majority', cells: sheet.majority, tied: sheet.cards[0] === sheet.cards[1] },
    ...cardPointRows(rules, log, sheet),
    ...basraRows(log, sheet),
    { row: 'points', cells: sheet.points },
  ];
}

/** A tied majority goes over to the next round; where there is none, it is lost. */
function tiedText(view, sheet) {
  if (!sheet.carry) return t('sheet.tied');
  const isLast = view.status === 'finished' && sheet.round === view.rounds[view.rounds.length - 1].round;
  return t(isLast ? 'sheet.tied_lost' : 'sheet.tied_carried', { points: sheet.carry });
}

function rowName({ row, tied }, view, sheet) {
  if (row === 'cards') return t('sheet.cards');
  if (row === 'majority' && tied) return tiedText(view, sheet);
  if (row === 'majority') return t('sheet.majority');
  if (row === 'card_points') return t('sheet.card_points');
  if (row === 'basra') return t('sheet.basra');
  if (row === 'basras') return t('sheet.basras');
  if (row === 'points') return t('sheet.points');
  return row in CARD_ROWS ? t(CARD_ROWS[row]) : cardShort(row);
}

/** Make the table of a sheet; my side stands first. */
export function sheetTable(view, log, sheet) {
  const sides = sidesOf(view);
  const head = sides.map((side, index) => h('th', { scope: 'col' },
    h('bdi', { class: 'chip', data: { us: index === 0 } }, sideName(view, side))));
  const body = sheetRows(view.rules, log, sheet).map((line) => h('tr', { data: { testid: 'sheet-row', row: line.row } },
    h('th', { scope: 'row' }, h('span', {}, rowName(line, view, sheet)), line.cards
      ? h('span', { class: 'by-cards' }, ...line.cards.map((card) => inline(card, cardShort(card)))) : null),
    ...sides.map((side) => h('td', { data: { side, value: line.cells[side] } }, number(line.cells[side])))));
  return h('table', { class: 'sheet-table' },
    h('thead', {}, h('tr', {}, h('td', {}), ...head)),
    h('tbody', {}, ...body));
}

/** A bar a side: how far it is on the way to the target. Of a match without one the sheet has said all. */
export function progress(view) {
  const sides = sidesOf(view);
  const target = view.rules.target;
  if (target === null) return null;
  return h('div', { class: 'progress' }, ...sides.map((side, index) => {
    const points = view.scores[side];
    const fill = h('span', { class: 'fill', data: { us: index === 0 } });
    fill.style.setProperty('--part', String(Math.min(1, points / target)));
    const text = t('sheet.of_target', { name: sideName(view, side), points, target });
    return h('div', { class: 'progress-row' },
      h('span', { class: 'small' }, text), h('span', { class: 'bar' }, fill));
  }));
}

const COUNT_MS = 500;

/** Let the sums of a sheet count up from nothing, and its bars grow; their data say the end from the start. */
export function countUp(root, wait_ms) {
  if (!moves()) return;
  const cells = [...root.querySelectorAll('[data-row=points] td[data-value]')];
  const start = performance.now() + wait_ms;
  const step = (now) => {
    const part = Math.min(1, Math.max(0, (now - start) / COUNT_MS));
    for (const cell of cells) cell.textContent = number(Math.round(Number(cell.dataset.value) * part));
    if (part < 1 && root.isConnected) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  const timing = { duration: COUNT_MS, delay: wait_ms, easing: 'ease-out', fill: 'backwards' };
  for (const fill of root.querySelectorAll('.fill')) fill.animate([{ transform: 'scaleX(0)' }, { transform: 'none' }], timing);
}
