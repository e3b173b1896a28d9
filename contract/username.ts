import { limits } from './limits.ts';

/** Not with the flags i and u, which together make `[a-z]` match the Kelvin sign. */
const pattern = new RegExp(`^[a-zA-Z0-9_]{${limits.usernameMin},${limits.usernameMax}}$`);

export const isUsername = (value: string): boolean => pattern.test(value);

/** Usernames are compared ignoring case. */
export const sameUsername = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Two usernames with the same key are the same. The pattern allows only ASCII letters. */
export const usernameKey = (username: string): string => username.toLowerCase();

interface Names {
  username: string;
  display_name: string | null;
}

/** The name for a line in which only one has room. */
export const shownName = ({ username, display_name: own }: Names): string => own ?? username;

/** Both names, where a line has to say who somebody is. */
export const bothNames = ({ username, display_name: own }: Names): string =>
  own === null ? username : `${own} (@${username})`;

/** The name where a line has little room. Beside the name of a namesake stands the username, so that nobody passes for another. */
export const nameInLine = ({ is_namesake: isNamesake, ...names }: Names & { is_namesake?: true }): string =>
  isNamesake ? `${shownName(names)} @${names.username}` : shownName(names);

/** Whether nobody knows what to call the person: the server generated the username, and there is no display name. */
export const isNameless = ({ username, display_name: own }: Names): boolean =>
  own === null && isGeneratedUsername(username);

/** The name in a letter or a push message, where a generated username tells nothing. */
export const nameInLetter = (names: Names & { is_namesake?: true }): string =>
  isNameless(names) ? 'Участник без имени' : nameInLine(names);

/** Whether the server generated the name, because its owner has not chosen one yet. */
export const isGeneratedUsername = (value: string): boolean => /^user_[a-z0-9]{8}$/.test(value);
