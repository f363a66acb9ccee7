// The service worker: a page of our own where there is no network, the files of this revision from the cache, and the
// notifications that phones do not let a page show. The server writes its revision above this line as self.REVISION;
// an empty one is the order to clear up and go.

const { REVISION } = self;
const CACHE = `basra-${REVISION}`;
const FILES = `/static/${REVISION}/`;
const OFFLINE = '/offline';
const NEEDED = ['css/base.css', 'css/screens.css', 'css/cards.css', 'js/offline.js', 'img/icon.svg'].map((path) => FILES + path);

self.addEventListener('install', (event) => {
  self.skipWaiting();
  if (REVISION) event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([OFFLINE, ...NEEDED])));
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
  else if (pathname.startsWith(FILES)) event.respondWith(file(request));
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
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) cache.put(request, answer.clone()).catch(() => {}); // a full disk is no reason not to answer
  return answer;
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
