import { newPerson } from '../kit/seed.ts';
import { contrastOf, expectAccessible, expectLayoutAccessible } from './support/accessible.ts';
import { dialogLeft, openPage } from './support/app.ts';
import { openDeskAs } from './support/desk.ts';
import { cardOf, scrollToPost } from './support/feed.ts';
import { loudPost, expectMuted, loud, mutedSign, opener, seedAuthors, texts as mutingTexts } from './support/muting.ts';
import { boris, longName, texts } from './support/populated-wall.ts';
import { dialog, openDialog, restoreSession } from './support/sign-in.ts';
import { holdBack } from './support/code-files.ts';
import { expect, test } from './support/test.ts';
import { choice, choose, menuButton, newPostButton, signInNewPerson, textField, toast } from './support/writing.ts';

test('the feed, an author, what is missing or empty', async ({ page, wall, ownWall, pageErrors }) => {
  pageErrors.expect(/404/);
  await openPage(page, '/');
  await expectLayoutAccessible(page);
  // Discussions are in the gallery.
  const posts = [wall.ids.orphan, 999_999].map((id) => `/posts/${id}`);
  for (const path of [...posts, '/best', `/users/${longName}`, ownWall.url]) {
    await test.step(path, async () => {
      await openPage(page, path);
      await expectAccessible(page);
    });
  }
});

test('far down the feed, the list of shortcuts, and a failure', async ({ page, pageErrors }) => {
  pageErrors.expect(/500/);
  await openPage(page, '/');
  await scrollToPost(page, 30);
  await expectAccessible(page);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await dialogLeft(page);
  await page.route('**/api/v1/posts?*', (route) => route.fulfill({ status: 500, json: {} }));
  await openPage(page, '/');
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page);
});

test('the menus and dialogs of posts', async ({ page, ownWall }) => {
  const { id: by } = await signInNewPerson(page, ownWall);
  const other = await newPerson(ownWall);
  await ownWall.seed.posts([
    { by, text: 'Своя запись' },
    { by: other.id, text: 'Чужая запись' },
  ]);
  await openPage(page, ownWall.url);
  await expect(page.getByRole('article')).not.toHaveCount(0);
  const close = async () => {
    await page.keyboard.press('Escape');
    await dialogLeft(page);
  };
  for (const text of ['Своя запись', 'Чужая запись']) {
    await menuButton(page, text).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
  }
  const opened = [
    ['Своя запись', /^Изменить/],
    ['Своя запись', 'Удалить'],
    ['Чужая запись', 'Пожаловаться'],
  ] as const;
  for (const [text, item] of opened) {
    await choose(page, text, item);
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessible(page);
    await close();
  }
  await newPostButton(page).first().click();
  await expectAccessible(page);
  await close();
  await cardOf(page, 'Чужая запись').getByRole('button', { name: 'Ответить' }).click();
  await expect(textField(page)).toBeFocused();
  await expectAccessible(page);
});

test('a deleted post with its way back, and a text changed after a reply', async ({ page, ownWall }) => {
  const { id: by } = await signInNewPerson(page, ownWall);
  const [root] = await ownWall.seed.posts([{ by, text: 'Вопрос', age: 60 }]);
  await ownWall.seed.replies(root!, [{ by, text: 'Чай на столе', age: 30 }]);
  await ownWall.seed.edit(root!, 'Другой вопрос');
  await openPage(page, `${ownWall.url}/own/replies`);
  await expect(cardOf(page, 'Чай на столе')).toContainText(/изменено после/);
  await choose(page, 'Чай на столе', 'Удалить');
  await choice(page, 'Удалить').click();
  await toast(page, 'Удалено').getByRole('button', { name: 'Вернуть' }).hover();
  await expectAccessible(page);
});

