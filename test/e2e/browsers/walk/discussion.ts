import type { Screen } from '../screen.ts';
import { button, card, link, timeOf, type WalkStep } from './walk.ts';

// Discussions of old posts: later steps expect the newest one at the top of the feed.

/** Waits until the first reply on the page contains the text. */
function firstReply(screen: Screen, text: string): Promise<void> {
  return screen.ask(
    `${text} first`,
    (text) => document.querySelector('[role=feed] article')!.textContent.includes(text),
    text,
  );
}

/** The page of a post with its discussion. */
export const discussion: readonly WalkStep[] = [
  {
    name: 'a branch of a discussion folds, and a nested reply opens',
    async run({ screen, seed, posts, author }) {
      const [root] = posts;
      const [first] = await seed.replies(root!, [{ by: author, text: 'Первый ответ' }]);
      const [nested] = await seed.replies(first!, [{ by: author, text: 'Вложенный ответ' }]);
      await screen.open(`/posts/${root}`);
      await screen.click(button('свернуть 1'));
      await screen.gone(card('Вложенный ответ'));
      await screen.click(button('развернуть 1'));
      await screen.click(timeOf('Вложенный ответ'));
      await screen.path(`/posts/${nested}`);
      await screen.see(link('galina_m Первый ответ'));
    },
  },
  {
    name: 'the order of replies changes and is stored',
    async run({ screen, seed, posts, author }) {
      const [, root] = posts;
      await seed.replies(root!, [
        { by: author, text: 'Раньше всех' },
        { by: author, text: 'Позже всех' },
      ]);
      await screen.open(`/posts/${root}`);
      await firstReply(screen, 'Позже всех');
      await screen.click(button('Сначала старые'));
      await firstReply(screen, 'Раньше всех');
      await screen.reload();
      await firstReply(screen, 'Раньше всех');
      await screen.click(button('Сначала новые'));
      await firstReply(screen, 'Позже всех');
    },
  },
  {
    name: 'Shift+J and Shift+K go past a branch, F folds it',
    async run({ screen, seed, posts, author }) {
      const [, , root] = posts;
      const [last, first] = await seed.replies(root!, [
        { by: author, text: 'Последняя ветка' },
        { by: author, text: 'Первая ветка' },
      ]);
      await seed.replies(first!, [{ by: author, text: 'Внутри первой' }]);
      await seed.replies(last!, [{ by: author, text: 'Внутри последней' }]);
      await screen.open(`/posts/${root}`);
      await screen.driver.typeShifted('J');
      await screen.focused('Первая ветка');
      await screen.driver.typeShifted('J');
      await screen.focused('Последняя ветка');
      await screen.driver.typeShifted('K');
      await screen.focused('Первая ветка');
      await screen.driver.type('f');
      await screen.gone(card('Внутри первой'));
      await screen.see(card('Внутри последней'));
    },
  },
  {
    name: 'a long branch continues on request',
    async run({ screen, seed, posts, author }) {
      const [, , , root] = posts;
      const [branch] = await seed.replies(root!, [{ by: author, text: 'Длинная ветка' }]);
      const rows = Array.from({ length: 70 }, (_, index) => ({ by: author, text: `Довод ${index + 1}.` }));
      await seed.replies(branch!, rows);
      await screen.open(`/posts/${root}`);
      await screen.click(link('Показать ещё 50'));
      await screen.focused('Довод 21.');
      await screen.gone(link('Показать ещё…'));
    },
  },
  {
    name: 'a new reply takes its place, and a pill leads to it',
    async run({ screen, seed, posts, author }) {
      const [, , , , root] = posts;
      const rows = Array.from({ length: 10 }, (_, index) => ({ by: author, text: `Ответ номер ${index + 1}.` }));
      const [oldest] = await seed.replies(root!, rows);
      await screen.open(`/posts/${root}`);
      await seed.replies(oldest!, [{ by: author, text: 'Только что' }]);
      await screen.click(button('Новые ответы: 1'));
      await screen.focused('Только что');
      await screen.gone(button('Новые ответы…'));
    },
  },
  {
    name: 'replies since the last visit are marked, and U goes to them',
    async run({ screen, seed, posts, author }) {
      const [, , , , , root] = posts;
      const rows = Array.from({ length: 10 }, (_, index) => ({ by: author, text: `Прочитано ${index + 1}.` }));
      const read = await seed.replies(root!, rows);
      await screen.open(`/posts/${root}`);
      await screen.read(`thread:${root}`, read.at(-1)!);
      await screen.open('/');
      // Below the window, where it is not read at once.
      const [, newest] = await seed.replies(read[0]!, [
        { by: author, text: 'После перерыва' },
        { by: author, text: 'Сразу за ним' },
      ]);
      await screen.open(`/posts/${root}`);
      await screen.see(button('К следующему новому: 2'));
      await screen.driver.type('u');
      await screen.focused('После перерыва');
      // The second one is beside the first, where it is read.
      await screen.read(`thread:${root}`, newest!);
      await screen.gone(button('К следующему новому…'));
    },
  },
];
