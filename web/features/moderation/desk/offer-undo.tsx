import { addresses } from '#contract/addresses.ts';
import { undoAct } from '#contract/moderation.ts';
import { limits } from '#contract/limits.ts';
import { call } from '../../../lib/api.ts';
import { explainError } from '../../../lib/api-error.ts';
import { toasts } from '../../../lib/toasts.ts';
import { UndoToastButton } from '../../../ui/undo-toast-button.tsx';
import { alreadyDone, needsFreshCode, undoneAtOnce } from './act.ts';

/** Who decides quickly must not be offered to undo an earlier act. */
const topic = 'act';

/** A message about an act, with a button that takes it back. The journal offers the same later. */
export function offerUndo(text: string, actId: string, onUndone: () => void): void {
  const Button = () => <UndoToastButton onPress={() => void undo(actId, onUndone)}>Отменить решение</UndoToastButton>;
  // People must be able to reach the button.
  toasts.add({ text, Button, topic, leftMs: 2 * limits.toastMs });
}

/** Takes an act back. After a failure, the message offers to try again. */
async function undo(actId: string, onUndone: () => void): Promise<void> {
  try {
    const { act_id: undone } = await call(undoAct, { params: { id: actId }, body: { reason: undoneAtOnce } });
    toasts.add({ text: undone === null ? alreadyDone : 'Решение отменено', topic });
    onUndone();
  } catch (error) {
    if (needsFreshCode(error)) {
      const journal = { href: addresses.moderationSection.href({ section: 'journal' }), text: 'Журнал' };
      toasts.add({ text: 'Нужен новый код: отмените решение в журнале.', link: journal, topic });
    } else {
      offerUndo(explainError(error), actId, onUndone);
    }
  }
}
