import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from '@playwright/test';
import { limits } from '#contract/limits.ts';
import { restoreSession, newPerson, type Person } from './sign-in.ts';
import { cardOf } from './feed.ts';
import type { Wall } from './wall.ts';

/** Signs in a new person and opens a page. */
export async function signInNewPerson(page: Page, wall: Wall, path = '/'): Promise<Person> {
  const person = await newPerson(wall);
  await restoreSession(page, wall, person, path);
  return person;
}

export const textField = (page: Page): Locator => page.getByRole('dialog').getByRole('textbox');

export const choice = (page: Page, name: string): Locator =>
  page.getByRole('dialog').getByRole('button', { name, exact: true });

export const toast = (page: Page, text: string): Locator => page.getByRole('status').filter({ hasText: text });

/** Messages stand for as long as the test takes. */
export const holdToasts = (page: Page): Promise<unknown> =>
  page.addInitScript((toastMs) => {
    const start = window.setTimeout;
    Object.assign(window, {
      setTimeout: (run: () => void, ms?: number) => start(run, ms === toastMs ? 600_000 : ms),
    });
  }, limits.toastMs);

export const newPostButton = (page: Page): Locator => page.getByRole('button', { name: 'Новая запись' });

export async function publish(page: Page, text: string): Promise<void> {
  await newPostButton(page).click();
  await textField(page).fill(text);
  await choice(page, 'Опубликовать').click();
  await cardOf(page, text).waitFor();
}

export const menuButton = (page: Page, text: string): Locator =>
  cardOf(page, text).first().getByRole('button', { name: 'Действия с записью' });

/** Opens the menu of a post and selects an item. */
export async function choose(page: Page, text: string, item: string | RegExp): Promise<void> {
  await menuButton(page, text).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Records matching requests of the page from now on. */
export function callsOf(page: Page, method: string, path: RegExp): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === method && path.test(pathname)) calls.push(pathname);
  });
  return calls;
}

/** The server receives the next such request, but its response is lost. */
export async function dropNextResponse(page: Page, method: string, path: RegExp): Promise<void> {
  let lost = false;
  await page.route(path, async (route) => {
    if (lost || route.request().method() !== method) return route.fallback();
    lost = true;
    // `route.fetch` would send no body in Firefox, whose driver does not know the bodies of requests.
    await route.continue({ url: await throughLosingProxy(route.request().url()) });
  });
}

/** Starts a proxy that passes one request on to this address and then breaks the connection. Resolves to the address at the proxy. */
async function throughLosingProxy(address: string): Promise<string> {
  const { origin, host, pathname, search } = new URL(address);
  const proxy = createServer((incoming) => {
    const headers = { ...incoming.headers, host };
    const outgoing = request(origin + incoming.url, { method: incoming.method, headers }, (response) => {
      response.resume().once('end', () => incoming.socket.resetAndDestroy());
    });
    incoming.pipe(outgoing);
    proxy.close();
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${pathname}${search}`;
}
