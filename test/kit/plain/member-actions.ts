import assert from 'node:assert/strict';
import { type Act, enterCode, lacks, shows, type State } from './act.ts';

const actionsOf = ({ postId }: Pick<State, 'postId'>): string => `/posts/${postId}/actions`;

/** Whatever a member does: from the registration through signing out to signing in again. */
export const memberActions: Readonly<Record<string, Act>> = {
  async register(browser, state) {
    await browser.open(`/sign-in?next=/posts/${state.postId}/reply`);
    await browser.send('Получить код', { 'Электронная почта': state.email });
    await shows(browser, 'ещё нет');
    await browser.send('Продолжить');
    await enterCode(browser, state, 'Продолжить');
    assert.equal(await browser.path(), `/posts/${state.postId}/reply`);
    state.me = await state.whoIs(state.email);
  },
  async reply(browser, state) {
    await browser.send('Опубликовать', { 'Текст ответа': 'Мой ответ' });
    state.own = await browser.path();
    assert.match(state.own, /^\/posts\/\d+$/);
    await shows(browser, 'Мой ответ');
  },
  async 'reply at depth'(browser, state) {
    await browser.open(`${state.own}/reply`);
    await shows(browser, 'Мой ответ');
    await browser.send('Опубликовать', { 'Текст ответа': 'Ответ глубже' });
    await shows(browser, 'Ответ глубже');
  },
  async publish(browser, state) {
    await browser.open('/new');
    await browser.send('Опубликовать', { 'Текст записи': 'Первая запись' });
    state.own = await browser.path();
    await shows(browser, 'Первая запись');
  },
  async 'edit in time'(browser, state) {
    await browser.open(`${state.own}/actions`);
    await browser.send('Сохранить', { 'Текст записи': 'Исправленная запись' });
    await shows(browser, 'Изменено', 'Исправленная запись');
  },
  async delete(browser, state) {
    await browser.open(`${state.own}/actions`);
    await browser.send('Удалить');
    await shows(browser, 'Удалено');
  },
  async undo(browser) {
    await browser.send('Вернуть');
    await shows(browser, 'Возвращено', 'Исправленная запись');
  },
  async like(browser, state) {
    await browser.open(actionsOf(state));
    await browser.send('Нравится');
    await shows(browser, 'Снять отметку');
  },
  async 'take back'(browser) {
    await browser.send('Снять отметку «Нравится»');
    await lacks(browser, 'Снять отметку «');
  },
  async follow(browser) {
    // The reply has followed it.
    await browser.send('Не следить');
    await browser.send('Следить за обсуждением');
    await shows(browser, 'Вы следите за обсуждением');
  },
  async save(browser, state) {
    await browser.send('Сохранить запись');
    await shows(browser, 'Убрать из сохранённого');
    await browser.open('/own/saved');
    await shows(browser, state.author.name);
    await browser.open(actionsOf(state));
    await browser.send('Убрать из сохранённого');
    await shows(browser, 'Сохранить запись');
    await browser.open('/own/saved');
    await lacks(browser, state.author.name);
    await browser.open(actionsOf(state));
  },
  async mute(browser, state) {
    await browser.send('Не показывать автора');
    await browser.open('/settings/muted');
    await shows(browser, state.author.name);
    await browser.send('Показывать автора');
    await shows(browser, 'Вы показываете всех авторов');
  },
  async report(browser, state) {
    await browser.open(actionsOf(state));
    await browser.send('Отправить', { Другое: true });
    await shows(browser, 'Напишите, что не так');
    await browser.send('Отправить', { 'Своими словами, если другое': 'Это мой гараж' });
    await shows(browser, 'Жалоба отправлена');
  },
  async search(browser) {
    await browser.open('/search?q=хлеб');
    await shows(browser, 'хлеб');
  },
  async 'page through lists'(browser, state) {
    const { seed, me, author } = state;
    const numbers = Array.from({ length: 12 }, (_, index) => index + 1);
    await seed.posts(numbers.map((number) => ({ by: me.id, text: `Запись ${number}.` })));
    await seed.replies(
      state.postId,
      numbers.map((number) => ({ by: me.id, text: `Реплика ${number}.` })),
    );
    for (const id of await seed.posts(numbers.map((number) => ({ by: author.id, text: `Понравилась ${number}.` })))) {
      await seed.like(id, me.id);
    }
    const [first] = await seed.posts([{ by: me.id, text: 'Спрашиваю' }]);
    await seed.replies(
      first!,
      numbers.map((number) => ({ by: author.id, text: `Отвечаю ${number}.` })),
    );
    for (const [path, word] of [
      ['/own/posts', 'Запись'],
      ['/own/replies', 'Реплика'],
      ['/liked', 'Понравилась'],
      ['/notifications', 'Отвечаю'],
    ] as const) {
      await browser.open(path);
      await shows(browser, `${word} 12.`);
      await lacks(browser, `${word} 1.`);
      await browser.follow('Дальше');
      await shows(browser, `${word} 1.`);
    }
  },
  async 'notifications read'(browser) {
    await browser.open('/notifications');
    await shows(browser, 'Непрочитанных: 12');
    await browser.send('Отметить прочитанными');
    await lacks(browser, 'Непрочитанных');
  },
  async username(browser, state) {
    await browser.open('/settings/account/username');
    state.me.name = `newcomer_${state.me.id}`;
    await browser.send('Сохранить', { 'Имя пользователя': state.me.name });
    await shows(browser, 'Имя изменено');
  },
  async 'e-mail change'(browser, state) {
    const email = `new-${state.email}`;
    await browser.open('/settings/account/email');
    await browser.send('Получить код', { 'Новый адрес': email });
    await enterCode(browser, state, 'Подтвердить', email);
    await shows(browser, 'Адрес изменён', email);
    state.email = email;
  },
  async 'sessions ended'(browser, { seed, me }) {
    for (const userAgent of ['Safari', 'Edge', 'Opera']) {
      await seed.session(me.id, { userAgent, userAgentVersion: '18.0', os: 'iOS' });
    }
    await browser.open('/settings/devices');
    await browser.send('Завершить сеанс', {}, 'Edge 18');
    await lacks(browser, 'Edge 18');
    await browser.send('Завершить другие сеансы');
    await lacks(browser, 'Safari 18');
  },
  async 'tokens for programs'(browser, state) {
    await browser.open('/settings/programs');
    await browser.send('Получить код', { Название: 'бот погоды' });
    await enterCode(browser, state, 'Создать токен');
    await shows(browser, 'Токен создан', 'бот погоды');
    await browser.send('Завершить', {}, 'бот погоды');
    await lacks(browser, 'бот погоды');
  },
  async export(browser) {
    await browser.open('/settings');
    assert.ok((await browser.download('Скачать мои данные')).includes('Исправленная запись'));
  },
  async 'sign out'(browser) {
    await browser.open('/settings');
    await browser.send('Выйти');
    assert.equal(await browser.path(), '/');
    await browser.open('/posts/1/actions');
    assert.match(await browser.path(), /^\/sign-in/);
  },
  async 'sign in'(browser, state) {
    await browser.open('/sign-in?next=/notifications');
    await browser.send('Получить код', { 'Электронная почта': state.email });
    await enterCode(browser, state, 'Продолжить');
    assert.equal(await browser.path(), '/notifications');
  },
};
