import { button, card, dialog, field, heading, link, main, newest, toast, type WalkStep } from './walk.ts';

const spam = 'Выиграй миллион!';

/** The desk of moderators. */
export const desk: readonly WalkStep[] = [
  {
    name: 'the desk is missing until the operator appoints the person',
    async run({ screen, admin, me }) {
      await screen.open('/moderation');
      await screen.see(heading('Страница не существует'));
      await admin('appoint', me.name, '--reason', 'для проверки');
      await screen.open('/settings');
      await screen.click(link('Модерация…'));
      await screen.see(link('Журнал'));
    },
  },
  {
    name: 'a moderator hides a reported post with a reason and takes that back',
    async run({ screen, seed, author, me }) {
      const [reported] = await seed.posts([{ by: author, text: spam }]);
      await seed.report(reported!, me.id);
      await screen.open('/moderation');
      await screen.click(button('Убрать со стены', card(spam)));
      await screen.click(button('Мошенничество', dialog));
      await screen.see(toast('Убрано со стены: Мошенничество'));
      await screen.gone(card(spam));
      await screen.click({ role: 'button', name: 'Отменить решение' });
      await screen.see(button('Убрать со стены', card(spam)));
    },
  },
  {
    name: 'reports are closed with an own reason, and the journal takes that back',
    async run({ screen }) {
      await screen.open('/moderation');
      await screen.click(button('Оставить', card(spam)));
      await screen.click(button('Другая причина…', dialog));
      await screen.fill(field(dialog), 'Это цитата');
      await screen.click(button('Оставить', dialog));
      await screen.gone(card(spam));
      await screen.gone(dialog);
      await screen.click(link('Журнал'));
      await screen.path('/moderation/journal');
      const entry = { role: 'listitem', text: 'Это цитата', within: main } as const;
      await screen.click(button('Отменить решение', entry));
      await screen.click(button('Ошибка', dialog));
      await screen.see(toast('Решение отменено'));
      await screen.gone(button('Отменить решение', entry));
      await screen.open('/moderation');
      await screen.see(button('Убрать со стены', card(spam)));
    },
  },
  {
    name: 'a closed pinned post stays closed',
    async run(walk) {
      const { screen, seed, posts } = walk;
      await seed.pin(posts[0]!);
      await screen.open('/');
      await screen.click(button('Закрыть объявление'));
      await screen.open('/');
      await screen.see(card(newest(walk)));
      await screen.gone(button('Закрыть объявление'));
    },
  },
];
