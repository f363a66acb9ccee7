// The letter keys of the table: each asks one thing and hears one sentence.

import { openWindow } from '../window.js';
import { h } from '../dom.js';
import { cardName, list, t } from '../i18n.js';
import { announce } from './announce.js';
import { secondsLeft } from './clock.js';
import { handCardLabel, pileSpoken, playSpoken, sideName, sidesOf } from './words.js';

const KEYS = [
  ['1 - 4', 'help.lift'], ['\u2190 \u2192', 'help.move'], ['Enter', 'help.play'], ['Esc', 'help.lower'],
  ['F', 'help.floor'], ['L', 'help.last'], ['S', 'help.score'], ['T', 'help.time'], ['M', 'help.takes'], ['P', 'help.piles'],
  ['?', 'help.help'],
];

const floor = ({ match }) => (match.round.floor.length
  ? t('spoken.floor', { cards: list(match.round.floor.map(cardName)) }) : t('spoken.floor_empty'));

const last = ({ match }) => (match.last_play ? playSpoken(match, match.last_play, false) : t('spoken.no_play'));

function score({ match }) {
  const [mine, other] = sidesOf(match);
  return t('spoken.score_now', {
    first: sideName(match, mine), one: match.scores[mine], second: sideName(match, other), two: match.scores[other],
  });
}

function time({ match, offset_ms }) {
  const left_s = secondsLeft(match.deadline, Date.now(), offset_ms);
  return left_s === null ? t('spoken.no_clock') : t('spoken.time', { count: left_s });
}

/** What the card takes that has the focus, or the lifted one. */
function takes({ match, lifted }) {
  const focused = document.activeElement.closest('[data-testid=hand-card]');
  const card = focused ? focused.dataset.card : lifted && lifted.card;
  return card && match.you ? handCardLabel(card, match.you.plays.find((play) => play.card === card)) : t('spoken.no_card');
}

const piles = ({ match }) => sidesOf(match).map((side) => pileSpoken(match, side)).join('. ');

const QUESTIONS = { f: floor, l: last, s: score, t: time, m: takes, p: piles };

/** Answer a letter; gives whether it was one of ours. */
export function answer(letter, state) {
  if (letter === '?') help();
  else if (letter in QUESTIONS) announce(QUESTIONS[letter](state));
  else return false;
  return true;
}

/** Show the keys. */
export function help() {
  openWindow({ title: t('help.title'), className: 'help', testid: 'help' },
    h('dl', { class: 'keys' }, ...KEYS.flatMap(([key, text]) => [
      h('dt', {}, h('kbd', { dir: 'ltr' }, key)), h('dd', {}, t(text))])));
}

/** The letter of a key press on whatever keyboard: an Arabic one says another sign, but it is the same key. */
export function letterOf({ key, code = '' }) {
  if (key === '?' || key === '\u061f') return '?';
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  return /^Key[A-Z]$/.test(code) ? code[3].toLowerCase() : '';
}
