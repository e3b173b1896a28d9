import type { Locator, Page } from '@playwright/test';
import { hydrated, openPage } from './support/app.ts';
import { expectAccessible } from './support/accessible.ts';
import { branchButton, outline } from './support/discussion.ts';
import { bakeries, question, seedDiscussion } from '../kit/sample-discussion.ts';
import { articles, cardOf, layoutIsStable } from './support/feed.ts';
import { aboveKeyboard } from './support/phone-keyboard.ts';
import { phone } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { choice, menuButton, openForm, signInNewPerson, textField, toast } from './support/writing.ts';

const top = async (card: Locator): Promise<number> => (await card.boundingBox())!.y;
const reply = (card: Locator) => card.getByRole('button', { name: 'Ответить' });

/** Selects a part of the text of a post. */
function select(page: Page, text: string): Promise<void> {
  return page.evaluate((text) => {
    const shown = [...document.querySelectorAll('article > [dir=auto]')].find((each) =>
      each.textContent.includes(text),
    );
    const node = shown!.firstChild!;
    const at = node.textContent!.indexOf(text);
    getSelection()!.setBaseAndExtent(node, at, node, at + text.length);
  }, text);
}

test.describe('on a phone', () => {
  test.use({ viewport: phone });

  test('a reply of one line is at most 84 px high, and the line beside a branch folds it', async ({
    page,
    ownWall,
  }) => {
    const ids = await seedDiscussion(ownWall, question, bakeries);
    const path = `/posts/${ids.get(question)}`;
    await openPage(page, ownWall.url + path);
    const rows = await articles(page).evaluateAll((cards) =>
      cards.map((card) => {
        const text = card.querySelector(':scope > [dir=auto]')!;
        const lines = Math.round(text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight));
        return { lines, named: /в\sответ\s@/.test(card.textContent), height: card.getBoundingClientRect().height };
      }),
    );
    const oneLine = rows.filter(({ lines, named }) => lines === 1 && !named);
    expect(oneLine.length).toBeGreaterThan(20);
    for (const { height } of oneLine) expect(height).toBeLessThanOrEqual(84);
    expect(rows.filter(({ named }) => named)).toHaveLength(1);

    const [row, head] = [cardOf(page, 'Только не в понедельник'), cardOf(page, 'Спасибо, зайду завтра!')];
    await row.scrollIntoViewIfNeeded();
    await layoutIsStable(page);
    const { y, height } = (await row.boundingBox())!;
    // The text begins 48 px from the edge.
    await page.mouse.click(34, y + height / 2);
    await expect(row).toHaveCount(0);
    await expect(branchButton(head)).toHaveText('развернуть 2');
    await expect(branchButton(head)).toHaveAttribute('aria-expanded', 'false');
    await expect(head).toBeInViewport({ ratio: 1 });
    expect(new URL(page.url()).pathname).toBe(path);
  });

  test('a reply leads to what it answers and back, on the same page', async ({ page, ownWall }) => {
    const below = [
      { text: 'Отвечено', below: [{ text: 'Первая ветка', below: dialogue(20) }, { text: 'Вторая ветка' }] },
    ];
    const ids = await seedDiscussion(ownWall, question, [{ text: 'Начало', below: [{ text: 'Дальше', below }] }]);
    const path = `/posts/${ids.get(question)}`;
    await openPage(page, ownWall.url + path);
    const from = cardOf(page, 'Вторая ветка');
    await from.scrollIntoViewIfNeeded();
    await from.getByRole('link', { name: 'в ответ @boris_p' }).click();
    await expect(cardOf(page, 'Отвечено')).toBeFocused();
    await expect(cardOf(page, 'Отвечено')).toBeInViewport({ ratio: 1 });
    await expect(from).not.toBeInViewport();
    expect(new URL(page.url()).pathname).toBe(path);
    await page.getByRole('button', { name: 'Вернуться' }).click();
    await expect(from).toBeFocused();
    await expect(from).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('button', { name: 'Вернуться' })).toHaveCount(0);
  });

  test('a reply is written and appears beneath what it answers, which stays where it is', async ({ page, ownWall }) => {
    const ids = await seedDiscussion(ownWall, question, bakeries);
    await signInNewPerson(page, ownWall, `/posts/${ids.get(question)}`);
    await hydrated(page);
    const answered = cardOf(page, 'А ржаной есть?');
    await answered.evaluate((card) => scrollBy(0, card.getBoundingClientRect().top - 200));
    await layoutIsStable(page);
    const before = await top(answered);
    await reply(answered).click();
    await expect(textField(page)).toBeFocused();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(await top(answered)).toBeCloseTo(before, 0);
    const form = (await openForm(page).boundingBox())!;
    const { y, height } = (await answered.boundingBox())!;
    expect(form.y).toBeCloseTo(y + height, 0);
    await expect(choice(page, 'Опубликовать')).toBeInViewport({ ratio: 1 });
    // The keyboard of the phone.
    await page.setViewportSize(aboveKeyboard);
    await expect(choice(page, 'Опубликовать')).toBeInViewport({ ratio: 1 });
    await expect(textField(page)).toBeInViewport({ ratio: 1 });
    await page.setViewportSize(phone);
    await answered.evaluate((card, y) => scrollBy(0, card.getBoundingClientRect().top - y), before);

    await textField(page).fill('И мне интересно.');
    await choice(page, 'Опубликовать').click();
    const own = cardOf(page, 'И мне интересно.');
    await expect(own).toBeFocused();
    await expect(toast(page, 'Опубликовано')).toBeVisible();
    expect(await top(answered)).toBeCloseTo(before, 0);
    expect(await top(own)).toBeCloseTo(y + height, 0);
    const shown = await outline(page);
    expect(shown.indexOf('..И мне интересно.')).toBe(shown.indexOf('.А ржаной есть?') + 1);
  });
});

