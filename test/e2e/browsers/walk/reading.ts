import type { Screen } from '../screen.ts';
import {
  authorName,
  banner,
  button,
  card,
  heading,
  like,
  link,
  newest,
  postText,
  timeOf,
  type WalkStep,
} from './walk.ts';

/** Distance in pixels from the top of the window to a post; very large while the post is not in the document. */
function topOf(screen: Screen, text: string): Promise<number> {
  return screen.driver.run((text) => {
    const post = [...document.querySelectorAll('article')].find(({ textContent }) => textContent.includes(text));
    return post?.getBoundingClientRect().top ?? 1e9;
  }, text);
}

/** Scrolls until the post and its time are visible, because a click would scroll to the time; returns the position. */
async function scrollDownTo(screen: Screen, text: string): Promise<number> {
  await screen.ask(
    text,
    (text) => {
      scrollBy(0, innerHeight / 2);
      return document.querySelector('main')!.textContent.includes(text);
    },
    text,
  );
  await screen.see(timeOf(text));
  // Posts that come into view are measured, which may move the others.
  let [top, looks] = [NaN, 0];
  await screen.until(`${text} at one place`, async () => {
    const now = await topOf(screen, text);
    looks = now === top ? looks + 1 : 0;
    top = now;
    return looks > 10;
  });
  return top;
}

/** The steps of a visitor without signing in. */
export const reading: readonly WalkStep[] = [
  {
    name: 'the feed shows the newest posts first',
    async run(walk) {
      const { screen } = walk;
      await screen.open('/');
      await screen.title('Стена');
      await screen.ask(
        'the newest on top',
        (text) => document.querySelector('article')!.textContent.includes(text),
        newest(walk),
      );
    },
  },
  {
    name: 'scrolling down loads more posts',
    async run({ screen }) {
      await screen.open('/');
      await screen.ask('post 25', () => {
        scrollBy(0, innerHeight / 2);
        return document.querySelector('article[aria-posinset="25"]') !== null;
      });
    },
  },
  {
    name: 'a post opens by its time, and Back restores the position',
    async run({ screen, posts }) {
      const text = postText(posts.length - 14);
      await screen.open('/');
      const before = await scrollDownTo(screen, text);
      await screen.click(timeOf(text));
      await screen.path(`/posts/${posts.at(-15)}`);
      await screen.see(heading('Ответы'));
      await screen.driver.back();
      await screen.path('/');
      await screen.until(`the place ${before}`, async () => Math.abs((await topOf(screen, text)) - before) <= 2);
    },
  },
  {
    name: 'a reload restores the position, also for Back',
    async run({ screen, posts }) {
      const text = postText(posts.length - 29);
      await screen.open('/');
      const before = await scrollDownTo(screen, text);
      const isThere = async () => Math.abs((await topOf(screen, text)) - before) <= 2;
      await screen.reload();
      await screen.until(`the place ${before} after a reload`, isThere);
      await screen.click(timeOf(text));
      await screen.path(`/posts/${posts.at(-30)}`);
      await screen.see(heading('Ответы'));
      await screen.reload();
      await screen.driver.back();
      await screen.path('/');
      await screen.until(`the place ${before} after Back`, isThere);
    },
  },
  {
    name: 'the feed link far down the feed scrolls to its top',
    async run(walk) {
      const { screen, posts } = walk;
      await screen.open('/');
      await scrollDownTo(screen, postText(posts.length - 29));
      await screen.click({ role: 'link', name: 'Лента' });
      await screen.ask('the top', () => scrollY === 0);
      await screen.hydrated();
      await screen.see(card(newest(walk)));
      await screen.ask('the top', () => scrollY === 0);
    },
  },
  {
    name: 'the introduction leads to the texts of the wall and is closed for good',
    async run({ screen }) {
      await screen.open('/');
      await screen.click(link('Подробнее'));
      await screen.path('/about');
      await screen.see(heading('О стене'));
      await screen.click(link('Правила'));
      await screen.path('/rules');
      await screen.see(heading('Правила'));
      await screen.open('/');
      await screen.click(button('Закрыть'));
      await screen.reload();
      await screen.ask('no introduction', () => !document.querySelector('main')!.innerText.includes('Подробнее'));
    },
  },
  {
    name: 'a post opens on a click on its text',
    async run(walk) {
      const { screen, posts } = walk;
      await screen.open('/');
      await screen.click(card(newest(walk)));
      await screen.path(`/posts/${posts.at(-1)}`);
      await screen.see(heading('Ответы'));
    },
  },
  {
    name: 'the back button of the first page leads to the feed',
    async run({ screen, posts }) {
      await screen.open(`/posts/${posts.at(-1)}`);
      await screen.click(button('Назад', banner));
      await screen.path('/');
    },
  },
  {
    name: 'an author’s page shows their posts',
    async run(walk) {
      const { screen, posts } = walk;
      await screen.open(`/posts/${posts.at(-1)}`);
      await screen.click(link(authorName));
      await screen.path(`/users/${authorName}`);
      await screen.see(card(newest(walk)));
    },
  },
  {
    name: 'new posts wait behind a pill',
    async run({ screen, seed, posts, author }) {
      await screen.open('/');
      const text = postText(posts.length + 1);
      posts.push(...(await seed.posts([{ by: author, text }])));
      await screen.click({ role: 'button', name: 'Показать новые: 1' });
      await screen.see(card(text));
    },
  },
  {
    name: 'likes by others update the count live',
    async run(walk) {
      const { screen, seed, posts, author } = walk;
      await screen.open('/');
      await seed.like(posts.at(-1)!, author);
      await screen.see({ ...like(newest(walk)), text: '1' });
    },
  },
  {
    name: 'a missing page is reported',
    async run({ screen }) {
      await screen.open('/nowhere');
      await screen.see(heading('Страница не существует'));
      await screen.click({ role: 'link', name: 'Лента' });
      await screen.path('/');
    },
  },
  {
    name: 'a deleted post is reported',
    async run({ screen, seed, author }) {
      const [id] = await seed.posts([{ by: author, text: 'Скоро удалю' }]);
      await seed.remove(id!);
      await screen.open(`/posts/${id}`);
      await screen.see({ role: 'main', text: 'Запись не существует или была удалена' });
    },
  },
];
