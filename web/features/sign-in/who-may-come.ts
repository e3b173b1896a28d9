import type { ClientSettings } from '#contract/page-data.ts';

type Mode = ClientSettings['registration'];

/** The words of the sign-in, above the field for the address, about who may register. */
export const whoMayCome: Record<Mode, string> = {
  open: 'Впервые здесь? Зарегистрироваться может каждый.',
  members: 'Впервые здесь? Нужно приглашение от участника. Уже с нами? Приглашение не нужно.',
  invite: 'Впервые здесь? Нужно приглашение от модератора. Уже с нами? Приглашение не нужно.',
  closed: 'Новых учётных записей здесь сейчас не заводят. Войти может тот, у кого она есть.',
};

export const needsCode = (mode: Mode): boolean => mode === 'members' || mode === 'invite';

/** On a closed wall, which does not say that an address has no account. */
export const asNewcomer = 'Я здесь впервые';

/** Said to somebody without an account who has sent an address. */
export const askForCode = (mode: Mode): string =>
  `Нужно приглашение от ${mode === 'members' ? 'участника' : 'модератора'}. Введите код, который вам дали.`;
