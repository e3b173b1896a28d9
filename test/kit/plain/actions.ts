import assert from 'node:assert/strict';
import { type Act, enterCode, lacks, type PlainWorld, shows, type State } from './act.ts';
import { keeperActions } from './keeper-actions.ts';
import { memberActions } from './member-actions.ts';
import type { PlainBrowser } from './text-browser.ts';

/** Whatever a person does on the wall, in the order of one story. */
const plainActions: Readonly<Record<string, Act>> = {
  ...memberActions,
  ...keeperActions,
  async 'delete the account'(browser, state) {
    // For three days after a change of address an account cannot be deleted.
    const email = `other-${state.email}`;
    await browser.open('/settings');
    await browser.send('Выйти');
    await browser.open('/sign-in');
    await browser.send('Получить код', { 'Электронная почта': email });
    await browser.send('Продолжить');
    await enterCode(browser, state, 'Продолжить', email);
    await browser.open('/new');
    await browser.send('Опубликовать', { 'Текст записи': 'Жду проверки' });
    assert.equal(await browser.path(), '/own/posts');
    await shows(browser, 'Ждёт проверки. Появится', 'Жду проверки');
    await browser.send('Удалить навсегда');
    await lacks(browser, 'Жду проверки');
    await browser.open('/settings/account/deletion');
    await browser.send('Получить код');
    await enterCode(browser, state, 'Удалить учётную запись', email);
    assert.equal(await browser.path(), '/');
    await assert.rejects(state.whoIs(email));
  },
};

/** All of them as steps for one browser. */
export function plainSteps(browser: PlainBrowser, world: PlainWorld): Array<{ name: string; run(): Promise<void> }> {
  const state: State = { ...world, me: { id: 0, name: '' }, own: '' };
  return Object.entries(plainActions).map(([name, act]) => ({ name, run: () => act(browser, state) }));
}
