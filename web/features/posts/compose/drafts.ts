import { removeStored, writeStored, readStored } from '../../../lib/storage.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { draftsBeginning } from './forget-drafts.ts';
import { takeShared } from './take-shared.ts';
import { useState } from 'react';
import { useSessionState } from '../../session/session.ts';

export const newPostPlace = 'new-post';

interface KeptDraft {
  text: string;
  /** The last text sent, with its key. It may have arrived without a response. */
  sent?: { text: string; key: string };
}

/** The draft of a person at a place. It survives reloads, closed dialogs and signing in again. */
export function openDraft(userId: string, place: string) {
  const key = `${draftsBeginning}${userId}:${place}`;
  let draft: KeptDraft | null = JSON.parse(readStored('localStorage', key) ?? 'null');

  function become(next: KeptDraft): void {
    draft = next;
    writeStored('localStorage', key, JSON.stringify(next));
  }

  return {
    text: (): string | null => draft?.text ?? null,

    change: (text: string): void => become({ ...draft, text }),

    /** The same key for the same text, so that sending it again publishes it only once. */
    keyFor(text: string): string {
      const sent = draft?.sent?.text === text ? draft.sent : { text, key: randomKey() };
      become({ text, ...draft, sent });
      return sent.key;
    },

    /** Makes the next attempt publish the same text as a new post. */
    forgetKey(): void {
      if (draft) become({ text: draft.text });
    },

    /** Another text may have been written since, in another tab or after the dialog was closed: it stays. */
    forget(): void {
      if (draft === null || readStored('localStorage', key) === JSON.stringify(draft))
        removeStored('localStorage', key);
      draft = null;
    },
  };
}

/** A text being written. Starts with the draft of this place or else with the original. */
export function useDraft(place: string, original = '') {
  const session = useSessionState();
  // The draft stays with the person who started it, also when the session ends meanwhile.
  const [draft] = useState(() => {
    const opened = openDraft(session.is === 'authorized' ? session.user.id : '', place);
    if (place === newPostPlace) takeShared(opened);
    return opened;
  });
  const [text, setText] = useState(() => draft.text() ?? original);

  const change = (changed: string) => {
    setText(changed);
    if (changed === original) draft.forget();
    else draft.change(changed);
  };
  return { draft, text, change };
}