test('waiting newcomers, the shield and a closed discussion', async ({ page, ownWall }) => {
  const { seed } = ownWall;
  const [me, author, newcomer] = [await newPerson(ownWall), await newPerson(ownWall), await newPerson(ownWall)];
  await seed.appoint(me);
  const [root] = await seed.posts([
    { by: author.id, text: 'Кто знает хорошую пекарню?' },
    { by: newcomer.id, text: 'Всем привет! Ищу, с кем кататься по утрам' },
  ]);
  await seed.replies(root!, [{ by: me.id, text: 'На углу' }]);
  await seed.report(root!, newcomer.id);
  await restoreSession(page, ownWall, me, '/discussed');
  await expect(page.getByRole('heading', { name: 'Ждут ответа' }).filter({ visible: true })).toHaveCount(1);
  await expect(page.getByRole('link', { name: /записей с жалобами: 1/ }).filter({ visible: true })).toHaveCount(1);
  await expectAccessible(page);

  await openPage(page, `${ownWall.url}/posts/${root}`);
  await choose(page, 'Кто знает', 'Запретить новые ответы…');
  await expect(page.getByRole('dialog')).toContainText('Написанные останутся');
  await expectAccessible(page);
  await choice(page, 'Вопрос решён').click();
  await page.getByRole('button', { name: 'Ответить' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Ответ' })).toContainText('Новые ответы запрещены');
  await expectAccessible(page);
});

test('the sign-in by invitation, and the tree of who invited whom', async ({ page, ownWall }) => {
  await ownWall.admin('registration', 'members', '--reason', 'свои');
  const [inviter, invited] = [await newPerson(ownWall), await newPerson(ownWall)];
  await ownWall.seed.invited(invited.id, inviter.id);
  await openDialog(page, ownWall.url);
  await expect(dialog(page).getByText(/^Впервые здесь\?/)).toBeVisible();
  await expectAccessible(page);

  await openDeskAs(page, ownWall, `/moderation/people/${inviter.name}`);
  await expect(page.getByRole('list', { name: 'Кого пригласил' }).getByRole('listitem')).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole('main').getByRole('link', { name: 'Заблокировать всю ветку' }).click();
  await expect(choice(page, 'Заблокировать всю ветку')).toBeVisible();
  await expectAccessible(page);
});

test('muting works by keyboard, and words are chosen', async ({ page, ownWall }) => {
  const { disputed } = await seedAuthors(ownWall);
  await signInNewPerson(page, ownWall);
  await choose(page, mutingTexts.loud, 'Не показывать автора');
  await expectMuted(page);
  await expect(cardOf(page, mutingTexts.disputed)).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('PageUp');
  await expect(cardOf(page, mutingTexts.calm)).toBeFocused();

  await openPage(page, `${ownWall.url}/posts/${disputed}`);
  await expect(loudPost(page)).toHaveAccessibleName(new RegExp(loud));
  await expect(loudPost(page)).toHaveAccessibleDescription('автор скрыт');
  await expectAccessible(page);
  await opener(page).press('Enter');
  await expect(loudPost(page)).toBeFocused();
  await expect(page.getByText('А я не согласен')).toBeVisible();

  for (const path of [`/users/${loud}`, '/settings/muted']) {
    await openPage(page, ownWall.url + path);
    await expect(mutedSign(page)).toBeVisible();
    await expectAccessible(page);
  }
  for (const [path, submit] of [
    ['/settings/muted', 'Не показывать слово'],
    ['/following?word=лифт', 'Следить за словом'],
  ] as const) {
    await openPage(page, ownWall.url + path);
    await page.getByRole('textbox', { name: 'Слово или #тег' }).fill('лифт');
    await page.getByRole('button', { name: submit }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'лифт' })).toBeVisible();
    await expectAccessible(page);
  }
});

