import type { Target } from '../screen.ts';
import {
  authorName,
  banner,
  button,
  card,
  dialog,
  field,
  like,
  link,
  newest,
  newPost,
  reply,
  signIn,
  signInButton,
  toast,
  type WalkStep,
} from './walk.ts';

const isPressed = (text: string, pressed: boolean) => {
  const post = [...document.querySelectorAll('article')].find(({ textContent }) => textContent.includes(text));
  return post !== undefined && post.querySelector(`[aria-pressed=${pressed}]`) !== null;
};

/** Whether the page has received this many responses to like requests since it was opened. */
const haveResponses = (likes: number) =>
  performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/likes')).length === likes;

/** Signing in, and what a signed-in person sees and does. */
export const writing: readonly WalkStep[] = [
  {
    name: 'a double click opens the dialog',
    async run({ screen }) {
      await screen.open('/');
      // The code of the dialog is loaded now.
      await screen.click(signInButton);
      await screen.see(field(dialog));
      await screen.driver.run(() => {
        const note = ({ detail }: MouseEvent) => void (document.body.dataset['presses'] = String(detail));
        addEventListener('mousedown', note, true);
      });
      // Drivers count presses by their own clocks, Firefox's within 640 ms: on a busy machine two may be single clicks.
      await screen.until('a double click', async () => {
        await screen.press('Escape');
        await screen.gone(dialog);
        await screen.doubleClick(signInButton);
        // The driver may also count earlier presses, so the number may be more than two.
        return screen.driver.run(() => Number(document.body.dataset['presses']) > 1);
      });
      await screen.see(field(dialog));
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
  {
    name: 'a post is published',
    async run({ screen }) {
      await screen.open('/');
      await screen.click(newPost);
      await screen.fill(field(dialog), 'Пишу отсюда');
      await screen.click(button('Опубликовать', dialog));
      await screen.see(card('Пишу отсюда'));
      await screen.see(toast('Опубликовано'));
    },
  },
  {
    name: 'a draft survives a reload',
    async run({ screen }) {
      await screen.open('/');
      await screen.driver.type('n');
      await screen.fill(field(dialog), 'Недописанное');
      await screen.press('Escape');
      await screen.gone(dialog);
      await screen.reload();
      await screen.click(newPost);
      await screen.ask(
        'the draft',
        () => document.querySelector<HTMLTextAreaElement>('dialog textarea')?.value === 'Недописанное',
      );
    },
  },
  {
    name: 'a mention suggests people; Escape closes only their list',
    async run({ screen }) {
      const suggested: Target = { role: 'option', text: authorName, within: dialog };
      await screen.open('/');
      await screen.click(newPost);
      await screen.fill(field(dialog), `@${authorName.slice(0, 3)}`);
      await screen.see(suggested);
      await screen.press('Escape');
      await screen.gone(suggested);
      await screen.see(dialog);
      await screen.fill(field(dialog), `(@${authorName.slice(0, 3)}`);
      await screen.click(suggested);
      await screen.gone(suggested);
      await screen.driver.type('!');
      await screen.ask(
        'the name in the text',
        (name) => document.querySelector<HTMLTextAreaElement>('dialog textarea')?.value === `(@${name} !`,
        authorName,
      );
    },
  },
  {
    name: 'a text survives a lost network and is published afterwards',
    async run({ screen, network }) {
      await screen.open('/');
      await screen.click(newPost);
      await screen.fill(field(dialog), 'Без сети');
      network.refuse(/./);
      await screen.click(button('Опубликовать', dialog));
      await screen.see({ role: 'dialog', text: 'Сервер не отвечает' });
      network.refuse();
      await screen.click(button('Опубликовать', dialog));
      await screen.see(toast('Опубликовано'));
      await screen.see(card('Без сети'));
    },
  },
  {
    name: 'a reply in a discussion is written beneath what it answers',
    async run({ screen, seed, posts, author }) {
      await seed.replies(posts.at(-1)!, [{ by: author, text: 'И я' }]);
      await screen.open(`/posts/${posts.at(-1)}`);
      await screen.click(reply('И я'));
      await screen.fill(field(dialog), 'Под ним');
      await screen.click(button('Опубликовать', dialog));
      await screen.gone(dialog);
      await screen.focused('Под ним');
    },
  },
  {
    name: 'the icon of the theme is in the middle of its row',
    async run({ screen }) {
      await screen.open('/settings');
      await screen.ask('the icon in the middle', () => {
        const row = [...document.querySelectorAll('main button')].find((it) => /Светлая|Тёмная/.test(it.textContent));
        const icon = [...(row?.querySelectorAll('svg') ?? [])].find((it) => it.checkVisibility());
        const middle = (it: Element | undefined) => {
          const { top = 0, bottom = Infinity } = it?.getBoundingClientRect() ?? {};
          return (top + bottom) / 2;
        };
        return Math.abs(middle(row) - middle(icon)) <= 1;
      });
    },
  },
];
