import { button, dialog, field, like, menuButton, menuItem, newest, toast, type WalkStep } from './walk.ts';

const email = 'nobody@example.org';

/** Done first: what has once come is in the browser's cache. */
export const faults: readonly WalkStep[] = [
  {
    name: 'parts of the app that do not come say so',
    async run(walk) {
      const { screen, gate } = walk;
      gate.refuse(/post-menu|code-entry/);
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
    name: 'they come once the network is back, without a reload',
    async run(walk) {
      const { screen, gate } = walk;
      gate.refuse();
      await screen.click(button('Получить код', dialog));
      await screen.see({ role: 'dialog', text: 'ещё нет' });
      await screen.press('Escape');
      await screen.gone(dialog);
      await screen.click(menuButton(newest(walk)));
      await screen.see(menuItem('Пожаловаться'));
    },
  },
];
