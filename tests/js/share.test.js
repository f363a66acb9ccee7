import { equal, ok, test } from './harness.js';
import { use } from '/static/js/i18n.js';
import { Share } from '/static/js/screens/share.js';
import { until } from './service.js';

const english = await (await fetch('/static/i18n/en.json')).json();
const arabic = await (await fetch('/static/i18n/ar.json')).json();
const LINK = `${location.origin}/r/KTRMSA`;

/** Sharing with, or without, the telephone's own way; gives also what was shared by it. */
function sharing(hasShare) {
  const shared = [];
  const share = async (what) => shared.push(what);
  Object.defineProperty(navigator, 'share', { configurable: true, value: hasShare ? share : undefined });
  const { node } = new Share('KTRMSA');
  document.body.replaceChildren(node);
  const named = (text) => [...node.querySelectorAll('a, button')].find((one) => one.textContent === text);
  return { node, named, shared, one: (id) => node.querySelector(`[data-testid=${id}]`) };
}

use('en', english);

test('the code and the link are there to be read', () => {
  const { one } = sharing(false);
  equal([one('room-code').textContent, one('room-code').dir], ['KTRMSA', 'ltr']);
  equal([one('room-link').value, one('room-link').dir], [LINK, 'ltr']);
});

test('the link is the one of the public address, where the page knows it', () => {
  document.documentElement.dataset.origin = 'https://basra.example';
  equal(sharing(false).one('room-link').value, 'https://basra.example/r/KTRMSA');
  delete document.documentElement.dataset.origin;
  equal(sharing(false).one('room-link').value, LINK);
});

test('WhatsApp gets a sentence with the link, in the language of who sends it', () => {
  const sent = () => decodeURIComponent(sharing(false).one('whatsapp').href.replace('https://wa.me/?text=', ''));
  equal(sent(), `A match of Basra? Sit down here: ${LINK}`);
  use('ar', arabic, 'arab');
  ok(sent().endsWith(` ${LINK}`) && sent().startsWith('ماتش بصرة؟'), sent());
  use('en', english);
});

test('the telephone\'s own way is offered only where there is one', () => {
  equal(sharing(false).named('Share…'), undefined);
  const { named, shared } = sharing(true);
  named('Share…').click();
  equal(shared, [{ title: 'Basra', text: 'A match of Basra? Sit down here:', url: LINK }]);
});

test('who closes that sheet has not done anything wrong', async () => {
  const { named } = sharing(true);
  const faults = [];
  window.addEventListener('unhandledrejection', (event) => faults.push(event.reason), { once: true });
  Object.defineProperty(navigator, 'share', { configurable: true, value: () => Promise.reject(new Error('closed')) });
  named('Share…').click();
  await new Promise((done) => setTimeout(done));
  equal(faults, []);
});

test('the picture for cameras is fetched when it is wanted', async () => {
  const { node, one } = sharing(false);
  const picture = one('qr');
  const details = node.querySelector('details');
  details.open = false;
  picture.removeAttribute('src');
  const opened = new Promise((done) => details.addEventListener('toggle', () => details.open && done()));
  details.open = true;
  await opened;
  ok(picture.src.endsWith('/r/KTRMSA/qr.svg'), picture.src);
  ok(picture.alt, 'it says what it is');
});

test('of a link that has no room its end is seen, which is the room', async () => {
  const { one } = sharing(false);
  const link = one('room-link');
  Object.assign(link.style, { width: '60px', boxSizing: 'border-box' });
  link.value = `https://a-long-name-of-a-host.example/r/KTRMSA`;
  const atEnd = () => link.scrollLeft > 0 && link.scrollLeft + link.clientWidth >= link.scrollWidth - 1;
  await until(atEnd);
  link.focus();
  link.scrollLeft = 0;
  link.blur();
  await until(atEnd);
});
