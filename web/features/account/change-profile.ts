import type { CurrentUser } from '#contract/account.ts';
import type { CallEndpoint } from '#contract/calls.ts';

interface Profile {
  username?: string;
  display_name?: string | null;
  face?: string | null;
  about?: string | null;
  /** The question about the name is put off. */
  name_later?: true;
}

/** Changes what a person is called and says about themselves. Resolves to the person as they are then. */
export const changeProfile = (call: CallEndpoint, body: Profile): Promise<CurrentUser> =>
  call('PATCH /users/current/profile', { body });
