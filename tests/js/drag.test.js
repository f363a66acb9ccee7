import { equal, ok, test } from './harness.js';
import { Drag } from '/static/js/table/drag.js';
import { h } from '/static/js/dom.js';

/** A hand of one card over a floor, and a record of what was wanted. */
function hand({ plays = true, pressed = false } = {}) {
  const said = [];
  const card = h('span', { class: 'card' });
  const button = h('button', { data: { testid: 'hand-card', card: '8H' }, 'aria-pressed': String(pressed) }, card);
  const node = h('div', {}, button);
  document.body.replaceChildren(node);
  button.setPointerCapture = () => {};
  const wants = { raise: (one) => said.push(`raise ${one}`), play: () => { said.push('play'); return plays; }, lower: () => said.push('lower') };
  const drag = new Drag(node, wants);
  node.addEventListener('click', () => said.push('click'));
  const point = (type, x, y) => button.dispatchEvent(new PointerEvent(type, {
    bubbles: true, clientX: x, clientY: y, pointerId: 5, isPrimary: true, button: 0,
  }));
  return { said, card, button, drag, point };
}

test('a small trembling is a tap', () => {
  const { said, point, button } = hand();
  point('pointerdown', 100, 100);
  point('pointermove', 104, 103);
  point('pointerup', 104, 103);
  button.click();
  equal(said, ['click']);
});

test('a card that is dragged up is lifted, follows and is played once', () => {
  const { said, point, card, button, drag } = hand();
  point('pointerdown', 100, 100);
  point('pointermove', 100, 90);
  ok(button.classList.contains('dragged'));
  point('pointermove', 110, 60);
  equal(card.style.transform, 'translate(10px, -40px)');
  point('pointerup', 110, 60);
  button.click();
  equal(said, ['raise 8H', 'play']);
  ok(card.style.transform, 'its flight begins where it was dropped');
  drag.update();
  equal(card.style.transform, '');
});

test('dropped where it makes no sense it springs back, and what was not lifted before lies down', () => {
  const { said, point, card } = hand();
  point('pointerdown', 100, 100);
  point('pointermove', 130, 110);
  point('pointerup', 130, 110);
  equal([said, card.style.transform], [['raise 8H', 'lower'], '']);
});

test('out of turn nothing is played, and a cancelled drag changes nothing that was lifted', () => {
  const refused = hand({ plays: false });
  refused.point('pointerdown', 100, 100);
  refused.point('pointermove', 100, 50);
  refused.point('pointerup', 100, 50);
  equal([refused.said, refused.card.style.transform], [['raise 8H', 'play', 'lower'], '']);
  const lifted = hand({ pressed: true });
  lifted.point('pointerdown', 100, 100);
  lifted.point('pointermove', 100, 50);
  lifted.point('pointercancel', 100, 50);
  equal([lifted.said, lifted.button.classList.contains('dragged')], [['raise 8H'], false]);
});
