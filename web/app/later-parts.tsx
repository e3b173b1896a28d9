import { useEffect } from 'react';
import { moderating } from '../features/posts/card/moderating.ts';
import { QuoteButton } from '../features/posts/card/quote-button.tsx';
import { useSessionState } from '../features/session/session.ts';
import { useObservable } from '../lib/observable.ts';
import { onDemand, useOnDemand } from '../lib/on-demand.ts';
import { showToast } from '../lib/toasts.ts';

const blockedDialog = onDemand(async () => (await import('../features/session/blocked-dialog.tsx')).BlockedDialog);
const moderatorDialog = onDemand(
  async () => (await import('../features/moderation/desk/moderator-dialog.tsx')).ModeratorDialog,
);

interface LaterPartsProps {
  /** Called before a post is removed from the store. */
  onDeleted: (postId: string) => void;
}

/** The parts over the page that the first paint does not need. */
export function LaterParts({ onDeleted }: LaterPartsProps) {
  const session = useSessionState();
  const blockReason = session.is === 'signed-out' ? session.blocked : undefined;
  const { thing: BlockedDialog, failure } = useOnDemand(blockedDialog, blockReason !== undefined);
  useEffect(() => {
    if (blockReason !== undefined && failure !== null) showToast(blockReason);
  }, [blockReason, failure]);

  const moderated = useObservable(moderating);
  const close = () => moderating.set(null);
  const desk = useOnDemand(moderatorDialog, moderated !== null);
  const ModeratorDialog = desk.thing;
  useEffect(() => {
    if (desk.failure === null) return;
    showToast(desk.failure);
    moderating.set(null);
  }, [desk.failure]);

  return (
    <>
      <QuoteButton />
      {BlockedDialog && blockReason !== undefined && <BlockedDialog key={blockReason} reason={blockReason} />}
      {ModeratorDialog && <ModeratorDialog moderated={moderated} onDeleted={onDeleted} onClose={close} />}
    </>
  );
}
