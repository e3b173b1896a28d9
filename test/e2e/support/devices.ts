import { expect, type Locator, type Page } from '@playwright/test';
import { mutesLoaded } from './app.ts';
import { newPerson, restoreSession } from './sign-in.ts';
import type { Wall } from './wall.ts';

/** Opens the devices page of a new person who is also signed in on two other devices. */
export async function openDevices(page: Page, wall: Wall): Promise<void> {
  const person = await newPerson(wall);
  await wall.seed.session(person.id, { userAgent: 'Firefox', userAgentVersion: '145.0.1', os: 'Ubuntu 24.04' });
  await wall.seed.session(person.id, { userAgent: 'Safari', userAgentVersion: '26.1', os: 'iOS 26.1' });
  const mutes = mutesLoaded(page);
  await restoreSession(page, wall, person, '/settings/devices');
  await expect(others(page)).toHaveCount(2);
  await mutes;
}

export const others = (page: Page): Locator =>
  page.getByRole('region', { name: 'Другие сеансы' }).getByRole('listitem');

export const otherSession = (page: Page, name: string | RegExp): Locator => others(page).getByRole('button', { name });

export const closeOthersButton = (page: Page): Locator =>
  page.getByRole('main').getByRole('button', { name: 'Завершить другие сеансы' });

export const noOthers = (page: Page): Locator => page.getByText('Других сеансов нет');
