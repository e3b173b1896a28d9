import { card, choose, heading, link, main, postText, toast, type Walk, type WalkStep } from './walk.ts';

/** The person has replied to the newest post and so follows it already. */
const followed = ({ posts }: Walk): string => postText(posts.length - 1);

/** Notifications, of a signed-in person. */
export const notifications: readonly WalkStep[] = [
  {
    name: 'a discussion is followed',
    async run(walk) {
      const { screen } = walk;
      await screen.open('/');
      await choose(walk, followed(walk), 'Следить за обсуждением');
      await screen.see(toast('Вы следите за обсуждением'));
    },
  },
  {
    name: 'notifications are counted live, grouped by discussion and read by looking at them',
    async run(walk) {
      const { screen, seed, posts, author, me } = walk;
      await screen.open('/');
      const [mine] = await seed.posts([{ by: me.id, text: 'Кто идёт на каток?' }]);
      await seed.replies(mine!, [
        { by: author, text: 'Я иду!' },
        { by: author, text: 'И брат со мной' },
      ]);
      await seed.replies(posts.at(-2)!, [{ by: author, text: 'Продолжаю' }]);
      await screen.click({ role: 'link', name: 'Уведомления, непрочитанных: 3' });
      await screen.see(heading(`1 новый ответ · вы следите за обсуждением «${followed(walk)}»`));
      await screen.see(heading('2 новых ответа · в вашем обсуждении «Кто идёт на каток?»'));
      await screen.see(card('Я иду!'));
      await screen.see({ role: 'link', name: 'Уведомления' });
    },
  },
  {
    name: 'the author of a discussion stops following it',
    async run(walk) {
      const { screen, seed, me } = walk;
      const [mine] = await seed.posts([{ by: me.id, text: 'Слежу за своей записью' }]);
      await screen.open(`/posts/${mine}`);
      await choose(walk, 'Слежу за своей записью', 'Не следить');
      await screen.see(toast('Вы больше не следите за обсуждением'));
    },
  },
  {
    name: 'the letter about notifications is chosen',
    async run({ screen }) {
      await screen.open('/settings');
      await screen.click(link('Уведомления…'));
      await screen.click({ role: 'label', text: 'Раз в неделю' });
      await screen.see({ role: 'status', text: 'Сохранено', within: main });
    },
  },
];
