import type { Page } from '@playwright/test';
import { limits } from '#contract/limits.ts';
import { cardOf } from './support/feed.ts';
import { filledWall, open, pill } from './support/live.ts';
import { expect, test } from './support/test.ts';

const events = '**/api/v1/events?*';

test('a hidden tab closes its event stream and catches up when it becomes visible, as does a browser that was offline', async ({
  page,
  context,
  ownWall,
}) => {
  const by = await filledWall(ownWall, 3);
  const streams = openStreams(page);
  await open(page, ownWall.url);
  await expect.poll(streams).toBe(1);
  await setVisibility(page, 'hidden');
  await expect.poll(streams).toBe(0);
  await ownWall.seed.posts([{ by, text: 'Новая' }]);
  await page.waitForTimeout(600);
  await expect(pill(page)).toHaveCount(0);
  await setVisibility(page, 'visible');
  await expect(pill(page)).toHaveText('Показать новые: 1');
  expect(streams()).toBe(1);

  await context.setOffline(true);
  await expect.poll(streams).toBe(0);
  await ownWall.seed.posts([{ by, text: 'Ещё новая' }]);
  await context.setOffline(false);
  await expect(pill(page)).toHaveText('Показать новые: 2');
});

test('a quiet line says that the server does not answer, and changes made meanwhile appear afterwards', async ({
  page,
  ownWall,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_CONNECTION_(REFUSED|RESET)|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED_ENCODING/);
  const by = await filledWall(ownWall, 3);
  const streams = openStreams(page);
  await open(page, ownWall.url);
  await expect.poll(streams).toBe(1);
  const failed = page.waitForEvent('requestfailed');
  const line = page.getByRole('status').filter({ hasText: 'Стена не отвечает' });
  await ownWall.restart(async () => {
    await ownWall.seed.posts([{ by, text: 'Новая' }]);
    await failed;
    await expect(line).toBeInViewport();
    await expect(page.getByText('Нет соединения')).toHaveCount(0);
  });
  await ownWall.seed.posts([{ by, text: 'И ещё' }]);
  await expect(pill(page)).toHaveText('Показать новые: 2');
  await expect(line).toHaveCount(0);
  expect(streams()).toBe(1);
});

test('without event streams the page polls', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_FAILED/);
  const by = await filledWall(ownWall, 3);
  await page.clock.install();
  await page.route(events, (route) => (isStream(route.request()) ? route.abort() : route.continue()));
  await open(page, ownWall.url);
  for (const text of ['Первая', 'Вторая']) {
    const response = page.waitForResponse(events);
    await page.clock.runFor(limits.pollMs);
    await response;
    await ownWall.seed.posts([{ by, text }]);
  }
  await page.clock.runFor(limits.pollMs);
  await expect(pill(page)).toHaveText('Показать новые: 2');
});

test('after more changes than the log returns, the page reloads its data', async ({ page, ownWall }) => {
  const by = await filledWall(ownWall, 3);
  const [edited, doomed] = await ownWall.seed.posts([
    { by, text: 'Было так' },
    { by, text: 'Скоро удалят' },
  ]);
  const release = Promise.withResolvers<void>();
  const reset = { position: '1', reset: true, posts: [], replies: [], changed: [], deleted: [], counts: [] };
  await page.route(
    events,
    async (route) => {
      await release.promise;
      await route.fulfill({ contentType: 'text/event-stream', body: `data: ${JSON.stringify(reset)}\n\n` });
    },
    { times: 1 },
  );
  await open(page, ownWall.url);
  await ownWall.seed.edit(edited!, 'Стало иначе');
  await ownWall.seed.remove(doomed!);
  await ownWall.seed.posts([{ by, text: 'Новая' }]);
  release.resolve();
  await expect(cardOf(page, 'Стало иначе')).toContainText('изменено');
  await expect(cardOf(page, 'Скоро удалят')).toHaveCount(0);
  await expect(pill(page)).toHaveText('Показать новые: 1');
});

const isStream = (request: { headers(): Record<string, string> }): boolean =>
  request.headers()['accept'] === 'text/event-stream';

/** The number of open event streams of the page. */
function openStreams(page: Page): () => number {
  let open = 0;
  page.on('request', (request) => void (isStream(request) && (open += 1)));
  for (const ended of ['requestfinished', 'requestfailed'] as const) {
    page.on(ended as 'requestfinished', (request) => void (isStream(request) && (open -= 1)));
  }
  return () => open;
}

/** Simulates that the tab becomes hidden or visible. */
async function setVisibility(page: Page, state: DocumentVisibilityState): Promise<void> {
  await page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
    Object.defineProperty(document, 'hidden', { value: state === 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}
