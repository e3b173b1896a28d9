import type { Locator, Page } from '@playwright/test';
import { bakeries, question, type Sample, seedDiscussion } from '../kit/sample-discussion.ts';
import { expectAccessible } from './support/accessible.ts';
import { openPage, quiet, reloadPage } from './support/app.ts';
import { codeFiles, holdBack } from './support/code-files.ts';
import { branchButton, openDiscussion, outline } from './support/discussion.ts';
import { articles, cardOf, layoutIsStable } from './support/feed.ts';
import { aboveKeyboard } from './support/phone-keyboard.ts';
import { expectStored, watchWrites } from './support/reading.ts';
import { desk, phone } from './support/screens.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';
import { choice, menuButton, signInNewPerson, textField, toast } from './support/writing.ts';

test('a tapped post is painted at once; only its replies are loading', async ({ page, ownWall }) => {
  await watchShift(page);
  await openDiscussion(page, ownWall);
  await page.getByRole('button', { name: 'Сначала старые' }).click();
  await quiet(page);
  const held = await holdBack(page, '**/thread?*');
  await page.evaluate(() => (window.shift = 0));
  await cardOf(page, 'А ржаной есть?').locator('time[title]').click();
  const opened = page.getByRole('main').getByRole('article');
  await expect(opened).toHaveCount(1);
  await expect(opened).toContainText('А ржаной есть?');
  await expect(page.getByRole('main')).toContainText('На углу Садовой');
  const before = await opened.boundingBox();
  held.resolve();
  await expect(articles(page).first()).toBeVisible();
  await expect.poll(() => page.getByRole('article').first().boundingBox()).toEqual(before);
  await expectNoShift(page);
});

test('the end of the list stays at its last reply when one scrolls faster than pages come', async ({
  page,
  ownWall,
}) => {
  await page.setViewportSize(desk);
  const replies = Array.from({ length: 60 }, (_, index) => ({ text: `Ответ ${index + 1}.` }));
  await openDiscussion(page, ownWall, replies);
  const toBottom = () => page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
  const held = await holdBack(page, '**/thread?*cursor=*');
  const asked = page.waitForRequest(/\/thread\?.*cursor=/);
  await toBottom();
  await asked;
  await toBottom();
  held.resolve();
  await expect(page.locator('article[aria-posinset="20"]')).toBeAttached();
  const gap = () =>
    page.evaluate(() => {
      const rows = [...document.querySelectorAll('[data-row]')];
      const end = document.querySelector('[role=feed]')!.getBoundingClientRect().bottom;
      return end - rows.at(-1)!.getBoundingClientRect().bottom;
    });
  await expect.poll(gap).toBeLessThanOrEqual(1);
});

test('the shown order pressed again gives up a change, as does leaving', async ({ page, ownWall }) => {
  // No request ends by itself.
  await page.addInitScript(() => (AbortSignal.timeout = () => new AbortController().signal));
  // The end of the list is far below the window, where scrolling would load more.
  await page.setViewportSize({ width: 1_280, height: 400 });
  const replies = Array.from({ length: 45 }, (_, index) => ({ text: `Ответ ${index + 1}.` }));
  await openDiscussion(page, ownWall, replies);
  await expect(articles(page)).toHaveCount(10);
  await page.getByRole('button', { name: 'Показать ещё' }).dispatchEvent('click');
  await expect(page.locator('article[aria-posinset="11"]')).toBeFocused();

  const asked: string[] = [];
  let hold: Promise<void> | undefined;
  await page.route('**/thread?*order=*', async (route) => {
    asked.push(route.request().url());
    await hold;
    await route.continue();
  });
  const isBusy = (busy: boolean) => expect(page.getByRole('feed')).toHaveAttribute('aria-busy', `${busy}`);
  const [newest, oldest] = ['Сначала новые', 'Сначала старые'].map((name) => page.getByRole('button', { name }));
  const held = Promise.withResolvers<void>();
  hold = held.promise;
  await oldest!.click();
  await isBusy(true);
  await oldest!.click();
  await newest!.click();
  await isBusy(false);
  expect(asked).toHaveLength(1);
  held.resolve();
  await expect(newest!).toHaveAttribute('aria-pressed', 'true');
  await expect(articles(page).first()).toContainText('Ответ 45.');
  await oldest!.click();
  await expect(articles(page).first()).toContainText('Ответ 1.');
  await expect(oldest!).toHaveAttribute('aria-pressed', 'true');

  const never = Promise.withResolvers<void>();
  hold = never.promise;
  await newest!.click();
  await isBusy(true);
  await page.getByRole('link', { name: 'Лента' }).click();
  await expect(page).toHaveURL(`${ownWall.url}/`);
  // The next line stands for reading another discussion with the oldest replies first.
  await page.evaluate(() => localStorage.setItem('replies', 'oldest'));
  await page.goBack();
  await expect(articles(page).first()).toContainText('Ответ 1.');
  await isBusy(false);
  never.resolve();
});

