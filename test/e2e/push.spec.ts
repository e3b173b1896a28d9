import type { CDPSession, Page } from '@playwright/test';
import { type PushServer, startPushServer } from '../kit/push-server.ts';
import { expectAccessible } from './support/accessible.ts';
import { openPage } from './support/app.ts';
import { cardOf } from './support/feed.ts';
import { openNotifications, signInWithPost } from './support/notifications.ts';
import { phone } from './support/screens.ts';
import { expect, test as base } from './support/test.ts';
import { toast } from './support/writing.ts';

const test = base.extend<{ push: PushServer }>({
  push: async ({ browserName: _ }, use) => {
    await using server = await startPushServer();
    await use(server);
  },
  settings: ({ push }, use) => use({ PUSH_HOSTS: push.host }),
});
test.use({
  viewport: phone,
  hasTouch: true,
  permissions: ['notifications'],
  // The headless shell has no notifications.
  launchOptions: {
    executablePath: process.env['CHROMIUM_FULL'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  },
});

/** Browsers subscribe at a service on the internet. This one subscribes at that of the test. */
async function subscribingAt(page: Page, server: PushServer) {
  const browser = await server.subscribe();
  await page.addInitScript((subscription) => {
    const own = {
      ...subscription,
      toJSON: () => subscription,
      unsubscribe: async () => sessionStorage.removeItem('subscribed'),
    };
    const isSubscribed = () => sessionStorage.getItem('subscribed') !== null;
    Object.assign(PushManager.prototype, {
      async subscribe({ applicationServerKey: key }: { applicationServerKey: string }) {
        sessionStorage.setItem('subscribed', key);
        return own;
      },
      getSubscription: async () => (isSubscribed() ? own : null),
    });
  }, browser.subscription);
  return browser;
}

const question = 'Присылать ответы на этот телефон?';
const offer = (page: Page) => page.getByRole('group', { name: question });
const onThisDevice = (page: Page) => page.getByRole('switch', { name: 'Присылать ответы на это устройство' });
const withoutText = (page: Page) => page.getByRole('switch', { name: 'Без текста' });

/** Resolves to the id of the registration of the service worker. */
async function registrationOf(devtools: CDPSession): Promise<string> {
  const registered = new Promise<string>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    }),
  );
  await devtools.send('ServiceWorker.enable');
  return registered;
}

const shownOn = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const shown = await registration!.getNotifications();
    return shown.map(({ title, body, tag, data }) => ({ title, body, tag, url: data }));
  });

test('an answer comes to the phone that was offered it, and opens there', async ({ page, ownWall, push }) => {
  const browser = await subscribingAt(page, push);
  const { reply, post } = await signInWithPost(page, ownWall);
  await reply('Я иду!');
  await openNotifications(page, ownWall);
  await offer(page).getByRole('button', { name: 'Да' }).tap();
  await expect(toast(page, 'Ответы будут приходить сюда')).toBeVisible();
  await expect(offer(page)).toHaveCount(0);
  await openPage(page, ownWall.url);
  const [answer] = await reply('И я!');
  const message = await browser.message();
  expect(message).toEqual({
    title: 'boris_petrov отвечает вам',
    body: 'И я!',
    tag: String(post),
    url: `/posts/${post}#${answer}`,
  });

  // The worker of the page above has no handler of requests, so no page waits for it.
  const began = await page.evaluate(() => {
    const [{ workerStart }] = performance.getEntriesByType('navigation') as [PerformanceNavigationTiming];
    return { workerStart, isControlled: navigator.serviceWorker.controller !== null };
  });
  expect(began).toEqual({ workerStart: 0, isControlled: true });

  const devtools = await page.context().newCDPSession(page);
  const registrationId = await registrationOf(devtools);
  const deliver = () =>
    devtools.send('ServiceWorker.deliverPushMessage', {
      origin: ownWall.url,
      registrationId,
      data: JSON.stringify(message),
    });
  // The first one may come before the worker has started.
  await expect
    .poll(async () => {
      await deliver();
      return shownOn(page);
    })
    .toEqual([message]);
  const worker = page.context().serviceWorkers()[0]!;
  // Only the person's own tap may open a window.
  const opened = await worker.evaluate(async () => {
    const scope = self as unknown as {
      registration: ServiceWorkerRegistration;
      clients: { openWindow(url: string): void };
      dispatchEvent(event: Event): void;
    };
    const windows: string[] = [];
    scope.clients.openWindow = (url) => void windows.push(url);
    const [notification] = await scope.registration.getNotifications();
    const Tap = Reflect.get(self, 'NotificationEvent') as new (name: string, more: object) => Event;
    scope.dispatchEvent(new Tap('notificationclick', { notification }));
    for (let tries = 0; tries < 100 && windows.length === 0; tries += 1) await new Promise((go) => setTimeout(go, 20));
    return { windows, left: (await scope.registration.getNotifications()).length };
  });
  expect(opened).toEqual({ windows: [`${ownWall.url}/posts/${post}#${answer}`], left: 0 });
});

test('a declined offer is not repeated, and the settings decide for each device', async ({ page, ownWall, push }) => {
  const browser = await subscribingAt(page, push);
  const { reply } = await signInWithPost(page, ownWall);
  await openNotifications(page, ownWall);
  await reply('Я иду!');
  await offer(page).getByRole('button', { name: 'Нет' }).tap();
  await expect(offer(page)).toHaveCount(0);
  await openNotifications(page, ownWall);
  await expect(cardOf(page, 'Я иду!')).toBeVisible();
  await expect(offer(page)).toHaveCount(0);
  const settings = `${ownWall.url}/settings/notifications`;
  await openPage(page, settings);
  await expect(onThisDevice(page)).not.toBeChecked();
  await onThisDevice(page).tap();
  await withoutText(page).tap();
  await expect(withoutText(page)).toBeChecked();
  await expectAccessible(page);
  await openPage(page, settings);
  await expect(withoutText(page)).toBeChecked();
  await reply('И я!');
  expect(await browser.message()).not.toHaveProperty('body');
  await onThisDevice(page).tap();
  await expect(withoutText(page)).toHaveCount(0);
  await openPage(page, settings);
  await expect(onThisDevice(page)).not.toBeChecked();
});

test.describe('where the person has forbidden messages to the browser', () => {
  test.use({ permissions: [] });

  test('nothing is offered, and the settings say why', async ({ page, ownWall }) => {
    const { reply } = await signInWithPost(page, ownWall);
    await reply('Я иду!');
    await openNotifications(page, ownWall);
    await openPage(page, `${ownWall.url}/settings/notifications`);
    await expect(page.getByText('браузер запретил их этому сайту')).toBeVisible();
    await page.goBack();
    await expect(page.getByText('Я иду!')).toBeVisible();
    await expect(offer(page)).toHaveCount(0);
  });
});
