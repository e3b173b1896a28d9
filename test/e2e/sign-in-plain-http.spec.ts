import { newPerson, signIn, signOut } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

const otherHost = 'wall.test';

// Not a loopback host, like a machine in a home network: without https, browsers restrict it more and send no
// Sec-Fetch-Site.
test.use({
  launchOptions: ({ launchOptions }, use) => {
    const args = [...(launchOptions.args ?? []), `--host-resolver-rules=MAP ${otherHost} 127.0.0.1`];
    return use({ ...launchOptions, args });
  },
});

test('signing in and out works under a host that PUBLIC_URL does not name', async ({
  page,
  wall,
  mail,
  pageErrors,
}) => {
  const origin = wall.url.replace('localhost', otherHost);
  pageErrors.allow(origin);
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
