// The time left of a turn. The server's deadline is the only truth; `offset_ms` is its clock minus ours.

import { inDigits, number, t } from '../i18n.js';

export const WARN_AT_S = [60, 30, 10];

/** Whole seconds left until the deadline, never below 0; null without one. */
export function secondsLeft(deadline, now_ms, offset_ms) {
  if (!deadline) return null;
  return Math.max(0, Math.ceil((Date.parse(deadline) - now_ms - offset_ms) / 1000));
}

/** 84 is 1:24. */
export function clockText(seconds) {
  const two = String(seconds % 60).padStart(2, '0');
  return t('table.clock', { minutes: number(Math.floor(seconds / 60)), seconds: inDigits(two) });
}

/** calm, soon (30 s) or now (10 s). */
export function urgency(seconds) {
  if (seconds === null || seconds > 30) return 'calm';
  return seconds > 10 ? 'soon' : 'now';
}

/** The warning that is due when the time left goes from `before` to `after`, or null. */
export function warningDue(before, after) {
  if (before === null || after === null) return null;
  return WARN_AT_S.find((mark) => before > mark && after <= mark) ?? null;
}
