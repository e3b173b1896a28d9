import { otherSession, section } from './support/devices.ts';
import { askForCode, codeField, dialog, newPerson, profileLink, signIn } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

test.use({ settings: { CODE_RESEND_SECONDS: '0' } });

test('the mail about a new device links to its session', async ({ page, browser, ownWall, mail }) => {
  test.setTimeout(60_000);
  const person = await newPerson(ownWall);
  await signIn(page, mail, ownWall.url, person);
  await mail.mailTo(person.email, ({ text }) => text.includes('нового устройства'));

  const away = await browser.newContext({ locale: 'ru-RU' });
  await signIn(await away.newPage(), mail, ownWall.url, person);
  const notice = await mail.mailTo(person.email, ({ text }) => text.includes('нового устройства'));
  expect(notice.text).toMatch(/нового устройства: (Chrome|Firefox) \d+, Linux\./);
  const link = /https?:\S+/.exec(notice.text)![0];
  expect(link).toBe(`${ownWall.url}/settings/devices`);
  await away.close();

  const third = await browser.newContext({ locale: 'ru-RU' });
  const reader = await third.newPage();
  await reader.goto(link);
  await reader.getByRole('main').getByRole('button', { name: 'Войти' }).click();
  await expect(dialog(reader)).toBeVisible();
  await askForCode(reader, person.email);
  await codeField(reader).fill(await mail.codeTo(person.email));
  await expect(profileLink(reader)).toHaveText(person.name);
  await expect(section(reader, 'Текущий сеанс')).toContainText('Сейчас');
  await expect(otherSession(reader, /^(Chrome|Firefox)/)).toHaveCount(2);
  await third.close();
});
