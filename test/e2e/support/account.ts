import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test';
import type { MailServer } from '../../kit/smtp.ts';
import { mutesLoaded } from './app.ts';
import { codeField, enter, newPerson, type Person, restoreSession } from './sign-in.ts';
import type { Wall } from './wall.ts';

export const paths = {
  settings: '/settings',
  email: '/settings/account/email',
  username: '/settings/account/username',
  deletion: '/settings/account/deletion',
};

export const newEmailField = (page: Page): Locator => page.getByRole('textbox', { name: 'Новый адрес' });
export const usernameField = (page: Page): Locator => page.getByRole('textbox', { name: 'Имя пользователя' });
export const mainButton = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('main').getByRole('button', { name });
export const problem = (page: Page): Locator => page.getByRole('main').getByRole('alert').filter({ hasText: /./ });
export const row = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('link', { name: RegExp(`^${name}`) });

/** Signs in a new person with these posts and opens a page of the settings. */
export async function openAs(page: Page, wall: Wall, path: string, texts: string[] = []): Promise<Person> {
  const person = await newPerson(wall);
  await wall.seed.posts(texts.map((text) => ({ by: person.id, text })));
  await restoreSession(page, wall, person, path);
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toBeVisible();
  return person;
}

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

export const otherSession = (page: Page, name: string | RegExp): Locator => others(page).getByRole('link', { name });

export const closeOthersButton = (page: Page): Locator =>
  page.getByRole('main').getByRole('button', { name: 'Завершить другие сеансы' });

export const noOthers = (page: Page): Locator => page.getByText('Других сеансов нет');

export const nameField = (page: Page): Locator => page.getByRole('textbox', { name: 'Название' });
export const scope = (page: Page, name: string): Locator => page.getByRole('radio', { name });
export const tokens = (page: Page): Locator => page.getByRole('region', { name: 'Ваши токены' }).getByRole('listitem');
/** The only place where a token is shown. */
export const made = (page: Page): Locator => page.getByRole('region', { name: 'Новый токен' });

export const openApiTokens = (page: Page, wall: Wall): Promise<Person> => openAs(page, wall, '/settings/programs');

interface Wanted {
  name: string;
  scope?: string;
}

/** Fills the form and requests the code. */
export async function orderToken(page: Page, { name, scope: wanted = 'Только читать' }: Wanted): Promise<void> {
  await nameField(page).fill(name);
  await scope(page, wanted).check();
  await mainButton(page, 'Получить код').click();
  await expect(codeField(page)).toBeVisible();
}

/** Makes a token in the page; resolves to it. */
export async function makeToken(page: Page, mail: MailServer, { email }: Person, wanted: Wanted): Promise<string> {
  await orderToken(page, wanted);
  await codeField(page).fill(await mail.codeTo(email));
  await expect(made(page)).toContainText(wanted.name);
  return (await made(page).getByRole('code').first().textContent())!;
}

/** Signs in an owner who has something on each page of forms. */
export async function openStory(context: BrowserContext, wall: Wall): Promise<Person & { own: number; other: number }> {
  const [person, author] = [await newPerson(wall), await newPerson(wall)];
  await wall.seed.appoint(person, 'owner');
  const [own, other] = await wall.seed.posts([
    { by: person.id, text: 'Своя запись' },
    { by: author.id, text: 'Чужая запись со ссылкой https://example.org/длинный/путь/до/страницы и #тегом' },
  ]);
  await wall.seed.replies(own!, [{ by: author.id, text: 'Спасибо за запись' }]);
  await wall.seed.report(other!, person.id);
  await enter(context, wall, person.id);
  await wall.seed.session(person.id, { userAgent: 'Edge', userAgentVersion: '1', os: 'Windows' });
  return { ...person, own: own!, other: other! };
}
