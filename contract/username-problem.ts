import { limits } from './limits.ts';
import { isUsername } from './username.ts';

/** The rule for usernames, for people. */
export const usernameTip = `Короткое имя для @упоминаний и ссылки. От ${limits.usernameMin} до ${limits.usernameMax} символов: латинские буквы, цифры и подчёркивание.`;

/** The message for an invalid username; null for a valid username. */
export function usernameProblem(value: string): string | null {
  if (value === '') return 'Введите имя пользователя';
  if (value.length < limits.usernameMin) return `Имя пользователя должно быть не меньше ${limits.usernameMin} символов`;
  if (value.length > limits.usernameMax)
    return `Имя пользователя должно быть не большое ${limits.usernameMax} символов`;
  return isUsername(value) ? null : 'Введите корректное имя пользователя';
}
