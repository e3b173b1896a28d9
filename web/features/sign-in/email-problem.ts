import { normalizeEmail } from '#contract/email.ts';

/** Why a text is not an address, null if it is one. */
export function emailProblem(text: string): string | null {
  if (text.trim() === '') return 'Введите email';
  return normalizeEmail(text) === undefined ? 'Введите корректный email' : null;
}
