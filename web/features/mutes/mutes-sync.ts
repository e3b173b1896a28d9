import type { Owner } from '#contract/posts.ts';
import type { ChosenWord } from '#contract/words.ts';
import { explainError } from '../../lib/explain-error.ts';
import { call } from '../../lib/api.ts';
import { createLatestWins } from '../../lib/latest-wins.ts';
import { onStoredElsewhere, readStored, removeStored, writeStored } from '../../lib/storage.ts';
import { showToast } from '../../lib/toasts.ts';
import { ownKey, readSignInFlag } from '../session/sign-in-flag.ts';
import { authorSubject, setMuted } from '../session/own-calls.ts';
import type { Session } from '../session/session.ts';
import { keepPlace } from './keep-place.ts';
import { writeStoredMutes } from './stored-mutes.ts';
import { hiddenWordsKey } from './stored-words.ts';

interface MutedAuthors {
  read(): ReadonlySet<string>;
  set(ids: Iterable<string>): void;
  session: Session;
}

/** The topic of the toasts about muting an author. Toasts about following the author have the same topic. */
const topicOf = (authorId: string): string => ownKey(authorSubject(authorId));

/** Sends changes to the server. After quick clicks the last one counts. */
export function createMutesSync(authors: MutedAuthors) {
  function write(ids: Iterable<string>): void {
    keepPlace(() => authors.set(ids));
    writeStoredMutes(authors.read());
  }

  function show(authorId: string, muted: boolean): void {
    const others = [...authors.read()].filter((id) => id !== authorId);
    write(muted ? [authorId, ...others] : others);
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

  /** Takes over the words of the person as the server has just sent them. */
  async function adoptWords(words: readonly ChosenWord[]): Promise<void> {
    const [flag, now] = [readSignInFlag(), authors.session.state.get()];
    if (flag === null || now.is !== 'authorized') return;
    const hidden = words.filter(({ kind }) => kind === 'hide').map(({ word }) => word);
    const value = hidden.length > 0 ? [flag, now.user.id, ...hidden].join(' ') : null;
    if (value === readStored('localStorage', hiddenWordsKey) && (value === null || globalThis.hiddenWord)) return;
    if (value === null) removeStored('localStorage', hiddenWordsKey);
    else writeStored('localStorage', hiddenWordsKey, value);
    await showWords();
  }

  /** Applies the stored words. */
  async function showWords(): Promise<void> {
    if (!globalThis.hiddenWord) {
      if (readStored('localStorage', hiddenWordsKey) === null) return;
      await import('./hidden-words.ts');
    }
    write(authors.read());
  }
  onStoredElsewhere(hiddenWordsKey, () => void showWords());
  authors.session.onEnd(() => {
    const [flag] = readStored('localStorage', hiddenWordsKey)?.split(' ') ?? [];
    if (flag !== readSignInFlag()) removeStored('localStorage', hiddenWordsKey);
  });

  return {
    change,

    /** Takes over the muted authors as the server has just sent them. */
    adopt(users: readonly Pick<Owner, 'id'>[]): void {
      write(users.map(({ id }) => id));
    },

    adoptWords,

    /** Loads the hidden words from the server. */
    async refreshWords(): Promise<void> {
      const flag = readSignInFlag();
      const { words } = await call('GET /users/current/words', {});
      if (flag === readSignInFlag()) await adoptWords(words);
    },

    /** Loads the muted authors from the server. Loads it again if this or another tab has changed it meanwhile. */
    async refresh(): Promise<Owner[]> {
      const flag = readSignInFlag();
      for (;;) {
        // No change can begin between this check and the call below: a list that is requested during a change may lack it.
        while (changes.isBusy()) await changes.ended();
        const before = authors.read();
        const { users } = await call('GET /users/current/mutes', {});
        if (flag === readSignInFlag()) {
          if (authors.read() !== before) continue;
          write(users.map(({ id }) => id));
        }
        return users;
      }
    },
  };
}
