import { addresses } from '#contract/addresses.ts';
import { cardOf } from './support/feed.ts';
import { nothingMayExecute } from './support/nothing-may-execute.ts';
import { phone } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { choice, signInNewPerson, textField } from './support/writing.ts';

nothingMayExecute();
test.use({ viewport: phone });

test('a hostile text stays text, a link in the app and the shortcut open the composer, and Back closes it', async ({
  page,
  ownWall,
}) => {
  await signInNewPerson(page, ownWall);
  const hostile = '"><script>pwned()</script><img src=x onerror=pwned()>';
  const address = addresses.newPost.href({}, { title: `${hostile}\0`, url: 'javascript:pwned()' });
  await page.evaluate((address) => {
    const link = Object.assign(document.createElement('a'), { href: address, textContent: 'ссылка' });
    document.querySelector('main')!.prepend(link);
    link.click();
  }, address);
  await expect(textField(page)).toHaveValue(`${hostile}\njavascript:pwned()`);
  await choice(page, 'Опубликовать').click();
  await expect(cardOf(page, hostile)).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();

  // The shortcut opens an empty composer, and Back closes it.
  await page.goto(ownWall.url);
  await page.goto(ownWall.url + addresses.newPost.href());
  await expect(page.getByRole('dialog', { name: 'Новая запись' })).toBeVisible();
  await expect(textField(page)).toHaveValue('');
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL(`${ownWall.url}/`);
});
