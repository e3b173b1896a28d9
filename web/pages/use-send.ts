import { use, useEffect, useRef } from 'react';
import { ApiError } from '#client/api-error.ts';
import { addresses } from '#contract/addresses.ts';
import type { FormFields } from '#contract/page-data.ts';
import { showDecision } from '../features/moderation/show-decision.ts';
import { noteHeld, showNew } from '../features/posts/compose/show-new.tsx';
import { offerUndo } from '../features/posts/compose/undo-deletion.tsx';
import { focusPost, positionOf } from '../features/posts/list/posts-on-screen.ts';
import { saveForRestoration, showAgain, showChanged, showRestored } from '../features/posts/store/restored-posts.ts';
import { usePostStore } from '../features/posts/store/use-posts.ts';
import { usePerform } from '../features/session/actions.ts';
import { useSession } from '../features/session/session.ts';
import { isFlagChanged, readSignInFlag } from '../features/session/sign-in-flag.ts';
import { notStored } from '../features/sign-in/start-sign-in.ts';
import { type OpenContext, type Outcome, type PageContext, type PageModule, runAct } from '../forms/page-module.ts';
import { focusAfter } from '../lib/focus-after.ts';
import { closeLayer, forgetStep, openedLayer, openLayer, openStep } from '../lib/layers.ts';
import { showToast } from '../lib/toasts.ts';
import { forgetPageStep, handOn, storeHanded, storeStep } from './handed-steps.ts';
import { LayerContext, useLeaveDeleted, useLoadAnew, useRefresh } from './page-contexts.ts';

interface Sending {
  module: PageModule;
  href: string;
  user: OpenContext['user'];
  newContext: () => OpenContext<{ id?: string }>;
  /** The page is also made for visitors. */
  isForVisitors: boolean;
  /** Called when the page itself is shown again. */
  setHanded: (fields: FormFields) => void;
}

type Done = Outcome & { to: string; restoreFocus: (() => void) | undefined };

/** Returns the function by which the forms of a page run its acts. */
export function useSend({ module, href, user, newContext, isForVisitors, setHanded }: Sending) {
  const session = useSession();
  const store = usePostStore();
  const refresh = useRefresh();
  const loadAnew = useLoadAnew();
  const isLayer = use(LayerContext);
  const leaveDeleted = useLeaveDeleted();
  const perform = usePerform();
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => void (isHere.current = false);
  }, []);

  /** Asks for a sign-in that leads back to this page. */
  function askToSignIn(): void {
    if (isLayer) {
      closeLayer();
      perform({ kind: 'layer', href });
    } else if (isForVisitors) perform({ kind: 'visit', path: href });
  }

  async function carryOut(context: OpenContext, fields: FormFields): Promise<Outcome> {
    const keyFor = () => fields['nonce'] ?? '';
    const flag = readSignInFlag();
    try {
      const outcome = await runAct(module, { ...context, keyFor } as PageContext, fields);
      // `navigator.cookieEnabled` is true in a browser that blocks cookies for some sites only.
      if (outcome.isSignedIn && !(await isFlagChanged(flag))) throw new ApiError('OPERATION_EXPIRED', notStored, 400);
      return outcome;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'UNAUTHORIZED') askToSignIn();
      throw error;
    }
  }

  /** Loads the page anew for another person. The form stays busy until the page is left, so the result never settles. */
  function becomeOther(to: string): Promise<never> {
    if (isLayer) forgetStep();
    else forgetPageStep(href);
    loadAnew(to, !isLayer);
    return new Promise(() => {});
  }

  function updateStore({ user: changed, changedPost, restoredPost }: Outcome): void {
    if (changed) session.changeUser(changed);
    if (changedPost) showChanged(store, changedPost);
    if (restoredPost) showRestored(store, restoredPost.id, user!.id, restoredPost);
  }

  async function showUndone(postId: string | undefined, restoreFocus: Done['restoreFocus']): Promise<void> {
    if (postId !== undefined) await showAgain(store, postId, user!.id);
    await refresh();
    restoreFocus?.();
  }

  function say({ message, deletedPostId, decision, restoredPost, link, restoreFocus }: Done): void {
    if (deletedPostId !== undefined) return offerUndo(deletedPostId, message!);
    if (decision) {
      const { id, postId, isFinal } = decision;
      return showDecision(id, message!, isFinal ? undefined : () => void showUndone(postId, restoreFocus), link);
    }
    if (restoredPost) showToast(message!, { href: addresses.post.href(restoredPost), text: 'Открыть' });
    else if (message !== undefined) showToast(message, link);
  }

  async function showWritten({ newPost, isHeld }: Outcome): Promise<void> {
    if (newPost) await showNew(store, newPost);
    if (isHeld) noteHeld();
  }

  function refreshBelow({ to, isShownBelow, restoreFocus }: Done): void {
    if (!isLayer || isShownBelow || new URL(to, location.origin).pathname !== location.pathname) return;
    void refresh().then(restoreFocus);
  }

  function goOnInLayer(done: Done): void {
    const { to, handed, message, refused } = done;
    if (refused) return openLayer(to);
    if (handed && message === undefined) {
      handOn(to, { fields: handed });
      return openStep(to, handed);
    }
    closeLayer();
    refreshBelow(done);
  }

  function goOnTo({ to, handed, message, refused }: Done): void {
    const isStep = message === undefined && !refused;
    // A reload returns to a step. What is shown once, such as a new token, is not stored.
    if (handed && isStep) storeStep(to, handed);
    else if (handed) handOn(to, { fields: handed });
    if (!isStep) forgetPageStep(href);
    // Without the Navigation API the next page is loaded whole.
    if (!('navigation' in window)) storeHanded(to);
    // `replace`, because nobody returns to a form that is done or to an earlier step.
    location.replace(to);
  }

  async function send(fields: FormFields, isQuiet: boolean): Promise<void> {
    const opener = isLayer && openedLayer.get()?.opener;
    const restoreFocus = opener ? focusAfter(opener) : undefined;
    const context = newContext();
    const postId = context.params.id ?? context.query.get('of') ?? '';
    // The position is read before the act: the event about it may remove the post from the list before the response arrives.
    const position = positionOf(postId);

    const outcome = await carryOut(context, fields);
    const done: Done = { ...outcome, to: outcome.to ?? href, restoreFocus };
    const { to, refused, handed } = done;
    if (done.isSignedIn || done.isOtherPerson) return becomeOther(to);
    updateStore(done);
    if (isQuiet) return;
    say(done);
    await showWritten(done);
    if (done.isSignedOut) return session.endByChoice();
    if (done.gonePostId !== undefined || done.deletedPostId !== undefined) {
      saveForRestoration(store, postId);
      leaveDeleted(postId);
      store.removePost(postId);
      if (position > 0) focusPost(position);
    }
    // The layer may have been closed meanwhile, and another one opened.
    if (!isHere.current) return refreshBelow(done);
    if (refused) handOn(to, { fields: refused.fields, refused: { ...refused, failed: true, refused: true } });
    if (isLayer) return goOnInLayer(done);
    if (to !== href) return goOnTo(done);
    setHanded(handed ?? {});
    return refresh();
  }

  return send;
}
