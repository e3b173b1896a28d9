import {
  banner,
  button,
  card,
  choose,
  chooseView,
  dialog,
  field,
  heading,
  link,
  main,
  newest,
  signIn,
  signInButton,
  toast,
  type WalkStep,
} from './walk.ts';

/** A row on the settings page. */
const row = (name: string) => link(`${name}…`);
const newName = 'vera_renamed';
const newEmail = 'vera_elsewhere@example.org';

/** The person’s own lists, settings and account. */
export const ownPages: readonly WalkStep[] = [
  {
    name: 'liked posts are listed',
    async run(walk) {
      await walk.screen.open('/');
      await chooseView(walk, 'Понравившиеся');
      await walk.screen.path('/liked');
      await walk.screen.see(card(newest(walk)));
    },
  },
  {
    name: 'own posts and replies are listed',
    async run(walk) {
      await walk.screen.open('/');
      await chooseView(walk, 'Мои записи');
      await walk.screen.path('/own/posts');
      await walk.screen.see(card('Пишу отсюда же'));
      await chooseView(walk, 'Мои ответы');
      await walk.screen.path('/own/replies');
      await walk.screen.see(card('И я'));
    },
  },
  {
    name: 'a notification appears and is read by looking at it',
    async run({ screen, seed, author, me }) {
      await screen.open('/');
      const [mine] = await seed.posts([{ by: me.id, text: 'Кто идёт на каток?' }]);
      await seed.replies(mine!, [{ by: author, text: 'Я иду!' }]);
      await screen.click({ role: 'link', name: 'Уведомления, непрочитанных: 1' });
      await screen.see(heading('1 новый ответ · «Кто идёт на каток?»'));
      await screen.see(card('Я иду!'));
      await screen.see({ role: 'link', name: 'Уведомления' });
    },
  },
  {
    name: 'the author of a discussion stops following it',
    async run(walk) {
      const { screen, seed, me } = walk;
      const [mine] = await seed.posts([{ by: me.id, text: 'Слежу за своей записью' }]);
      await screen.open(`/posts/${mine}`);
      await choose(walk, 'Слежу за своей записью', 'Не следить');
      await screen.see(toast('Вы больше не следите за обсуждением'));
    },
  },
  {
    name: 'the letter about notifications is chosen',
    async run({ screen }) {
      await screen.open('/settings');
      await screen.click(row('Уведомления'));
      await screen.click({ role: 'label', text: 'Раз в неделю' });
      await screen.see({ role: 'status', text: 'Сохранено', within: main });
    },
  },
  {
    name: 'the settings open from the header',
    async run({ screen, me }) {
      await screen.open('/');
      await screen.click(link(me.name, banner));
      await screen.path('/settings');
      await screen.see({ role: 'link', text: me.email, within: main });
    },
  },
  {
    name: 'a new device needs a code to change the address',
    async run({ screen, mail, me }) {
      await screen.open('/settings');
      await screen.click(row('Электронная почта'));
      await screen.fill(field(main), newEmail);
      await screen.press('Enter');
      await screen.see({ role: 'main', text: 'Подтвердите это устройство' });
      await screen.click(button('Получить код'));
      await screen.see(field(main));
      await screen.driver.type(await mail.codeTo(me.email));
      await screen.see({ role: 'main', text: `Код отправлен на ${newEmail}` });
    },
  },
  {
    name: 'the username changes everywhere',
    async run({ screen, me }) {
      await screen.open('/settings');
      await screen.click(row('Имя пользователя'));
      await screen.fill(field(main), newName);
      await screen.see({ role: 'main', text: 'свободно' });
      await screen.click(button('Сохранить'));
      await screen.see(toast('Имя изменено'));
      await screen.see(link(newName, banner));
      me.name = newName;
    },
  },
  {
    name: 'another device is listed and signed out',
    async run({ screen, seed, me }) {
      await seed.session(me.id);
      await screen.open('/settings/devices');
      await screen.click(button('Chrome 142…'));
      await screen.click(button('Завершить сеанс', dialog));
      await screen.see(toast('Сессия завершена'));
      await screen.see({ role: 'main', text: 'Других сеансов нет' });
    },
  },
  {
    name: 'a moderator hides a reported post and takes that back',
    async run({ screen, seed, author, me }) {
      const [reported] = await seed.posts([{ by: author, text: 'Выиграй миллион!' }]);
      await seed.report(reported!, me.id);
      await seed.appoint(me);
      await screen.open('/settings');
      await screen.click(row('Модерация'));
      await screen.click(button('Скрыть', card('Выиграй миллион!')));
      await screen.click(button('Мошенничество', dialog));
      await screen.see(card('Скрыто: Мошенничество'));
      await screen.click({ role: 'button', name: 'Отменить' });
      await screen.see(button('Скрыть', card('Выиграй миллион!')));
    },
  },
  {
    name: 'a closed announcement stays closed',
    async run(walk) {
      const { screen, seed, posts } = walk;
      await seed.pin(posts[0]!);
      await screen.open('/');
      await screen.click(button('Закрыть объявление'));
      await screen.open('/');
      await screen.see(card(newest(walk)));
      await screen.gone(button('Закрыть объявление'));
    },
  },
  {
    name: 'signing out works',
    async run({ screen }) {
      await screen.open('/settings');
      await screen.click(button('Выйти'));
      await screen.see(signInButton);
      await screen.open('/settings');
      await screen.see(heading('Страница не существует'));
    },
  },
  {
    name: 'the account is deleted with a code',
    async run(walk) {
      const { screen, mail, me } = walk;
      await screen.open('/settings');
      await screen.click(button('Войти'));
      await signIn(walk);
      await screen.click(row('Удалить учётную запись'));
      await screen.click(button('Получить код'));
      await screen.see(field(main));
      await screen.driver.type(await mail.codeTo(me.email));
      await screen.click(button('Удалить учётную запись'));
      await screen.see(toast('Учётная запись удалена'));
      await screen.see(signInButton);
    },
  },
];
