import { button, card, link, timeOf, type WalkStep } from './walk.ts';

// Discussions of old posts: later steps expect the newest one at the top of the feed.

/** The page of a post with its discussion. */
export const discussion: readonly WalkStep[] = [
  {
    name: 'a branch of a discussion folds, and a nested reply opens',
    async run({ screen, seed, posts, author }) {
      const [root] = posts;
      const [first] = await seed.replies(root!, [{ by: author, text: 'Первый ответ' }]);
      const [nested] = await seed.replies(first!, [{ by: author, text: 'Вложенный ответ' }]);
      await screen.open(`/posts/${root}`);
      await screen.click(button('скрыть 1 ответ'));
      await screen.gone(card('Вложенный ответ'));
      await screen.click(button('показать 1 ответ'));
      await screen.click(timeOf('Вложенный ответ'));
      await screen.path(`/posts/${nested}`);
      await screen.see(link('galina_m Первый ответ'));
    },
  },
  {
    name: 'a new reply takes its place, and a pill leads to it',
    async run({ screen, seed, posts, author }) {
      const [, root] = posts;
      const rows = Array.from({ length: 10 }, (_, index) => ({ by: author, text: `Ответ номер ${index + 1}.` }));
      const [oldest] = await seed.replies(root!, rows);
      await screen.open(`/posts/${root}`);
      await seed.replies(oldest!, [{ by: author, text: 'Только что' }]);
      await screen.click(button('Новые ответы: 1'));
      await screen.focused('Только что');
      await screen.gone(button('Новые ответы…'));
    },
  },
];
