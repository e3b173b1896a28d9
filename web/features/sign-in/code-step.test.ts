import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  askForCode,
  button,
  codeField,
  enterCode,
  hasFocus,
  openOwnPage,
  openSignIn,
  pass,
  press,
  reports,
  shownName,
  signedInPage,
  signInDialog,
  submitAddress,
  useUpTries,
} from '../../../test/kit/screen/account.ts';
import { textOf } from '../../../test/kit/screen/queries.ts';

const resend = /^Отправить код ещё раз/;

async function awaitCode(settings: NodeJS.ProcessEnv = {}) {
  const page = await openOwnPage('/', { asVisitor: true, settings });
  const { wall, screen, person } = page;
  await openSignIn(screen);
  await askForCode(screen, person.email);
  const dialog = () => signInDialog(screen);
  return {
    ...page,
    dialog,
    code: await wall.mail.codeTo(person.email),
    async requestAnother() {
      await press(screen, resend, dialog());
      await using entered = await signedInPage(wall, screen, person.email);
      assert.equal(shownName(entered), person.name);
    },
  };
}

test('leading zeros are part of a code', async () => {
  await using page = await awaitCode();
  const { screen } = page;
  let sent = '';
  screen.network.intercept(/\/verify$/, ({ body, forward }) => {
    sent = JSON.parse(body!).confirmCode;
    return forward();
  });
  await enterCode(screen, '000042');
  await reports(screen, /^Неверный код\./, page.dialog);
  assert.deepEqual([sent, (await codeField(screen)).value], ['000042', '000042']);
});

test('a code is invalid after five wrong tries; one tap requests another', async () => {
  await using page = await awaitCode();
  await useUpTries(page.screen, page.code, page.dialog);
  await pass(page.wall, page.screen, 60);
  await page.requestAnother();
});

test('a code can be requested again after the countdown', async () => {
  await using page = await awaitCode();
  const again = await button(page.dialog(), resend);
  assert.ok(again.disabled);
  await page.screen.until(() => assert.match(textOf(again), /через (60|59) сек\.$/));
  await pass(page.wall, page.screen, 57);
  await page.screen.until(() => assert.match(textOf(again), /через [123] сек\.$/));
  await pass(page.wall, page.screen, 3);
  await page.requestAnother();
});

test('an expired code is reported, and one tap requests a new one', async () => {
  await using page = await awaitCode({ CODE_TTL_SECONDS: '120' });
  await pass(page.wall, page.screen, 121);
  await enterCode(page.screen, page.code);
  await reports(page.screen, 'Код больше не действует. Запросите новый.', page.dialog);
  await page.requestAnother();
});

test('missing cookies are reported after the right code, and the dialog stays open', async () => {
  await using page = await awaitCode();
  const { screen } = page;
  screen.network.intercept(/\/verify$/, async ({ forward }) => {
    const response = await forward();
    screen.network.cookies.clear();
    return response;
  });
  await enterCode(screen, page.code);
  await reports(screen, /браузер не сохраняет cookie/, page.dialog);
  await button(page.dialog(), resend);
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
