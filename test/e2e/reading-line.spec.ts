import type { Page } from '@playwright/test';
import { limits } from '#contract/limits.ts';
import { openPage, quiet } from './support/app.ts';
import { articles, layoutIsStable, scrollPosition, scrollToPost, sight } from './support/feed.ts';
import { addPosts, comeBack, expectStored, line, passHour, postBelowLine, toLine } from './support/reading.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { newPerson, restoreSession } from './support/sign-in.ts';
import { holdBack } from './support/code-files.ts';
import { expect, test } from './support/test.ts';
import { callsOf } from './support/writing.ts';

const post = (page: Page, place: number) => page.locator(`article[aria-posinset="${place}"]`);

async function goToLine(page: Page, text: string): Promise<void> {
  await toLine(page).click();
  await expect(page.locator('article:focus')).toContainText(text);
}

/** Nothing covers the line, and the post below it begins 16 px below the header. */
async function expectBelowHeader(page: Page): Promise<void> {
  const away = async () => {
    const { height } = (await page.getByRole('banner').boundingBox())!;
    const { y, height: thickness } = (await line(page).boundingBox())!;
    return y < height ? Infinity : Math.abs(y + thickness / 2 - height - 16);
  };
  await expect.poll(away).toBeLessThanOrEqual(2);
}

// The line is on the screen, or shortly below the first page.
for (const newer of [6, 11]) {
  test(`the button puts the line below ${newer} posts under the header`, async ({ page, ownWall }) => {
    await watchShift(page);
    await comeBack(page, ownWall, 60, 60 + newer);
    await expect(line(page)).toHaveCount(newer < 10 ? 1 : 0);
    await expect(toLine(page)).toHaveText(`К месту, где остановились: ${newer}`);
    await goToLine(page, 'Запись 60');
    await expect(page.locator('article:focus')).toHaveAttribute('aria-posinset', `${newer + 1}`);
    await expect.poll(() => postBelowLine(page)).toBe('Запись 60');
    await expect(toLine(page)).toHaveCount(0);
    // All newer posts are added above.
    await expect(post(page, newer)).toContainText('Запись 61');
    await quiet(page);
    await expectBelowHeader(page);
    // With 11 posts the button below the first page disappears, which is a shift.
    if (newer === 6) await expectNoShift(page);
  });
}

test('the button goes far down, and reading upward leads to the newest post', async ({ page, ownWall }) => {
  await watchShift(page);
  const { by, ids } = await comeBack(page, ownWall, 60, 130);
  await expect(toLine(page)).toHaveText('К месту, где остановились: 70');
  await expect(line(page)).toHaveCount(0);
  await ownWall.seed.remove(ids.get(60)!);
  // Shows that the page knows of the deletion. A post that disappears from the screen later moves what is below it.
  await ownWall.seed.like(ids.get(130)!, by);
  await expect(articles(page).first().getByRole('button', { name: 'Нравится' })).toContainText('1');
  await toLine(page).press('Enter');
  await expect(post(page, 71)).toBeFocused();
  await expect(post(page, 71)).toContainText('Запись 59');
  await expect.poll(() => postBelowLine(page)).toBe('Запись 59');
  await expectBelowHeader(page);
  // The newer posts have been added above.
  await expect(post(page, 70)).toContainText('Запись 61');
  const seen = await readUpward(page);
  expect(seen).toEqual(Array.from({ length: 71 }, (_, index) => `Запись ${index < 70 ? 130 - index : 59}`));
  await expectNoShift(page);
});

test('a next page that was requested before the button was pressed is left out', async ({ page, ownWall }) => {
  await comeBack(page, ownWall, 60, 130);
  await expect(toLine(page)).toHaveText('К месту, где остановились: 70');
  const nextPage = '**/api/v1/posts?*cursor=*';
  const asked = page.waitForRequest(nextPage);
  const release = await holdBack(page, nextPage);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const late = await asked;
  await goToLine(page, 'Запись 60');
  release.resolve();
  await (await late.response())!.finished();
  await scrollToPost(page, 100);
  await expect(post(page, 100)).toContainText('Запись 31');
});

