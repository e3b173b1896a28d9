import type { KeptText } from '#contract/keep.ts';

export const textNames: Readonly<Record<string, string>> = {
  about: 'О стене',
  rules: 'Правила',
  privacy: 'Конфиденциальность',
  consent: 'Согласие на обработку данных',
};

/** Where a text is from. */
export const sourceNames: Readonly<Record<string, string>> = {
  file: 'Файл в папке PAGES_DIR. Его меняют на машине.',
  wall: 'Написан здесь.',
  default: 'Текст программы.',
  none: 'Не написано: согласия при регистрации не спрашивают.',
};

/** The name of the act that removes the owners' text, which says what takes its place. */
export const withoutText = (name: string): string =>
  name === 'consent' ? 'Не спрашивать согласия' : 'Вернуть текст программы';

export const isFile = ({ source }: KeptText): boolean => source === 'file';
