import { limits } from '#contract/limits.ts';
import { toasts } from '../../lib/toasts.ts';
import { UndoToastButton } from '../../ui/undo-toast-button.tsx';

/** A message about an author who was muted, with a button that takes it back. */
export function offerUnmute(text: string, unmute: () => void): void {
  const Button = () => <UndoToastButton onPress={unmute}>Вернуть</UndoToastButton>;
  // People must be able to reach the button.
  toasts.add({ text, Button, leftMs: 2 * limits.toastMs });
}
