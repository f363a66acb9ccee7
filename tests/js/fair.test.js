import { equal, ok, test } from './harness.js';
import { FairChip } from '/static/js/fair_chip.js';
import { knownOf, noteDeal } from '/static/js/fair_memory.js';
import { openCheck } from '/static/js/fair_window.js';
import { use } from '/static/js/i18n.js';
import { view } from './samples.js';
import { until } from './service.js';

document.documentElement.lang = 'en';
use('en', { ...await (await fetch('/static/i18n/en.json')).json(), ...await (await fetch('/static/i18n/replay.en.json')).json() });

const one = (testid) => document.querySelector(`[data-testid=${testid}]`);
const dealt = (id, part = {}) => view({ id, fairness: { scheme: 'basra-deal/1', commitment: 'c0', client_seeds: ['77', ''] }, ...part });

test('a page that came without https says that it cannot check here', async () => {
  Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true });
  await openCheck('m1');
  delete crypto.subtle;
  equal(one('verdict').dataset.ok, 'unable');
  ok(one('verdict').textContent.includes('https'));
  document.querySelector('.window-close').click();
});

test('the sign opens what the service is bound to, and leads to the page where it cannot', async () => {
  const chip = new FairChip();
  document.body.replaceChildren(chip.node);
  equal([chip.node.getAttribute('href'), chip.node.dataset.commitment], ['/fair-deal', undefined]);
  chip.update({ scheme: 'basra-deal/2', commitment: 'abc123', client_commitments: ['', ''] }, 0);
  equal(chip.node.dataset.commitment, 'abc123');
  chip.node.click();
  await until(() => one('fair-promise'));
  equal(one('fair-promise').querySelector('[data-testid=commitment]').textContent, 'abc123');
  document.querySelector('.window-close').click();
});

test('what was shown of a running match of the first scheme is remembered, the first showing only', () => {
  localStorage.clear();
  noteDeal(dealt('running1'));
  const other = (commitment) => ({ fairness: { scheme: 'basra-deal/1', commitment, client_seeds: ['', ''] } });
  noteDeal(dealt('other1', other('x')));
  noteDeal(dealt('running1', other('changed')));
  const { seen, mine } = knownOf(dealt('running1', { status: 'finished' }));
  equal([seen.commitment, seen.clientSeeds, mine], ['c0', ['77', ''], null]);
});

test('what an older page noted, with what it had sent, is still known', () => {
  localStorage.clear();
  localStorage.setItem('basra.deals', JSON.stringify([{ match: 'old1', commitment: 'c0', clientSeeds: ['77', ''], sent: ['77'] }]));
  equal(knownOf(dealt('old1')).mine, { seat: 0, seeds: ['77'] });
});

test('nothing is claimed of a match that was not seen, was only watched, or was seeded', () => {
  localStorage.clear();
  noteDeal(dealt('watched1', { you: null }));
  noteDeal(dealt('seeded1', { seeded: true }));
  noteDeal(dealt('over1', { status: 'finished' }));
  for (const id of ['watched1', 'seeded1', 'over1', 'never1']) equal(knownOf(dealt(id)), { seen: null, mine: null });
});
