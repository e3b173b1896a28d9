import assert from 'node:assert/strict';
import type { MailServer } from '../smtp.ts';
import type { Seed } from '../seed.ts';
import type { PlainBrowser } from './text-browser.ts';

/** A wall with some posts, and what a story on it needs. */
export interface PlainWorld {
  mail: Pick<MailServer, 'codeTo'>;
  seed: Seed;
  email: string;
  /** The account with an address. */
  whoIs(email: string): Promise<{ id: number; name: string }>;
  author: { id: number; name: string };
  /** A root post of the author. */
  postId: number;
  /** A reported post of the author. */
  reportedId: number;
}

interface State extends PlainWorld {
  /** The person’s name and id once they are known. */
  me: { id: number; name: string };
  own: string;
}

type Act = (browser: PlainBrowser, state: State) => Promise<void>;

async function shows(browser: PlainBrowser, ...texts: string[]): Promise<void> {
  const text = await browser.text();
  for (const wanted of texts) assert.ok(text.includes(wanted), `«${wanted}» at ${await browser.path()}: ${text}`);
}

async function lacks(browser: PlainBrowser, unwanted: string): Promise<void> {
  assert.ok(!(await browser.text()).includes(unwanted), `«${unwanted}» at ${await browser.path()}`);
}

async function enterCode(browser: PlainBrowser, state: State, button: string, email = state.email): Promise<void> {
  await shows(browser, 'Код отправлен');
  await browser.send(button, { 'Код из письма': await state.mail.codeTo(email) });
}

const actionsOf = ({ postId }: Pick<State, 'postId'>): string => `/posts/${postId}/actions`;

