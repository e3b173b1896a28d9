import { forget, keep, kept } from '../lib/kept.ts';
import { randomKey } from '../lib/random-key.ts';
import { draftsBeginning } from './forget-drafts.ts';

interface KeptDraft {
  text: string;
  /** What was sent last, under which key: nobody may know whether it has arrived. */
  sent?: { text: string; key: string };
}

/** What somebody has begun to write at a place: it survives reloads, closed dialogs and signing in again. */
export function openDraft(userId: string, place: string) {
  const key = `${draftsBeginning}${userId}:${place}`;
  let draft: KeptDraft | null = JSON.parse(kept('localStorage', key) ?? 'null');

  function become(next: KeptDraft): void {
    draft = next;
    keep('localStorage', key, JSON.stringify(next));
  }

  return {
    text: (): string | null => draft?.text ?? null,

    change: (text: string): void => become({ ...draft, text }),

    /** The same for the same text: however often it is sent, it is published once. */
    keyFor(text: string): string {
      const sent = draft?.sent?.text === text ? draft.sent : { text, key: randomKey() };
      become({ text, ...draft, sent });
      return sent.key;
    },

    /** From now on the same text is something new. */
    forgetKey(): void {
      if (draft) become({ text: draft.text });
    },

    forget(): void {
      draft = null;
      forget('localStorage', key);
    },
  };
}
