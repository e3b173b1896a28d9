import type { Outcome, PageContext } from '../../forms/page-module.ts';

/** The form of a warning stands on every page. */
export const warningAct = 'read-warning';

/** The person has read the warning. */
export async function sayRead({ call }: Pick<PageContext, 'call'>): Promise<Outcome> {
  await call('DELETE /users/current/warning', {});
  return { user: { warning: undefined } };
}
