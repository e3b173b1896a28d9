import assert from 'node:assert/strict';
import { type Act, enterCode, isAt, lacks, shows, type State } from './act.ts';

const actionsOf = ({ postId }: Pick<State, 'postId'>): string => `/posts/${postId}/actions`;

/** The acts of a member, from the registration on. */
export const memberActions: Readonly<Record<string, Act>> = {
  async register(browser, state) {
    await browser.open(`/sign-in?next=/posts/${state.postId}/reply`);
    await browser.send('Получить код', { 'Электронная почта': state.email });
    await shows(browser, 'ещё нет');
    await browser.send('Продолжить');
    await enterCode(browser, state, 'Продолжить');
    await isAt(browser, `/posts/${state.postId}/reply`);
    state.me = await state.whoIs(state.email);
  },
  async reply(browser, state) {
    await browser.send('Опубликовать', { 'Текст ответа': 'Мой ответ' });
    await shows(browser, 'Опубликовано');
    if (!browser.hasScripts) {
      await shows(browser, 'Как вас называть?');
      await browser.send('Не сейчас');
    }
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
    // With scripts the button «Новая запись» would open a layer, and the page would not change. So the page of the form is opened.
    await browser.open(browser.hasScripts ? '/new' : '/');
    if (!browser.hasScripts) await browser.send('Новая запись');
    await browser.send('Опубликовать', { 'Текст записи': 'Первая запись' });
    await shows(browser, 'Первая запись');
    state.own = await browser.path();
    assert.match(state.own, /^\/posts\/\d+$/);
  },
  async 'edit in time'(browser, state) {
    await browser.open(`${state.own}/actions`);
    await browser.follow('Изменить');
    await browser.send('Сохранить', { 'Текст записи': 'Исправленная запись' });
    await shows(browser, 'Изменено', 'Исправленная запись');
  },
  async 'close replies'(browser, state) {
    await browser.open(`${state.own}/actions`);
    await browser.follow('Запретить новые ответы…');
    await browser.send('Запретить новые ответы');
    await shows(browser, 'Новые ответы запрещены: отвечать можете только вы');
    await browser.open(state.own);
    await shows(browser, 'Автор запретил новые ответы');
    await browser.open(`${state.own}/reply`);
    await browser.send('Опубликовать', { 'Текст ответа': 'Добавлю сам' });
    await shows(browser, 'Добавлю сам');
    await browser.open(`${state.own}/actions`);
    await browser.follow('Разрешить новые ответы…');
    await browser.send('Разрешить новые ответы');
    await shows(browser, 'Новые ответы разрешены');
  },
  async delete(browser, state) {
    await browser.open(`${state.own}/actions`);
    await browser.follow('Удалить');
    await browser.send('Удалить');
    await shows(browser, 'Удалено');
  },
  async undo(browser) {
    await browser.open('/own/posts');
    await lacks(browser, 'Исправленная запись');
    await browser.follow('Удалённые: 1');
    await shows(browser, 'Исправленная запись');
    await browser.send('Вернуть');
    await shows(browser, 'Возвращено', 'Удалённых записей нет');
    await lacks(browser, 'Исправленная запись');
    await browser.open('/own/posts');
    await shows(browser, 'Исправленная запись');
    await lacks(browser, 'Удалённые');
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
    // The reply above has made the person follow the discussion.
    await browser.send('Не следить');
    await browser.send('Следить за обсуждением');
    await shows(browser, 'Вы следите за обсуждением');
  },
  async 'follow an author'(browser, { seed, author }) {
    await browser.send('Следить за автором');
    await shows(browser, 'Не следить за автором');
    await seed.posts([{ by: author.id, text: 'Новое от автора' }]);
    await browser.open('/following');
    await shows(browser, 'Новое от автора');
    await browser.open(`/users/${author.name}/actions`);
    await browser.send('Не следить за автором');
    await shows(browser, 'Вы больше не следите за автором');
    await browser.open('/following');
    await lacks(browser, 'Новое от автора');
  },
  async save(browser, state) {
    await browser.open(actionsOf(state));
    await browser.send('Сохранить');
    await shows(browser, 'Убрать из сохранённого');
    await browser.open('/own/saved');
    await shows(browser, state.author.name);
    await browser.open(actionsOf(state));
    await browser.send('Убрать из сохранённого');
    await lacks(browser, 'Убрать из сохранённого');
    await browser.open('/own/saved');
    await lacks(browser, state.author.name);
    await shows(browser, 'Пока ничего не сохранено');
    await browser.open(actionsOf(state));
  },
  async mute(browser, state) {
    await browser.send('Не показывать автора');
    await shows(browser, 'Показывать автора');
    await browser.open('/settings/muted');
    await shows(browser, state.author.name);
    await browser.send('Показывать автора');
    await shows(browser, 'Вы показываете всех авторов');
  },
  async 'follow a word'(browser, { seed, author }) {
    await browser.open('/search?q=самокаты');
    await browser.open('/following?word=самокаты');
    await browser.send('Следить за словом', { 'Слово или #тег': 'самокаты' });
    await shows(browser, 'за которыми вы следите: 1');
    await seed.posts([{ by: author.id, text: 'Чиню самокат' }]);
    await browser.open('/notifications');
    await shows(browser, 'слово «самокаты»');
    await browser.open('/following?word=самокаты');
    await shows(browser, 'Чиню самокат');
    await browser.send('Не следить');
    await shows(browser, 'Слово убрано');
  },
  async 'hide a word'(browser) {
    await browser.open('/settings/muted');
    await browser.send('Не показывать слово', { 'Слово или #тег': 'два слова' });
    await shows(browser, 'Нужно одно слово или #тег');
    await browser.send('Не показывать слово', { 'Слово или #тег': '#реклама' });
    await shows(browser, '#реклама');
    await browser.send('Показывать');
    await lacks(browser, '#реклама');
  },
  async report(browser, state) {
    await browser.open(actionsOf(state));
    await browser.follow('Пожаловаться');
    await browser.send('Отправить', { Другое: true });
    await shows(browser, 'Жалоба отправлена');
  },
  async search(browser) {
    await browser.open('/search?q=хлеб');
    await shows(browser, 'хлеб');
  },
  async people(browser, { seed }) {
    const newcomer = await seed.person('katya_new_here');
    await seed.newcomer(newcomer);
    const [first] = await seed.posts([{ by: newcomer, text: 'Всем привет' }]);
    await browser.open('/people');
    await shows(browser, 'reader_of_all', 'ещё без записей');
    await browser.send('Найти', { 'Начало имени': 'katya' });
    await shows(browser, 'katya_new_here', 'недавно здесь');
    await lacks(browser, 'reader_of_all');
    await browser.follow('Поздороваться');
    await browser.send('Опубликовать', { 'Текст ответа': 'Добро пожаловать!' });
    await shows(browser, browser.hasScripts ? 'Опубликовано' : 'Добро пожаловать!');
    await browser.open(`/posts/${first}`);
    await shows(browser, 'Добро пожаловать!');
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
      // With scripts the list loads the next page by itself.
      if (browser.hasScripts) continue;
      await lacks(browser, `${word} 1.`);
      await browser.follow('Дальше');
      await shows(browser, `${word} 1.`);
    }
  },
  async 'notifications read'(browser) {
    // With scripts, notifications that are seen are marked as read.
    if (browser.hasScripts) return;
    await browser.open('/notifications');
    await shows(browser, 'Непрочитанных: 14');
    await browser.send('Отметить прочитанными');
    await lacks(browser, 'Непрочитанных');
  },
};