test('keys go from sibling to sibling and fold a branch', async ({ page, ownWall }) => {
  const held = await holdBack(page, codeFiles.visitor);
  const asked = page.waitForRequest(codeFiles.visitor);
  await openDiscussion(page, ownWall, [
    { text: 'Первый', below: [{ text: 'Под первым', below: [{ text: 'Глубже' }] }, { text: 'Рядом' }] },
    { text: 'Второй' },
  ]);
  // A key acts as soon as its code is there.
  await asked;
  await page.keyboard.press('Shift+J');
  held.resolve();
  await expect(cardOf(page, 'Второй')).toBeFocused();
  for (const [key, text] of [
    ['j', 'Первый'],
    ['j', 'Под первым'],
    ['Shift+J', 'Рядом'],
    ['Shift+K', 'Под первым'],
    ['Shift+K', 'Первый'],
    ['Shift+K', 'Второй'],
    ['Shift+J', 'Первый'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(cardOf(page, text).first()).toBeFocused();
  }
  await page.keyboard.press('f');
  await expect.poll(() => outline(page)).toEqual(['Второй', 'Первый']);
  await page.keyboard.press('f');
  await expect.poll(() => outline(page)).toHaveLength(5);
  await expect(branchButton(cardOf(page, 'Рядом'))).toHaveCount(0);
});

const next = (page: Page) => page.getByRole('button', { name: /^К следующему новому: \d+$/ });
const marked = (page: Page) => page.getByRole('article').filter({ hasText: 'Новый ответ' });

/** Opens a discussion, reads its newest post, leaves, and returns when there are replies by `newcomer` to some texts. */
async function visitAgain(page: Page, wall: Wall, tree: readonly Sample[], newer: Record<string, string>) {
  const by = await wall.seed.person('newcomer');
  const ids = await openDiscussion(page, wall, tree);
  const address = page.url();
  const newest = Math.max(...ids.values());
  const [text] = [...ids].find(([, id]) => id === newest)!;
  await cardOf(page, text).evaluate((card) => card.scrollIntoView({ block: 'center' }));
  await expectStored(page, `thread:${ids.get(question)}`, newest);
  await expect(marked(page)).toHaveCount(0);
  await page.goto('about:blank');
  for (const [of, text] of Object.entries(newer)) await wall.seed.replies(ids.get(of)!, [{ by, text }]);
  await openPage(page, address);
}

test('replies since the last visit are marked, and a key goes from one to the next', async ({ page, ownWall }) => {
  await watchShift(page);
  await visitAgain(page, ownWall, bakeries, {
    'Спасибо, зайду завтра!': 'Глубоко внизу',
    'Поддерживаю, 2.': 'Повыше',
  });
  await expect(next(page)).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /^К следующему новому: \d+$/ })).toHaveCount(1);
  await expectNoShift(page);
  await page.keyboard.press('u');
  await expect(cardOf(page, 'Повыше').last()).toBeFocused();
  await expect(cardOf(page, 'Повыше').last()).toHaveAccessibleName(/^Новый ответ newcomer/);
  await page.keyboard.press('u');
  await expect(cardOf(page, 'Глубоко внизу').last()).toBeFocused();
  await expect(marked(page).last()).toBeInViewport({ ratio: 1 });
  await expect(next(page)).toHaveCount(0);
});

test('a person’s last visit is on the server, and their own replies are not new', async ({ page, ownWall }) => {
  const writes = await watchWrites(page);
  const me = await signInNewPerson(page, ownWall);
  const ids = await seedDiscussion(ownWall, question, bakeries);
  const [root, newest] = [ids.get(question)!, Math.max(...ids.values())];
  await openPage(page, `${ownWall.url}/posts/${newest}`);
  await expect.poll(() => writes).toContain(`thread:${root} ${newest} keepalive`);
  await page.goto(`${ownWall.url}/favicon.svg`);
  const by = await ownWall.seed.person('newcomer');
  await ownWall.seed.replies(root, [
    { by: me.id, text: 'Мой с телефона' },
    { by, text: 'Чужой' },
  ]);
  // In a low window the reply is below the middle. A post above the middle counts as read, and would not be marked as new.
  await page.setViewportSize({ width: 1280, height: 400 });
  await openPage(page, `${ownWall.url}/posts/${root}`);
  await expect(next(page)).toBeVisible();
  await expect(cardOf(page, 'Мой с телефона')).toBeVisible();
  await expect(marked(page)).toHaveCount(1);
  await next(page).click();
  await expect(cardOf(page, 'Чужой')).toBeFocused();
  await expect(next(page)).toHaveCount(0);
});

