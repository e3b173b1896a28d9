import { expect, type Locator, type Page } from '@playwright/test';
import type { Device } from '#contract/sessions.ts';
import type { MailServer } from '../../test/smtp.ts';
import { newPerson, type Person, profileLink, arrive } from './door.ts';
import type { Wall } from './wall.ts';

export const firefox: Device = { userAgent: 'Firefox', userAgentVersion: '145.0.1', os: 'Ubuntu 24.04' };
const safari: Device = { userAgent: 'Safari', userAgentVersion: '26.1', os: 'iOS 26.1' };

/** A session that no page of the test has. */
interface SessionAway {
  isOpen(): Promise<boolean>;
  closeOthers(): Promise<void>;
}

/** A program signs in and says that it is this device. */
export async function signInFrom(device: Device, { url }: Wall, mail: MailServer, email: string): Promise<SessionAway> {
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.ok, path).toBe(true);
    return response.json();
  };
  const clientToken = `${device.userAgent} away`;
  const { id } = await post('/logins', { email, clientToken, device });
  const { accessToken } = await post(`/logins/${id}/verify`, { clientToken, confirmCode: await mail.codeTo(email) });
  const send = (method: string, path: string): Promise<Response> =>
    fetch(`${url}/api/v1${path}`, { method, headers: { authorization: `Bearer ${accessToken.token}` } });
  return {
    isOpen: async () => (await send('GET', '/users/current')).status === 200,
    closeOthers: async () => expect((await send('DELETE', '/sessions')).status).toBe(204),
  };
}

/** Somebody new at their devices page, signed in here and on two other devices. */
export async function openDevices(page: Page, wall: Wall, mail: MailServer) {
  const person: Person = await newPerson(wall);
  await arrive(page, wall, person);
  const away = {
    firefox: await signInFrom(firefox, wall, mail, person.email),
    safari: await signInFrom(safari, wall, mail, person.email),
  };
  await page.goto(`${wall.url}/settings/devices`);
  await expect(profileLink(page)).toHaveText(person.name);
  await expect(others(page)).toHaveCount(2);
  return { person, ...away };
}

export const section = (page: Page, name: 'Текущий сеанс' | 'Другие сеансы'): Locator =>
  page.getByRole('region', { name });

export const others = (page: Page): Locator => section(page, 'Другие сеансы').getByRole('listitem');

export const otherSession = (page: Page, name: string | RegExp): Locator => others(page).getByRole('button', { name });

export const closeOthersButton = (page: Page): Locator =>
  page.getByRole('main').getByRole('button', { name: 'Завершить другие сеансы' });

export const noOthers = (page: Page): Locator => page.getByText('Других сеансов нет');
