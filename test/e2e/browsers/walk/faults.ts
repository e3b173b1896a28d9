import {
  dialog,
  field,
  heading,
  like,
  link,
  menuButton,
  menuItem,
  newest,
  timeOf,
  toast,
  type WalkStep,
} from './walk.ts';

const email = 'nobody@example.org';

/** Runs first: later the browser has the resources in its cache. */
export const faults: readonly WalkStep[] = [
  {
    name: 'a page whose code broke off is reloaded once, then offers it',
    async run({ screen, network, posts }) {
      // The browser must not have these files in its cache when the next step lets them fail.
      network.refuse(/assets\/visitor-/);
      network.breakOff(/assets\/main-/);
      await screen.driver.goto(`${network.url}/posts/${posts[0]}`);
      const again = { ...link('Загрузить ещё раз'), within: { role: 'alert' } } as const;
      await screen.see(again);
      network.breakOff();
      await screen.click(again);
      await screen.hydrated();
      await screen.gone(again);
    },
  },
  {
    name: 'reports parts of the app that fail to load',
    async run(walk) {
      const { screen, network } = walk;
      network.refuse(/assets\/visitor-/);
      await screen.open('/');
      await screen.click(menuButton(newest(walk)));
      await screen.see(toast('Не удалось загрузить'));
      await screen.gone(toast('Не удалось загрузить'));
      await screen.click(like(newest(walk)));
      await screen.see(toast('Не удалось загрузить'));
    },
  },
  {
    name: 'loads them once the network returns, without a reload',
    async run(walk) {
      const { screen, network } = walk;
      network.refuse();
      await screen.click(like(newest(walk)));
      await screen.fill(field(dialog), email);
      await screen.press('Enter');
      await screen.see({ role: 'dialog', text: 'ещё нет' });
      await screen.press('Escape');
      await screen.gone(dialog);
      await screen.click(menuButton(newest(walk)));
      await screen.see(menuItem('Пожаловаться'));
    },
  },
  {
    name: 'with all cookies blocked pages are read (Firefox)',
    async run(walk) {
      const { screen, posts } = walk;
      await screen.driver.blockCookies?.(true);
      await screen.open('/');
      await screen.click(timeOf(newest(walk)));
      await screen.path(`/posts/${posts.at(-1)}`);
      await screen.see(heading('Ответы'));
      await screen.driver.blockCookies?.(false);
    },
  },
];
