import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { dialogLeft, openPage } from './support/app.ts';
import { cardOf } from './support/feed.ts';
import { aboveKeyboard, emulateOverlaidKeyboard, expectInSight, setVisible } from './support/phone-keyboard.ts';
import { phone } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';
import { choice, choose, newPostButton, signInNewPerson, textField } from './support/writing.ts';

const people = ['galina_m', 'gennadiy_s', 'georgiy_konstantinopolskiy_87', 'gleb_s', 'grigoriy'];

/** Opens a discussion in which all of the people have written, as somebody else. */
async function openDiscussion(page: Page, wall: Wall): Promise<void> {
  const ids = await Promise.all(people.map((name) => wall.seed.person(name)));
  await wall.seed.name(ids[0]!, 'Галина Михайловна');
  await wall.seed.name(ids[2]!, 'Ж'.repeat(32));
  const [root] = await wall.seed.posts([{ by: ids[0]!, text: 'Кто знает пекарню?', age: 600 }]);
  await wall.seed.replies(
    root!,
    ids.toReversed().map((by) => ({ by, text: 'На углу', age: 60 })),
  );
  await signInNewPerson(page, wall, `/posts/${root}`);
}

const reply = (page: Page) => cardOf(page, 'Кто знает').first().getByRole('button', { name: 'Ответить' }).click();
const options = (page: Page) => page.getByRole('option');

/** The place of the field once its dialog has stopped moving. */
async function fieldBox(page: Page) {
  await textField(page).evaluate(async (field) => {
    const animations = field.closest('dialog')?.getAnimations({ subtree: true }) ?? [];
    const transitions = animations.filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });
  return (await textField(page).boundingBox())!;
}

/** Expects the field in its place, but for the rounding of pixels. */
async function expectStill(page: Page, { x, y, width, height }: Awaited<ReturnType<typeof fieldBox>>): Promise<void> {
  const now = await fieldBox(page);
  expect([now.x, now.width, Math.round(now.height)]).toEqual([x, width, Math.round(height)]);
  expect(Math.abs(now.y - y)).toBeLessThan(1);
}

