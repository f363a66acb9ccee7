import { equal, ok, test } from './harness.js';
import { digitsInUse, load } from '/static/js/i18n.js';
import { wants } from '/static/js/settings.js';
import { openSettings } from '/static/js/settings_window.js';

const box = () => document.querySelector('[data-testid=settings]');
const settled = () => new Promise((done) => { setTimeout(done); });
const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));

test('a switch acts at once, and all of them have a name', async () => {
  await load('en');
  document.body.replaceChildren();
  openSettings();
  equal([...box().querySelectorAll('input[role=switch]')].filter(({ labels }) => !labels.length), []);
  box().querySelector('[data-setting=marks]').click();
  await settled();
  equal([wants('marks'), document.documentElement.dataset.marks], [false, 'off']);
  box().querySelector('[data-setting=marks]').click();
  await settled();
  press('Escape');
  equal(box(), null);
});

test('other digits open the settings anew, with the focus where it was', async () => {
  await load('ar', 'arab');
  document.body.replaceChildren();
  openSettings();
  document.getElementById('digits-latn').click();
  await settled();
  equal([digitsInUse(), document.activeElement.id, document.querySelectorAll('[data-testid=settings]').length], ['latn', 'digits-latn', 1]);
  document.getElementById('digits-arab').click();
  await settled();
  press('Escape');
  await load('en');
});

test('a focus that got out of the window acts on nothing behind it', async () => {
  const behind = [];
  const listener = ({ key }) => behind.push(key);
  document.body.addEventListener('keydown', listener);
  openSettings();
  document.activeElement.blur();
  press('1');
  press('Tab');
  ok(box().contains(document.activeElement));
  document.activeElement.blur();
  press('Escape');
  document.body.removeEventListener('keydown', listener);
  equal([behind, box()], [[], null]);
});
