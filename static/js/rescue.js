// Gets the client anew when a part of it came and is not what it should be: a login page of a café's that the browser
// kept, a cache that broke. Stands apart from the other modules, to be there when one of them is not. `?again` asks the
// server for a page whose files have addresses that no cache can know; that page tries nothing more by itself.

const AGAIN = 'again';
const PROBE = '/static/again/js/rescue.js'; // of a revision that is none: never kept by anyone
const root = document.documentElement;
const isAnew = root.dataset.anew === 'true';
const WORKER_AFTER_MS = 2000; // the first screen has long been there, and has the line for itself
let tried = isAnew;

/** Whether all that was asked for came, whatever it was; what did not come at all is the network's matter. */
function allCame() {
  const asked = performance.getEntriesByType('resource').filter(({ name }) => new URL(name).pathname.startsWith('/static/'));
  return asked.every(({ responseStatus }) => responseStatus !== 0);
}

async function isServiceThere() {
  const answer = await fetch(PROBE, { cache: 'no-store' }).catch(() => null);
  return Boolean(answer && answer.ok && (answer.headers.get('Content-Type') || '').startsWith('text/javascript'));
}

async function dropCaches() {
  if (!('caches' in window)) return;
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
}

/** Whether an error says that a module could not be imported; each engine has its own words for it. */
export const isOfImport = (error) => error instanceof TypeError && /module/i.test(error.message);

/** Load the page with everything anew, once, if that can help; gives whether it does. */
export async function rescue() {
  if (tried || !allCame()) return false;
  tried = true;
  if (!await isServiceThere()) return false;
  await dropCaches();
  const address = new URL(location.href);
  address.searchParams.set(AGAIN, '1');
  location.replace(address);
  return true;
}

/** Whether a style came and is one. What did not come may not even be asked. */
function isStyle({ sheet }) {
  try {
    return sheet.cssRules.length > 0;
  } catch {
    return false;
  }
}

/** Whether the page's own modules and styles are what they should be; boot.js says so of the modules. */
const isWhole = () => root.dataset.client === 'here' && [...document.querySelectorAll('link[rel=stylesheet]')].every(isStyle);

// Without a line just then the worker comes with the next visit.
const bringWorker = async () => (await import('./worker.js')).bringWorker();

function loaded() {
  if (!isWhole()) rescue();
  setTimeout(() => bringWorker().catch(() => {}), WORKER_AFTER_MS);
}

if (isAnew) {
  dropCaches().catch(() => {}); // who came by the link of the late page has dropped nothing yet
  const address = new URL(location.href);
  address.searchParams.delete(AGAIN);
  history.replaceState(history.state, '', address);
}
if (document.readyState === 'complete') loaded();
else addEventListener('load', loaded);
