// Starts the client: texts, who I am, and the screen that the address asks for.

import { load, makeFormats, onLanguage, rememberedDigits } from './i18n.js';
import { onBanned, onOtherRevision } from './net/api.js';
import { rescue } from './rescue.js';
import { placeOf, Router } from './router.js';
import { recognise } from './session.js';
import { INITIAL, withBan } from './state.js';
import { createStore } from './store.js';

const FORMATS_AFTER_MS = 500; // the first screen is drawn, and nobody has played a card yet

async function begin() {
  const store = createStore(INITIAL);
  onBanned((until) => store.change(withBan, until));
  await load(document.documentElement.lang, rememberedDigits());
  const router = new Router(store, document.getElementById('app'));
  onLanguage(() => router.retell());
  // Not knowing who I am is not a reason to show nothing: a visitor can look at a room and sit down.
  await recognise(store).catch(() => {});
  await router.open(placeOf(location.pathname));
  setTimeout(makeFormats, FORMATS_AFTER_MS);
}

document.documentElement.dataset.client = 'here'; // every module that begins the page has come
onOtherRevision(async () => (await import('./new_version.js')).offerNewVersion());
try {
  await begin();
} catch (error) {
  if (!await rescue()) throw error;
}
