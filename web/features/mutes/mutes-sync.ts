import type { Owner } from '#contract/posts.ts';
import { explainError } from '../../lib/explain-error.ts';
import { call } from '../../lib/api.ts';
import { createLatestWins } from '../../lib/latest-wins.ts';
import { showToast } from '../../lib/toasts.ts';
import { ownKey, readSignInFlag } from '../session/sign-in-flag.ts';
import { authorSubject, setMuted } from '../session/own-calls.ts';

interface MutedAuthors {
  read(): ReadonlySet<string>;
  write(ids: Iterable<string>): void;
}

/** The topic of the toasts about muting an author. Toasts about following the author have the same topic. */
const topicOf = (authorId: string): string => ownKey(authorSubject(authorId));

/** Sends changes to the server. After quick clicks the last one counts. */
export function createMutesSync(authors: MutedAuthors) {
  function show(authorId: string, muted: boolean): void {
    const others = [...authors.read()].filter((id) => id !== authorId);
    authors.write(muted ? [authorId, ...others] : others);
  }

  const changes = createLatestWins<{ muted: boolean; flag: string | null }, boolean>({
    isDone: ({ muted }, state) => muted === state,
    async send({ muted }, id) {
      await setMuted(call, id, muted);
      return muted;
    },
    onDone(muted, { key, before }) {
      if (muted === before) return;
      if (muted) showMuted(key);
      else showToast('Автор снова показывается', undefined, topicOf(key));
    },
    onFailed(muted, { key: authorId, want: { flag }, error }) {
      // Somebody else may have signed in meanwhile.
      if (flag === readSignInFlag()) show(authorId, muted);
      showToast(explainError(error));
    },
  });

  function change(authorId: string, muted: boolean): void {
    const before = authors.read().has(authorId);
    show(authorId, muted);
    changes.change(authorId, { muted, flag: readSignInFlag() }, before);
  }

  /** Shows a toast with a button that shows the author again. The toast has no button if the code of the button cannot be loaded. */
  function showMuted(authorId: string): void {
    const [text, topic] = ['Автор скрыт', topicOf(authorId)];
    import('../../ui/undo-toast-button.tsx').then(
      ({ showUndoToast }) => showUndoToast({ text, topic, undo: 'Вернуть', onPress: () => change(authorId, false) }),
      () => showToast(text, undefined, topic),
    );
  }

  return {
    change,

    /** Loads the list from the server. Loads it again if this or another tab has changed it meanwhile. */
    async refresh(): Promise<Owner[]> {
      const flag = readSignInFlag();
      for (;;) {
        // No change can begin between this check and the call below: a list that is requested during a change may lack it.
        while (changes.isBusy()) await changes.ended();
        const before = authors.read();
        const { users } = await call('GET /users/current/mutes', {});
        if (flag === readSignInFlag()) {
          if (authors.read() !== before) continue;
          authors.write(users.map(({ id }) => id));
        }
        return users;
      }
    },
  };
}
