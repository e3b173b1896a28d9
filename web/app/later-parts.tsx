import { useEffect } from 'react';
import { fetchMenuAhead } from '../features/posts/card/post-menu-button.tsx';
import { QuoteButton } from '../features/posts/card/quote-button.tsx';
import { usePostStore } from '../features/posts/store/use-posts.ts';
import { type Mutes, useMutes } from '../features/mutes/mutes.ts';
import { acting } from '../features/shortcuts/press-shortcut.ts';
import { Layer } from '../pages/layer.tsx';
import { prefetchPages } from '../pages/pages.ts';
import { usePerform } from '../features/session/actions.ts';
import { useSession, useSessionState } from '../features/session/session.ts';
import { loadWhenIdle, namedOnDemand, useOnDemand } from '../lib/on-demand.ts';
import { showToast } from '../lib/toasts.ts';
import { offerWantedAct } from './offer-wanted-act.tsx';

const blockedDialog = namedOnDemand(() => import('../features/session/blocked-dialog.tsx'), 'BlockedDialog');
const warningDialog = namedOnDemand(() => import('../features/session/blocked-dialog.tsx'), 'WarningDialog');

/** The code of shortcuts is loaded within this time, so that they usually work at the first key. */
const idleWithinMs = 2_000;

/** Until the server has sent them, the stored lists count. */
async function refreshHidden({ sync }: Mutes): Promise<void> {
  await loadWhenIdle(idleWithinMs, sync);
  const loaded = sync.here();
  await loaded?.refreshWords().catch(() => {});
  await loaded?.refresh().catch(() => {});
}

/** The parts over the page that the first paint does not need. */
export function LaterParts() {
  const { noteBlockShown } = useSession();
  const session = useSessionState();
  const store = usePostStore();
  const mutes = useMutes();

  useEffect(() => {
    void fetchMenuAhead();
  }, []);

  useEffect(() => {
    if (session.is !== 'authorized') return;
    void loadWhenIdle(idleWithinMs, acting);
    void prefetchPages();
    void refreshHidden(mutes);
  }, [session.is, mutes]);

  const perform = usePerform();
  useEffect(() => {
    if (session.is === 'authorized') offerWantedAct(store, perform);
  }, [session.is, store, perform]);

  useEffect(() => {
    // The name was changed in this tab or in another one.
    if (session.is === 'authorized') store.renameOwner(session.user);
  }, [session, store]);

  const { blocked: blockReason, isTold = false } = session.is === 'signed-out' ? session : {};
  const { thing: BlockedDialog, failure } = useOnDemand(blockedDialog, blockReason !== undefined);
  useEffect(() => {
    if (blockReason === undefined || failure === null) return;
    showToast(blockReason);
    noteBlockShown();
  }, [blockReason, failure, noteBlockShown]);

  const warning = session.is === 'authorized' ? session.user.warning : undefined;
  const { thing: WarningDialog } = useOnDemand(warningDialog, warning !== undefined);

  return (
    <>
      <QuoteButton />
      <Layer />
      {BlockedDialog && blockReason !== undefined && (
        <BlockedDialog reason={blockReason} open={!isTold} onClose={noteBlockShown} />
      )}
      {WarningDialog && warning !== undefined && <WarningDialog key={warning} warning={warning} />}
    </>
  );
}
