import type { Page, Request, Route } from '@playwright/test';
import { markDocument, openPage } from '../../e2e/support/app.ts';
import { button, codeField, dialog, emailField, profileLink, signInButton } from '../../e2e/support/sign-in.ts';
import { wrong } from '../program.ts';
import { expect, type Scene } from '../scene.ts';

const notFound = { code: 'USER_NOT_FOUND', message: 'Сервер такого не знает' };
const send = (page: Page) => button(page, 'Получить код');
/** The message under a field. */
const under = (page: Page) => dialog(page).getByRole('alert').filter({ hasText: /./ });

/** Registers a person with an address and a code, until the page shows the person as signed in. */
export async function registering(scene: Scene): Promise<void> {
  const { check, wall, email } = scene;
  const page = await scene.newPage({ visits: true });
  await page.addInitScript(() => {
    const request = window.requestIdleCallback.bind(window);
    const idle: unknown[] = [];
    Object.assign(window, { idle });
    window.requestIdleCallback = (callback, options) => {
      idle.push(options?.timeout);
      return request(callback, options);
    };
  });
  await openPage(page, '/');
  await signInButton(page).click();
  await check(['2.44', '2.41'], async () => {
    await expect(dialog(page).getByRole('heading')).toHaveText('Стена');
  });
  await check('2.42', () => expect(dialog(page)).toContainText('Введите электронную почту'));
  await check('2.43', async () => {
    const box = (await dialog(page).locator('form').boundingBox())!;
    expect(Math.abs(box.x + box.width / 2 - page.viewportSize()!.width / 2)).toBeLessThan(10);
  });

  await check('5.3', () => expect(send(page)).toBeDisabled());
  await check('5.1', async () => {
    await emailField(page).fill('a');
    await emailField(page).fill('');
    await expect(under(page)).toHaveText('Введите email');
    await expect(send(page)).toBeDisabled();
  });
  await check(['5.2', '5.3'], async () => {
    await emailField(page).fill('мимо');
    await expect(under(page)).toHaveText('Введите корректный email');
    await expect(send(page)).toBeDisabled();
  });
  await check('5.4', async () => {
    for (const refused of ['a@b.c', 'a@bcd', 'b.cd', '@b.cd', 'a@.cd', 'a b@c.dd', 'a@b c.dd']) {
      await emailField(page).fill(refused);
      await expect(send(page)).toBeDisabled();
    }
    for (const fits of ['a@b.cd', 'a.b+c@d-e.museum']) {
      await emailField(page).fill(fits);
      await expect(send(page)).toBeEnabled();
    }
  });
  await check('8.25', async () => {
    const blocked = await scene.newPage({ visits: true });
    const started: string[] = [];
    blocked.on('request', (request) => {
      if (request.method() === 'POST') started.push(request.url());
    });
    await blocked.route('**/assets/fingerprint*', (route) => route.abort());
    await openPage(blocked, '/');
    await signInButton(blocked).click();
    await emailField(blocked).fill(email);
    await send(blocked).click();
    await expect(under(blocked)).toHaveText('Не удалось идентифицировать user-agent');
    expect(started.filter((url) => url.includes('/api/'))).toEqual([]);
    await blocked.context().close();
  });

  const begin = async (): Promise<Request> => {
    const [request] = await Promise.all([page.waitForRequest('**/api/v1/logins'), send(page).click()]);
    return request;
  };
  await emailField(page).fill(email);
  await check(['1.12', '4.5', '7.29', '7.30'], async () => {
    const request = await begin();
    const body = request.postDataJSON();
    expect(Object.keys(body.device).toSorted()).toEqual(['os', 'userAgent', 'userAgentVersion']);
    expect(body.email).toBe(email);
    expect(body.clientToken).toBeTruthy();
    expect(body.clientToken).toBe(await page.evaluate(() => localStorage.getItem('client-token')));
    expect(await page.evaluate(() => (window as unknown as { idle: unknown[] }).idle)).toContain(500);
  });
  await check(['4.8', '4.9', '8.2'], async () => {
    await expect(button(page, 'Продолжить')).toBeVisible();
    await expect(dialog(page)).toContainText(email);
  });
  await check('4.11', async () => {
    await button(page, 'Вернуться').click();
    await expect(emailField(page)).toBeVisible();
    await emailField(page).fill(email);
    await begin();
  });
  await check(['8.7', '8.11'], async () => {
    await page.route('**/api/v1/registrations', (route) => route.fulfill({ status: 400, json: notFound }), {
      times: 1,
    });
    await button(page, 'Продолжить').click();
    await expect(under(page)).toHaveText(notFound.message);
  });
  await check('4.10', async () => {
    await button(page, 'Продолжить').click();
    await expect(codeField(page)).toBeVisible();
  });
  const code = await wall.mailbox.codeTo(email);
  await check(['1.13', '9.7'], () => expect(code).toMatch(/^\d{6}$/));
  await check('5.5', async () => {
    await codeField(page).fill('1a2-б3');
    await expect(codeField(page)).toHaveValue('123');
    await codeField(page).fill('');
    await expect(codeField(page)).toHaveValue('');
  });
  await check(['4.12', '5.7', '8.11'], async () => {
    const request = page.waitForRequest('**/registrations/*/verify');
    await codeField(page).fill(`${wrong(code)}7`);
    expect((await request).postDataJSON().confirmCode).toBe(wrong(code));
    await expect(under(page)).toContainText('Неверный код');
  });
  await check('5.5', async () => expect(await codeField(page).inputValue()).toHaveLength(6));
  await check('5.6', async () => {
    await codeField(page).fill('1');
    await expect(under(page)).toBeHidden();
  });
  await markDocument(page);
  await enterCode(scene, page, code);
  await check(['4.6', '4.10'], async () => {
    expect(await page.evaluate(() => 'marked' in window)).toBe(false);
  });
  await check(['2.37', '4.3', '6.1'], async () => {
    await expect(profileLink(page)).toBeVisible();
    await expect(signInButton(page)).toBeHidden();
  });
  await check('6.2', () => expect(page.getByText(/модерация|администратор/i)).toHaveCount(0));
  scene.state = await page.context().storageState();
  await page.context().close();
}

