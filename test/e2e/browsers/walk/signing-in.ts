import { wrong } from '../../support/sign-in.ts';
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

/** Whether the page has received this many responses to like requests since it was opened. */
const haveResponses = (likes: number) =>
  performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/likes')).length === likes;

/** Sign-in and registration. */
export const signingIn: readonly WalkStep[] = [
  {
    name: 'a double click opens the dialog',
    async run({ screen }) {
      await screen.open('/');
      // The code of the dialog is loaded now.
      await screen.click(signInButton);
      await screen.see(field(dialog));
      await screen.press('Escape');
      await screen.gone(dialog);
      await screen.doubleClick(signInButton);
      await screen.see(field(dialog));
    },
  },
  {
    name: 'a wrong code is reported',
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
    name: 'a reload returns to the code step',
    async run({ screen, me }) {
      await screen.reload();
      await screen.see({ role: 'dialog', text: me.email });
      await screen.press('Escape');
      await screen.gone(dialog);
    },
  },
  {
    name: 'private views ask a visitor to sign in',
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
    name: 'settings ask a visitor to sign in',
    async run({ screen }) {
      await screen.open('/settings');
      await screen.see(heading('Нужно войти'));
      await screen.see(button('Войти', main));
    },
  },
  {
    name: 'signing in from the like button returns to the post without liking it',
    async run(walk) {
      const { screen } = walk;
      await screen.open('/');
      await screen.click(like(newest(walk)));
      await signIn(walk);
      await screen.ask('no like', isPressed, newest(walk), false);
    },
  },
  {
    name: 'the session survives a reload',
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
      let responses = 0;
      for (const pressed of [true, false, true]) {
        await screen.click(like(newest(walk)));
        await screen.ask(`the like: ${pressed}`, isPressed, newest(walk), pressed);
        // The next page load would abort a pending request.
        await screen.ask('the response', haveResponses, (responses += 1));
      }
    },
  },
];
