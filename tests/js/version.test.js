import { equal, test } from './harness.js';
import { load } from '/static/js/i18n.js';
import { offerNewVersion } from '/static/js/new_version.js';


const box = () => document.querySelector('[data-testid=new-version]');

async function page(lang) {
  await load(lang);
  const main = document.createElement('main');
  main.tabIndex = -1;
  document.body.replaceChildren(main);
}

test('a newer page is offered, and can wait', async () => {
  await page('en');
  offerNewVersion();
  const [, later] = box().querySelectorAll('button');
  equal([box().querySelector('[role=status]').textContent, later.textContent], ['There is a newer Basra.', 'Later']);
  later.click();
  equal([box(), document.activeElement.tagName], [null, 'MAIN']);
});
