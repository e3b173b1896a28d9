import { paths, row } from './support/account.ts';
import { quiet } from './support/app.ts';
import { missing } from './support/desk.ts';
import { expect, test } from './support/test.ts';
import { callsOf, signInNewPerson } from './support/writing.ts';

test('what is shown meanwhile does not say that there is a desk', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/404/);
  await signInNewPerson(page, ownWall);
  const titles: string[] = [];
  await page.exposeFunction('noteTitle', (title: string) => titles.push(title));
  await page.addInitScript(() => {
    new MutationObserver(() => window.noteTitle(document.title)).observe(document, { subtree: true, childList: true });
  });
  await page.goto(`${ownWall.url}/moderation`);
  await expect(missing(page)).toBeVisible();
  expect(new Set(titles.filter((title) => title !== ''))).toEqual(new Set(['Страница не существует - Стена']));
  expect(await (await page.request.get(`${ownWall.url}/moderation`)).text()).not.toContain('одераци');
});

test('nothing of the desk is loaded for others', async ({ page, ownWall }) => {
  const scripts = callsOf(page, 'GET', /desk/);
  await signInNewPerson(page, ownWall);
  await page.goto(ownWall.url + paths.settings);
  await expect(row(page, 'Устройства')).toBeVisible();
  await quiet(page);
  expect(scripts).toEqual([]);
});

declare global {
  interface Window {
    noteTitle(title: string): void;
  }
}
