import { listMutes, mute, type MutedUser, unmute } from '#contract/mutes.ts';
import { explainError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { showToast } from '../../lib/toasts.ts';
import { readSignInFlag } from '../session/sign-in-flag.ts';

interface MutedAuthors {
  read(): ReadonlySet<string>;
  write(ids: Iterable<string>): void;
}

/** Sends changes to the server, one at a time for each author. After quick clicks the last one counts. */
export function createMutesSync(authors: MutedAuthors) {
  /** The wanted state of the authors for whom a request is running. */
  const wanted = new Map<string, boolean>();
  let running: Promise<unknown> = Promise.resolve();

  function show(authorId: string, muted: boolean): void {
    const others = [...authors.read()].filter((id) => id !== authorId);
    authors.write(muted ? [authorId, ...others] : others);
  }

  async function settle(authorId: string, before: boolean): Promise<void> {
    const flag = readSignInFlag();
    let settled = before;
    try {
      for (let want = wanted.get(authorId); want !== undefined && want !== settled; want = wanted.get(authorId)) {
        await call(want ? mute : unmute, { params: { id: authorId } });
        settled = want;
      }
      if (settled !== before) showToast(settled ? 'Автор скрыт' : 'Автор снова виден');
    } catch (error) {
      // Somebody else may have signed in meanwhile.
      if (flag === readSignInFlag()) show(authorId, settled);
      showToast(explainError(error));
    } finally {
      wanted.delete(authorId);
    }
  }

  return {
    change(authorId: string, muted: boolean): void {
      const before = authors.read().has(authorId);
      const isRunning = wanted.has(authorId);
      wanted.set(authorId, muted);
      show(authorId, muted);
      if (!isRunning) running = Promise.all([running, settle(authorId, before)]);
    },

    /** Loads the list from the server, once more if it was changed meanwhile, here or in another tab. */
    async refresh(): Promise<MutedUser[]> {
      const flag = readSignInFlag();
      for (;;) {
        await running;
        const before = authors.read();
        const { users } = await call(listMutes, {});
        if (flag === readSignInFlag()) {
          if (authors.read() !== before) continue;
          authors.write(users.map(({ id }) => id));
        }
        return users;
      }
    },
  };
}
