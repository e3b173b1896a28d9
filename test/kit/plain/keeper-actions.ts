import { type Act, enterCode, lacks, shows } from './act.ts';

/** Whatever those do who keep the wall. They have done what a member does. */
export const keeperActions: Readonly<Record<string, Act>> = {
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
};