test('forced colours, more contrast and reduced motion are respected', async ({ page }) => {
  await openPage(page, '/');
  await test.step('forced colours: every state that colour shows has another sign', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    for (const edge of ['a[href="#main"]', 'nav button', 'header button:text("Войти")']) {
      const shown = page.locator(edge).first();
      await expect(shown).not.toHaveCSS('border-block-end-width', '0px');
      await expect(shown).not.toHaveCSS('border-block-end-color', /rgba\(0, 0, 0, 0\)/);
    }
    expect(
      await page
        .getByRole('article')
        .first()
        .evaluate((card) => getComputedStyle(card, '::after').borderBlockEndStyle),
    ).toBe('solid');
    await page.keyboard.press('j');
    await expect(page.getByRole('article').first()).toHaveCSS('outline-style', 'solid');
    await page.emulateMedia({ forcedColors: 'none' });
  });

  for (const theme of ['dark', 'light']) {
    await test.step(`prefers-contrast: more raises the contrast, ${theme}`, async () => {
      await page.emulateMedia({ contrast: 'no-preference' });
      await page.evaluate((theme) => void (document.documentElement.dataset['theme'] = theme), theme);
      const colors = ['--ink-quiet', '--line', '--line-strong', '--line-field'];
      const usual = await contrastOf(page, colors);
      await page.emulateMedia({ contrast: 'more' });
      const more = await contrastOf(page, colors);
      for (const [index, contrast] of more.entries()) expect(contrast).toBeGreaterThan(usual[index]!);
      expect(more[0]).toBeGreaterThanOrEqual(7);
      expect(Math.min(...more)).toBeGreaterThanOrEqual(3);
    });
  }

  await test.step('prefers-reduced-motion turns animations off', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.route('**/api/v1/posts?*', () => {});
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect(page.getByRole('feed')).toHaveAttribute('aria-busy', 'true');
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toBeVisible();
    const longest = await page.evaluate(() => {
      const seconds = [...document.querySelectorAll('*')].flatMap((element) => {
        const { transitionDuration, animationName, animationDuration } = getComputedStyle(element);
        return [transitionDuration, animationName === 'none' ? '0s' : animationDuration].join().split(',');
      });
      return Math.max(...seconds.map(Number.parseFloat));
    });
    expect(longest).toBeLessThanOrEqual(0.01);
  });
});

test('a screen reader says: skip link, navigation, heading, posts', async ({ page, wall }) => {
  await openPage(page, '/');
  await expect(page.locator('body')).toMatchAriaSnapshot(`
    - /children: equal
    - link "К содержанию"
    - button "Клавиши"
    - navigation "Разделы":
      - /children: equal
      - link "Стена"
      - list:
        - /children: equal
        - listitem:
          - link "Лента"
        - listitem:
          - button "Новая запись"
        - listitem:
          - link "Поиск"
        - listitem:
          - link "Уведомления"
        - listitem:
          - link "Сохранённое"
      - button "Светлая тема"
      - list
    - banner:
      - /children: equal
      - heading "Стена" [level=1]
      - combobox "Лента"
      - button "Войти"
    - status
    - main:
      - /children: equal
      - status
      - region "Чья это стена":
        - paragraph: Лента коротких записей. Читать может каждый.
        - text: /Пишут/
        - link "О стене"
      - navigation "Порядок ленты"
      - feed "Записи"
      - button "Показать ещё"
    - complementary "Что ещё на стене":
      - /children: equal
      - heading "Сейчас обсуждают" [level=2]
      - list:
        - listitem:
          - link /перечитываете чаще всего\\? \\d+ ответ/
      - paragraph:
        - link "Лучшее недели"
    - status
    - status
  `);
  await expect(cardOf(page, texts.discussed)).toMatchAriaSnapshot(`
    - article "${boris}":
      - /children: equal
      - link "${boris}"
      - link "1 ч.":
        - /url: /posts/${wall.ids.discussed}
      - button "Действия с записью"
      - text: ${texts.discussed}
      - button "Нравится"
      - button "Ответить 26"
      - link /${boris} \\S+ · ещё 25 ответов Ответ на ответ/
  `);
});

test('a screen reader says the way to a reply, and that a page loads and has loaded', async ({ page, wall }) => {
  await openPage(page, `/posts/${wall.ids.nested}`);
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - /children: equal
      - status
      - group "Начало обсуждения":
        - /children: equal
        - link "${boris} ${texts.discussed}"
        - link "${longName} Ответ 1"
      - article "${boris}":
        - link "${boris}"
        - button "Действия с записью"
        - text: Ответ на ответ
        - link / · /
        - button "Нравится"
        - button "Ответить"
      - heading "Ответы" [level=2]
      - heading "Записи не найдены" [level=2]
      - paragraph: Возможно, записи скоро появятся
  `);
  await openPage(page, '/');
  const held = await holdBack(page, `**/api/v1/posts/${wall.ids.discussed}/thread?*`);
  await cardOf(page, texts.discussed).locator('time[title]').click();
  await expect(page.getByRole('status').filter({ hasText: 'Загрузка' })).toHaveCount(1);
  await expect(page.getByRole('main').getByText('Загрузка')).toHaveCount(1);
  held.resolve();
  await expect(page.getByRole('status').filter({ hasText: 'Страница загружена' })).toHaveCount(1);
});