test('the button shows posts as they are; who leaves finds the feed as it was', async ({ page, ownWall }) => {
  const { ids } = await comeBack(page, ownWall, 60, 130);
  await expect(toLine(page)).toHaveText('К месту, где остановились: 70');
  await ownWall.seed.edit(ids.get(60)!, 'Исправлено');
  const edited = `${ownWall.url}/api/v1/posts/${ids.get(60)}`;
  await expect.poll(async () => (await page.request.get(edited)).text()).toContain('Исправлено');
  // Moves the clock of the page on, so that a request which has just ended counts as one that ended long ago.
  await page.evaluate((passed) => {
    const now = Date.now;
    Date.now = () => now() + passed;
  }, limits.requestTimeoutMs + 1_000);
  const held = await holdBack(page, '**/api/v1/posts?*at=*');
  await toLine(page).click();
  await articles(page).first().locator('time[title]').click();
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  held.resolve();
  await quiet(page);
  await page.goBack();
  await expect(post(page, 1)).toContainText('Запись 130');
  await goToLine(page, 'Исправлено');
});

test('the place stays where it is when scroll events come late and rows end at half pixels', async ({
  page,
  ownWall,
}) => {
  // Delays scroll events, as Firefox does: the page may measure its posts twice before one arrives.
  await page.addInitScript(() => {
    const later = (event: Event) => {
      if (!event.isTrusted) return;
      event.stopImmediatePropagation();
      setTimeout(() => dispatchEvent(new Event('scroll')), 100);
    };
    addEventListener('scroll', later, { capture: true });
  });
  // The end of the list is near.
  await comeBack(page, ownWall, 5, 60);
  // With the fonts of some devices the heights of rows have fractions.
  await page.evaluate(() => {
    const halves = new CSSStyleSheet();
    halves.replaceSync('[role=feed] > [data-row] { padding-block-end: 0.5px }');
    document.adoptedStyleSheets.push(halves);
  });
  await goToLine(page, 'Запись 5');
  await expect(post(page, 55)).toContainText('Запись 6');
  await quiet(page);
  await expectBelowHeader(page);
});

test('far below the line Back and a reload restore the same post at the same height', async ({ page, ownWall }) => {
  await comeBack(page, ownWall, 100, 1_150);
  await expect(toLine(page)).toHaveText(/^К месту, где остановились: 1 тыс\.$/);
  await goToLine(page, 'Запись 100');
  await expect(post(page, 1_050)).toHaveCount(1);
  await scrollToPost(page, 1_075);
  await layoutIsStable(page);
  const card = post(page, 1_075);
  await expect(card).toContainText('Запись 76');
  await card.evaluate((it) => scrollBy(0, it.getBoundingClientRect().top - 111));
  const before = await sight(page);
  await card.evaluate((it) => it.querySelector<HTMLElement>('[data-permalink]')!.click());
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  await page.goBack();
  await expect.poll(() => sight(page)).toEqual(before);
  const asked = callsOf(page, 'GET', /\/api\/v1\/posts$/);
  await page.reload();
  await expect(card).toContainText('Запись 76');
  await expect.poll(() => sight(page)).toEqual(before);
  expect(asked.length).toBeLessThanOrEqual(8);
});

test('tabs of a visitor share the place', async ({ page, context, ownWall }) => {
  await context.clock.install();
  const by = await ownWall.seed.person('galina_m');
  await addPosts(ownWall, by, 1, 12);
  await openPage(page, ownWall.url);
  await expectStored(page, 'feed', 12);
  const ids = await addPosts(ownWall, by, 13, 16);
  const second = await context.newPage();
  await openPage(second, ownWall.url);
  await expectStored(second, 'feed', ids.get(16));
  await second.close();
  // The first tab has not shown these posts and must not move the place back.
  await page.mouse.wheel(0, 300);
  await layoutIsStable(page);
  await page.clock.runFor(1_500);
  await expectStored(page, 'feed', ids.get(16));
  await addPosts(ownWall, by, 17, 18);
  await passHour(page);
  await page.getByRole('link', { name: 'Лента' }).click();
  await expect(line(page)).toHaveCount(1);
  await expect.poll(() => postBelowLine(page)).toBe('Запись 16');
});

