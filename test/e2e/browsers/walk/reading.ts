import type { Screen } from '../screen.ts';
import { banner, button, card, field, heading, link, main, newest, postText, timeOf, type WalkStep } from './walk.ts';

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

/** How many posts are written while the reader is away. */
const missed = 30;

/** Makes the stored visit an hour older, as after an hour's absence. */
function passHour(): boolean {
  const visit = JSON.parse(localStorage.getItem('reading-visit')!);
  localStorage.setItem('reading-visit', JSON.stringify({ ...visit, at: visit.at - 3_600 }));
  return true;
}

/** Whether nothing covers the line, and the post below it begins 16 px below the header. */
function isLineBelowHeader(): boolean {
  const texts = [...document.querySelectorAll('main span')];
  const line = texts.find(({ textContent }) => textContent.replace(/\s/g, ' ') === 'Вы остановились здесь');
  const covered = document.querySelector('body header')!.getBoundingClientRect().bottom;
  const post = document.activeElement!.getBoundingClientRect();
  return line !== undefined && line.getBoundingClientRect().top >= covered && Math.abs(post.top - covered - 16) <= 1;
}

const query = field(main);
const hasFocus = () => document.activeElement?.localName === 'input';
const isQuery = (text: string) => document.querySelector<HTMLInputElement>('[type=search]')?.value === text;

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
    name: 'after a break a button and a line lead to where one stopped',
    async run(walk) {
      const { screen, seed, posts, author } = walk;
      const last = newest(walk);
      await screen.open('/');
      await screen.read('feed', posts.at(-1)!);
      const numbers = Array.from({ length: missed }, (_, index) => posts.length + index + 1);
      posts.push(...(await seed.posts(numbers.map((number) => ({ by: author, text: postText(number) })))));
      await screen.ask('an hour later', passHour);
      await screen.open('/');
      await screen.see(card(newest(walk)));
      await screen.click(button(`К месту, где остановились: ${missed}`));
      await screen.focused(last);
      await screen.ask('the line below the header', isLineBelowHeader);
      await screen.gone(button('К месту, где остановились…'));
    },
  },
  {
    name: 'the search finds posts, and Back returns to its results',
    async run({ screen, seed, posts, author }) {
      await seed.replies(posts[0]!, [{ by: author, text: 'Пекарня за углом, #хлеб' }]);
      await screen.open('/');
      await screen.click({ role: 'link', name: 'Поиск' });
      await screen.path('/search');
      await screen.ask('the focus in the field', hasFocus);
      await screen.fill(query, 'пекарня');
      await screen.press('Enter');
      await screen.title('пекарня: поиск - Стена');
      await screen.see(card('Пекарня за углом'));
      await screen.ask('the match', () => document.querySelector('mark')?.textContent === 'Пекарня');
      await screen.click(link('#хлеб', card('Пекарня за углом')));
      await screen.title('#хлеб: поиск - Стена');
      await screen.ask('the query', isQuery, '#хлеб');
      await screen.driver.back();
      await screen.ask('the query before', isQuery, 'пекарня');
      await screen.see(card('Пекарня за углом'));
    },
  },
];
