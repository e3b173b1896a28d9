import type { Locator, Page } from '@playwright/test';
import { addresses } from '#contract/addresses.ts';
import type { MailServer } from '../kit/smtp.ts';
import { dialogLeft, focusedAtOnce, hydrated, openPage } from './support/app.ts';
import { holdBack } from './support/code-files.ts';
import { articles, cardOf } from './support/feed.ts';
import { aboveKeyboard, emulateOverlaidKeyboard, expectInSight, setVisible } from './support/phone-keyboard.ts';
import { phone } from './support/screens.ts';
import {
  askForCode,
  codeField,
  emailField,
  newPerson,
  profileLink,
  restoreSession,
  signInButton,
  signOut,
} from './support/sign-in.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';
import { expectTexts } from './support/views.ts';
import type { Wall } from './support/wall.ts';
import {
  choice,
  choose,
  dropNextResponse,
  menuButton,
  newPostButton,
  publish,
  signInNewPerson,
  textField,
  toast,
} from './support/writing.ts';

test.use({ settings: { CODE_RESEND_SECONDS: '0' } });

const long = 'Как вы помните, в прошлый раз всё было иначе.\n'.repeat(10).trim();

/** Signs in a person with a long post of their own and one of another author to reply to. */
async function openWall(page: Page, wall: Wall): Promise<void> {
  const me = await newPerson(wall);
  const galina = await wall.seed.person('galina_m');
  await wall.seed.posts([
    { by: galina, text: `Вопрос. ${long}` },
    { by: me.id, text: `Моя запись. ${long}` },
  ]);
  await restoreSession(page, wall, me);
}

const quote = (page: Page) => page.getByRole('dialog').getByRole('blockquote');
const reply = (page: Page) => cardOf(page, 'Вопрос').getByRole('button', { name: 'Ответить' }).click();

async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await dialogLeft(page);
}

const dialogs = [
  { name: 'new post', button: 'Опубликовать', open: (page: Page) => newPostButton(page).click() },
  { name: 'reply', button: 'Опубликовать', open: reply },
  { name: 'edit', button: 'Сохранить', open: (page: Page) => choose(page, 'Моя запись.', /Изменить/) },
];

test.describe('on a phone', () => {
  test.use({ viewport: phone });

  const filled = async (page: Page, open: (page: Page) => Promise<unknown>) => {
    await open(page);
    await textField(page).fill(`${long} Вот.`);
  };
  test('the button of a dialog stays in sight when the keyboard makes the page smaller', async ({ page, ownWall }) => {
    await openWall(page, ownWall);
    for (const { name, button, open } of dialogs) {
      await test.step(name, async () => {
        await filled(page, open);
        await expectInSight(choice(page, button), { top: 0, height: phone.height });
        for (const height of [aboveKeyboard.height, 330, 240]) {
          await page.setViewportSize({ width: phone.width, height });
          await expectInSight(choice(page, button), { top: 0, height });
        }
        await page.setViewportSize(phone);
        await close(page);
      });
    }
  });

  test('the button of a dialog stays in sight above a keyboard that covers the page', async ({ page, ownWall }) => {
    await emulateOverlaidKeyboard(page);
    await openWall(page, ownWall);
    for (const { name, button, open } of dialogs) {
      await test.step(name, async () => {
        await filled(page, open);
        for (const visible of [
          { top: 0, height: 508 },
          { top: 120, height: 508 },
          { top: 40, height: 330 },
          { top: 0, height: phone.height },
        ]) {
          await setVisible(page, visible);
          await expectInSight(choice(page, button), visible);
          const { y } = (await page.getByRole('heading', { level: 2 }).boundingBox())!;
          expect(y).toBeGreaterThanOrEqual(visible.top);
        }
        await close(page);
      });
    }
  });

  test('what is answered, the text and the button are in sight above the keyboard', async ({ page, ownWall }) => {
    await openWall(page, ownWall);
    await expect(page.locator('meta[name=viewport]')).toHaveAttribute('content', /interactive-widget=resizes-content/);
    await reply(page);
    await textField(page).fill(long);
    await page.setViewportSize(aboveKeyboard);
    const form = page.getByRole('dialog').locator('form');
    await expect.poll(() => form.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
    await expect(quote(page)).toBeInViewport({ ratio: 1 });
    await expect(textField(page)).toBeInViewport({ ratio: 1 });
    expect((await textField(page).boundingBox())!.height).toBeGreaterThan(4 * 23);
    await expectInSight(choice(page, 'Опубликовать'), { top: 0, height: aboveKeyboard.height });
  });
});

test('only a field gets the focus, in the task of the tap: only then phones show keyboards', async ({
  page,
  ownWall,
}) => {
  const expectAtOnce = async (opener: Locator, field: Locator, name: string) => {
    // Loads the code.
    await opener.click();
    await expect(field).toBeFocused();
    await close(page);
    // The field is the first to get the focus, not the close button of a skeleton.
    expect(await focusedAtOnce(opener)).toEqual([name]);
    await close(page);
  };
  await openPage(page, ownWall.url);
  await expectAtOnce(signInButton(page), emailField(page), 'email');
  await openWall(page, ownWall);
  const answer = cardOf(page, 'Вопрос.').getByRole('button', { name: 'Ответить' });
  for (const opener of [newPostButton(page).filter({ visible: true }), answer]) {
    await expectAtOnce(opener, textField(page), 'text');
  }
});

test('the whole post can be read in the reply dialog, also by keyboard', async ({ page, ownWall }) => {
  await openWall(page, ownWall);
  await reply(page);
  await expect(quote(page)).toContainText('galina_m');
  await expect(textField(page)).toBeFocused();
  const hidden = () => quote(page).evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop);
  expect(await hidden()).toBeGreaterThan(40);
  await page.keyboard.press('Shift+Tab');
  await expect(quote(page)).toBeFocused();
  await page.keyboard.press('End');
  await expect.poll(hidden).toBeLessThan(2);
});