test('by keyboard a name is put into the middle of a text, which does not move', async ({ page, ownWall }) => {
  await openDiscussion(page, ownWall);
  await openPage(page, ownWall.url);
  await newPostButton(page).click();
  await textField(page).pressSequentially('Привет,  как дела?');
  for (let i = 0; i < ' как дела?'.length; i += 1) await page.keyboard.press('ArrowLeft');
  const before = await fieldBox(page);
  await page.keyboard.type('@ГАЛ');
  await expect(options(page)).toHaveText(['Галина Михайловна@galina_m']);
  await expectStill(page, before);
  await page.keyboard.press('Enter');
  await page.keyboard.type('и Глеб, ');
  await expect(textField(page)).toHaveValue('Привет, @galina_m и Глеб, как дела?');

  await page.keyboard.press('End');
  await page.keyboard.type(' @g');
  await expect(options(page)).toHaveCount(5);
  await expect(options(page).first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowUp');
  await expect(options(page).last()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Escape');
  await expect(options(page)).toHaveCount(0);
  await expect(textField(page)).toBeFocused();
  await page.keyboard.type(' @g');
  await expect(options(page)).toHaveCount(5);
  // The caret leaves the mention.
  await page.keyboard.press('ArrowLeft');
  await expect(options(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('people are asked for in a pause, and only the last answer counts', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/503/);
  await openDiscussion(page, ownWall);
  // The pause ends when the test says so.
  await page.clock.install();
  await openPage(page, ownWall.url);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/suggestions')) asked.push(new URL(request.url()).searchParams.get('q')!);
  });
  const pause = () => page.clock.runFor(1_000);
  await newPostButton(page).click();
  await expect(textField(page)).toBeFocused();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await textField(page).pressSequentially('Эй, @gle');
  await pause();
  await expect(options(page)).toHaveText(['@gleb_s']);
  await options(page).click();
  await expect(textField(page)).toHaveValue('Эй, @gleb_s ');
  await expect(textField(page)).toBeFocused();
  // `@` alone suggests the people of a discussion. A new post has none, so nothing is requested.
  await textField(page).fill('@');
  await pause();
  expect(asked).toEqual(['gle']);

  await page.route(/suggestions\?q=gr$/, () => {});
  await textField(page).fill('@gr');
  await pause();
  const aborted = page.waitForEvent('requestfailed', (request) => request.url().endsWith('?q=gr'));
  await textField(page).fill('@gen');
  await aborted;
  await pause();
  await expect(options(page)).toHaveText(['@gennadiy_s']);
  await page.route(/suggestions\?q=ga$/, (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
  await textField(page).fill('@ga');
  const failed = page.waitForResponse(/suggestions\?q=ga$/);
  await pause();
  await failed;
  await expect(options(page)).toHaveCount(0);
  await expect(page.getByRole('dialog').getByRole('alert').filter({ hasText: /./ })).toHaveCount(0);
  await page.clock.resume();
  await page.keyboard.press('Escape');
  await dialogLeft(page);
  await page.unrouteAll();

  await reply(page);
  await expect(textField(page)).toBeFocused();
  await page.clock.pauseAt(Date.now() + 7_200_000);
  await textField(page).fill('Да, @');
  await pause();
  await expect(options(page)).toHaveCount(5);
  // Until the next answer the list has those whom the letters still fit.
  await textField(page).fill('Да, @gr');
  await expect(options(page)).toHaveText(['@grigoriy']);
  expect(asked.slice(-1)).toEqual(['']);
  await page.clock.resume();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('Tab takes a person, and an edit suggests people too, accessibly', async ({ page, ownWall }) => {
  await openDiscussion(page, ownWall);
  await reply(page);
  await textField(page).fill('Верно, @гал');
  await expect(options(page)).toHaveCount(1);
  await page.keyboard.press('Tab');
  await expect(textField(page)).toHaveValue('Верно, @galina_m ');
  await expect(textField(page)).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await choose(page, 'Верно', /^Изменить/);
  await textField(page).fill('Верно, @');
  await expect(options(page)).toHaveCount(5);
  await expectAccessible(page);
});

test.describe('on a phone', () => {
  test.use({ viewport: phone, hasTouch: true });

  /** Types a mention and takes the last person by touch; the text area stays where it is. */
  async function takeLast(page: Page, visible: { top: number; height: number }): Promise<void> {
    await textField(page).pressSequentially('Да, ');
    const before = await fieldBox(page);
    await textField(page).pressSequentially('@');
    await expect(options(page)).toHaveCount(5);
    await expectStill(page, before);
    for (const option of await options(page).all()) {
      await option.scrollIntoViewIfNeeded();
      await expectInSight(option, visible);
      const { height, x, width } = (await option.boundingBox())!;
      expect(height).toBeGreaterThanOrEqual(44);
      expect([x >= 0, x + width <= phone.width]).toEqual([true, true]);
    }
    await options(page).last().tap();
    await expect(textField(page)).toHaveValue('Да, @grigoriy ');
    await expect(textField(page)).toBeFocused();
    await expect(options(page)).toHaveCount(0);
    await expectStill(page, before);
  }

  test('the whole list is in sight above the keyboard, under a long text', async ({ page, ownWall }) => {
    await openDiscussion(page, ownWall);
    await reply(page);
    await page.setViewportSize(aboveKeyboard);
    await expect(choice(page, 'Опубликовать')).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('dialog')).toContainText('Кто знает');
    await takeLast(page, { top: 0, height: aboveKeyboard.height });
  });

  test('the list stays in sight above a keyboard that covers the page', async ({ page, ownWall }) => {
    await emulateOverlaidKeyboard(page);
    await openDiscussion(page, ownWall);
    await openPage(page, `${ownWall.url}/`);
    await reply(page);
    for (const visible of [
      { top: 0, height: 508 },
      { top: 120, height: 508 },
    ]) {
      await setVisible(page, visible);
      await textField(page).fill('');
      await takeLast(page, visible);
    }
  });
});
