import type { ClientSettings } from '#contract/page-data.ts';

type Mode = ClientSettings['registration'];

/** The words of the sign-in, above the field for the address, about who may register. */
export const whoMayCome: Record<Mode, string> = {
  open: 'Впервые здесь? Зарегистрироваться может каждый.',
  members: 'Впервые здесь? Регистрируют по приглашениям участников стены. Если учётная запись есть, код не нужен.',
  invite: 'Впервые здесь? Регистрируют по приглашениям тех, кто ведёт стену. Если учётная запись есть, код не нужен.',
  closed: 'Новых учётных записей здесь сейчас не заводят. Войти может тот, у кого она есть.',
};

export const needsCode = (mode: Mode): boolean => mode === 'members' || mode === 'invite';

/** On a closed wall, which does not say that an address has no account. */
export const asNewcomer = 'Я здесь впервые';

/** Said to somebody without an account who has sent an address. */
export const askForCode = (mode: Mode): string =>
  `Здесь регистрируют по приглашениям. Введите код, который вам дал ${mode === 'members' ? 'участник стены' : 'тот, кто ведёт стену'}.`;