test('a text that the server refuses to change can be copied', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/403/);
  await signInNewPerson(page, ownWall);
  await publish(page, 'Поздно');
  await choose(page, 'Поздно', /^Изменить/);
  await textField(page).fill('Слишком поздно');
  const expired = 'Время изменения записи истекло';
  const json = { code: 'EDIT_PERIOD_EXPIRED', message: expired };
  await page.route('**/api/v1/posts/*', (route) => route.fulfill({ status: 403, json }));
  await choice(page, 'Сохранить').click();
  await expect(page.getByRole('dialog')).toContainText(expired);
  await expect(choice(page, 'Сохранить')).toHaveCount(0);
  await expect(textField(page)).toHaveValue('Слишком поздно');
  await expect(textField(page)).toHaveAttribute('readonly');
  await expect(textField(page)).toBeEnabled();
});

test('an open menu counts down, and moves the focus on when the item goes', async ({ page, ownWall }) => {
  await page.clock.install();
  await signInNewPerson(page, ownWall);
  await publish(page, 'Меню');
  await menuButton(page, 'Меню').click();
  const item = page.getByRole('menuitem', { name: /^Изменить · \d+:\d\d$/ });
  await expect(item).toBeFocused();
  await page.route('**/api/v1/**', () => {});
  await page.clock.fastForward('10:01');
  await expect(item).toHaveCount(0);
  await expect(page.getByRole('menuitem').first()).toBeFocused();
});

test('a lost response: saving again finds the text saved', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/, /400/);
  await signInNewPerson(page, ownWall);
  await publish(page, 'Было');
  await choose(page, 'Было', /^Изменить/);
  await dropNextResponse(page, 'PATCH', /\/posts\/\d+$/);
  await textField(page).fill('Стало');
  await choice(page, 'Сохранить').click();
  await expect(page.getByRole('dialog')).toContainText('Сервер не отвечает');
  await choice(page, 'Сохранить').click();
  await expect(toast(page, 'Изменено')).toBeVisible();
  await expect(cardOf(page, 'Стало')).toContainText('изменено');
});

const form = (page: Page) => page.getByRole('main').getByRole('textbox', { name: 'Текст записи' });

/** Signs in where the page asks for it. */
async function signInHere(page: Page, mail: MailServer, { name, email }: { name: string; email: string }) {
  await askForCode(page, email);
  await codeField(page).fill(await mail.codeTo(email));
  await expect(profileLink(page)).toHaveText(name);
  await hydrated(page);
}

async function question({ seed }: Wall): Promise<string> {
  const [id] = await seed.posts([{ by: await seed.person('galina_m'), text: 'Вопрос' }]);
  return `/posts/${id}`;
}

