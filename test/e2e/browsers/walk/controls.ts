import { menuButton, menuItem, newest, switcher, option, toast, type WalkStep } from './walk.ts';

/** Menus, the theme and keyboard shortcuts, for a visitor. */
export const controls: readonly WalkStep[] = [
  {
    name: 'the menu of a post is visible and returns the focus',
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
    name: 'the menu copies a link',
    async run(walk) {
      const { screen } = walk;
      await screen.open('/');
      await screen.click(menuButton(newest(walk)));
      await screen.click(menuItem('Скопировать ссылку'));
      await screen.see(toast('Ссылка скопирована'));
    },
  },
  {
    name: 'the list of views is visible, by mouse and by keyboard',
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
    name: 'j and k move between posts, Enter opens one',
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
];
