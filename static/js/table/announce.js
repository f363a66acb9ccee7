// The two live regions of the page: what happened, politely; what needs me, at once. One function speaks.

const last = { polite: '', assertive: '' };

/** Say one sentence; the same again is made different by a space, or it would not be read. */
export function announce(sentence, manner = 'polite') {
  const text = sentence === last[manner] ? `${sentence}\u00a0` : sentence;
  last[manner] = text;
  const region = document.getElementById(`live-${manner}`); // there from the start, or a screen reader would not watch it
  if (region) region.textContent = text;
}