test('the key to the next new reply unfolds branches and loads the rest of long ones', async ({ page, ownWall }) => {
  const below = Array.from({ length: 20 }, (_, index) => ({ text: `Поток ${index + 1}` }));
  const tree = [
    { text: 'Старая ветка' },
    { text: 'Длинная ветка', below },
    { text: 'Короткая ветка', below: [{ text: 'Старый ответ' }] },
  ];
  await visitAgain(page, ownWall, tree, {
    'Длинная ветка': 'Не загружен',
    'Старый ответ': 'В свёрнутой',
    'Старая ветка': 'Последний',
  });
  await branchButton(cardOf(page, 'Короткая ветка')).click();
  await expect(cardOf(page, 'В свёрнутой')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Показать ещё 1' })).toHaveCount(1);
  for (const text of ['В свёрнутой', 'Не загружен', 'Последний']) {
    await page.keyboard.press('u');
    await expect(cardOf(page, text)).toBeFocused();
  }
  await expect(next(page)).toHaveCount(0);
});

const reply = (card: Locator) => card.getByRole('button', { name: 'Ответить' });

/** Selects a part of the text of a post. */
function select(page: Page, text: string): Promise<void> {
  return page.evaluate((text) => {
    const shown = [...document.querySelectorAll('article > div > [dir=auto]')].find((each) =>
      each.textContent.includes(text),
    );
    const node = shown!.firstChild!;
    const at = node.textContent!.indexOf(text);
    getSelection()!.setBaseAndExtent(node, at, node, at + text.length);
  }, text);
}

test.describe('on a phone', () => {
  test.use({ viewport: phone });

  test('a reply of one line is at most 84 px high; the line beside a branch folds it', async ({ page, ownWall }) => {
    await openDiscussion(page, ownWall);
    const address = page.url();
    const rows = await articles(page).evaluateAll((cards) =>
      cards.map((card) => {
        const text = card.querySelector(':scope > div > [dir=auto]')!;
        const lines = Math.round(text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight));
        // A long name is whole, in as many lines as it needs.
        const isOne = card.querySelector('bdi')!.parentElement!.clientHeight <= 24;
        return {
          lines: isOne ? lines : 2,
          named: /в ответ @/.test(card.textContent),
          height: card.getBoundingClientRect().height,
        };
      }),
    );
    const oneLine = rows.filter(({ lines, named }) => lines === 1 && !named);
    expect(oneLine.length).toBeGreaterThan(20);
    expect(Math.max(...oneLine.map(({ height }) => height))).toBeLessThanOrEqual(84);
    expect(rows.filter(({ named }) => named)).toHaveLength(1);

    const [row, head] = [cardOf(page, 'Только не в понедельник'), cardOf(page, 'Спасибо, зайду завтра!')];
    await row.scrollIntoViewIfNeeded();
    await layoutIsStable(page);
    const { y, height } = (await row.boundingBox())!;
    // The line is below the middle of the face of the branch’s first post.
    await page.mouse.click(50, y + height / 2);
    await expect(row).toHaveCount(0);
    await expect(branchButton(head)).toHaveText('показать 2 ответа');
    await expect(head).toBeInViewport({ ratio: 1 });
    expect(page.url()).toBe(address);
  });

  test('a reply leads to what it answers and back, on the same page', async ({ page, ownWall }) => {
    const talk = Array.from({ length: 20 }, (_, index) => ({ text: `Реплика ${index + 1}.` }));
    const answered = { text: 'Отвечено', below: [{ text: 'Первая ветка', below: talk }, { text: 'Вторая ветка' }] };
    await openDiscussion(page, ownWall, [{ text: 'Начало', below: [{ text: 'Дальше', below: [answered] }] }]);
    const address = page.url();
    const from = cardOf(page, 'Вторая ветка');
    await from.scrollIntoViewIfNeeded();
    await from.getByRole('link', { name: 'в ответ @boris_p' }).click();
    await expect(cardOf(page, 'Отвечено')).toBeFocused();
    await expect(cardOf(page, 'Отвечено')).toBeInViewport({ ratio: 1 });
    await expect(from).not.toBeInViewport();
    expect(page.url()).toBe(address);
    await page.getByRole('button', { name: 'Вернуться' }).click();
    await expect(from).toBeFocused();
    await expect(from).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('button', { name: 'Вернуться' })).toHaveCount(0);
  });

  test('after a reply the view stays, and the own reply is in the window with the focus', async ({ page, ownWall }) => {
    await signInNewPerson(page, ownWall);
    const ids = await openDiscussion(page, ownWall);
    const answered = cardOf(page, 'Только не в понедельник');
    await answered.evaluate((card) => scrollBy(0, card.getBoundingClientRect().top - 200));
    await layoutIsStable(page);
    const before = (await answered.boundingBox())!.y;
    await reply(answered).click();
    await expect(textField(page)).toBeFocused();
    await page.setViewportSize(aboveKeyboard);
    await expect(choice(page, 'Опубликовать')).toBeInViewport({ ratio: 1 });
    await page.setViewportSize(phone);
    await textField(page).fill('И мне интересно.');
    await choice(page, 'Опубликовать').click();
    const own = cardOf(page, 'И мне интересно.');
    await expect(own).toBeFocused();
    await expect(toast(page, 'Опубликовано').getByRole('link', { name: 'Смотреть' })).toBeVisible();
    await expect(own).toBeInViewport({ ratio: 1 });
    await expect.poll(async () => (await answered.boundingBox())!.y).toBeCloseTo(before, 0);
    // The button counts only the reply of another person, although the event about the person's own reply came first.
    const by = await ownWall.seed.person('newcomer');
    await ownWall.seed.replies(ids.get('Поддерживаю, 7.')!, [{ by, text: 'Чужой' }]);
    await expect(page.getByRole('button', { name: /^Новые ответы/ })).toHaveText('Новые ответы: 1');

    await page.evaluate(() => scrollTo(0, 0));
    await reply(page.getByRole('article').first()).click();
    await textField(page).fill('Вопрос всем.');
    await choice(page, 'Опубликовать').click();
    await expect(cardOf(page, 'Вопрос всем.')).toBeFocused();
    await expect.poll(async () => (await outline(page))[0]).toBe('Вопрос всем.');

    // The next reply goes to the end of a branch that is longer than the window.
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByRole('button', { name: 'Сначала старые' }).click();
    await reply(cardOf(page, 'На углу Садовой')).click();
    await textField(page).fill('Спасибо всем.');
    await choice(page, 'Опубликовать').click();
    await expect(cardOf(page, 'Спасибо всем.')).toBeFocused();
    await expect(cardOf(page, 'Спасибо всем.')).toBeInViewport({ ratio: 1 });
    const around = ['..Везде выросли.', '.Спасибо всем.', 'Пекарня во дворе двенадцатого дома.'].join();
    expect((await outline(page)).join()).toContain(around);
    await reloadPage(page);
    await expect.poll(async () => (await outline(page)).join()).toContain(around);
  });
});