test('a visitor finds the form, and what was shared, after signing in', async ({ page, ownWall, mail }) => {
  const path = await question(ownWall);
  const me = await newPerson(ownWall);
  await openPage(page, ownWall.url + path);
  await reply(page);
  await signInHere(page, mail, me);
  await expect(page).toHaveURL(new RegExp(path));
  await expect(page.getByRole('dialog', { name: 'Ответ' }).getByRole('blockquote')).toContainText('Вопрос');
  await expect(textField(page)).toBeFocused();
  await close(page);

  await signOut(page);
  const shared = addresses.newPost.href({}, { title: 'Афиша', text: 'Кино во дворе' });
  await openPage(page, ownWall.url + shared);
  await expect(form(page)).toHaveValue('Афиша\nКино во дворе');
  await expect(page.getByRole('main')).toContainText('Опубликовать можно, когда вы войдёте. Написанное сохранится.');
  await form(page).fill('Кино в семь');
  await openPage(page, ownWall.url);
  await newPostButton(page).click();
  await signInHere(page, mail, me);
  await expect(textField(page)).toHaveValue('Кино в семь');
  await choice(page, 'Опубликовать').click();
  await expect(cardOf(page, 'Кино в семь')).toBeVisible();
});

const text = 'Кто знает пекарню?';
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Ответ' });
const answered = (page: Page) => dialog(page).getByRole('blockquote');
const empty = (page: Page) => page.getByText('Записи не найдены');
const replyButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Ответить' });

/** The feed of a person, with a post of another one. */
async function openQuestion(page: Page, wall: Wall) {
  const by = await wall.seed.person('galina_m');
  const [id] = await wall.seed.posts([{ by, text, age: 60 }]);
  await signInNewPerson(page, wall);
  return { by, id: id! };
}

test('a reply waits for its post, tries again and says that it is deleted', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/503/, /404/);
  const { id } = await openQuestion(page, ownWall);
  await replyButton(page).click();
  await textField(page).fill('Не успею');
  await page.keyboard.press('Escape');

  // A page that does not have the post, as after signing in.
  const layer = addresses.postReply.href({ id: `${id}` });
  const elsewhere = `${ownWall.url}/settings?${new URLSearchParams({ layer })}`;
  const post = new RegExp(`/api/v1/posts/${id}$`);
  const arrived = await holdBack(page, post);
  await openPage(page, elsewhere);
  await expect(dialog(page)).toBeVisible();
  arrived.resolve();
  await expect(textField(page)).toBeFocused();
  await expect(answered(page)).toHaveText(`galina_m${text}`);

  await page.route(post, (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
  await openPage(page, elsewhere);
  await choice(page, 'Повторить').click();
  await expect(answered(page)).toHaveText(`galina_m${text}`);
  await ownWall.seed.remove(id);
  await expect(answered(page)).toContainText('Запись удалена');
  await openPage(page, elsewhere);
  await expect(dialog(page)).toContainText('Запись удалена');
  await expect(textField(page)).toHaveValue('Не успею');
});

test('a reply that was published, lost and deleted can be published again', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/, /40\d/);
  const { id } = await openQuestion(page, ownWall);
  await dropNextResponse(page, 'POST', /\/replies$/);
  await replyButton(page).click();
  await textField(page).fill('Ответ');
  await choice(page, 'Опубликовать').click();
  await expect(dialog(page)).toContainText('Сервер не отвечает');
  const { posts } = await (await page.request.get(`${ownWall.url}/api/v1/posts/${id}/replies`)).json();
  await ownWall.seed.remove(Number(posts[0].id));
  await choice(page, 'Опубликовать').click();
  await expect(dialog(page)).toContainText(
    'Эта запись уже была опубликована и удалена. Её можно опубликовать ещё раз.',
  );
  await choice(page, 'Опубликовать').click();
  await expect(toast(page, 'Опубликовано')).toBeVisible();
});

