// Short buzzes where a phone can give them. Never the only sign of anything.

import { wants } from './settings.js';

const PATTERNS_MS = { lift: 8, take: 15, basra: [30, 40, 60], turn: 40 };

/** Can this device buzz at all? */
export const canBuzz = () => typeof navigator.vibrate === 'function';

/** Before the first gesture browsers refuse, and complain. */
const mayBuzz = () => !navigator.userActivation || navigator.userActivation.hasBeenActive;

/** Buzz, if that is wanted here. */
export function buzz(name) {
  if (canBuzz() && wants('haptics') && mayBuzz()) navigator.vibrate(PATTERNS_MS[name]);
}
