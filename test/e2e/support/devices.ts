import { expect, type Locator, type Page } from '@playwright/test';
import { createClient } from '#client/create-client.ts';
import { closeOtherSessions, type Device } from '#contract/sessions.ts';
import { getCurrentUser } from '#contract/users.ts';
import { mutesLoaded } from './app.ts';
import { newPerson, type Person, restoreSession } from './sign-in.ts';
import type { Wall } from './wall.ts';

export const firefox: Device = { userAgent: 'Firefox', userAgentVersion: '145.0.1', os: 'Ubuntu 24.04' };
const safari: Device = { userAgent: 'Safari', userAgentVersion: '26.1', os: 'iOS 26.1' };

/** A session on another device. */
interface OtherSession {
  isOpen(): Promise<boolean>;
  closeOthers(): Promise<void>;
}

/** Signs a person in on another device. */
export async function openSessionOn(device: Device, { url, seed }: Wall, userId: number): Promise<OtherSession> {
  const { token } = await seed.session(userId, device);
  const call = createClient({ baseUrl: url, token });
  return {
    isOpen: () =>
      call(getCurrentUser, {}).then(
        () => true,
        () => false,
      ),
    closeOthers: async () => void (await call(closeOtherSessions, {})),
  };
}

/** Opens the devices page of a new person who is also signed in on two other devices. */
export async function openDevices(page: Page, wall: Wall) {
  const person: Person = await newPerson(wall);
  const away = {
    firefox: await openSessionOn(firefox, wall, person.id),
    safari: await openSessionOn(safari, wall, person.id),
  };
  const mutes = mutesLoaded(page);
  await restoreSession(page, wall, person, '/settings/devices');
  await expect(others(page)).toHaveCount(2);
  await mutes;
  return { person, ...away };
}

export const section = (page: Page, name: 'Текущий сеанс' | 'Другие сеансы'): Locator =>
  page.getByRole('region', { name });

export const others = (page: Page): Locator => section(page, 'Другие сеансы').getByRole('listitem');

export const otherSession = (page: Page, name: string | RegExp): Locator => others(page).getByRole('button', { name });

export const closeOthersButton = (page: Page): Locator =>
  page.getByRole('main').getByRole('button', { name: 'Завершить другие сеансы' });

export const noOthers = (page: Page): Locator => page.getByText('Других сеансов нет');
