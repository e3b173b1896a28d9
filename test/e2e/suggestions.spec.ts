import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { openPage } from './support/app.ts';
import { cardOf } from './support/feed.ts';
import { aboveKeyboard, emulateOverlaidKeyboard, expectInSight, setVisible } from './support/phone-keyboard.ts';
import { desk, phone } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';
import { choice, newPostButton, openForm, signInNewPerson, textField } from './support/writing.ts';

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
  await page.goto(`${ownWall.url}/`);
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

test('the list is accessible, in a dialog and in a discussion', async ({ page, ownWall }) => {
  await openDiscussion(page, ownWall);
  await reply(page);
  await textField(page).pressSequentially('@');
  await expect(options(page)).toHaveCount(5);
  await expectAccessible(page);
  await page.setViewportSize(desk);
  await openPage(page, `${ownWall.url}/`);
  await reply(page);
  // The draft.
  await textField(page).fill('');
  await textField(page).pressSequentially('@ge');
  await expect(options(page)).toHaveCount(2);
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

  test('the whole list is in sight above the keyboard, in a discussion and in a dialog', async ({ page, ownWall }) => {
    await openDiscussion(page, ownWall);
    await reply(page);
    await page.setViewportSize(aboveKeyboard);
    await expect(choice(page, 'Опубликовать')).toBeInViewport({ ratio: 1 });
    await takeLast(page, { top: 0, height: aboveKeyboard.height });

    // In a dialog under a long text. The draft comes along.
    await textField(page).fill('');
    await page.setViewportSize(phone);
    await openPage(page, `${ownWall.url}/`);
    await reply(page);
    await page.setViewportSize(aboveKeyboard);
    await expect(openForm(page)).toContainText('Кто знает');
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