/** Whatever a person does on the wall, in the order of one story. */
const plainActions: Readonly<Record<string, Act>> = {
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
  async 'settle a report'(browser, { seed, me }) {
    await seed.appoint(me);
    await browser.open('/moderation');
    await browser.send('Оставить', { 'Нарушения нет': true });
    await shows(browser, 'Оставлено');
  },
  async remove(browser, { reportedId }) {
    await browser.open(`/posts/${reportedId}/actions`);
    await browser.send('Убрать со стены', { 'Своя причина': 'Реклама' });
    await shows(browser, 'Убрано со стены');
  },
  async restore(browser, { reportedId }) {
    await browser.open('/moderation');
    await browser.follow('Рассмотрено: 1');
    await browser.send('Вернуть на стену', { Ошибка: true });
    await browser.open(`/posts/${reportedId}/actions`);
    await shows(browser, 'Купите');
  },
  async keep(browser, state) {
    const { seed, me, author } = state;
    await seed.appoint(me, 'owner');
    await browser.open('/keep');
    const contact = 'Куда писать тем, кто ведёт стену';
    await browser.send('Сохранить', { [contact]: 'во двор' });
    await shows(browser, 'Нужна почта');
    await browser.send('Сохранить', {
      'Имя стены': 'Наш двор',
      'Одной строкой о ней': 'О нашем дворе',
      [contact]: 'dvor@example.org',
    });
    await shows(browser, 'Сохранено', 'Наш двор');
    await browser.open('/keep?text=rules');
    await browser.send('Показать, как будет', { 'Текст с разметкой Markdown': '# Наши правила\n\nНе **шуметь**' });
    await shows(browser, 'Не шуметь');
    await browser.open('/keep?text=privacy');
    await lacks(browser, 'Не шуметь');
    await browser.open('/keep?text=rules');
    await browser.send('Сохранить');
    await shows(browser, 'Сохранено', 'Написан здесь');
    await browser.send('Отправить мне письмо');
    await shows(browser, 'почтовый сервер принял');
    const appoint = async (name: string) => {
      await browser.open('/keep?role=1');
      await browser.send('Изменить роль', { 'Имя пользователя': name, 'Причина для журнала': 'помогает' });
    };
    await appoint('nobody_here');
    await shows(browser, 'Такого человека на стене нет');
    await appoint(author.name);
    await enterCode(browser, state, 'Подтвердить');
    await shows(browser, 'Роль изменена', `${author.name} модератор`);
    await browser.follow('Назначить или снять');
    await browser.send('Изменить роль', {
      'Имя пользователя': author.name,
      'Больше не ведёт стену': true,
      'Причина для журнала': 'устал',
    });
    await shows(browser, 'Роль изменена');
    await lacks(browser, `${author.name} модератор`);
  },
  async 'close a discussion'(browser, { postId }) {
    await browser.open(`/posts/${postId}/actions`);
    await browser.send('Установить', { 'один ответ в 5 минут': true });
    await shows(browser, 'Установлено');
    await browser.open(`/posts/${postId}/reply`);
    await shows(browser, 'Медленный режим: один ответ в 5 минут');
    await browser.open(`/posts/${postId}/actions`);
    await browser.send('Закрыть обсуждение', { 'Вопрос решён': true });
    await browser.open(`/posts/${postId}/reply`);
    await shows(browser, 'Обсуждение закрыто');
    await lacks(browser, 'Текст ответа');
    await browser.open(`/posts/${postId}/actions`);
    await browser.send('Открыть обсуждение', { 'Почему открыть обсуждение': 'Новые сведения' });
    await shows(browser, 'Обсуждение открыто');
  },
  async 'let a newcomer through'(browser, { seed }) {
    await seed.hold(await seed.person('newcomer_a'), 'Всем привет');
    for (const name of ['newcomer_b', 'newcomer_c']) await seed.hold(await seed.person(name), 'Купите часы');
    await browser.open('/moderation/waiting');
    await browser.send('Пропустить');
    await shows(browser, 'Пропущено', 'Купите часы');
    await browser.send('Заблокировать всех и убрать', { 'Реклама или спам': true });
    await shows(browser, 'Никто не ждёт');
    await browser.open('/keep?gate');
    await browser.send('Сохранить', { 'Первая ждёт проверки': true });
    await shows(browser, 'Сохранено');
  },
  async 'warn and block a person'(browser, { seed, me, author }) {
    const name = 'rude_person';
    await seed.invited(await seed.person(name), me.id);
    await browser.open('/moderation/people');
    await browser.send('Найти', { 'Начало имени': 'rude' });
    await lacks(browser, author.name);
    await browser.follow(name);
    await shows(browser, `Пришёл по приглашению: ${me.name}`);
    // The form has a heading of the same words.
    await browser.send('Предупредить', { 'Другая причина': 'Не шумите' }, 'Другая причина');
    await shows(browser, 'Предупреждение ещё не прочитано: Не шумите');
    await browser.send('Лишить права приглашать', { 'Приводит спамеров': true });
    await shows(browser, 'Больше не приглашает, и те');
    await browser.send('Заблокировать', { 'Реклама или спам': true, 'На 7 дней': true });
    await shows(browser, 'Заблокирован, ещё', 'Реклама или спам');
    await browser.open('/moderation/blocked');
    await browser.follow(name);
    await browser.send('Снять блокировку', { Договорились: true });
    await shows(browser, 'Блокировка снята');
  },
  async 'block a branch'(browser, { seed, author }) {
    for (const name of ['brought_a', 'brought_b']) await seed.invited(await seed.person(name), author.id);
    await browser.open(`/moderation/people/${author.name}`);
    await shows(browser, 'Пригласил: 2 чел.');
    await browser.send('Заблокировать всю ветку', { Мошенничество: true }, 'и всех, кого он привёл');
    await shows(browser, 'Заблокировано: 3', 'brought_b, заблокирован');
  },
  async 'undo in the journal'(browser) {
    await browser.open('/moderation/journal');
    await browser.send('Отменить решение', { Ошибка: true });
    await shows(browser, 'Решение отменено', 'Блокировка снята');
  },
  async pin(browser, { postId }) {
    await browser.open('/moderation/pin');
    await browser.send('Закрепить', { 'Номер записи, он в её адресе': String(postId) });
    await shows(browser, 'Закреплено', 'закваску');
    await browser.send('Открепить');
    await shows(browser, 'Объявления нет');
  },
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
