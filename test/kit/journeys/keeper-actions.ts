import { type Act, enterCode, lacks, shows } from './act.ts';

/** The acts of moderators and owners. They follow the acts of a member in the story. */
export const keeperActions: Readonly<Record<string, Act>> = {
  async 'settle a report'(browser, { seed, me }) {
    await seed.appoint(me);
    await browser.open('/moderation');
    await shows(browser, 'Записей с жалобами: 2', 'Купите', 'Спам · reader_of_all');
    await browser.follow('Оставить');
    await browser.send('Нарушения нет');
    await shows(browser, 'Оставлено', 'Записей с жалобами: 1', 'Рассмотрено: 1');
  },
  async remove(browser, { reportedId }) {
    await browser.open(`/posts/${reportedId}/actions`);
    await browser.follow('Убрать со стены…');
    await browser.send('Убрать со стены', { Причина: 'Реклама' });
    await shows(browser, 'Убрано со стены');
  },
  async restore(browser, { reportedId }) {
    await browser.open('/moderation');
    await browser.follow('Рассмотрено: 1');
    await browser.follow('Вернуть на стену');
    await browser.send('Вернуть на стену', { Ошибка: true });
    await shows(browser, 'Возвращено на стену', 'оставлена');
    await browser.open(`/posts/${reportedId}/actions`);
    await shows(browser, 'Купите');
  },
  async keep(browser, state) {
    const { seed, me, author } = state;
    await seed.appoint(me, 'owner');
    // Until then neither who reads and comes nor the texts can be changed.
    await seed.settleEmail(me.id);
    delete state.confirmingEmail;
    await browser.open('/keep');
    await browser.follow('Имя и значок Стена');
    const [contact, line] = ['Кому писать о стене', 'Для кого и о чём, одной строкой'];
    if (!browser.hasScripts) {
      await browser.send('Сохранить', { [line]: 'О нашем дворе', [contact]: 'во двор' });
      await shows(browser, 'Нужна почта');
    }
    await browser.send('Сохранить', { [line]: 'О нашем дворе', [contact]: 'dvor@example.org', '🏡': true });
    await shows(browser, 'Сохранено');
    await browser.open('/keep?part=order');
    await browser.send('Сохранить', { 'Первая ждёт проверки': true });
    await shows(browser, 'Сохранено');
    await browser.open('/keep');
    await shows(
      browser,
      'О нашем дворе',
      'Первая запись новичка ждёт проверки',
      'До первых людей осталось три шага',
      'Вас зовут',
    );
    await browser.send('Скрыть');
    await lacks(browser, 'До первых людей');
    await browser.send('Показать первые шаги');
    await shows(browser, 'До первых людей');
    await browser.open('/keep?text=rules');
    await browser.send('Показать, как будет', { 'Текст с разметкой Markdown': '# Наши правила\n\nНе **шуметь**' });
    await shows(browser, 'Наши правила', 'Не шуметь');
    await browser.open('/keep?text=privacy');
    await lacks(browser, 'Не шуметь');
    await browser.open('/keep?text=rules');
    await browser.send('Сохранить', { 'Текст с разметкой Markdown': 'Не **шуметь**' });
    await shows(browser, 'Сохранено', 'Правила написаны здесь');
    await browser.open('/keep?part=mail');
    await browser.send('Отправить мне письмо');
    await shows(browser, 'Письмо ушло');
    await browser.open('/keep');
    await browser.follow('Назначить или снять');
    await shows(browser, author.name);
    await browser.open(`/moderation/people/${author.name}`);
    await browser.follow('Назначить модератором');
    await browser.send('Назначить модератором', { 'Помогает вести стену': true });
    await enterCode(browser, state, 'Подтвердить', state.confirmingEmail);
    await shows(browser, 'Человек назначен', 'модератор');
    await browser.open('/keep');
    await shows(browser, `${author.name} модератор`);
    await browser.follow(author.name);
    await browser.follow('Снять с роли');
    await browser.send('Снять с роли', { 'По собственной просьбе': true });
    await shows(browser, 'Роль снята', 'Назначить модератором');
  },
  async 'close a discussion'(browser, { postId }) {
    await browser.open(`/posts/${postId}/actions`);
    await browser.follow('Медленный режим…');
    await browser.send('Один ответ в 5 минут');
    await shows(browser, 'Медленный режим: один ответ в 5 минут');
    await browser.open(`/posts/${postId}/reply`);
    await shows(browser, 'Медленный режим: один ответ в 5 минут');
    await browser.open(`/posts/${postId}/actions`);
    await browser.follow('Запретить новые ответы…');
    await browser.send('Вопрос решён');
    await shows(browser, 'Новые ответы запрещены');
    await browser.open(`/posts/${postId}/reply`);
    await shows(browser, 'Новые ответы запрещены');
    await lacks(browser, 'Текст ответа');
    await browser.open(`/posts/${postId}/actions`);
    await browser.follow('Разрешить новые ответы…');
    await browser.send('Разрешить новые ответы', { Причина: 'Новые сведения' });
    await shows(browser, 'Новые ответы разрешены');
  },
  async 'let a newcomer through'(browser, { seed }) {
    await seed.hold(await seed.person('newcomer_a'), 'Всем привет');
    for (const name of ['newcomer_b', 'newcomer_c']) await seed.hold(await seed.person(name), 'Купите часы');
    await browser.open('/moderation/waiting');
    await browser.send('Показать всем');
    await shows(browser, 'Теперь запись видна всем', 'Купите часы');
    await browser.follow('Заблокировать всех за последний час: 2');
    await browser.send('Реклама или спам');
    await shows(browser, 'Заблокировано людей: 2. Убрано записей: 2', 'Никто не ждёт');
  },
  async 'warn and block a person'(browser, { seed, me, author }) {
    const name = 'rude_person';
    await seed.invited(await seed.person(name), me.id);
    await browser.open('/moderation/people');
    await browser.send('Найти', { 'Начало имени': 'rude' });
    await lacks(browser, author.name);
    await browser.follow(`${name} записей: 0 · ответов: 0`);
    await shows(browser, `Пришёл по приглашению: ${me.name}`);
    await browser.follow('Предупредить');
    await browser.send('Предупредить', { Причина: 'Не шумите' });
    await shows(browser, 'Человек предупреждён', 'Предупреждение ещё не прочитано: Не шумите');
    await browser.follow('Лишить права приглашать');
    await browser.send('Приводит спамеров');
    await shows(browser, 'Больше не приглашает, и те');
    await browser.follow('Заблокировать');
    await browser.send('Заблокировать', { 'Реклама или спам': true, 'На 7 дней': true });
    await shows(browser, 'Учётная запись заблокирована', 'Причина: Реклама или спам');
    await browser.open('/moderation/blocked');
    await browser.follow(`${name} заблокирован · записей: 0 · ответов: 0`);
    await browser.follow('Снять блокировку');
    await browser.send('Снять блокировку', { Договорились: true });
    await shows(browser, 'Блокировка снята');
  },
  async 'block a branch'(browser, { seed, author }) {
    for (const name of ['brought_a', 'brought_b']) await seed.invited(await seed.person(name), author.id);
    await browser.open(`/moderation/people/${author.name}`);
    await shows(browser, 'Пригласил: 2 чел.');
    await browser.follow('Заблокировать всю ветку');
    await browser.send('Заблокировать всю ветку', { Мошенничество: true });
    await shows(browser, 'Заблокировано: 3', 'brought_b заблокирован');
  },
  async 'undo in the journal'(browser) {
    await browser.open('/moderation/journal');
    await browser.follow('Отменить решение');
    await browser.send('Ошибка');
    await shows(browser, 'Решение отменено', 'Блокировка снята');
  },
  async 'invite by links'(browser) {
    await browser.open('/moderation/invites');
    await browser.send('Сделать приглашение', { 'Пометка для себя: кому ссылка': 'Соседям', 'Сколько человек': '3' });
    await shows(browser, 'Ссылка готова', '/join/', 'пришли: 0 из 3');
    await browser.open('/moderation/invites');
    await lacks(browser, '/join/');
    await browser.follow('Показать ссылку');
    await shows(browser, '/join/');
    await browser.follow('Отозвать');
    await browser.send('Больше не нужно');
    await shows(browser, 'Приглашение отозвано', 'отозвано');
  },
  async pin(browser, { postId }) {
    await browser.open(`/posts/${postId}/actions`);
    await browser.follow('Закрепить');
    await browser.send('Закрепить', { 'Три дня': true });
    await shows(browser, 'Закреплено', 'закваску');
    await browser.send('Открепить');
    await shows(browser, 'Объявления нет');
  },
};
