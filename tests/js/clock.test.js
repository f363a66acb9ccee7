import { equal, test } from './harness.js';
import { secondsLeft, urgency, warningDue } from '/static/js/table/clock.js';

const AT = Date.parse('2026-01-01T00:00:00Z');

test('the time left counts on the server\'s clock', () => {
  equal(secondsLeft('2026-01-01T00:01:24Z', AT, 0), 84);
  equal(secondsLeft('2026-01-01T00:01:24Z', AT - 5000, 5000), 84);
  equal(secondsLeft('2026-01-01T00:01:24Z', AT + 90_000, 0), 0);
  equal(secondsLeft(null, AT, 0), null);
});

test('urgency grows at 30 and 10 seconds', () => {
  equal([31, 30, 11, 10, 0, null].map(urgency), ['calm', 'soon', 'soon', 'now', 'now', 'calm']);
});

test('a warning is due once, when its mark is passed', () => {
  equal(warningDue(61, 60), 60);
  equal(warningDue(60, 59), null);
  equal(warningDue(35, 28), 30);
  equal(warningDue(null, 9), null);
});
