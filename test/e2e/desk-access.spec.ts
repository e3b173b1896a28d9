import { paths, row } from './support/account.ts';
import { quiet } from './support/app.ts';
import { expect, test } from './support/test.ts';
import { callsOf, signInNewPerson } from './support/writing.ts';

test('nothing of the desk is loaded for others', async ({ page, ownWall }) => {
  const scripts = callsOf(page, 'GET', /desk/);
  await signInNewPerson(page, ownWall);
  await page.goto(ownWall.url + paths.settings);
  await expect(row(page, 'Устройства')).toBeVisible();
  await quiet(page);
  expect(scripts).toEqual([]);
});
