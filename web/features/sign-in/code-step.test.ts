import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  button,
  codeField,
  enterCode,
  hasFocus,
  openSignIn,
  pass,
  press,
  reports,
  shownName,
  signInDialog,
  submitAddress,
} from '../../../test/kit/screen/account.ts';
import { callsOf, toast } from '../../../test/kit/screen/posts.ts';
import { openOwnPage } from '../../../test/kit/screen/seeded.ts';
import type { Screen } from '../../../test/kit/screen/open-screen.ts';
import { type Queries, textOf } from '../../../test/kit/screen/queries.ts';
import { newAddress, wrong } from '../../../test/kit/sign-in.ts';

const getCode = 'Получить код';
const resend = /^Отправить код ещё раз/;
const noConnection = 'Нет соединения. Проверьте сеть и попробуйте ещё раз.';

type Page = Awaited<ReturnType<typeof openOwnPage>>;

/** Something that a code confirms. */
interface Confirmed {
  path: string;
  asVisitor?: boolean;
  /** The path of the request that mails the code. */
  starts: string;
  place?: (screen: Screen) => Queries;
  /** Fills in what comes before the code; resolves to the address that gets it. */
  prepare(page: Page): Promise<string>;
  /** The button that sends the code. */
  action: string;
  /** The last digit does not send it. */
  waitsForButton?: boolean;
  isDone(screen: Screen, page: Page): Promise<unknown>;
}

const confirmed: Record<string, Confirmed> = {
  'signing in': {
    path: '/',
    asVisitor: true,
    starts: '/logins',
    place: signInDialog,
    action: 'Продолжить',
    async prepare({ screen, person }) {
      screen.fill(await openSignIn(screen), person.email);
      return person.email;
    },
    async isDone(screen, { person }) {
      await screen.until(() => assert.equal(screen.loads.length, 1));
      await using entered = await screen.reload(screen.loads[0]);
      assert.equal(shownName(entered), person.name);
    },
  },
  'a new address': {
    path: '/settings/account/email',
    starts: '/users/current/email',
    action: 'Продолжить',
    async prepare({ screen }) {
      const email = newAddress();
      screen.fill(await screen.findByRole('textbox', { name: 'Новый адрес' }), email);
      return email;
    },
    isDone: (screen) => toast(screen, 'Адрес изменён'),
  },
  'a deletion': {
    path: '/settings/account/deletion',
    starts: '/users/current/deletion',
    action: 'Удалить учётную запись',
    waitsForButton: true,
    prepare: async ({ person }) => person.email,
    isDone: (screen) => toast(screen, 'Учётная запись удалена'),
  },
  'a token': {
    path: '/settings/programs',
    starts: '/users/current/tokens',
    action: 'Создать токен',
    async prepare({ screen, person }) {
      screen.fill(await screen.findByRole('textbox', { name: 'Название' }), 'бот погоды');
      await screen.click(screen.getByRole('radio', { name: 'Читать и писать' }));
      return person.email;
    },
    isDone: (screen) => screen.findByRole('button', { name: 'Скопировать токен' }),
  },
};

/** A page on which the next press on «Получить код» mails a code. */
async function openPage(what: Confirmed, settings: NodeJS.ProcessEnv = {}) {
  const page = await openOwnPage(what.path, { asVisitor: what.asVisitor ?? false, settings });
  const { wall } = page;
  const email = await what.prepare(page);
  const place = (screen = page.screen): Queries => (what.place ?? ((from) => from.main()))(screen);
  return {
    ...page,
    email,
    place,
    reports: (text: string | RegExp) => reports(page.screen, text, place),
    /** Requests a code, and resolves to it. */
    async ask(): Promise<string> {
      await press(page.screen, getCode, place());
      await hasFocus(page.screen, await codeField(page.screen));
      return wall.mail.codeTo(email);
    },
    async enter(code: string, screen = page.screen): Promise<void> {
      await enterCode(screen, code);
      if (what.waitsForButton) await press(screen, what.action, place(screen));
    },
    /** Waits until the code can be neither changed nor sent. */
    async isSpent(): Promise<void> {
      await page.screen.until(() => assert.ok(place().queryByRole('button', { name: what.action }) === null));
      assert.ok(place().getByRole<HTMLInputElement>('textbox', { name: 'Код из письма' }).readOnly);
    },
    async requestAnother(): Promise<void> {
      await press(page.screen, resend, place());
      await this.enter(await wall.mail.codeTo(email));
      await what.isDone(page.screen, page);
    },
  };
}

