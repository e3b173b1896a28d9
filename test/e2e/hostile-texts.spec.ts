import type { Page } from '@playwright/test';
import { callTable } from '#contract/calls.ts';
import { apiPrefix } from '#contract/endpoint.ts';
import { openPage } from './support/app.ts';
import { scrollToPost, seenPosts } from './support/feed.ts';
import { startForeignSite } from './support/foreign-site.ts';
import { asShown, hostileNames, hostileTexts, nothingMayExecute } from './support/hostile.ts';
import { newPerson, profileLink, restoreSession } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';

nothingMayExecute();

test('two hundred hostile posts are nothing but text in the feed and in documents', async ({ page, ownWall }) => {
  expect(hostileTexts.length).toBeGreaterThanOrEqual(200);
  const by = await ownWall.seed.person('galina_m');
  const ids = await write(ownWall, by, hostileTexts);
  await openPage(page, ownWall.url);
  await scrollToPost(page, hostileTexts.length);
  const shown = (await seenPosts(page)).map(([, text]) => text);
  expect(shown).toEqual(hostileTexts.map(asShown).toReversed());

  const documents = await page.evaluate(async (ids) => {
    // The page refuses to parse strings, so XMLHttpRequest parses the documents.
    const parsedAt = (path: string): Promise<Document> =>
      new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.responseType = 'document';
        request.addEventListener('load', () => resolve(request.responseXML!));
        request.addEventListener('error', reject);
        request.open('GET', path);
        request.send();
      });
    const looks = ids.map(async (id) => {
      const parsed = await parsedAt(`/posts/${id}`);
      const elements = [...parsed.querySelectorAll('*')];
      return {
        text: parsed.querySelector('article > div > [dir=auto]')?.textContent,
        data: JSON.parse(parsed.querySelector('#page-data')!.textContent).content.post.text as string,
        handlers: elements.filter((element) => element.getAttributeNames().some((name) => name.startsWith('on')))
          .length,
        schemes: [...parsed.links].map((link) => link.protocol).filter((protocol) => !/^https?:$/.test(protocol)),
        strangers: elements
          .filter((element) => !element.matches('form[method=get][data-later]'))
          .map((element) => element.localName)
          .filter((name) => /iframe|object|embed|form|base|img/.test(name)),
        inlineScripts: [...parsed.scripts].filter((script) => !script.src).length,
        foreignScripts: [...parsed.scripts].filter(({ src }) => src && !src.startsWith(`${location.origin}/assets/`))
          .length,
      };
    });
    return Promise.all(looks);
  }, ids);
  const clean = { handlers: 0, schemes: [], strangers: [], inlineScripts: 7, foreignScripts: 0 };
  expect(documents).toEqual(hostileTexts.map((text) => ({ text: asShown(text), data: text, ...clean })));
});

test('a page that starts with hostile posts hydrates, and names stay text', async ({ page, ownWall }) => {
  const worst = hostileTexts.filter((text) => /<\/script|\u2028|<!--/i.test(text)).slice(-8);
  const by = await ownWall.seed.person('galina_m');
  await write(ownWall, by, worst);
  await openPage(page, ownWall.url);
  await expect(page.getByRole('article')).toHaveCount(worst.length);

  await test.step('usernames, and their links stay on the site', async () => {
    const posts = [];
    for (const name of hostileNames) posts.push({ by: await ownWall.seed.person(name), text: 'Запись' });
    await ownWall.seed.posts(posts);
    await openPage(page, ownWall.url);
    const authors = page.getByRole('article').locator('bdi a');
    expect((await authors.allTextContents()).slice(0, posts.length)).toEqual(hostileNames.toReversed());
    const addresses = await authors.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    for (const address of addresses) expect(address.startsWith(`${ownWall.url}/`), address).toBe(true);
  });

  await test.step('stacked accents cover nothing below their text', async () => {
    const accents = '\u0316\u0317\u0318\u0319\u031a\u031b\u031c\u031d'.repeat(12);
    const [id] = await write(ownWall, by, [`Zalgo${accents} текст`]);
    await openPage(page, `${ownWall.url}/posts/${id}`);
    const text = page.getByRole('article').locator('[dir=auto]');
    const { x, y, height } = (await text.boundingBox())!;
    const below = () => page.screenshot({ clip: { x, y: y + height + 4, width: 150, height: 40 } });
    const before = await below();
    await text.evaluate((it) => (it.textContent = 'Zalgo текст'));
    expect((await below()).equals(before)).toBe(true);
  });
});

