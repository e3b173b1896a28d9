import { newPerson, signIn, signOut } from './support/door.ts';
import { expect, test } from './support/test.ts';

const otherHost = 'wall.test';

// A name that is no loopback, like that of a machine at home: browsers trust it less, and send no Sec-Fetch-Site.
test.use({
  launchOptions: ({ launchOptions }, use) => {
    const args = [...(launchOptions.args ?? []), `--host-resolver-rules=MAP ${otherHost} 127.0.0.1`];
    return use({ ...launchOptions, args });
  },
});

test('under a host that PUBLIC_URL does not name one signs in and out', async ({ page, wall, mail, mishaps }) => {
  const origin = wall.url.replace('localhost', otherHost);
  mishaps.allow(origin);
  let secFetchSite: string | undefined;
  page.on('request', async (request) => {
    if (request.method() === 'POST') secFetchSite = (await request.allHeaders())['sec-fetch-site'];
  });
  const person = await newPerson(wall);
  await signIn(page, mail, origin, person);
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  expect(secFetchSite).toBeUndefined();
  await signOut(page);
});
