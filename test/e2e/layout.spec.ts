import type { Page } from '@playwright/test';
import { paths } from './support/account.ts';
import { openPage, quiet } from './support/app.ts';
import { openDiscussion } from './support/discussion.ts';
import { bell, expectUnread, signInWithPost } from './support/notifications.ts';
import { filledWall } from './support/live.ts';
import { longName, texts } from './support/populated-wall.ts';
import { expectReflowed, widenText } from './support/reflow.ts';
import { desk, phone, tablet } from './support/screens.ts';
import { restoreSession, signInButton } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { choose, menuButton, newPostButton, publish, signInNewPerson, textField } from './support/writing.ts';

const railOf = (page: Page) => page.getByRole('navigation', { name: 'Разделы' });
const barOf = (page: Page) => page.getByRole('navigation', { name: 'Нижняя панель' });

test.describe('on a phone', () => {
  test.use({ viewport: phone, hasTouch: true });

  test('the bottom bar has labels, and hides again after it was used', async ({ page, ownWall }) => {
    await filledWall(ownWall, 12);
    await openPage(page, ownWall.url);
    const bar = barOf(page);
    await expect(bar.getByRole('link', { name: 'Лента' })).toHaveAttribute('aria-current', 'page');
    await expect(bar.getByRole('listitem')).toHaveCount(3);
    await expect(bar.getByRole('button', { name: 'Новая запись' })).toBeVisible();
    for (const label of ['Лента', 'Настройки']) {
      const { width, height } = (await bar.locator('span', { hasText: label }).last().boundingBox())!;
      expect(width, label).toBeGreaterThan(24);
      expect(height, label).toBeGreaterThan(10);
    }
    await expect(page.getByRole('banner').getByRole('button', { name: 'Светлая тема' })).toBeVisible();
    const hides = async () => {
      await expect(bar).toBeInViewport({ ratio: 1 });
      await page.mouse.move(200, 400);
      await page.mouse.wheel(0, 300);
      await expect(bar).not.toBeInViewport();
    };
    await hides();
    await bar.getByRole('link', { name: 'Лента' }).focus();
    await expect(bar).toBeInViewport({ ratio: 1 });

    await page.evaluate(() => scrollTo(0, 0));
    const { name } = await signInNewPerson(page, ownWall);
    await bar.getByRole('button', { name: 'Новая запись' }).tap();
    await textField(page).fill('Передумаю');
    await page.goBack();
    await expect(page.getByRole('dialog')).toBeHidden();
    await hides();
    const profile = page.getByRole('banner').getByRole('link', { name });
    const { width, height } = (await profile.boundingBox())!;
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
    await profile.tap();
    await page.waitForURL(/settings$/);
    await expect(profile).toBeInViewport();
  });

  test('controls are large enough for touch, and nothing is wider than the window', async ({ page, wall, ownWall }) => {
    const { nested, discussed, longWord, full } = wall.ids;
    const posts = [nested, discussed, longWord, full].map((id) => `/posts/${id}`);
    const authors = [`/users/${longName}`, `/users/${longName}/replies`];
    const searches = ['дождь', 'ничего', 'example', 'ж'.repeat(199)].map((words) => `/search?q=${words}`);
    for (const path of [...posts, ...authors, ...searches, '/']) {
      await page.setViewportSize(phone);
      await openPage(page, path);
      await expect.poll(() => smallControls(page), path).toEqual([]);
      for (const width of [phone.width, 756, 757, 1059, 1060]) {
        await page.setViewportSize({ width, height: 700 });
        const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        await expect.poll(beyond, `${path}, ${width} px`).toBeLessThanOrEqual(0);
        const cards = page.getByRole('article');
        const cut = () => cards.evaluateAll((all) => all.filter((card) => card.scrollWidth > card.clientWidth).length);
        await expect.poll(cut, `${path}, ${width} px`).toBe(0);
      }
    }
    await page.setViewportSize(phone);
    await page.getByRole('button', { name: 'Войти' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect.poll(() => smallControls(page), 'the dialog').toEqual([]);

    // A post of one line takes little room nevertheless.
    await ownWall.seed.posts([{ by: await ownWall.seed.person('anna_k'), text: 'Первый снег' }]);
    await openPage(page, ownWall.url);
    expect((await page.getByRole('article').boundingBox())!.height).toBeLessThan(100);
    await expect.poll(() => smallControls(page)).toEqual([]);
  });

  test('visitors sign in to see the settings, and by one button own pages', async ({ page, wall }) => {
    await openPage(page, '/');
    await barOf(page).getByRole('link', { name: 'Настройки' }).click();
    await expect(page.getByRole('dialog', { name: 'Войти' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(`${wall.url}/`);
    await openPage(page, '/liked');
    await expect(page.getByRole('main').getByRole('button', { name: 'Войти' })).toBeVisible();
    await expect(page.getByRole('banner').getByRole('button', { name: 'Войти' })).toBeVisible();
  });

  test('with text at 200 % the header has room for its title', async ({ page, ownWall }) => {
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 32 } });
    const header = page.getByRole('banner');
    await openPage(page, ownWall.url);
    for (const reader of ['visitor', 'member']) {
      if (reader === 'member') await signInNewPerson(page, ownWall);
      const title = (await header.getByRole('heading', { level: 1 }).boundingBox())!;
      expect(title.width, reader).toBeGreaterThan(90);
      await header.getByRole('combobox', { name: 'Лента' }).click({ trial: true });
    }
  });
});

test('the rail has labels below the icons on a tablet, beside them on a desktop, where it stays', async ({ page }) => {
  const rail = railOf(page);
  const names = ['Лента', 'Новая запись', 'Поиск', 'Уведомления', 'Светлая тема'];
  const isColumn = async () => expect((await page.getByRole('main').boundingBox())!.width).toBe(600);
  await page.setViewportSize(tablet);
  await openPage(page, '/');
  for (const name of names) {
    const item = rail.getByRole(/Лента|Поиск|Уведомления/.test(name) ? 'link' : 'button', { name });
    const [box, icon] = [(await item.boundingBox())!, (await item.locator('svg:visible').boundingBox())!];
    expect(box.width, name).toBeGreaterThanOrEqual(44);
    // The label is below.
    expect(box.y + box.height - icon.y - icon.height, name).toBeGreaterThan(12);
  }
  for (const link of await rail.locator('p a').filter({ visible: true }).all()) {
    const lines = await link.evaluate((it) => {
      const range = document.createRange();
      range.selectNodeContents(it);
      return range.getClientRects().length;
    });
    // No word is broken.
    expect(lines).toBeLessThanOrEqual((await link.innerText()).split(/\s/).length);
  }
  await isColumn();

  await page.setViewportSize(desk);
  for (const label of names) {
    const { width } = (await rail.getByText(label, { exact: true }).boundingBox())!;
    expect(width, label).toBeGreaterThan(40);
  }
  await isColumn();
  await page.evaluate(() => scrollTo(0, 900));
  await expect(rail.getByRole('link', { name: 'Лента' })).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Войти' })).toBeInViewport();
});

test('signed-in people find everything in the bars, and the number of unread replies', async ({ page, ownWall }) => {
  const { me, reply } = await signInWithPost(page, ownWall);
  const shown = (path: string) => page.locator(`a[href="${path}"]:visible`);
  const theme = page.getByRole('button', { name: 'Светлая тема' });
  await expect(shown('/settings')).toHaveText(me.name);
  await expect(shown('/search')).toHaveText('Поиск');
  await page.setViewportSize(phone);
  await expect(shown('/search')).toHaveCount(1);
  await expect(shown('/settings')).toHaveText([me.name, 'Настройки']);
  await expect(shown('/notifications')).toHaveText('Уведомления');
  await expect(theme).toHaveCount(0);
  await shown('/settings').first().click();
  await theme.click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');

  await reply(...Array.from({ length: 11 }, (_, index) => `Ответ ${index}`));
  await openPage(page, ownWall.url);
  await expectUnread(page, 11);
  // The number is in one line.
  const number = bell(page).locator('[data-count]');
  expect(await number.evaluate((it) => getComputedStyle(it, '::before').height)).toBe('20px');
});

test('the longest name is whole on a desktop and leaves space for the title of a list', async ({ page, ownWall }) => {
  const id = await ownWall.seed.person(longName);
  await page.setViewportSize(desk);
  await restoreSession(page, ownWall, { id, name: longName }, `/users/${longName}`);
  await expect(page.getByRole('banner').getByRole('link')).toBeVisible();
  const title = page.getByRole('heading', { level: 1 });
  const cut = () => title.evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(await cut()).toBe(0);
  await openPage(page, `${ownWall.url}/liked`);
  await expect(title).toHaveText('Понравившиеся');
  for (const viewport of [phone, tablet, desk]) {
    await page.setViewportSize(viewport);
    expect(await cut(), `${viewport.width} px`).toBe(0);
  }
});

/**
 * The bylines of all cards. `kept` has the parts that may give way to a long name, in the order in which they do, and whether each is
 * still on the first line. `cut` has the texts that are cut off.
 */
function linesOfNames(page: Page): Promise<{ name: string; kept: [string, boolean][]; cut: string[] }[]> {
  return page.getByRole('article').evaluateAll((cards) =>
    cards.map((card) => {
      const byline = card.querySelector('bdi')!.parentElement!;
      const link = byline.querySelector('bdi > a')!;
      const { top, right } = byline.getBoundingClientRect();
      const room = byline.lastElementChild!.getBoundingClientRect();
      const isOnFirst = (element: Element) => element.getBoundingClientRect().top < top + 12;
      const isIn = (element: Element) => {
        const box = element.getBoundingClientRect();
        return isOnFirst(byline.lastElementChild!) && box.bottom <= room.bottom + 1 && box.right <= room.right + 1;
      };
      const [rest] = byline.lastElementChild!.children;
      const giving: [string, Element | undefined, (element: Element) => boolean][] = [
        ['username', rest!.querySelector('bdi') ?? undefined, isIn],
        ['изменено', [...rest!.children].find((part) => part.textContent === 'изменено'), isIn],
        ['chip', [...byline.children].find((part) => part.textContent === 'недавно здесь'), isOnFirst],
        ['time', byline.querySelector('time')!, isOnFirst],
      ];
      // A part that gives way is not cut: it wraps to a line below, which is hidden.
      const isCut = (part: Element) => {
        const box = part.getBoundingClientRect();
        return isOnFirst(byline.lastElementChild!) && box.top < room.bottom - 1 && box.right > room.right + 1;
      };
      return {
        name: link.textContent,
        kept: giving.flatMap(([what, part, isKept]) => (part ? [[what, isKept(part)] as [string, boolean]] : [])),
        cut: [
          ...[...link.getClientRects()].filter((box) => box.right > right + 1).map(() => 'name'),
          ...[...rest!.children].filter(isCut).map((part) => part.textContent),
        ],
      };
    }),
  );
}

test('beside a name the username gives way first, then «изменено», the chip and the time, each as a whole', async ({
  page,
  ownWall: { seed, url },
}) => {
  const names = [
    'Ян',
    'Зина',
    'Мария Ивановна',
    'Пётр из тридцать второй квартиры',
    'Ж'.repeat(32),
    '한국어 이름이 조금 깁니다',
  ];
  for (const [index, name] of names.entries()) {
    const by = await seed.person(`person_${index}`);
    await seed.name(by, name);
    if (index !== 1) await seed.newcomer(by);
    const [post] = await seed.posts([{ by, text: `Запись ${index}`, age: 60 }]);
    await seed.edit(post!, `Изменённая ${index}`);
  }
  const seen = new Set<string>();
  for (const width of [320, 360, 390, 430, 820]) {
    await page.setViewportSize({ width, height: 844 });
    await openPage(page, url);
    for (const { name, kept, cut } of await linesOfNames(page)) {
      const at = `${name} at ${width} px`;
      expect(cut, at).toEqual([]);
      // If a part was lost, all parts that give way before it were lost too.
      const order = kept.map(([, isKept]) => Number(isKept));
      expect(order, `${at}: ${kept.map(String).join('; ')}`).toEqual(order.toSorted((a, b) => a - b));
      for (const [what, isKept] of kept) seen.add(`${what} ${isKept ? 'kept' : 'lost'}`);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
  // Each of them was lost somewhere, and kept somewhere.
  expect([...seen].toSorted()).toEqual(
    ['username', 'изменено', 'chip', 'time'].flatMap((what) => [`${what} kept`, `${what} lost`]).toSorted(),
  );
});

test('whoever has taken a name has the username beside it everywhere, the one who had it first has not', async ({
  page,
  ownWall: { seed, url },
}) => {
  const [first, second] = [await seed.person('boris_first'), await seed.person('boris_second')];
  await seed.name(first, 'Борис Петрович из дома 12');
  await seed.name(second, 'Бoрис Петрович из дома 12');
  const [root] = await seed.posts([{ by: second, text: 'Кто это?' }]);
  await seed.replies(
    root!,
    [first, second, first, second].map((by) => ({ by, text: 'Я' })),
  );
  await page.setViewportSize(phone);
  for (const path of ['/', '/users/boris_second', `/posts/${root}`]) {
    await openPage(page, url + path);
    const names = page.getByRole('link', { name: /@boris_second/ });
    await expect(names.first()).toBeVisible();
    await expect(page.getByRole('link', { name: /@boris_first/ })).toHaveCount(0);
  }
});

/** Links in a text are exempt: they are as high as its lines. The browser may report 43.99997 px for 44. */
function smallControls(page: Page): Promise<string[]> {
  return page.locator('a, button').evaluateAll((controls) =>
    controls
      .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !control.closest('[dir=auto]'))
      .map((control) => ({ control, box: control.getBoundingClientRect() }))
      .filter(({ box }) => Math.min(box.width, box.height) < 43.99)
      .map(({ control, box }) => `${control.textContent} ${box.width}×${box.height}`),
  );
}

// A window of 1280 px at a zoom of 400 % is 320 px wide (WCAG 1.4.10).
test.describe('at 400 %', () => {
  test.use({ viewport: { width: 320, height: 256 } });

  /** Opens a page with the default text spacing and with the wider one. */
  async function expectScreens(page: Page, paths: string[]): Promise<void> {
    for (const path of paths) {
      await openPage(page, path);
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
      await expectReflowed(page, path);
      await widenText(page);
      await expectReflowed(page, `${path}, wider text`);
    }
  }

  test('a visitor can read everything', async ({ page, wall: { ids }, pageErrors }) => {
    pageErrors.expect(/404/);
    const posts = [ids.longWord, ids.nested, 0].map((id) => `/posts/${id}`);
    const searches = ['/search', '/search?q=example', `/search?q=${'ж'.repeat(199)}`];
    await expectScreens(page, ['/', ...posts, `/users/${longName}`, '/settings', '/privacy', ...searches]);
    await openPage(page, '/');
    await signInButton(page).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectReflowed(page, 'signing in');
  });

  test('a signed-in person can do everything', async ({ page, ownWall }) => {
    const id = await ownWall.seed.person(longName);
    const galina = await ownWall.seed.person('galina_m');
    const [root, theirs] = await ownWall.seed.posts([
      { by: id, text: 'Корень' },
      { by: galina, text: 'Чужая запись' },
    ]);
    await ownWall.seed.replies(root!, [{ by: galina, text: 'Ответ' }]);
    await restoreSession(page, ownWall, { id, name: longName });
    const lists = ['/', '/liked', '/notifications', `/posts/${theirs}`, '/settings/devices', '/settings/muted'];
    await expectScreens(
      page,
      [...lists, ...Object.values(paths)].map((path) => ownWall.url + path),
    );

    await openPage(page, ownWall.url);
    await publish(page, 'ж'.repeat(40));
    const close = () => page.keyboard.press('Escape');
    await newPostButton(page).click();
    await textField(page).fill('ж'.repeat(501));
    await expectReflowed(page, 'writing');
    await close();
    await menuButton(page, 'Чужая запись').click();
    await expect(page.getByRole('menu')).toBeVisible();
    await expectReflowed(page, 'the menu');
    await close();
    await choose(page, 'Чужая запись', 'Пожаловаться');
    await page.getByRole('radio').first().waitFor();
    await expectReflowed(page, 'reporting');
    await close();
    await choose(page, 'Корень', 'Удалить');
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectReflowed(page, 'deleting');
  });

  test('no bar is pinned, nor covers the focused element', async ({ page }) => {
    await openPage(page, '/');
    await expect(barOf(page)).toBeInViewport();
    for (let press = 0; press < 24; press += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(coveredFocus)).toBeNull();
    }
    await page.evaluate(() => scrollTo(0, 400));
    await page.evaluate(() => scrollBy(0, -40));
    await expect(barOf(page)).not.toBeInViewport();
    await expect(page.getByRole('banner')).not.toBeInViewport();
  });

  /** The name of the focused element if a bar covers its centre. */
  function coveredFocus(): string | null {
    const here = document.activeElement!;
    const { x, y, width, height } = here.getBoundingClientRect();
    const upon = document.elementFromPoint(x + width / 2, y + Math.min(height, innerHeight) / 2);
    const bar = upon?.closest('header, nav');
    return bar && !bar.contains(here) ? here.textContent : null;
  }
});

test('a post is printed black on white, without controls, from both themes', async ({ page, wall }) => {
  await openPage(page, `/posts/${wall.ids.links}`);
  await page.emulateMedia({ media: 'print' });
  const text = page.getByRole('article').locator('[dir=auto]');
  for (const theme of ['dark', 'light']) {
    await page.evaluate((theme) => void (document.documentElement.dataset['theme'] = theme), theme);
    await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
    for (const part of await page.getByRole('article').locator('bdi, [dir=auto], [data-permalink]').all())
      await expect(part).toHaveCSS('color', 'rgb(0, 0, 0)');
    await expect(page.locator('nav:visible, button:visible, svg:visible, a[href="#main"]:visible')).toHaveCount(0);
    await expect(text).toHaveText(texts.links);
    await expect(text.locator('a > span').first()).not.toHaveCSS('font-size', '0px');
  }
});

test('no line is printed over the text of a reply', async ({ page, ownWall }) => {
  await openDiscussion(page, ownWall);
  await page.emulateMedia({ media: 'print' });
  const places = await page.getByRole('article').evaluateAll((articles) =>
    articles.map((article) => {
      const texts = document.createRange();
      texts.selectNodeContents(article.querySelector(':scope > div > [dir=auto]')!);
      const { top, bottom } = texts.getBoundingClientRect();
      const { bottom: end } = article.getBoundingClientRect();
      texts.selectNodeContents(article.querySelector('bdi > a')!);
      const below = article.nextElementSibling ?? article.parentElement!.nextElementSibling;
      const name = texts.getBoundingClientRect();
      return { nameEnd: name.bottom, top, bottom, end, next: below?.getBoundingClientRect().top ?? Infinity };
    }),
  );
  expect(places.length).toBeGreaterThan(20);
  for (const { nameEnd, top, bottom, end, next } of places) {
    expect(top).toBeGreaterThanOrEqual(nameEnd);
    expect(bottom).toBeLessThanOrEqual(Math.min(end, next));
  }
});

test('printing loads the whole discussion, and paper says how many replies it lacks', async ({
  page,
  ownWall,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  // This listener counts the rows before the page's own listener of `afterprint` takes them out again.
  await page.addInitScript(() => {
    const printed = () => {
      const texts = (selector: string) =>
        [...document.querySelectorAll(selector)].map((element) => element.textContent);
      document.title = `${texts('main [data-row]').length} ${texts('[data-paper]').join()}`;
    };
    addEventListener('afterprint', printed);
  });
  await page.setViewportSize({ width: 1_280, height: 400 });
  await openDiscussion(
    page,
    ownWall,
    Array.from({ length: 75 }, (_, index) => ({ text: `Ответ ${index + 1}` })),
  );
  await quiet(page);
  await page.context().setOffline(true);
  await page.pdf();
  await expect(page).toHaveTitle('10 Не напечатано ответов: 65');
  await page.context().setOffline(false);
  await page.pdf();
  await expect(page).toHaveTitle('75 ');
});
