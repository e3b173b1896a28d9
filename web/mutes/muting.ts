import { listMutes, mute, type MutedUser, unmute } from '#contract/mutes.ts';
import { signInMark } from '../auth/sign-in-mark.ts';
import { explainError } from '../lib/api-error.ts';
import { call } from '../lib/api.ts';
import { showToast } from '../lib/toasts.ts';

interface MutedAuthors {
  ids(): ReadonlySet<string>;
  replace(ids: Iterable<string>): void;
}

/** Shown at once and sent one at a time for each author: however quick the clicks, the last one counts. */
export function createMuting(authors: MutedAuthors) {
  /** What is wanted of the authors of whom the server is being told. */
  const wanted = new Map<string, boolean>();
  let changes = 0;
  let underWay: Promise<unknown> = Promise.resolve();

  function show(authorId: string, muted: boolean): void {
    const others = [...authors.ids()].filter((id) => id !== authorId);
    authors.replace(muted ? [authorId, ...others] : others);
  }

  async function settle(authorId: string, before: boolean): Promise<void> {
    const mark = signInMark();
    let settled = before;
    try {
      for (let want = wanted.get(authorId); want !== undefined && want !== settled; want = wanted.get(authorId)) {
        await call(want ? mute : unmute, { params: { id: authorId } });
        settled = want;
      }
      if (settled !== before) showToast(settled ? 'Автор скрыт' : 'Автор снова виден');
    } catch (error) {
      // Whoever it was may have left meanwhile, and somebody else come.
      if (mark === signInMark()) show(authorId, settled);
      showToast(explainError(error));
    } finally {
      wanted.delete(authorId);
    }
  }

  return {
    change(authorId: string, muted: boolean): void {
      const before = authors.ids().has(authorId);
      const isOnItsWay = wanted.has(authorId);
      changes += 1;
      wanted.set(authorId, muted);
      show(authorId, muted);
      if (!isOnItsWay) underWay = Promise.all([underWay, settle(authorId, before)]);
    },

    /** Reads them from the server, anew where something has been changed here meanwhile. */
    async refresh(): Promise<MutedUser[]> {
      const mark = signInMark();
      for (;;) {
        await underWay;
        const asOf = changes;
        const { users } = await call(listMutes, {});
        if (mark === signInMark() && asOf !== changes) continue;
        if (mark === signInMark()) authors.replace(users.map(({ id }) => id));
        return users;
      }
    },
  };
}
