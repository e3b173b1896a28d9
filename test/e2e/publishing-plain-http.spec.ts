import { newPerson, signIn, signOut } from './support/sign-in.ts';
import { cardOf } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import { choose, newPostButton, publish, toast } from './support/writing.ts';

const otherHost = 'wall.test';

// The host is no loopback host but like a machine in a home network. Without https, browsers provide neither randomUUID nor the
// clipboard there, restrict more and send no Sec-Fetch-Site.
test.use({
  launchOptions: ({ launchOptions }, use) => {
    const args = [...(launchOptions.args ?? []), `--host-resolver-rules=MAP ${otherHost} 127.0.0.1`];
    return use({ ...launchOptions, args });
  },
});

test('the app works on plain http, under a host of a home network', async ({ page, ownWall, mail, pageErrors }) => {
  const origin = ownWall.url.replace('localhost', otherHost);
  pageErrors.allow(origin);
  const secFetchSites = new Set<string | undefined>();
  page.on('request', async (request) => {
    if (request.method() === 'POST') secFetchSites.add((await request.allHeaders())['sec-fetch-site']);
  });
  await signIn(page, mail, origin, await newPerson(ownWall));
  expect(await page.evaluate(() => isSecureContext || 'randomUUID' in crypto)).toBe(false);
  expect([...secFetchSites]).toEqual([undefined]);
  await publish(page, 'Из дома');
  await expect(newPostButton(page)).toBeFocused();
  await expect(toast(page, 'Опубликовано')).toBeVisible();
  await choose(page, 'Из дома', 'Скопировать ссылку');
  await expect(toast(page, 'Ссылка скопирована')).toBeVisible();
  await choose(page, 'Из дома', 'Удалить');
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click();
  await expect(cardOf(page, 'Из дома')).toBeHidden();
  await signOut(page);
});
