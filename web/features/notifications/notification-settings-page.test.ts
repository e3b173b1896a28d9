import assert from 'node:assert/strict';
import { test } from 'node:test';
import { press } from '../../../test/kit/screen/account.ts';
import { toast } from '../../../test/kit/screen/posts.ts';
import { openOwnPage } from '../../../test/kit/screen/seeded.ts';
import type { Screen } from '../../../test/kit/screen/open-screen.ts';

const path = '/settings/notifications';

const follows = (screen: Screen) =>
  screen.findByRole<HTMLInputElement>('switch', { name: 'Следить за обсуждениями, в которых я отвечаю' });
const letter = (screen: Screen, name: string) => screen.findByRole<HTMLInputElement>('radio', { name });

test('what is chosen about notifications is saved at once and found again', async () => {
  await using page = await openOwnPage('/settings');
  const { screen: first } = page;
  await first.click(await first.main().findByRole('link', { name: 'Уведомления' }));
  await first.until(() => assert.deepEqual([first.path(), first.window.document.title], [path, 'Уведомления - Стена']));
  assert.ok((await follows(first)).checked);
  assert.ok((await letter(first, 'Не присылать')).checked);
  const statuses: number[] = [];
  first.network.intercept(/^PUT /, async ({ forward }) => {
    const response = await forward();
    statuses.push(response.status);
    return response;
  });
  await first.click(await follows(first));
  await toast(first, 'Сохранено');
  await first.click(await letter(first, 'Раз в неделю'));
  await first.until(() => assert.deepEqual(statuses, [200, 200]));
  await toast(first, 'Сохранено');
  await using screen = await first.reload();
  assert.ok(!(await follows(screen)).checked);
  assert.ok((await letter(screen, 'Раз в неделю')).checked);
});

test('quick changes of notifications are sent one at a time, and the last ones count', async () => {
  await using page = await openOwnPage(path);
  const { screen: first } = page;
  const sent: string[] = [];
  const isFirstOver = Promise.withResolvers<void>();
  await follows(first);
  first.network.intercept(/^PUT .*\/notification-settings$/, async ({ body, forward }) => {
    sent.push(JSON.parse(body!).digest);
    if (sent.length === 1) await isFirstOver.promise;
    return forward();
  });
  await first.click(await letter(first, 'Раз в день'));
  await toast(first, 'Сохраняем…');
  await first.click(await letter(first, 'Раз в неделю'));
  await first.click(await follows(first));
  await first.until(() => assert.deepEqual(sent, ['daily']));
  isFirstOver.resolve();
  await toast(first, 'Сохранено');
  assert.deepEqual(sent, ['daily', 'weekly']);
  await using screen = await first.reload();
  assert.ok((await letter(screen, 'Раз в неделю')).checked);
  assert.ok(!(await follows(screen)).checked);
});

test('settings of notifications that fail to load can be asked for again', async () => {
  await using page = await openOwnPage('/settings');
  let release = () => {};
  await using screen = await page.screen.reload(path, ({ network }) => {
    release = network.intercept(/\/notification-settings$/, () => Response.json({}, { status: 503 }));
  });
  await screen.findByRole('heading', { name: 'Не удалось загрузить' });
  release();
  await press(screen, 'Повторить');
  assert.ok((await follows(screen)).checked);
});
