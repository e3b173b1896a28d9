import { limits } from './limits.ts';

/** Without the i and u flags: with them `[a-z]` takes the Kelvin sign. */
const pattern = new RegExp(`^[a-zA-Z0-9_]{${limits.usernameMin},${limits.usernameMax}}$`);

export const isUsername = (value: string): boolean => pattern.test(value);

/** What is wrong with a name, in the specification's words; null when it may be asked for. */
export function usernameProblem(value: string): string | null {
  if (value === '') return 'Введите имя пользователя';
  if (value.length < limits.usernameMin) return `Имя пользователя должно быть не меньше ${limits.usernameMin} символов`;
  if (value.length > limits.usernameMax)
    return `Имя пользователя должно быть не большое ${limits.usernameMax} символов`;
  return isUsername(value) ? null : 'Введите корректное имя пользователя';
}

/** Whether it is one that the wall gives until its owner chooses their own. */
export const isGeneratedUsername = (value: string): boolean => /^user_[a-z0-9]{8}$/.test(value);
