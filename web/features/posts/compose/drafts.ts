import { removeStored, writeStored, readStored } from '../../../lib/storage.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { draftsBeginning } from './forget-drafts.ts';

interface StoredDraft {
  text: string;
  /** The last text sent, with its idempotency key. The server may have accepted it although the response was lost. */
  sent?: { text: string; key: string };
}

const keyOf = (userId: string, form: string): string => `${draftsBeginning}${userId}:${form}`;

const read = (key: string): StoredDraft | null => JSON.parse(readStored('localStorage', key) ?? 'null');

/** Appends a part to a text, unless the text contains the part. */
function withBelow(written: string, part: string): string {
  const before = written.trimEnd();
  if (before.includes(part.trim())) return written;
  return before === '' ? part : `${before}\n\n${part}`;
}

/**
 * Opens the stored draft of a form for a person, or for a visitor if the id is empty. It survives reloads, closed dialogs and
 * signing in. The visitor's draft of the same form and the text `added` are appended to the person's draft.
 */
export function openDraft(userId: string, form: string, added = '') {
  const key = keyOf(userId, form);
  const visitorsKey = keyOf('', form);
  let draft = read(key);
  let waiting = [userId === '' ? '' : (read(visitorsKey)?.text ?? ''), added];

  function become(next: StoredDraft): void {
    draft = next;
    writeStored('localStorage', key, JSON.stringify(next));
  }

  return {
    text(): string | null {
      const written = draft?.text ?? '';
      const text = waiting.reduce(withBelow, written);
      waiting = [];
      if (text !== written) become({ ...draft, text });
      if (key !== visitorsKey) removeStored('localStorage', visitorsKey);
      return draft?.text ?? null;
    },

    change: (text: string): void => become({ ...draft, text }),

    /** Returns the same key for the same text, so that a text that is sent again is published only once. */
    keyFor(text: string): string {
      const sent = draft?.sent?.text === text ? draft.sent : { text, key: randomKey() };
      become({ text, ...draft, sent });
      return sent.key;
    },

    /** Makes the next attempt publish the same text as a new post. */
    forgetKey(): void {
      if (draft) become({ text: draft.text });
    },

    /** Removes the draft, but not a text that was written since in another tab or after the dialog was closed. */
    forget(): void {
      if (draft === null || readStored('localStorage', key) === JSON.stringify(draft))
        removeStored('localStorage', key);
      draft = null;
    },
  };
}
