// The fair deal, shown: before and during a match what the service has bound itself to, afterwards whether it kept to it.

import { copyButton } from './copy.js';
import { h, setAttr, setData, setText } from './dom.js';
import { canVerify, verify } from './fair.js';
import { knownOf } from './fair_memory.js';
import { loadFamily, t } from './i18n.js';
import { loadMatch } from './replay/load.js';
import { loadStyle } from './screens.js';
import { nameOf } from './table/words.js';
import { openWindow } from './window.js';

// A step's name and what was looked at.
const STEPS = {
  readable: ['deal.readable.name', 'deal.readable.text'],
  scheme: ['deal.scheme.name', 'deal.scheme.text'],
  commitment: ['deal.commitment.name', 'deal.commitment.text'],
  shown: ['deal.shown.name', 'deal.shown.text'],
  mine: ['deal.mine.name', 'deal.mine.text'],
  dealer: ['deal.dealer.name', 'deal.dealer.text'],
  shuffle: ['deal.shuffle.name', 'deal.shuffle.text'],
  cut: ['deal.cut.name', 'deal.cut.text'],
  hands: ['deal.hands.name', 'deal.hands.text'],
  floor: ['deal.floor.name', 'deal.floor.text'],
  buried: ['deal.buried.name', 'deal.buried.text'],
  plays: ['deal.plays.name', 'deal.plays.text'],
};

const prepared = () => Promise.all([loadFamily('replay'), loadStyle('window'), loadStyle('fair')]);

const more = () => h('a', { class: 'button quiet', href: '/fair-deal', target: '_blank', rel: 'noopener' }, t('deal.how'));

/** Show what the service has bound itself to. */
export async function openPromise(fairness) {
  await prepared();
  openWindow({ title: t('deal.title'), className: 'fair', testid: 'fair-promise' },
    h('p', {}, t('deal.promise')),
    secret(t('deal.commitment.name'), fairness.commitment),
    h('p', { class: 'small' }, t('deal.promise_after')),
    more());
}

/** A long number to be copied. */
function secret(label, value) {
  const copy = copyButton(t('deal.copy'), () => value, { 'aria-label': t('deal.copy_what', { what: label }) });
  return h('div', { class: 'secret' }, h('span', { class: 'small' }, label),
    h('code', { dir: 'ltr', data: { testid: 'commitment' } }, value), copy);
}

/** Check a finished match, and show every step of it. */
export async function openCheck(matchId) {
  await prepared();
  const verdict = h('p', { class: 'verdict', role: 'status', data: { testid: 'verdict', ok: '' } }, t('deal.checking'));
  const body = h('div', { class: 'found' });
  openWindow({ title: t('deal.check_title'), className: 'fair', testid: 'fair-check' }, verdict, body, more());
  if (!canVerify()) {
    setData(verdict, 'ok', 'unable');
    setText(verdict, t('deal.insecure'));
    return;
  }
  try {
    const { match, transcript } = await loadMatch(matchId);
    const found = await verify(transcript, knownOf(match));
    tell(verdict, found, match);
    body.replaceChildren(...stepsOf(found), ...numbersOf(transcript, match));
  } catch {
    setData(verdict, 'ok', 'unable');
    setText(verdict, t('deal.no_transcript'));
  }
}

function tell(verdict, found, { seeded }) {
  const ok = found.every((one) => one.ok);
  setData(verdict, 'ok', ok);
  setText(verdict, t(ok ? 'deal.right' : 'deal.wrong'));
  if (seeded) verdict.after(h('p', { class: 'small' }, t('deal.seeded')));
}

/** The steps that belong to the match, then each round with its own, open where something is wrong. */
function stepsOf(found) {
  const rounds = [...new Set(found.map(({ round }) => round).filter((round) => round !== null))];
  const list = (steps) => h('ul', { class: 'steps-found' }, ...steps.map(stepLine));
  return [list(found.filter(({ round }) => round === null)), ...rounds.map((round) => {
    const steps = found.filter((one) => one.round === round);
    const ok = steps.every((one) => one.ok);
    const details = h('details', { data: { ok } },
      h('summary', {}, mark(ok), h('span', {}, t(ok ? 'deal.round_right' : 'deal.round_wrong', { number: round }))), list(steps));
    setAttr(details, 'open', !ok || rounds.length === 1);
    return details;
  })];
}

function stepLine({ step, ok }) {
  const [name, text] = STEPS[step];
  return h('li', { data: { testid: 'step', step, ok } }, mark(ok),
    h('span', {}, h('b', {}, t(name)), ': ', h('span', { class: 'small' }, t(text)), ' ', h('span', { class: 'hidden' }, t(ok ? 'deal.agrees' : 'deal.differs'))));
}

const mark = (ok) => h('span', { class: 'mark-of', 'aria-hidden': 'true', data: { ok } }, ok ? '\u2713' : '\u2717');

function numbersOf({ fairness, seats }, match) {
  const own = Array.from({ length: seats }, (_, seat) => seat).filter((seat) => fairness.client_seeds[seat]);
  return [h('details', {}, h('summary', {}, t('deal.numbers')),
    secret(t('deal.commitment.name'), fairness.commitment), secret(t('deal.server_seed'), fairness.server_seed),
    ...own.map((seat) => secret(t('deal.client_seed', { name: nameOf(match.seats, seat) }), fairness.client_seeds[seat])))];
}
