// What is said of players and of the matches that they have played.

import { locale, t } from '../i18n.js';

const OUTCOMES = { win: 'players.win', draw: 'players.draw', loss: 'players.loss' };
const LETTERS = { win: 'players.win_letter', draw: 'players.draw_letter', loss: 'players.loss_letter' };

/** How a match ended for its listed player; one that runs has not ended. */
export const outcomeText = (outcome) => t(OUTCOMES[outcome] || 'players.running');
export const outcomeLetter = (outcome) => t(LETTERS[outcome] || 'players.running_letter');

/** A date with the time of day. */
export const momentText = (iso) => new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));

/** A change with its sign: +8, -5, 0. */
export const signed = (value) => new Intl.NumberFormat(locale(), { signDisplay: 'exceptZero' }).format(value);

/** A number with at most one digit behind the point. */
export const rounded = (value) => new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(value);

/** A rating's value: not an amount of anything, so its thousands are not set apart. */
export const ratingValue = (value) => new Intl.NumberFormat(locale(), { useGrouping: false }).format(value);

/** A rating as it is shown: with a question mark while it is not settled. */
export const ratingText = ({ value, provisional }) => (provisional ? t('profile.provisional', { rating: ratingValue(value) }) : ratingValue(value));

const REASONS = { forfeit: 'players.by_forfeit', timeout: 'players.by_timeout', abandoned: 'players.abandoned' };

/** Why a match ended early; null for one that was played to its end. */
export const reasonShort = (result) => (result && result.reason in REASONS ? t(REASONS[result.reason]) : null);
