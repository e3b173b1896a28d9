import type { CurrentUser } from '#contract/account.ts';
import type { CallEndpoint } from '#contract/calls.ts';

interface Profile {
  username?: string;
  display_name?: string | null;
  face?: string | null;
  about?: string | null;
  /** The person puts off the question about the name. */
  name_later?: true;
}

/** Changes the person's name, face or description. Resolves to the person after the change. */
export const changeProfile = (call: CallEndpoint, body: Profile): Promise<CurrentUser> =>
  call('PATCH /users/current/profile', { body });
