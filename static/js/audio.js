// The sounds of the table, made on the spot: plucks, slaps and a small darbuka. No file is fetched. Browsers allow sound
// only after a gesture, so the first one wakes it.

import { wants } from './settings.js';

// A sound is a few voices. tone: [at_s, wave, from_Hz, to_Hz, length_s, loudness]; noise: the same with a band of noise.
const tone = (at, wave, from, to, length, gain) => ({ kind: 'tone', at, wave, from, to, length, gain });
const noise = (at, from, to, length, gain) => ({ kind: 'noise', at, from, to, length, gain });
const dum = (at, pitch = 1) => tone(at, 'sine', 150 * pitch, 70 * pitch, 0.16, 0.9);
const tek = (at, pitch = 1) => [noise(at, 2600 * pitch, 2000 * pitch, 0.05, 0.5), tone(at, 'triangle', 620 * pitch, 420 * pitch, 0.06, 0.35)];
const pluck = (at, pitch) => tone(at, 'triangle', pitch, pitch * 0.995, 0.18, 0.45);

export const SOUNDS = {
  deal: [0, 0.05, 0.1, 0.15].map((at) => noise(at, 3200, 2400, 0.03, 0.22)),
  down: [noise(0, 900, 300, 0.07, 0.6), tone(0, 'sine', 140, 90, 0.07, 0.35)],
  take: [pluck(0, 392), pluck(0.09, 587)],
  sweep: [noise(0, 700, 3600, 0.28, 0.4)],
  basra: [dum(0), ...tek(0.16), ...tek(0.27)],
  komi: [dum(0, 1.35), ...tek(0.14, 1.35), ...tek(0.24, 1.35), tone(0.24, 'triangle', 1318, 1318, 0.15, 0.3)],
  turn: [tone(0, 'sine', 1568, 1568, 0.3, 0.3), tone(0, 'sine', 3920, 3920, 0.12, 0.08)],
  clock: [noise(0, 1500, 1100, 0.04, 0.6), tone(0, 'square', 520, 480, 0.04, 0.16)],
  back: [pluck(0, 440), pluck(0.1, 660)],
  away: [pluck(0, 440), pluck(0.1, 330)],
  pop: [tone(0, 'sine', 520, 880, 0.07, 0.3), tone(0.05, 'sine', 1040, 1180, 0.06, 0.12)],
  win: [pluck(0, 392), pluck(0.08, 494), pluck(0.16, 587), pluck(0.22, 784)],
  loss: [pluck(0, 330), pluck(0.12, 294), pluck(0.22, 247)],
};
const LOUDNESS = 0.5;
const HISS_S = 0.3; // no noise is longer
const AFTER_THE_TAP_MS = 100; // the first tap is shown first: to open the sound device takes as long as a few frames

let context = null;
let hiss = null;

/** Wake the sound by the first gesture of anybody who hears it; gives the function that ends the waiting. */
export function unlockByGesture(root = document) {
  const events = ['pointerdown', 'keydown'];
  const stop = () => events.forEach((name) => root.removeEventListener(name, wake, true));
  const resume = () => context.resume().then(stop, () => {});
  const open = () => {
    context ??= newContext();
    if (context) resume();
    else stop();
  };
  // Some browsers let only a gesture resume it, not what comes after: then the next one does.
  function wake() {
    if (context) resume();
    else setTimeout(open, AFTER_THE_TAP_MS);
  }
  events.forEach((name) => root.addEventListener(name, wake, true));
  return stop;
}

function newContext() {
  const Context = window.AudioContext || window.webkitAudioContext;
  try {
    return Context ? new Context() : null;
  } catch {
    return null; // no sound device: the game goes on without
  }
}

/** Play a sound by its name, if sounds are wanted and allowed; `after_s` lets it wait for what it belongs to. */
export function play(name, after_s = 0) {
  if (!wants('sounds') || !context || context.state !== 'running') return false;
  const start = context.currentTime + after_s;
  setTimeout(() => render(context, SOUNDS[name], start)); // what is seen is drawn before
  return true;
}

/** Put the voices of a sound on a context's output. */
export function render(target, voices, start) {
  for (const voice of voices) {
    const at = start + voice.at;
    const loud = target.createGain();
    loud.gain.setValueAtTime(voice.gain * LOUDNESS, at);
    loud.gain.exponentialRampToValueAtTime(0.001, at + voice.length);
    loud.connect(target.destination);
    const source = voice.kind === 'tone' ? toneOf(target, voice, at) : noiseOf(target, voice, at, loud);
    if (voice.kind === 'tone') source.connect(loud);
    source.start(at);
    source.stop(at + voice.length);
  }
}

function toneOf(target, { wave, from, to, length }, at) {
  const source = target.createOscillator();
  source.type = wave;
  source.frequency.setValueAtTime(from, at);
  source.frequency.exponentialRampToValueAtTime(to, at + length);
  return source;
}

/** Noise of all pitches, as long as the longest voice; drawn once and heard in all its bands. */
function hissOf({ sampleRate }) {
  if (hiss?.sampleRate === sampleRate) return hiss;
  hiss = new AudioBuffer({ length: Math.ceil(HISS_S * sampleRate), sampleRate });
  const data = hiss.getChannelData(0);
  for (let index = 0; index < data.length; index += 1) data[index] = Math.random() * 2 - 1;
  return hiss;
}

function noiseOf(target, { from, to, length }, at, out) {
  const band = target.createBiquadFilter();
  band.type = 'bandpass';
  band.frequency.setValueAtTime(from, at);
  band.frequency.exponentialRampToValueAtTime(to, at + length);
  const source = target.createBufferSource();
  source.buffer = hissOf(target);
  source.connect(band).connect(out);
  return source;
}
