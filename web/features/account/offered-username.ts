import { limits } from '#contract/limits.ts';
import { latinName } from '#contract/profile-text.ts';
import { isUsername } from '#contract/username.ts';

/** A username made of the part of an address before the sign @; undefined if that makes none. */
export function offeredUsername(email: string): string | undefined {
  const [local = ''] = email.slice(0, email.lastIndexOf('@')).split('+');
  const name = latinName(local, limits.usernameMax);
  return isUsername(name) ? name : undefined;
}
