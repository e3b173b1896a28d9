import { wrong } from '../../support/door.ts';
import {
  banner,
  button,
  chooseView,
  dialog,
  field,
  heading,
  like,
  link,
  main,
  newest,
  signIn,
  signInButton,
  switcher,
  type WalkStep,
} from './walk.ts';

const isPressed = (text: string, pressed: boolean) => {
  const post = [...document.querySelectorAll('article')].find(({ textContent }) => textContent.includes(text));
  return post !== undefined && post.querySelector(`[aria-pressed=${pressed}]`) !== null;
};

/** How a visitor comes in. */
export const signingIn: readonly WalkStep[] = [
  {
    name: 'a wrong code is told',
    async run({ screen, mail, me }) {
      await screen.open('/');
      await screen.click(signInButton);
      await screen.fill(field(dialog), me.email);
      await screen.press('Enter');
      await screen.see({ role: 'dialog', text: me.email });
      await screen.driver.type(wrong(await mail.codeTo(me.email)));
      await screen.see({ role: 'dialog', text: 'Неверный код' });
    },
  },
  {
    name: 'a reload comes back to where the code is awaited',
    async run({ screen, me }) {
      await screen.reload();
      await screen.see({ role: 'dialog', text: me.email });
      await screen.press('Escape');
      await screen.gone(dialog);
    },
  },
  {
    name: 'one’s own views ask who one is',
    async run(walk) {
      const { screen } = walk;
      await screen.open('/');
      await screen.see(switcher);
      await chooseView(walk, 'Понравившиеся');
      await screen.see(field(dialog));
      await screen.press('Escape');
    },
  },
  {
    name: 'settings ask who one is',
    async run({ screen }) {
      await screen.open('/settings');
      await screen.see(heading('Страница не существует'));
      await screen.see(button('Войти', main));
    },
  },
  {
    name: 'who signs in by a code in order to like comes back to the post, and nothing is pressed',
    async run(walk) {
      const { screen } = walk;
      await screen.open('/');
      await screen.click(like(newest(walk)));
      await signIn(walk);
      await screen.ask('no like', isPressed, newest(walk), false);
    },
  },
  {
    name: 'a reload leaves one signed in',
    async run({ screen, me }) {
      await screen.reload();
      await screen.see(link(me.name, banner));
    },
  },
  {
    name: 'a post is liked, a like is taken back and given again',
    async run(walk) {
      const { screen } = walk;
      await screen.open('/');
      for (const pressed of [true, false, true]) {
        await screen.click(like(newest(walk)));
        await screen.ask(`the like: ${pressed}`, isPressed, newest(walk), pressed);
      }
    },
  },
];
