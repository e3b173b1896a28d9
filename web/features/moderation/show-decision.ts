import { ApiError } from '#client/api-error.ts';
import { addresses } from '#contract/addresses.ts';
import type { CallEndpoint } from '#contract/calls.ts';
import { explainBriefly } from '../../lib/explain-error.ts';
import { call } from '../../lib/api.ts';
import { createObservable } from '../../lib/observable.ts';
import { showToast, type ToastLink } from '../../lib/toasts.ts';
import { showUndoToast } from '../../ui/undo-toast-button.tsx';

/** The number of decisions made on this page. Each change makes `DeskLink` count the waiting posts again. */
export const decisions = createObservable(0);

const noteDecision = (): void => decisions.set(decisions.get() + 1);

/** The reason in the journal when an act is undone with the button in its toast. */
const undoneAtOnce = 'Отменено сразу';

/** Shown when the server had nothing to do: another moderator was faster, or the response to an earlier attempt was lost. */
export const alreadyDone = 'Это уже сделано, возможно, другим модератором';

export const needsFreshCode = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'CONFIRMATION_REQUIRED';

/** Shows the message of an act. `actId` is null if the server had nothing to do. With `onUndone` a button takes the act back. */
export function showDecision(
  actId: string | null | undefined,
  text: string,
  onUndone?: () => void,
  link?: ToastLink,
): void {
  noteDecision();
  if (actId === null) showToast(alreadyDone);
  else if (actId !== undefined && onUndone) offerToUndo(text, actId, onUndone);
  else showToast(text, link);
}

/** Takes an act back by its entry in the journal. */
export const takeBack = (by: CallEndpoint, id: string, reason: string) =>
  by('POST /moderation/journal/{id}/undo', { params: { id }, body: { reason } });

/** Shows a toast with a button that takes the act back. Later the journal has such a button. */
function offerToUndo(text: string, actId: string, onUndone: () => void, label = 'Отменить решение'): void {
  showUndoToast({ text, undo: label, onPress: () => void undo(actId, onUndone) });
}

/** Takes an act back. After a failure, the message offers to try again. */
async function undo(actId: string, onUndone: () => void): Promise<void> {
  try {
    const { act_id: undone } = await takeBack(call, actId, undoneAtOnce);
    noteDecision();
    showToast(undone === null ? alreadyDone : 'Решение отменено');
    onUndone();
  } catch (error) {
    if (needsFreshCode(error)) {
      const journal = { href: addresses.moderationJournal.href(), text: 'Журнал' };
      showToast('Нужен новый код: отмените решение в журнале.', journal);
    } else {
      offerToUndo(explainBriefly(error), actId, onUndone, 'Ещё раз');
    }
  }
}