test('a discussion without replies says so at once, then shows its first reply', async ({ page, ownWall }) => {
  const { by, id } = await openQuestion(page, ownWall);
  const arrived = await holdBack(page, /\/thread\?/);
  await cardOf(page, text).locator('time').click();
  const busy = page.getByRole('main').locator('[aria-busy=true]');
  await expect(busy).toHaveCount(1);
  await expect(page.getByRole('main')).toHaveText(/ОтветыЗаписи не найденыВозможно, записи скоро появятся$/);
  await expect(replyButton(page)).toHaveCount(1);
  arrived.resolve();
  await expect(busy).toHaveCount(0);
  await expect(empty(page)).toBeVisible();

  await replyButton(page).click();
  await textField(page).fill('Мой');
  await choice(page, 'Опубликовать').click();
  await expect(articles(page)).toBeFocused();
  await expect(replyButton(page).first()).toHaveText('Ответить 1');
  await choose(page, 'Мой', 'Удалить');
  await expect(page.getByRole('dialog', { name: 'Удалить ответ?' })).toBeVisible();
  await choice(page, 'Удалить').click();
  await expect(empty(page)).toBeVisible();
  await expect(replyButton(page)).toHaveText('Ответить');
  await ownWall.seed.replies(id, [{ by, text: 'Я' }]);
  await expectTexts(page, ['Я']);
  await ownWall.seed.replies(id, [{ by, text: 'И я' }]);
  await expect(page.getByRole('button', { name: 'Новые ответы: 1' })).toBeVisible();
});

const name = 'user_ab12cd34';
const card = (page: Page) => page.getByRole('region', { name: 'Как вас называть?' });

/** Signs in a person who has not chosen a name, and opens the feed. */
async function openNewcomer(page: Page, wall: Wall): Promise<{ id: number; post: number }> {
  const { seed } = wall;
  const id = await seed.person(name);
  const [post] = await seed.posts([{ by: await seed.person('galina_m'), text, age: 60 }]);
  await restoreSession(page, wall, { id, name });
  return { id, post: post! };
}

test('the first feed asks for the name, also after a reload, until it is given', async ({ page, ownWall }) => {
  await openNewcomer(page, ownWall);
  await expect(card(page)).toBeVisible();
  await expect(card(page).getByRole('button', { name: 'Готово' })).toBeDisabled();
  await watchShift(page);
  await page.reload();
  await expect(card(page)).toBeVisible();
  await expectNoShift(page);
  expect((await card(page).boundingBox())!.height).toBeLessThanOrEqual(168);
  const field = card(page).getByRole('textbox', { name: 'Имя любыми буквами' });
  await field.fill('Галина');
  await expect(card(page)).toContainText('Упоминать вас будут так: @galina');
  await card(page).getByRole('radio', { name: 'сова' }).check();
  await field.press('Enter');
  await expect(card(page)).toHaveCount(0);
  await publish(page, 'Всем привет');
  await expect(cardOf(page, 'Всем привет')).toContainText('Галина');
  await page.reload();
  await expect(card(page)).toHaveCount(0);
});

test('after the end of a session the feed has no place for the question about the name', async ({ page, ownWall }) => {
  await openNewcomer(page, ownWall);
  await expect(card(page)).toBeVisible();
  await publish(page, 'Всем привет');
  await openPage(page, `${ownWall.url}/settings`);
  await page.getByRole('button', { name: 'Выйти' }).click();
  await expect(signInButton(page)).toBeVisible();
  const order = await page.getByRole('navigation', { name: 'Порядок ленты' }).boundingBox();
  const first = await cardOf(page, 'Всем привет').boundingBox();
  expect(first!.y).toBeCloseTo(order!.y + order!.height, 0);
});

test('the question about the name is put off in all tabs', async ({ page, context, ownWall }) => {
  const { post } = await openNewcomer(page, ownWall);
  await openPage(page, `${ownWall.url}/posts/${post}`);
  await cardOf(page, text).first().getByRole('button', { name: 'Ответить' }).click();
  await textField(page).fill('За углом');
  await choice(page, 'Опубликовать').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await openPage(page, ownWall.url);
  const other = await context.newPage();
  await openPage(other, ownWall.url);
  await expect(card(other)).toBeVisible();
  await card(page).getByRole('button', { name: 'Не сейчас' }).click();
  for (const each of [page, other]) await expect(card(each)).toHaveCount(0);
});

test('the first invitation of a person without a name asks for it', async ({ page, ownWall }) => {
  const { id } = await openNewcomer(page, ownWall);
  await ownWall.seed.appoint({ id, name });
  await openPage(page, `${ownWall.url}/moderation/invites`);
  await card(page).getByRole('textbox', { name: 'Имя любыми буквами' }).fill('Аня');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Сделать приглашение' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Пометка для себя: кому ссылка' })).toBeVisible();
});
