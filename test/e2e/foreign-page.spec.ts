import type { Page } from '@playwright/test';
import { apiPrefix } from '#contract/endpoint.ts';
import { table } from '#contract/table.ts';
import { newPerson, profileLink, restoreSession } from './support/sign-in.ts';
import { startForeignSite } from './support/foreign-site.ts';
import { expect, test } from './support/test.ts';

interface Attack {
  method: string;
  url: string;
  body: string;
}

for (const { whose, host } of [
  // SameSite=Strict cookies are sent there: a port is part of the origin, not of the site.
  { whose: 'of the same site', host: 'localhost' },
  { whose: 'of another site', host: '127.0.0.1' },
]) {
  test(`a page ${whose} changes nothing`, async ({ page, context, ownWall, mail, pageErrors }) => {
    pageErrors.expect(/CORS|ERR_FAILED/);
    pageErrors.expect(/ERR_BLOCKED_BY_RESPONSE|Framing .* violates/);
    // Firefox says more about each, and shows JSON with a style that the page’s own rules block.
    pageErrors.tolerate(/Cross-Origin-Resource-Policy|frame-ancestors|style-src-elem/);
    pageErrors.expect(/40[34]/);
    const person = await newPerson(ownWall);
    await restoreSession(page, ownWall, person);
    const [post] = await ownWall.seed.posts([{ by: await ownWall.seed.person('boris_petrov'), text: 'Запись' }]);
    const before = await ownWall.rows();
    const mails = mail.received.length;

    const site = await startForeignSite(host);
    pageErrors.allow(site.origin);
    const foreign = await context.newPage();
    await foreign.goto(site.origin);
    const attacks = attacksOn(ownWall.url, String(post), person.email);
    expect(attacks.length).toBeGreaterThan(10);
    const read = await foreign.evaluate(attackByFetch, attacks);
    expect(read).toEqual([]);
    for (const attack of attacks.filter(({ method }) => method === 'POST')) {
      // 404: endpoints that do not exist yet.
      expect([403, 404]).toContain(await attackByForm(foreign, attack));
    }

    expect(await ownWall.rows()).toBe(before);
    expect(mail.received).toHaveLength(mails);
    await page.reload();
    await expect(profileLink(page)).toHaveText(person.name);
    await foreign.close();
    await site.close();
  });
}

/** Every changing call of the contract with a valid body. */
function attacksOn(wall: string, id: string, email: string): Attack[] {
  const body = JSON.stringify({
    email,
    clientToken: 'foreign',
    device: { userAgent: 'Chrome', userAgentVersion: '142.0', os: 'Windows 11' },
  });
  return table
    .filter(({ endpoint }) => endpoint.method !== 'GET')
    .map(({ name, endpoint: { method, path } }) => ({
      method,
      url: wall + apiPrefix + path.replace(/\{\w+\}/, id),
      body: name === 'renewToken' ? JSON.stringify({ clientToken: 'foreign' }) : body,
    }));
}

/** Runs in the page: sends requests in the cors and no-cors modes and returns the responses that it could read. */
async function attackByFetch(attacks: Attack[]): Promise<string[]> {
  const read: string[] = [];
  for (const { method, url, body } of attacks) {
    const headers = { 'content-type': 'application/json' };
    await fetch(url, { method, body, headers, credentials: 'include' }).then(
      () => read.push(`${method} ${url}`),
      () => {},
    );
    // `no-cors` does not allow other methods.
    if (method === 'POST') await fetch(url, { method, body, mode: 'no-cors', credentials: 'include' }).catch(() => {});
  }
  return read;
}

/** A form whose text/plain body parses as JSON; returns the status of the response. */
async function attackByForm(page: Page, { url, body }: Attack): Promise<number> {
  const submitted = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url() === url,
  );
  await page.evaluate(
    ({ url, body }) => {
      const frame = Object.assign(document.createElement('iframe'), { name: 'hidden' });
      const form = Object.assign(document.createElement('form'), {
        method: 'post',
        action: url,
        enctype: 'text/plain',
        target: 'hidden',
      });
      const [name, value] = [body.slice(0, -1), body.slice(-1)];
      form.append(Object.assign(document.createElement('input'), { name: `${name},"ignored":"`, value: `"${value}` }));
      document.body.replaceChildren(frame, form);
      form.submit();
    },
    { url, body },
  );
  return (await submitted).status();
}