for (const [name, what] of Object.entries(confirmed)) {
  test(`a double click requests one code, and it is sent once: ${name}`, async () => {
    await using page = await openPage(what);
    const { screen } = page;
    const ask = await button(page.place(), getCode);
    await screen.click(ask);
    ask.click();
    const code = await page.wall.mail.codeTo(page.email);
    for (let typed = 1; typed < 6; typed += 1) await enterCode(screen, code.slice(0, typed));
    await page.enter(code);
    screen.press('Enter');
    await what.isDone(screen, page);
    const calls = callsOf(screen, new RegExp(`^(POST|PUT) .*${what.starts}`)).map((call) =>
      call.replace(/.*\/(verify)$|.*/, '$1'),
    );
    assert.deepEqual(calls, ['', 'verify']);
  });

  test(`a reload returns to the code: ${name}`, async () => {
    await using page = await openPage(what);
    const code = await page.ask();
    await using screen = await page.screen.reload();
    await hasFocus(screen, await codeField(screen));
    await screen.until(() => page.place(screen).getByText(page.email));
    await page.enter(code, screen);
    await what.isDone(screen, page);
  });

  test(`offline: a code cannot be requested or sent, and both succeed later: ${name}`, async () => {
    await using page = await openPage(what);
    const { screen } = page;
    screen.network.setOnline(false);
    await press(screen, getCode, page.place());
    await page.reports(noConnection);
    screen.network.setOnline(true);
    const code = await page.ask();
    screen.network.setOnline(false);
    await page.enter(code);
    await page.reports(noConnection);
    assert.equal((await codeField(screen)).value, code);
    screen.network.setOnline(true);
    await press(screen, what.action, page.place());
    await what.isDone(screen, page);
  });

  test(`a wrong code is reported and selected, and can be overwritten: ${name}`, async () => {
    await using page = await openPage(what);
    const { screen } = page;
    const code = await page.ask();
    await page.enter(wrong(code));
    await page.reports('Неверный код. Проверьте его и введите ещё раз.');
    const field = await codeField(screen);
    await screen.until(() => assert.deepEqual([field.selectionStart, field.selectionEnd], [0, 6]));
    await page.enter(code);
    await what.isDone(screen, page);
  });

  test(`a code is invalid after five wrong tries; one tap requests another: ${name}`, async () => {
    await using page = await openPage(what);
    const code = await page.ask();
    assert.ok((await button(page.place(), resend)).disabled);
    for (let left = 4; left >= 0; left -= 1) {
      await page.enter(String((Number(code) + left + 1) % 1_000_000).padStart(6, '0'));
      await page.reports('');
      await page.reports(left > 0 ? /^Неверный код\./ : /^Попытки закончились\. Запросите новый код\./);
    }
    await page.isSpent();
    await pass(page.wall, page.screen, 60);
    await page.requestAnother();
  });

  test(`an expired code is reported, and one tap requests a new one: ${name}`, async () => {
    await using page = await openPage(what, { CODE_TTL_SECONDS: '120' });
    const code = await page.ask();
    await pass(page.wall, page.screen, 121);
    await page.enter(code);
    await page.reports('Код больше не действует. Запросите новый.');
    await page.isSpent();
    await page.requestAnother();
  });
}

const openCode = async () => {
  const page = await openPage(confirmed['signing in']!);
  return { ...page, code: await page.ask() };
};

test('leading zeros are part of a code', async () => {
  await using page = await openCode();
  const { screen } = page;
  let sent = '';
  screen.network.intercept(/\/verify$/, ({ body, forward }) => {
    sent = JSON.parse(body!).confirmCode;
    return forward();
  });
  await enterCode(screen, '000042');
  await page.reports(/^Неверный код\./);
  assert.deepEqual([sent, (await codeField(screen)).value], ['000042', '000042']);
});

test('a code can be requested again after the countdown', async () => {
  await using page = await openCode();
  const again = await button(page.place(), resend);
  assert.ok(again.disabled);
  await page.screen.until(() => assert.match(textOf(again), /через (60|59) сек\.$/));
  await pass(page.wall, page.screen, 57);
  await page.screen.until(() => assert.match(textOf(again), /через [123] сек\.$/));
  await pass(page.wall, page.screen, 3);
  await page.requestAnother();
});

test('missing cookies are reported after the right code, and the dialog stays open', async () => {
  await using page = await openCode();
  const { screen } = page;
  screen.network.intercept(/\/verify$/, async ({ forward }) => {
    const response = await forward();
    screen.network.cookies.clear();
    return response;
  });
  await enterCode(screen, page.code);
  await page.reports(/браузер не сохраняет cookie/);
  await button(page.place(), resend);
});

test('disabled cookies are reported before a code is sent', async () => {
  await using page = await openOwnPage('/', { asVisitor: true });
  await using screen = await page.screen.reload('/', ({ window }) =>
    Object.defineProperty(window.navigator, 'cookieEnabled', { value: false }),
  );
  await hasFocus(screen, await openSignIn(screen));
  await submitAddress(screen, page.person.email);
  await reports(screen, /браузер не сохраняет cookie/, () => signInDialog(screen));
});
