// Brings the service worker in, long after the page has been shown. Its address is the only one that a script of this
// page may be loaded from by name, and the policy gives nothing else, whatever it is asked for.

const ADDRESS = '/sw.js';

/** The worker's address in the form that the browser wants. */
export function workerAddress({ trustedTypes } = window) {
  return trustedTypes ? trustedTypes.createPolicy('basra', { createScriptURL: () => ADDRESS }).createScriptURL('') : ADDRESS;
}

/** Register the worker. The page is whole without it. */
export async function bringWorker() {
  if (!('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register(workerAddress(), { updateViaCache: 'none' }).catch(() => {});
}
