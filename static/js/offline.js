// The page without a network: in one language if it is known which, and back by itself when the network is.

const [, lang] = document.cookie.match(/(?:^|; )basra_lang=(ar|en)/) || [null, navigator.language.slice(0, 2)];
const parts = [...document.querySelectorAll('[data-testid=offline]')];
const mine = parts.find((part) => part.lang === lang);
if (mine) {
  for (const part of parts) part.hidden = part !== mine;
  document.documentElement.lang = mine.lang;
  document.documentElement.dir = mine.dir;
  document.title = mine.dataset.title;
}
addEventListener('online', () => location.reload());