test('a reload within the visit keeps the line, and there is none when nothing is new', async ({ page, ownWall }) => {
  const { ids } = await comeBack(page, ownWall, 12, 14);
  await expect(line(page)).toHaveCount(1);
  await expectStored(page, 'feed', ids.get(14));
  await page.reload();
  await expect(line(page)).toHaveCount(1);
  await expect.poll(() => postBelowLine(page)).toBe('Запись 12');
  await passHour(page);
  await page.reload();
  await quiet(page);
  await expect(line(page)).toHaveCount(0);
  await expect(toLine(page)).toHaveCount(0);
});

const path = '/api/v1/users/current/reading';

const written = (page: Page) =>
  page.waitForResponse((response) => response.url().endsWith(path) && response.request().method() === 'PUT');

test('another device learns of the place by an event', async ({ page, browser, ownWall }) => {
  const by = await ownWall.seed.person('galina_m');
  await addPosts(ownWall, by, 1, 20);
  const person = await newPerson(ownWall);
  const context = await browser.newContext({ locale: 'ru-RU' });
  const other = await context.newPage();
  await other.addInitScript(() => {
    window.EventSource = class extends EventSource {
      constructor(url: string | URL) {
        super(url);
        this.addEventListener('message', ({ data }) => (document.documentElement.dataset['heard'] = data));
      }
    };
  });
  const known = written(other);
  await restoreSession(other, ownWall, person);
  await known;
  await other.getByRole('link', { name: 'galina_m' }).first().click();
  await expect(other.getByText('Записи', { exact: true }).first()).toBeVisible();

  const ids = await addPosts(ownWall, by, 21, 25);
  const write = written(page);
  await restoreSession(page, ownWall, person);
  expect(await (await write).json()).toEqual({ post_id: String(ids.get(25)) });
  await expect(other.locator('html')).toHaveAttribute('data-heard', RegExp(`"post_id":"${ids.get(25)}"`));
  const asked = callsOf(other, 'GET', /\/users\/current\/reading$/);
  await addPosts(ownWall, by, 26, 28);
  await passHour(other);
  await other.getByRole('link', { name: 'Лента' }).click();
  await expect(line(other)).toHaveCount(1);
  await expect.poll(() => postBelowLine(other)).toBe('Запись 25');
  expect(asked).toEqual([]);
  await context.close();
});

test('a person who signs in has the place of the server, not that of the browser', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person('galina_m');
  await addPosts(ownWall, by, 1, 5);
  const known = written(page);
  await restoreSession(page, ownWall, await newPerson(ownWall));
  await known;
  // The line below two posts is in the window.
  const ids = await addPosts(ownWall, by, 6, 7);
  await passHour(page);
  await page.evaluate((id) => localStorage.setItem('reading', JSON.stringify([['feed', id]])), String(ids.get(6)));
  await openPage(page, ownWall.url);
  await expect(line(page)).toHaveCount(1);
  await expect.poll(() => postBelowLine(page)).toBe('Запись 5');
  await expect(toLine(page)).toHaveCount(0);
});

/** Scrolls up to the first post, a part of a window at a time; returns the posts down to the line, from the newest. */
async function readUpward(page: Page): Promise<string[]> {
  const seen = new Map<number, string>();
  for (;;) {
    await layoutIsStable(page);
    const cards = await articles(page).evaluateAll((all) =>
      all.map((card) => {
        const text = card.querySelector(':scope > div > [dir=auto]')!.textContent;
        return [Number(card.getAttribute('aria-posinset')), text.split('\n')[0]!] as const;
      }),
    );
    for (const [position, text] of cards) seen.set(position, text);
    if (seen.has(1) && (await scrollPosition(page)) === 0) break;
    await page.evaluate(() => scrollBy(0, -innerHeight * 0.5));
  }
  const positions = [...seen.keys()].toSorted((a, b) => a - b);
  return positions.filter((position) => position <= 71).map((position) => seen.get(position)!);
}
