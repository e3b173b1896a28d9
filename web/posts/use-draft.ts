import { useState } from 'react';
import { useSessionState } from '../auth/session-context.ts';
import { openDraft } from './drafts.ts';

/** A text being written. It begins with what was left at this place, or else as the original. */
export function useDraft(place: string, original = '') {
  const session = useSessionState();
  // Whoever was signed in when it was begun, also when the session ends meanwhile.
  const [draft] = useState(() => openDraft(session.is === 'authorized' ? session.user.id : '', place));
  const [text, setText] = useState(() => draft.text() ?? original);

  const change = (changed: string) => {
    setText(changed);
    if (changed === original) draft.forget();
    else draft.change(changed);
  };
  return { draft, text, change };
}
