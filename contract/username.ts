import { limits } from './limits.ts';

/** Does not use the flags i and u, which together make `[a-z]` match the Kelvin sign. */
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

/** The display name, or else the username, for places with room for one name. */
export const shownName = ({ username, display_name: own }: Names): string => own ?? username;

/** Both names, for lines that have to identify the person. */
export const bothNames = ({ username, display_name: own }: Names): string =>
  own === null ? username : `${own} (@${username})`;

/** One name, for lines with little room. A namesake's name is followed by the username, so that nobody is taken for somebody else. */
export const nameInLine = ({ is_namesake: isNamesake, ...names }: Names & { is_namesake?: true }): string =>
  isNamesake ? `${shownName(names)} @${names.username}` : shownName(names);

/** Whether the person has no name yet: the server has generated the username, and there is no display name. */
export const isNameless = ({ username, display_name: own }: Names): boolean =>
  own === null && isGeneratedUsername(username);

/** The name in a letter or a push message. A generated username is replaced, because it says nothing. */
export const nameInLetter = (names: Names & { is_namesake?: true }): string =>
  isNameless(names) ? 'Участник без имени' : nameInLine(names);

export const isGeneratedUsername = (value: string): boolean => /^user_[a-z0-9]{8}$/.test(value);
