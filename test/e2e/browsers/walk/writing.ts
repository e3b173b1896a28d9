import {
  authorName,
  button,
  card,
  choose,
  dialog,
  field,
  heading,
  main,
  newest,
  newPost,
  publish,
  reply,
  timeOf,
  toast,
  type WalkStep,
} from './walk.ts';
import type { Target } from '../target.ts';

const mine = 'Пишу отсюда';
const changed = 'Пишу отсюда же';

/** Steps of the walk in which a signed-in person writes, edits and deletes. */
export const writing: readonly WalkStep[] = [
  {
    name: 'a post is published',
    async run(walk) {
      const { screen } = walk;
      await screen.open('/');
      await publish(walk, mine);
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
      await screen.see({ role: 'dialog', text: 'Нет соединения' });
      network.refuse();
      await screen.click(button('Опубликовать', dialog));
      await screen.see(toast('Опубликовано'));
      await screen.see(card('Без сети'));
    },
  },
  {
    name: 'an edited post is marked',
    async run(walk) {
      const { screen } = walk;
      await screen.open('/');
      await choose(walk, mine, 'Изменить…');
      await screen.fill(field(dialog), changed);
      await screen.click(button('Сохранить', dialog));
      await screen.see(toast('Изменено'));
      await screen.see({ role: 'article', text: 'изменено', within: { role: 'feed' } });
    },
  },
  {
    name: 'a reply quotes its post and is listed under it',
    async run(walk) {
      const { screen, posts } = walk;
      await screen.open('/');
      await screen.click(reply(newest(walk)));
      await screen.see({ role: 'dialog', text: newest(walk) });
      await screen.fill(field(dialog), 'И я');
      await screen.click(button('Опубликовать', dialog));
      await screen.see(toast('Опубликовано'));
      await screen.click(timeOf(newest(walk)));
      await screen.path(`/posts/${posts.at(-1)}`);
      await screen.see(heading('Ответы'));
      await screen.see(card('И я'));
    },
  },
  {
    name: 'a reply in a discussion is written beneath what it answers',
    async run({ screen, posts }) {
      await screen.open(`/posts/${posts.at(-1)}`);
      await screen.click(reply('И я'));
      await screen.fill(field(main), 'Под ним');
      await screen.gone(dialog);
      await screen.click(button('Опубликовать'));
      await screen.focused('Под ним');
      await screen.gone(field(main));
    },
  },
  {
    name: 'a deleted post is taken back',
    async run(walk) {
      const { screen } = walk;
      await screen.open('/');
      await choose(walk, 'Без сети', 'Удалить');
      await screen.click(button('Удалить', dialog));
      await screen.gone(card('Без сети'));
      await screen.click({ role: 'button', name: 'Вернуть' });
      await screen.see(toast('Возвращено'));
      await screen.focused('Без сети');
    },
  },
  {
    name: 'a post is deleted',
    async run(walk) {
      const { screen } = walk;
      await screen.open('/');
      await choose(walk, 'Без сети', 'Удалить');
      await screen.click(button('Удалить', dialog));
      await screen.see(toast('Удалено'));
      await screen.gone(card('Без сети'));
    },
  },
  {
    name: 'a post is reported',
    async run(walk) {
      const { screen } = walk;
      await screen.open('/');
      await choose(walk, newest(walk), 'Пожаловаться');
      await screen.click({ role: 'label', text: 'Спам', within: dialog });
      await screen.click(button('Отправить', dialog));
      await screen.see(toast('Жалоба отправлена'));
      await screen.gone(dialog);
    },
  },
  {
    name: 'an author is muted, a post is opened, the author is unmuted',
    async run(walk) {
      const { screen } = walk;
      await screen.open('/');
      await choose(walk, newest(walk), 'Не показывать автора');
      await screen.see(toast('Автор не показывается'));
      await screen.gone(card(newest(walk)));
      await screen.reload();
      await screen.click(button('Показать', card(authorName)));
      await screen.see(card(newest(walk)));
      await choose(walk, newest(walk), 'Показывать автора');
      await screen.see(toast('Автор снова показывается'));
    },
  },
];
