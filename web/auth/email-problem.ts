import { normalizeEmail } from '#contract/email.ts';

/** What keeps a text from being an address, null for nothing. */
export function emailProblem(text: string): string | null {
  if (text.trim() === '') return 'Введите email';
  return normalizeEmail(text) === undefined ? 'Введите корректный email' : null;
}
