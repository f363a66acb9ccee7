// The fair deal, shown: before and during a match what the service has bound itself to, afterwards whether it kept to it.

import { copyButton } from './copy.js';
import { h, setAttr, setData, setText } from './dom.js';
import { verify } from './fair.js';
import { knownOf } from './fair_memory.js';
import { notesOf, partIn, SCHEME } from './fair_notes.js';
import { canVerify } from './fair_seed.js';
import { witness } from './fair_witness.js';
import { list, loadFamily, t } from './i18n.js';
import { loadMatch } from './replay/load.js';
import { loadStyle } from './screens.js';
import { nameOf } from './table/words.js';
import { openWindow } from './window.js';

// A step's name, what was looked at, and what it means if it does not agree.
const STEPS = {
  readable: ['deal.readable.name', 'deal.readable.text'],
  scheme: ['deal.scheme.name', 'deal.scheme.text'],
  commitment: ['deal.commitment.name', 'deal.commitment.text'],
  opened: ['deal.opened.name', 'deal.opened.text', 'deal.opened.wrong'],
  kept: ['deal.kept.name', 'deal.kept.text', 'deal.kept.wrong'],
  only: ['deal.only.name', 'deal.only.text', 'deal.only.wrong'],
  shown: ['deal.shown.name', 'deal.shown.text', 'deal.shown.wrong'],
  bound: ['deal.bound.name', 'deal.bound.text', 'deal.bound.wrong'],
  mine: ['deal.mine.name', 'deal.mine.text', 'deal.mine.wrong'],
  secret: ['deal.secret.name', 'deal.secret.text', 'deal.secret.wrong'],
  table: ['deal.table.name', 'deal.table.text', 'deal.table.wrong'],
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

// What is said of my own part before the end.
const PARTS = { mine: 'deal.part_mine', away: 'deal.part_away', elsewhere: 'fair.elsewhere', unable: 'fair.unable' };

/** Show what the service has bound itself to, and whether I have a part in it at `seat`. */
export async function openPromise(fairness, seat) {
  await prepared();
  const part = partIn(fairness, seat);
  openWindow({ title: t('deal.title'), className: 'fair', testid: 'fair-promise' },
    h('p', {}, t('deal.promise')),
    secret(t('deal.commitment.name'), fairness.commitment),
    part in PARTS ? h('p', { data: { testid: 'deal-part', part } }, t(PARTS[part])) : null,
    h('p', { class: 'small' }, t('deal.promise_after')),
    h('p', { class: 'small' }, t('deal.limits')),
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
    const notes = notesOf(match);
    const { part, found: seen } = await witness(transcript, notes);
    const found = [...await verify(transcript, knownOf(match)), ...seen];
    tell(verdict, found, { match, transcript, part });
    body.replaceChildren(...stepsOf(found), ...numbersOf(transcript, match), ...(notes ? [notesButton(match.id, notes)] : []));
  } catch {
    setData(verdict, 'ok', 'unable');
    setText(verdict, t('deal.no_transcript'));
  }
}

function tell(verdict, found, told) {
  const failed = found.filter((one) => !one.ok).map(({ step }) => STEPS[step][2]);
  const ok = !failed.length;
  setData(verdict, 'ok', ok);
  setData(verdict, 'part', told.part);
  setText(verdict, ok ? rightText(told) : t('deal.wrong'));
  const reasons = [...new Set(failed)].filter(Boolean).map((wrong) => h('li', { data: { testid: 'wrong' } }, t(wrong)));
  if (reasons.length) verdict.after(h('ul', { class: 'wrongs' }, ...reasons));
  if (told.match.seeded) verdict.after(h('p', { class: 'small' }, t('deal.seeded')));
}

/** What is proved when everything agrees: that nothing was arranged only to who saw the deal and has a part in it. */
function rightText({ match, transcript: { fairness, seeded }, part }) {
  if (seeded) return t('deal.agree');
  if (fairness.scheme !== SCHEME) return t('deal.right_before');
  if (part === 'whole') return t('deal.right');
  if (part === 'away') return awayText(fairness.client_seeds, match);
  const isTaken = Boolean(match.you && fairness.client_commitments[match.you.seat]);
  return t(part === 'elsewhere' || isTaken ? 'deal.public_elsewhere' : 'deal.public');
}

function awayText(seeds, { seats }) {
  const names = seats.filter(({ seat }) => seeds[seat]).map(({ seat }) => nameOf(seats, seat));
  return names.length ? t('deal.away', { names: list(names), count: names.length }) : t('deal.away_all');
}

/** My notes as a file, for who trusts the engine more than this page. */
function notesButton(id, notes) {
  const link = h('a', { class: 'button quiet', download: `basra-notes-${id}.json`, data: { testid: 'notes' } }, t('deal.notes'));
  link.href = URL.createObjectURL(new Blob([JSON.stringify(notes, null, 2)], { type: 'application/json' }));
  return link;
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