/** Types the right code, which needs no button, and waits until the page knows the reader. */
async function enterCode({ check }: Scene, page: Page, code: string): Promise<void> {
  const known = page.waitForRequest('**/api/v1/users/current');
  await codeField(page).fill(code);
  await expect(profileLink(page)).toBeVisible();
  await check(['4.2', '7.1', '7.2'], async () => {
    const headers = await (await known).allHeaders();
    expect(headers['authorization']).toMatch(/^Bearer ./);
    expect(headers['cookie']).toContain('session=');
  });
}

/** How a page determines the reader. */
export async function authorizing({ check, newPage }: Scene): Promise<void> {
  const page = await newPage();
  const release = Promise.withResolvers<void>();
  const renewals: string[] = [];
  await page.route('**/api/v1/sessions/current', async (route) => {
    renewals.push((await route.request().allHeaders())['cookie'] ?? '');
    await release.promise;
    await route.continue();
  });
  await openPage(page, '/');
  await check('4.1', async () => {
    await expect.poll(() => renewals.length).toBe(1);
    await expect(signInButton(page)).toBeHidden();
    await expect(profileLink(page)).toBeHidden();
  });
  release.resolve();
  await check(['4.13', '4.14'], async () => {
    await expect(profileLink(page)).toBeVisible();
    expect(renewals).toHaveLength(1);
    expect(renewals[0]).toContain('session=');
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'session');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  });
  await page.unrouteAll();
  const unauthorized = { code: 'UNAUTHORIZED', message: 'Войдите, чтобы продолжить.' };
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/\/(sessions\/current|posts\/replies)$/.test(pathname)) calls.push(`${request.method()} ${pathname.slice(7)}`);
  });
  const [renewal, read] = ['PATCH /sessions/current', 'GET /posts/replies'];
  const load = (history: NavigationHistoryBehavior) =>
    page.evaluate((how) => void navigation.navigate('/own/replies', { history: how }), history);
  await check('4.16', async () => {
    const refuse = (route: Route) => route.fulfill({ status: 401, json: unauthorized });
    await page.route('**/api/v1/posts/replies*', refuse, { times: 1 });
    await load('push');
    await expect.poll(() => calls).toEqual([read, renewal, read]);
    await expect(page.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
  });
  // Other responses would set the page’s idea of the server’s time.
  await page.route(/\/api\/v1\/(?!posts\/replies|sessions\/current)/, (route) => route.abort());
  await check(['4.15', '9.10'], async () => {
    for (const [seconds, expected] of [
      [600 - 60, [read]],
      [600 - 19, [renewal, read]],
    ] as const) {
      calls.length = 0;
      const answer = page.waitForResponse('**/api/v1/posts/replies*');
      await page.clock.fastForward(seconds * 1_000);
      await load('replace');
      await answer;
      expect(calls).toEqual(expected);
    }
  });
  await page.unrouteAll();
  await check('4.17', async () => {
    await page.route('**/api/v1/**', (route) => route.fulfill({ status: 401, json: unauthorized }));
    await page.evaluate(() => navigation.navigate('/liked'));
    await expect(page).toHaveURL('/');
    await expect(signInButton(page)).toBeVisible();
  });
  await page.context().close();

  const refused = await newPage();
  await refused.route('**/api/v1/sessions/current', (route) => route.fulfill({ status: 401, json: unauthorized }));
  await refused.goto('/');
  await check('4.4', () => expect(signInButton(refused)).toBeVisible());
  await refused.context().close();
}
