import {
  banner,
  button,
  card,
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
    name: 'the settings open from the header',
    async run({ screen, me }) {
      await screen.open('/');
      await screen.click(link(me.name, banner));
      await screen.path('/settings');
      await screen.see({ role: 'link', text: me.email, within: main });
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
    name: 'signing out works',
    async run({ screen }) {
      await screen.open('/settings');
      await screen.click(button('Выйти'));
      await screen.see(signInButton);
      await screen.open('/settings');
      await screen.see(heading('Нужно войти'));
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
