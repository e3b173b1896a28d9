import assert from 'node:assert/strict';
import { type Act, enterCode, isAt, lacks, type PlainWorld, shows, type State } from './act.ts';
import { pollWithin } from '../polling.ts';
import { keeperActions } from './keeper-actions.ts';
import { memberActions } from './member-actions.ts';
import type { StoryBrowser } from './text-browser.ts';

/** The acts of a member in the settings, and signing out and in again. They use the words of the screen. */
const settingsActions: Readonly<Record<string, Act>> = {
  async username(browser, state) {
    await browser.open('/settings/account/username');
    state.me.name = `newcomer_${state.me.id}`;
    await browser.send('Сохранить', { 'Имя пользователя': state.me.name });
    await shows(browser, 'Имя изменено', 'Учётная запись', state.me.name);
  },
  async profile(browser, { seed, me }) {
    await browser.open('/settings/account/profile');
    await shows(browser, `@${me.name}`);
    await browser.send('Сохранить', { 'Как вас называть': 'Анна Кузнецова', '🦊': true, 'О себе': 'Пеку хлеб' });
    await shows(browser, 'Сохранено', 'Анна Кузнецова');
    const { display_name, face, about } = await seed.choicesOf(me.id);
    assert.deepEqual([display_name, face, about], ['Анна Кузнецова', '🦊', 'Пеку хлеб']);
    await browser.open('/settings/account/profile');
    await browser.send('Сохранить', { 'Как вас называть': '' });
    await lacks(browser, 'Анна Кузнецова');
  },
  async 'e-mail change'(browser, state) {
    const email = `new-${state.email}`;
    await browser.open('/settings/account/email');
    await browser.send('Получить код', { 'Новый адрес': email });
    await enterCode(browser, state, 'Продолжить', email);
    await shows(browser, 'Адрес изменён', email);
    // While the change can be undone, codes that confirm something go to the previous address.
    state.confirmingEmail = state.email;
    state.email = email;
  },
  async 'sessions ended'(browser, { seed, me }) {
    for (const userAgent of ['Safari', 'Edge', 'Opera']) {
      await seed.session(me.id, { userAgent, userAgentVersion: '18.0', os: 'iOS' });
    }
    await browser.open('/settings/devices');
    await browser.follow('Edge 18');
    await shows(browser, 'Браузер', 'Edge', 'Версия', 'iOS');
    await browser.send('Завершить сеанс');
    await shows(browser, 'Сессия завершена', 'Safari 18');
    await lacks(browser, 'Edge 18');
    await browser.send('Завершить другие сеансы');
    await shows(browser, 'Сессии завершены', 'Других сеансов нет');
    await lacks(browser, 'Safari 18');
  },
  async 'notification settings'(browser, { seed, me }) {
    await browser.open('/settings/notifications');
    await browser.send('Сохранить', {
      'Раз в неделю': true,
      'Письмо об ответах сразу': true,
      'Вся стена раз в день': true,
    });
    await shows(browser, 'Сохранено');
    // With scripts each choice is saved by itself, and the words may be those of an earlier one.
    await pollWithin(1_000, async () => {
      const { digest, replies_at_once: atOnce, wall_daily: wall } = await seed.choicesOf(me.id);
      return (digest === 'weekly' && atOnce === 1 && wall === 1) || undefined;
    });
    await browser.open('/settings/notifications');
    await browser.send('Сохранить', { 'Не присылать': true });
    await shows(browser, 'Сохранено');
  },
  async 'muted authors'(browser, { seed, me, author }) {
    await seed.mute(me.id, author.id);
    await browser.open('/settings/muted');
    await shows(browser, author.name);
    await browser.send('Показывать автора');
    await shows(browser, 'Автор снова показывается', 'Вы показываете всех авторов');
  },
  async 'tokens for programs'(browser, state) {
    await browser.open('/settings/programs');
    await browser.send('Получить код', { Название: 'бот погоды', 'Только ленты: для адреса в читалке': true });
    await shows(browser, 'коды приходят на прежний');
    await enterCode(browser, state, 'Создать токен', state.confirmingEmail);
    await shows(
      browser,
      'Токен создан',
      'бот погоды',
      'больше он не покажется',
      'Только ленты: для адреса в читалке ·',
    );
    await browser.open('/settings/programs');
    await lacks(browser, 'больше он не покажется');
    await browser.send('Завершить', {}, 'бот погоды');
    await shows(browser, 'Токен завершён', 'Токенов пока нет');
  },
  async 'kept data'(browser) {
    await browser.open('/settings/data');
    await shows(browser, 'Это всё, что стена хранит о вас', 'Хранится:');
    if (!browser.hasScripts) await browser.follow('Показать остальное');
    await shows(browser, 'Что стирается само');
    assert.ok((await browser.download('Скачать мои данные')).includes('Пеку хлеб'));
  },
  async 'sign out'(browser) {
    await browser.open('/settings');
    await browser.send('Выйти');
    await isAt(browser, '/');
    if (!browser.hasScripts) {
      await browser.follow('Моя страница');
      await shows(browser, 'Войдите, чтобы открыть «');
    }
    await browser.open('/posts/1/actions');
    await shows(browser, 'Войдите, чтобы ответить или сохранить');
  },
  async 'sign in'(browser, state) {
    await browser.open('/sign-in?next=/notifications');
    await browser.send('Получить код', { 'Электронная почта': state.email });
    await enterCode(browser, state, 'Продолжить');
    await isAt(browser, '/notifications');
  },
};

/** All acts of a person on the wall, in the order of one story. */
const actions: Readonly<Record<string, Act>> = {
  ...memberActions,
  ...settingsActions,
  ...keeperActions,
  async 'delete the account'(browser, state) {
    // For three days after a change of address an account cannot be deleted, so another account is deleted.
    const email = `other-${state.email}`;
    await browser.open('/settings');
    await browser.send('Выйти');
    await browser.open('/sign-in');
    await browser.send('Получить код', { 'Электронная почта': email });
    await shows(browser, 'ещё нет');
    await browser.send('Продолжить');
    await enterCode(browser, state, 'Продолжить', email);
    if (!browser.hasScripts) {
      await shows(browser, `Вы вошли как ${email}`);
      await browser.follow('Продолжить');
      await browser.follow('Моя страница');
      await isAt(browser, '/own/posts');
      await browser.open('/');
    }
    await isAt(browser, '/');
    await browser.open('/new');
    await browser.send('Опубликовать', { 'Текст записи': 'Жду проверки' });
    await shows(browser, 'Ждёт проверки');
    if (browser.hasScripts) await browser.open('/own/posts');
    await isAt(browser, '/own/posts');
    await shows(browser, 'Ждёт проверки. Появится', 'Жду проверки');
    await browser.follow('Удалить');
    await shows(browser, 'Удалить навсегда?', 'Вернуть её будет нельзя');
    await browser.send('Удалить');
    await shows(browser, 'Удалено');
    await isAt(browser, '/own/posts');
    await lacks(browser, 'Жду проверки');
    await browser.open('/settings/account/deletion');
    await browser.send('Получить код');
    await enterCode(browser, state, 'Удалить учётную запись', email);
    await isAt(browser, '/');
    await assert.rejects(state.whoIs(email));
  },
};

/** The acts in a browser, as steps of one story. */
export function storySteps(browser: StoryBrowser, world: PlainWorld): Array<{ name: string; run(): Promise<void> }> {
  const state: State = { ...world, me: { id: 0, name: '' }, own: '' };
  return Object.entries(actions).map(([name, act]) => ({ name, run: () => act(browser, state) }));
}
