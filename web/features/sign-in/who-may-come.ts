import type { ClientSettings } from '#contract/page-data.ts';

/** Where the code appears on a wall without a mail server. */
export const codeWithoutMail = 'Почта ещё не подключена: код покажет тот, кто запустил стену.';

type Mode = ClientSettings['registration'];

/** The words about who may register: below the field for the address, and on the door of a closed wall. */
export const whoMayCome: Record<Mode, string> = {
  open: 'Впервые здесь? Зарегистрироваться может каждый.',
  members: 'Впервые здесь? Нужно приглашение от участника. Уже с нами? Приглашение не нужно.',
  invite: 'Впервые здесь? Нужно приглашение от модератора. Уже с нами? Приглашение не нужно.',
  closed: 'Новых учётных записей здесь сейчас не заводят. Войти может тот, у кого она есть.',
};

export const needsCode = (mode: Mode): boolean => mode === 'members' || mode === 'invite';
