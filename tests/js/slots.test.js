import { equal, test } from './harness.js';
import { afterEvent, handSlots, reconcile, rowsFor } from '/static/js/table/slots.js';
import { OPENING, played } from './samples.js';

const fold = (events) => events.reduce(afterEvent, {});

test('the first four cards of a round take the first four places', () => {
  equal(fold(OPENING), { KC: 0, '3C': 1, '5D': 2, '8S': 3 });
});

test('a captured card leaves a gap, and the next card laid down fills the lowest', () => {
  const events = [...OPENING, played(4, 0, 0, '3H', ['3C']), played(5, 1, 1, 'QS')];
  equal(fold(events), { KC: 0, '5D': 2, '8S': 3, QS: 1 });
});

test('the end of a round empties the floor', () => {
  equal(fold([...OPENING, { type: 'round_scored' }]), {});
});

test('the floor of the view wins over whatever events were missed', () => {
  equal(reconcile({ KC: 0, '3C': 1, '5D': 2 }, ['3C', '9D', 'AS']), { '3C': 1, '9D': 0, AS: 2 });
});

test('a third row comes with the eleventh place only', () => {
  equal([rowsFor({ a: 9 }), rowsFor({ a: 10 })], [2, 3]);
});

test('cards of my hand keep the places that they were dealt to', () => {
  equal(handSlots(['8H', '7D', 'QS', 'AC'], ['7D', 'AC']), [1, 3]);
  equal(handSlots([], ['7D', 'AC']), [0, 1]);
});