const write = ({ seed }: Wall, by: number, texts: string[]): Promise<number[]> =>
  seed.posts(texts.map((text) => ({ by, text })));

const xmlCannotSay = 'до \u0001\u0008\u000b\u001f\u007f\uFFFE\uFFFF после';

test('a feed and the sitemap are well-formed XML, whatever was written', async ({ page, ownWall }) => {
  const worst = hostileTexts.filter((text) => /\]\]>|CDATA|&|\u2028|<!--|"'>/.test(text)).slice(-18);
  const by = await ownWall.seed.person('<b>&"\']]>');
  const [post] = await write(ownWall, by, [...worst, 'строка\n\n  с отступом', xmlCannotSay]);
  const feed = await readXml(page, `${ownWall.url}/feed.xml`);
  expect(feed.root).toBe('http://www.w3.org/2005/Atom feed ru');
  const said = feed.entries.map(({ content }) => content);
  expect(said).toEqual([
    'до \ufffd\ufffd\ufffd\ufffd\u007f\ufffd\ufffd после',
    'строка\n\n  с отступом',
    ...worst.toReversed(),
  ]);
  for (const { author, inside } of feed.entries) {
    expect(author).toBe('<b>&"\']]>');
    expect(inside).toEqual(['id', 'title', 'link', 'published', 'updated', 'author', 'name', 'uri', 'content']);
  }

  expect((await readXml(page, `${ownWall.url}/sitemap.xml`)).root).toContain('sitemap/0.9 sitemapindex');
  const part = await readXml(page, `${ownWall.url}/sitemap-0.xml`);
  expect(part.root).toContain('sitemap/0.9 urlset');
  expect(part.locations).toContain(`${ownWall.url}/posts/${post}`);
  await openPage(page, ownWall.url);
});

/** Fetches XML and parses it in the page, which must be an empty one: the pages of the wall refuse to parse strings. */
async function readXml(page: Page, url: string) {
  const response = await page.request.get(url);
  return page.evaluate(
    (xml) => {
      const parsed = new DOMParser().parseFromString(xml, 'application/xml');
      const failure = parsed.querySelector('parsererror');
      if (failure) throw new Error(failure.textContent);
      const root = parsed.documentElement;
      /** The text that a feed reader shows for the HTML. */
      const shownBy = (html: string): string => {
        const { body } = new DOMParser().parseFromString(html, 'text/html');
        for (const line of body.querySelectorAll('br')) line.replaceWith('\n');
        return body.textContent;
      };
      return {
        root: `${root.namespaceURI} ${root.localName} ${root.getAttribute('xml:lang')}`,
        locations: [...parsed.querySelectorAll('loc')].map((location) => location.textContent),
        entries: [...parsed.querySelectorAll('entry')].map((entry) => ({
          content: shownBy(entry.querySelector('content')!.textContent),
          author: entry.querySelector('author > name')!.textContent,
          inside: [...entry.querySelectorAll('*')].map(({ localName }) => localName),
        })),
      };
    },
    await response.text(),
  );
}

type Attack = Record<'method' | 'url' | 'body', string>;

for (const [whose, host] of [
  // Requests from another port of localhost carry SameSite=Strict cookies, because a port is part of the origin but not of the site.
  ['of the same site', 'localhost'],
  ['of another site', '127.0.0.1'],
] as const) {
  test(`a page ${whose} changes nothing`, async ({ page, context, ownWall, mail, pageErrors }) => {
    pageErrors.expect(/CORS|ERR_FAILED/);
    pageErrors.expect(/ERR_BLOCKED_BY_RESPONSE|Framing .* violates/);
    // Firefox reports more errors for each attack, and its viewer of JSON uses a style that the content security policy blocks.
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
      // 404: the calls of moderators and owners look missing to others.
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

/** Every changing call of the contract, with the body of its example. */
function attacksOn(wall: string, id: string, email: string): Attack[] {
  return callTable
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, example }) => {
      const { body = {} } = example as { body?: object };
      const address = 'email' in body && { email };
      return {
        method,
        url: wall + apiPrefix + path.replace(/\{\w+\}/, id),
        body: JSON.stringify({ clientToken: 'foreign', ...body, ...address }),
      };
    });
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
