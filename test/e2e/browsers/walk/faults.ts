import { button, dialog, field, like, menuButton, menuItem, newest, toast, type WalkStep } from './walk.ts';

const email = 'nobody@example.org';

/** Runs first: later the browser has the resources in its cache. */
export const faults: readonly WalkStep[] = [
  {
    name: 'reports parts of the app that fail to load',
    async run(walk) {
      const { screen, network } = walk;
      network.refuse(/live-|sign-in-part/);
      await screen.open('/');
      await screen.click(menuButton(newest(walk)));
      await screen.see(toast('Не удалось загрузить'));
      await screen.click(like(newest(walk)));
      await screen.fill(field(dialog), email);
      await screen.press('Enter');
      await screen.see({ role: 'dialog', text: 'Не удалось загрузить' });
    },
  },
  {
    name: 'loads them once the network returns, without a reload',
    async run(walk) {
      const { screen, network } = walk;
      network.refuse();
      await screen.click(button('Получить код', dialog));
      await screen.see({ role: 'dialog', text: 'ещё нет' });
      await screen.press('Escape');
      await screen.gone(dialog);
      await screen.click(menuButton(newest(walk)));
      await screen.see(menuItem('Пожаловаться'));
    },
  },
];
