import { useEffect } from 'react';
import { moderating } from '../features/posts/card/moderating.ts';
import { fetchMenuAhead } from '../features/posts/card/post-menu-button.tsx';
import { QuoteButton } from '../features/posts/card/quote-button.tsx';
import { fetchWritingAhead } from '../features/posts/compose/writing.ts';
import { usePostStore } from '../features/posts/store/use-posts.ts';
import { useMutes } from '../features/mutes/mutes.ts';
import { prefetchPages } from '../pages/pages.ts';
import { useSessionState } from '../features/session/session.ts';
import { useObservable } from '../lib/observable.ts';
import { namedOnDemand, useOnDemand } from '../lib/on-demand.ts';
import { showToast } from '../lib/toasts.ts';

const blockedDialog = namedOnDemand(() => import('../features/session/blocked-dialog.tsx'), 'BlockedDialog');
const warningDialog = namedOnDemand(() => import('../features/session/warning-dialog.tsx'), 'WarningDialog');
const moderatorDialog = namedOnDemand(
  () => import('../features/moderation/desk/moderator-dialog.tsx'),
  'ModeratorDialog',
);

interface LaterPartsProps {
  /** Called before a post is removed from the store. */
  onDeleted: (postId: string) => void;
}

/** The parts over the page that the first paint does not need. */
export function LaterParts({ onDeleted }: LaterPartsProps) {
  const session = useSessionState();
  const store = usePostStore();
  const mutes = useMutes();

  useEffect(() => {
    void fetchMenuAhead();
  }, []);

  useEffect(() => {
    if (session.is !== 'authorized') return;
    void fetchWritingAhead();
    void prefetchPages();
    void mutes.refreshWhenIdle();
  }, [session.is, mutes]);

  useEffect(() => {
    // The name was changed in this tab or in another one.
    if (session.is === 'authorized') store.renameOwner(session.user);
  }, [session, store]);

  const blockReason = session.is === 'signed-out' ? session.blocked : undefined;
  const { thing: BlockedDialog, failure } = useOnDemand(blockedDialog, blockReason !== undefined);
  useEffect(() => {
    if (blockReason !== undefined && failure !== null) showToast(blockReason);
  }, [blockReason, failure]);

  const warning = session.is === 'authorized' ? session.user.warning : undefined;
  const { thing: WarningDialog } = useOnDemand(warningDialog, warning !== undefined);

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
      {WarningDialog && warning !== undefined && <WarningDialog key={warning} warning={warning} />}
      {ModeratorDialog && <ModeratorDialog moderated={moderated} onDeleted={onDeleted} onClose={close} />}
    </>
  );
}
