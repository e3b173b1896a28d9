import { limits } from './limits.ts';

/** Without the i and u flags: with them `[a-z]` takes the Kelvin sign. */
const pattern = new RegExp(`^[a-zA-Z0-9_]{${limits.usernameMin},${limits.usernameMax}}$`);

export const isUsername = (value: string): boolean => pattern.test(value);
