// My own part of a deal: a secret seed, and its fingerprint, which is all that anybody is told of it until everybody is bound.

const SEED_BYTES = 16;

/** Can this page do it? Browsers lend their cryptography to pages that came by https, or from this very machine. */
export const canVerify = () => Boolean(globalThis.crypto && globalThis.crypto.subtle);

export const ascii = (text) => new TextEncoder().encode(text);
export const toHex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** 32 random hexadecimal digits. */
export const drawSeed = () => toHex(crypto.getRandomValues(new Uint8Array(SEED_BYTES)));

/** What is shown of a client seed before it is opened: the SHA-256 of its digits as they are written. */
export const fingerprintOf = async (seed) => toHex(await crypto.subtle.digest('SHA-256', ascii(seed)));
