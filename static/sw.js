// The service worker: a page of our own where there is no network, the files of this revision from the cache, and the
// notifications that phones do not let a page show. The server writes its revision above this line as self.REVISION (an
// empty one is the order to clear up and go), and as self.FILES what each file is: path -> [type, SHA-256 in base64].

const { REVISION, FILES } = self;
const CACHE = `basra-${REVISION}`;
const ROOT = `/static/${REVISION}/`;
const OFFLINE = '/offline';
const NEEDED = ['css/base.css', 'css/screens.css', 'css/cards.css', 'js/offline.js', 'img/icon.svg'];

self.addEventListener('install', (event) => {
  self.skipWaiting();
  if (REVISION) event.waitUntil(Promise.all([keepOffline(), ...NEEDED.map((path) => file(new Request(ROOT + path)))]));
});

self.addEventListener('activate', (event) => event.waitUntil(begin()));

async function begin() {
  const old = (await caches.keys()).filter((name) => !REVISION || name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  if (!REVISION) await self.registration.unregister();
  // The browser need not wait for this worker to wake before it asks for a page.
  else if (self.registration.navigationPreload) await self.registration.navigationPreload.enable();
}

// Whatever is not named here goes its usual way: the interface and the pictures of links are never kept.
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (!REVISION || request.method !== 'GET' || origin !== self.location.origin || pathname.startsWith('/api/')) return;
  if (request.mode === 'navigate') event.respondWith(page(event));
  else if (pathname.slice(ROOT.length) in FILES && pathname.startsWith(ROOT)) event.respondWith(file(request));
});

async function page(event) {
  try {
    return (await event.preloadResponse) || await fetch(event.request);
  } catch (error) {
    const kept = await caches.match(OFFLINE, { cacheName: CACHE, ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}

async function file(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreVary: true });
  return kept || fetched(request, cache);
}

/**
 * Fetch a file, and keep it if it is what the server said. A café's login page in its place may come out of the
 * browser's own cache, so the line itself is asked once more; what is of the right type at least is of another release.
 */
async function fetched(request, cache) {
  const [type, hash] = FILES[new URL(request.url).pathname.slice(ROOT.length)];
  const answers = [];
  for (const from of ['default', 'reload']) {
    const answer = await fetch(request, { cache: from }).catch(() => Response.error()); // a line that broke may be back
    if (isOf(type, answer) && await hashOf(answer.clone()) === hash) {
      const copy = answer.clone();
      await cache.put(request, copy).catch(() => {}); // a full disk is no reason not to answer
      return answer;
    }
    answers.unshift(answer);
  }
  return answers.find((answer) => isOf(type, answer)) || Response.error();
}

/** Whether an answer is whole, from here, and of this type. */
function isOf(type, answer) {
  const [said] = (answer.headers.get('Content-Type') || '').split(';');
  return answer.status === 200 && answer.type === 'basic' && !answer.redirected && said.trim() === type;
}

async function hashOf(answer) {
  const digest = await crypto.subtle.digest('SHA-256', await answer.arrayBuffer());
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

/** Keep the page for the time without a network. It differs by visitor; that it names this revision makes it ours. */
async function keepOffline() {
  const answer = await fetch(OFFLINE, { cache: 'reload' });
  const isOurs = isOf('text/html', answer) && (await answer.clone().text()).includes(`${ROOT}js/offline.js`);
  if (!isOurs) throw new TypeError('another page stands in its place');
  await (await caches.open(CACHE)).put(OFFLINE, answer);
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { data } = event.notification; // not every engine keeps it
  event.waitUntil(show(data ? data.path : '/'));
});

/** Go to the room that waits: to its window, if there is one. */
async function show(path) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = windows.find(({ url }) => new URL(url).pathname === path);
  return there ? there.focus() : self.clients.openWindow(path);
}
