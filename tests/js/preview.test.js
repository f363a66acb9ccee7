import { equal, ok, test } from './harness.js';
import { previewOf, takesOf, TICK } from '/static/js/table/preview.js';
import { view } from './samples.js';

const lifted = (card, choice = 0) => ({ card, choice });

test('a lifted card shows what the view says that it takes', () => {
  const preview = previewOf(view(), lifted('8H'), true);
  equal(preview.takes, ['3C', '5D', '8S']);
  equal(preview.badges, { '8S': TICK, '3C': '3+5', '5D': '3+5' });
  equal([preview.kind, preview.choices, preview.sweep], ['take', 2, false]);
});

test('another capture can be chosen', () => {
  equal(previewOf(view(), lifted('8H', 1), true).takes, ['8S']);
});

test('a sweep has ticks and no sums', () => {
  const preview = previewOf(view(), lifted('7D'), true);
  ok(preview.sweep);
  equal(new Set(Object.values(preview.badges)), [TICK]);
});

test('a card that takes nothing trails', () => {
  const preview = previewOf(view(), lifted('QS'), true);
  equal([preview.kind, preview.takes, preview.badges], ['trail', [], {}]);
});

test('out of turn a card can be studied but waits', () => {
  const preview = previewOf(view({ to_act: 1 }), lifted('8H'), false);
  equal([preview.kind, preview.acts], ['wait', 'take']);
});

test('nothing is shown without a lifted card or for a spectator', () => {
  equal(previewOf(view(), null, true), null);
  equal(previewOf(view({ you: null }), lifted('8H'), false), null);
});

test('a basra is known before it is played', () => {
  const you = { seat: 0, side: 0, hand: ['3H'], plays: [{ card: '3H', captures: [{ cards: ['3C'], groups: [['3C']], basra: 10 }] }] };
  equal(previewOf(view({ you }), lifted('3H'), true).basra, 10);
  equal(takesOf(view({ you }), '3H'), ['3C']);
});
