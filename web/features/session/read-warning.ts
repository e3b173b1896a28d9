import type { Outcome, PageContext } from '../../forms/page-module.ts';

/** The act of the warning's form, which every page may show. */
export const warningAct = 'read-warning';

/** Tells the server that the person has read the warning. */
export async function sayRead({ call }: Pick<PageContext, 'call'>): Promise<Outcome> {
  await call('DELETE /users/current/warning', {});
  return { user: { warning: undefined } };
}