test('a reply kept for later is there again, the form is accessible, and a window without room opens the dialog', async ({
  page,
  ownWall,
}) => {
  const ids = await seedDiscussion(ownWall, question, bakeries);
  await signInNewPerson(page, ownWall, `/posts/${ids.get(question)}`);
  await hydrated(page);
  const answered = cardOf(page, 'А ржаной есть?');
  await reply(answered).click();
  await textField(page).fill('Начато');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(openForm(page)).toHaveCount(0);
  await expect(reply(answered)).toBeFocused();
  await page.reload();
  await hydrated(page);
  await reply(answered).click();
  await expect(textField(page)).toHaveValue('Начато');

  // A window without room for a form opens the dialog.
  await page.setViewportSize({ width: 800, height: 360 });
  await page.reload();
  await hydrated(page);
  await reply(answered).click();
  await expect(page.getByRole('dialog', { name: 'Ответ' }).getByRole('textbox')).toBeFocused();
});

test('a selected part of a post is quoted in the reply, also by keys', async ({ page, ownWall }) => {
  const ids = await seedDiscussion(ownWall, question, bakeries);
  await signInNewPerson(page, ownWall, `/posts/${ids.get(question)}`);
  await hydrated(page);
  await select(page, 'ржаной');
  const button = page.getByRole('button', { name: 'Цитировать' });
  await expect(button).toBeVisible();
  await expectAccessible(page);
  await expect(async () => {
    await page.keyboard.press('Tab');
    await expect(button).toBeFocused({ timeout: 100 });
  }).toPass({ intervals: [0] });
  await page.keyboard.press('Enter');
  await expect(textField(page)).toHaveValue('> ржаной\n');
  await expect(textField(page)).toBeFocused();
  await expect(button).toHaveCount(0);

  await textField(page).fill('');
  await page.keyboard.press('Escape');
  await expect(openForm(page)).toHaveCount(0);
  await select(page, 'ржаной');
  await button.click();
  await expect(textField(page)).toHaveValue('> ржаной\n');
  await expect(textField(page)).toBeFocused();

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

/** Replies of which each answers the one before. */
const dialogue = (length: number): Array<{ text: string; below: [] }> =>
  Array.from({ length }, (_, index) => ({ text: `Реплика ${index + 1}.`, below: [] }));