test('a selected part of a post is quoted in the reply, also by keys', async ({ page, ownWall }) => {
  await signInNewPerson(page, ownWall);
  await openDiscussion(page, ownWall);
  const button = page.getByRole('button', { name: 'Цитировать' });
  const isQuoted = async () => {
    await expect(textField(page)).toHaveValue('> ржаной\n');
    await expect(textField(page)).toBeFocused();
    await expect(button).toHaveCount(0);
  };
  const close = async () => {
    await page.keyboard.press('Escape');
    await expect(textField(page)).toHaveCount(0);
  };
  await select(page, 'ржаной');
  await expect(button).toBeVisible();
  await expectAccessible(page);
  await expect(async () => {
    await page.keyboard.press('Tab');
    await expect(button).toBeFocused({ timeout: 100 });
  }).toPass({ intervals: [0] });
  await page.keyboard.press('Enter');
  await isQuoted();

  await textField(page).fill('');
  await close();
  await select(page, 'ржаной');
  await button.click();
  await isQuoted();

  await close();
  await select(page, 'есть?');
  await menuButton(page, 'А ржаной есть?').click();
  await page.getByRole('menuitem', { name: 'Цитировать' }).click();
  await expect(textField(page)).toHaveValue('> ржаной\n\n> есть?\n');
  await textField(page).press('End');
  await textField(page).pressSequentially('Был.');
  await choice(page, 'Опубликовать').click();
  const own = cardOf(page, 'Был.');
  await expect(own.getByRole('blockquote')).toHaveText(['> ржаной', '> есть?']);
  await expect(own.getByText('Был.')).toBeVisible();
});

test('one jumps to the end of a long discussion and back, and the search of the browser finds all of it', async ({
  page,
  ownWall,
}) => {
  const oldest = 'Самый старый ответ';
  await page.setViewportSize(phone);
  await openDiscussion(
    page,
    ownWall,
    Array.from({ length: 120 }, (_, index) => ({ text: index === 0 ? oldest : `Ответ ${index + 1}` })),
  );
  await page.getByRole('link', { name: 'В конец' }).click();
  await expect(cardOf(page, oldest)).toBeInViewport();
  await page.getByRole('link', { name: 'В начало' }).click();
  await expect(cardOf(page, question)).toBeInViewport();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await expect(cardOf(page, oldest)).toHaveCount(0);
  await page.keyboard.press('Control+f');
  await expect(articles(page)).toHaveCount(120);
});
