import { addresses } from '#contract/addresses.ts';
import { undoAct } from '#contract/moderation.ts';
import { call } from '../../../lib/api.ts';
import { explainError } from '../../../lib/api-error.ts';
import { showToast, toasts } from '../../../lib/toasts.ts';
import { offerUndo } from '../../../ui/undo-toast-button.tsx';
import { alreadyDone, needsFreshCode, undoneAtOnce } from './act.ts';

/** A moderator who decides quickly must not be offered to undo an earlier act. */
const topic = 'act';

/** Shows what an act has done. The id is null if the server had nothing to do. With `onUndone` a button takes the act back. */
export function showAct(actId: string | null, text: string, onUndone?: () => void): void {
  if (actId === null) showToast(alreadyDone);
  else if (onUndone) offerToUndo(text, actId, onUndone);
  else showToast(text);
}

/** The journal offers the same later. */
function offerToUndo(text: string, actId: string, onUndone: () => void): void {
  offerUndo({ text, topic, undo: 'Отменить решение', onPress: () => void undo(actId, onUndone) });
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
      offerToUndo(explainError(error), actId, onUndone);
    }
  }
}
