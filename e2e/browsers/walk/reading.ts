import {
  authorName,
  banner,
  button,
  card,
  heading,
  like,
  link,
  menuButton,
  menuItem,
  newest,
  postText,
  switcher,
  option,
  timeOf,
  toast,
  type WalkStep,
} from './walk.ts';

const isLight = () => document.documentElement.dataset['theme'] === 'light';

/** What a visitor does. */
export const reading: readonly WalkStep[] = [
  {
    name: 'the feed is read, newest first',
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
    name: 'more posts come while scrolling down',
    async run({ screen }) {
      await screen.open('/');
      await screen.ask('post 25', () => {
        scrollBy(0, innerHeight / 2);
        return document.querySelector('article[aria-posinset="25"]') !== null;
      });
    },
  },
  {
    name: 'a post opens by its time, and Back keeps the place',
    async run({ screen, posts }) {
      const text = postText(posts.length - 14);
      await screen.open('/');
      await screen.ask(
        text,
        (text) => {
          scrollBy(0, innerHeight / 2);
          return document.querySelector('main')!.textContent.includes(text);
        },
        text,
      );
      await screen.see(card(text));
      const top = () => screen.driver.run(() => scrollY);
      const before = await top();
      await screen.click(timeOf(text));
      await screen.path(`/posts/${posts.at(-15)}`);
      await screen.see(heading('Ответы'));
      await screen.driver.back();
      await screen.path('/');
      await screen.until(`the place ${before}`, async () => Math.abs((await top()) - before) <= 2);
      await screen.see(card(text));
    },
  },
  {
    name: 'a post opens by a click on its text',
    async run(walk) {
      const { screen, posts } = walk;
      await screen.open('/');
      await screen.click(card(newest(walk)));
      await screen.path(`/posts/${posts.at(-1)}`);
      await screen.see(heading('Ответы'));
    },
  },
  {
    name: 'the back button of a first page leads to the feed',
    async run({ screen, posts }) {
      await screen.open(`/posts/${posts.at(-1)}`);
      await screen.click(button('Назад', banner));
      await screen.path('/');
    },
  },
  {
    name: 'an author’s posts are read',
    async run(walk) {
      const { screen, posts } = walk;
      await screen.open(`/posts/${posts.at(-1)}`);
      await screen.click(link(authorName));
      await screen.path(`/users/${authorName}`);
      await screen.see(card(newest(walk)));
    },
  },
  {
    name: 'the menu of a post is seen, and gives the focus back',
    async run(walk) {
      const { screen } = walk;
      await screen.open('/');
      await screen.click(menuButton(newest(walk)));
      await screen.see({ role: 'menu' });
      await screen.see(menuItem('Пожаловаться'));
      await screen.press('Escape');
      await screen.gone({ role: 'menu' });
      await screen.ask('the focus', () => document.activeElement?.getAttribute('aria-haspopup') === 'menu');
    },
  },
  {
    name: 'a second click closes the menu',
    async run(walk) {
      const { screen } = walk;
      await screen.open('/');
      await screen.click(menuButton(newest(walk)));
      await screen.see(menuItem('Пожаловаться'));
      await screen.click(menuButton(newest(walk)));
      await screen.gone({ role: 'menu' });
    },
  },
  {
    name: 'a link is copied',
    async run(walk) {
      const { screen } = walk;
      await screen.open('/');
      await screen.click(menuButton(newest(walk)));
      await screen.click(menuItem('Скопировать ссылку'));
      await screen.see(toast('Ссылка скопирована'));
    },
  },
  {
    name: 'the list of views is seen, by mouse and by keyboard',
    async run({ screen }) {
      await screen.open('/');
      await screen.click(switcher);
      await screen.see(option('Понравившиеся'));
      await screen.see(option('Мои ответы'));
      await screen.press('Escape');
      await screen.gone(option('Понравившиеся'));
      await screen.press('ArrowDown');
      await screen.see(option('Понравившиеся'));
      await screen.press('Escape');
    },
  },
  {
    name: 'the theme is changed, and stays',
    async run({ screen }) {
      await screen.open('/');
      await screen.click({ role: 'button', name: 'Светлая тема' });
      await screen.ask('the light theme', isLight);
      await screen.reload();
      await screen.ask('the light theme', isLight);
      await screen.click({ role: 'button', name: 'Тёмная тема' });
    },
  },
  {
    name: '? shows the keys',
    async run({ screen }) {
      await screen.open('/');
      await screen.driver.type('?');
      await screen.see({ role: 'dialog', text: 'Следующая запись' });
      await screen.press('Escape');
      await screen.gone({ role: 'dialog' });
    },
  },
  {
    name: 'j and k go from post to post, Enter opens one',
    async run({ screen, posts }) {
      const isAt = (place: number) => document.activeElement?.getAttribute('aria-posinset') === String(place);
      await screen.open('/');
      for (const [key, place] of [
        ['j', 1],
        ['j', 2],
        ['k', 1],
      ] as const) {
        await screen.driver.type(key);
        await screen.ask(`the focus on post ${place}`, isAt, place);
      }
      await screen.press('Enter');
      await screen.path(`/posts/${posts.at(-1)}`);
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
    name: 'likes by others are counted while one looks',
    async run(walk) {
      const { screen, seed, posts, author } = walk;
      await screen.open('/');
      await seed.like(posts.at(-1)!, author);
      await screen.see({ ...like(newest(walk)), text: '1' });
    },
  },
  {
    name: 'a page that does not exist says so',
    async run({ screen }) {
      await screen.open('/nowhere');
      await screen.see(heading('Страница не существует'));
      await screen.click({ role: 'link', name: 'Лента' });
      await screen.path('/');
    },
  },
  {
    name: 'a deleted post says so',
    async run({ screen, seed, author }) {
      const [id] = await seed.posts([{ by: author, text: 'Скоро удалю' }]);
      await seed.remove(id!);
      await screen.open(`/posts/${id}`);
      await screen.see({ role: 'main', text: 'Запись не существует или была удалена' });
    },
  },
];
