// Starts the client: texts, who I am, and the screen that the address asks for.

import { load, makeFormats, onLanguage, rememberedDigits } from './i18n.js';
import { onOtherRevision } from './net/api.js';
import { placeOf, Router } from './router.js';
import { recognise } from './session.js';
import { INITIAL } from './state.js';
import { createStore } from './store.js';
import { startAnnouncing } from './table/announce.js';

const WORKER_AFTER_MS = 2000; // the first screen has long been there, and has the line for itself
const FORMATS_AFTER_MS = 500; // it is drawn, and nobody has played a card yet

const store = createStore(INITIAL);

startAnnouncing();
// Without a line just then it comes with the next visit.
const bringWorker = async () => (await import('./worker.js')).bringWorker();
addEventListener('load', () => setTimeout(() => bringWorker().catch(() => {}), WORKER_AFTER_MS));
onOtherRevision(async () => (await import('./new_version.js')).offerNewVersion());
await load(document.documentElement.lang, rememberedDigits());
const router = new Router(store, document.getElementById('app'));
onLanguage(() => router.retell());
// Not knowing who I am is not a reason to show nothing: a visitor can look at a room and sit down.
await recognise(store).catch(() => {});
await router.open(placeOf(location.pathname));
setTimeout(makeFormats, FORMATS_AFTER_MS);
