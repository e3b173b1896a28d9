import type { Locator, Page } from '@playwright/test';
import { hydrated } from './support/app.ts';
import { dialog, emailField } from './support/door.ts';
import { articles, cardOf } from './support/feed.ts';
import { texts } from './support/lived-in-wall.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { slowDown, slowNetwork } from './support/slowness.ts';
import { expect, test } from './support/test.ts';
import { switcher } from './support/views.ts';

// A trace is taken in the page itself, which costs it more than any answer.
test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, trace: 'off' });

const firstTextMs = 2_500;
const answerMs = 100;

for (const screen of ['/', '/posts/discussed']) {
  test(`${screen} is there to read within ${firstTextMs} ms, and stands still`, async ({ page, wall }) => {
    await watchShift(page);
    await slowDown(page);
    await slowNetwork(page);
    await page.goto(screen.replace('discussed', String(wall.ids.discussed)));
    await expect(articles(page).or(page.locator('article')).first()).toBeVisible();
    await hydrated(page);
    await page.waitForLoadState('networkidle');
    const { first, largest, largestIsText } = await paints(page);
    expect(first).toBeLessThan(firstTextMs);
    expect(largest).toBeLessThan(firstTextMs);
    expect(largestIsText).toBe(true);
    await expectNoShift(page);
  });
}

test('a tap is answered within a tenth of a second', async ({ page }) => {
  test.setTimeout(90_000);
  await page.addInitScript(() => {
    // So that «Показать ещё» is left to the finger.
    window.IntersectionObserver.prototype.observe = () => {};
  });
  await watchAnswers(page);
  await page.goto('/');
  await hydrated(page);
  await page.waitForLoadState('networkidle');
  await slowDown(page);

  const card = cardOf(page, texts.discussed);
  const answered = {
    menu: await quickest(page, card.getByRole('button', { name: 'Действия с записью' })),
    views: await quickest(page, switcher(page)),
    like: await quickest(page, card.getByRole('button', { name: 'Нравится' })),
    more: await quickest(page, page.getByRole('button', { name: 'Показать ещё' })),
  };
  for (const [what, ms] of Object.entries(answered)) expect(ms, what).toBeLessThan(answerMs);
});

test('the first field is there to type in while the rest of the way in is still to come', async ({ page }) => {
  const gate = await holdScripts(page, /begin-sign-in/);
  await page.goto('/');
  await hydrated(page);
  await cardOf(page, texts.discussed).getByRole('button', { name: 'Нравится' }).tap();
  await expect(emailField(page)).toBeFocused();
  await page.keyboard.type('anna@example.');
  gate.resolve();
  await page.waitForResponse(/begin-sign-in/);
  await page.keyboard.type('org');
  await expect(emailField(page)).toHaveValue('anna@example.org');
  await expect(emailField(page)).toBeFocused();
});

test('a tap before the app has come is answered by it', async ({ page, wall }) => {
  const gate = await holdScripts(page, /\.js$/);
  await page.goto('/', { waitUntil: 'commit' });
  const card = cardOf(page, texts.discussed);
  await card.getByRole('button', { name: 'Ответить' }).tap();
  await expect(dialog(page)).toBeHidden();
  gate.resolve();
  await expect(emailField(page)).toBeFocused();
  const intent = await page.evaluate(() => sessionStorage.getItem('intent'));
  expect(JSON.parse(intent!)).toEqual({ kind: 'reply', postId: String(wall.ids.discussed), path: '/' });
});

/** Scripts with such a name wait until the gate is open. */
async function holdScripts(page: Page, name: RegExp): Promise<PromiseWithResolvers<void>> {
  const gate = Promise.withResolvers<void>();
  await page.route(name, async (route) => {
    await gate.promise;
    await route.continue();
  });
  return gate;
}

function paints(page: Page): Promise<{ first: number; largest: number; largestIsText: boolean }> {
  return page.evaluate(
    () =>
      new Promise((done) => {
        const [first] = performance.getEntriesByName('first-contentful-paint');
        new PerformanceObserver((list) => {
          const largest = list.getEntries().at(-1) as PerformanceEntry & { element: Element | null };
          const largestIsText = largest.element?.closest('article') !== null;
          done({ first: first!.startTime, largest: largest.startTime, largestIsText });
        }).observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
}

declare global {
  interface Window {
    /** From each click to the first frame that shows a change. */
    answers: number[];
  }
}

/** Before the page is opened. */
async function watchAnswers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.answers = [];
    const afterPaint = (then: () => void) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', then);
        port1.start();
        port2.postMessage(null);
      });
    const watch = ({ timeStamp }: Event) => {
      const observer = new MutationObserver(() => {
        observer.disconnect();
        afterPaint(() => window.answers.push(performance.now() - timeStamp));
      });
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    };
    addEventListener('click', watch, { capture: true });
  });
}

/** The machine may be busy with something else; the page is as quick as at its quickest. */
async function quickest(page: Page, button: Locator): Promise<number> {
  for (let tries = 1; tries <= 12; tries += 1) {
    await button.tap();
    await page.waitForFunction((tries) => window.answers.length === tries, tries);
    await page.keyboard.press('Escape');
  }
  return page.evaluate(() => Math.min(...window.answers.splice(0)));
}
