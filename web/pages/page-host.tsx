import { use, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { ApiError } from '#client/api-error.ts';
import { addresses } from '#contract/addresses.ts';
import type { FormFields, SentForm } from '#contract/page-data.ts';
import { showDecision } from '../features/moderation/show-decision.ts';
import { noteHeld, showNew } from '../features/posts/compose/show-new.tsx';
import { offerUndo } from '../features/posts/compose/undo-deletion.tsx';
import { focusPost, positionOf } from '../features/posts/list/posts-on-screen.ts';
import type { PostListId, PostStore } from '../features/posts/store/post-store.ts';
import { keepForRestoration, showAgain, showChanged, showRestored } from '../features/posts/store/restored-posts.ts';
import { usePostStore } from '../features/posts/store/use-posts.ts';
import { usePerform } from '../features/session/actions.ts';
import { clientToken } from '../features/session/client-token.ts';
import { warningAct } from '../features/session/read-warning.ts';
import { useSession, useSessionState } from '../features/session/session.ts';
import { isFlagChanged, readSignInFlag } from '../features/session/sign-in-flag.ts';
import { notStored } from '../features/sign-in/start-sign-in.ts';
import { type FormHost, FormHostContext } from '../forms/form-host.ts';
import formStyles from '../forms/form.module.css';
import { Form } from '../forms/form.tsx';
import { type OpenContext, type OpenView, type PageContext, type PageModule, runAct } from '../forms/page-module.ts';
import { call } from '../lib/api.ts';
import { useClientSettings } from '../lib/client-settings.ts';
import { focusAfter } from '../lib/focus-after.ts';
import { closeLayer, followLayers, forgetStep, openedLayer, openLayer, openStep, storedStep } from '../lib/layers.ts';
import { listen } from '../lib/watch.ts';
import { useMounted } from '../lib/observable.ts';
import { serverNow } from '../lib/server-clock.ts';
import { readStored, removeStored, writeStored } from '../lib/storage.ts';
import { showToast } from '../lib/toasts.ts';
import type { Found, OwnData, OwnRequest } from '../router/page.ts';
import { FirstPageContext, LayerContext, useLeaveDeleted, useLoadAnew, useRefresh } from './page-contexts.ts';
import { settingsSkeleton } from './settings-skeleton.tsx';

/**
 * Called before a request that takes a post off the wall: the event about it may take the post out of the list before the
 * response arrives. Returns what does that then; `onLeft` is called first.
 */
function takingOut(store: PostStore, id: string, onLeft: (id: string) => void): () => void {
  const position = positionOf(id);
  return () => {
    keepForRestoration(store, id);
    onLeft(id);
    store.removePost(id);
    if (position > 0) focusPost(position);
  };
}

interface Handed {
  fields: FormFields;
  refused?: SentForm;
}

const onceKey = 'handed on';

/** What an act passes to the page at another address. If the browser loads that page whole, it is in session storage until then. */
const handed = new Map<string, Handed>(JSON.parse(readStored('sessionStorage', onceKey) ?? '[]'));
removeStored('sessionStorage', onceKey);
const storageKey = (href: string) => `step of ${href}`;

function handedTo(href: string, isLayer: boolean): Handed | undefined {
  const known = handed.get(href);
  if (known) return known;
  const step = isLayer && storedStep();
  if (step && step.href === href) return step;
  const stored = readStored('sessionStorage', storageKey(href));
  return stored === null ? undefined : { fields: JSON.parse(stored) };
}

/** What a page is loaded for and acts for in the browser. */
export const contextOf = ({ href, ...own }: OwnRequest): Omit<OpenContext, 'params'> => ({
  ...own,
  call,
  query: new URLSearchParams(href.split('?')[1]),
  userAgent: navigator.userAgent,
  clientToken,
  now: serverNow,
  keyFor: () => '',
  mayEndSession() {},
});

/** The data of screens that were shown before. It may be outdated when Back shows the screen again. */
const opened = new WeakSet<object>();

interface PageHostProps {
  module: PageModule;
  /** Visitors see it too. */
  isOpen: boolean;
  own: OwnData;
  /** Live updates keep it current. */
  list: PostListId | undefined;
  params: object;
}

/** Shows a page of the person or visitor, carries out its acts, and keeps its data current. */
export function PageHost({ isOpen, ...props }: PageHostProps) {
  const state = useSessionState();
  const current = state.is === 'authorized' ? state.user : null;
  const [last, setLast] = useState(current);
  if (current && current !== last) setLast(current);
  // A text that a person was writing stays when the session ends, and can be copied after a block.
  const user = current ?? (state.is === 'signed-out' && state.blocked !== undefined ? last : null);
  return user || isOpen ? <PageOf key={last?.id} {...props} isOpen={isOpen} user={user} /> : settingsSkeleton;
}

function PageOf({ module, isOpen, own: { href, data }, list, params, user }: PageHostProps & Pick<OpenView, 'user'>) {
  const query = useMemo(() => new URLSearchParams(href.split('?')[1]), [href]);
  const session = useSession();
  const store = usePostStore();
  const settings = useClientSettings();
  const refresh = useRefresh();
  const loadAnew = useLoadAnew();
  const isLayer = use(LayerContext);
  const leaveDeleted = useLeaveDeleted();
  const perform = usePerform();
  const { content, person } = use(FirstPageContext);
  const first = (content as Found | undefined)?.own?.data === data ? person : undefined;
  const [given] = useState(() => first?.sent?.fields ?? {});
  const [own, setOwn] = useState<FormFields | null>(null);
  const mounted = useMounted();
  const before = mounted ? handedTo(href, isLayer) : undefined;
  const kept = own ?? before?.fields ?? given;
  const isHere = useRef(true);
  const lastWords = useRef<string | null>(null);

  const look = useEffectEvent(() => {
    if (document.hidden || isLayer || list !== undefined) return;
    if (module.load) void refresh();
    if (!module.load || module.showsPerson) void session.confirm();
  });
  useEffect(() => {
    isHere.current = true;
    const stops = [listen(document, ['visibilitychange'], look), listen(window, ['online'], look), followLayers()];
    return () => {
      isHere.current = false;
      handed.delete(href);
      stops.forEach((stop) => stop());
    };
  }, [href]);
  const open = useEffectEvent(() => {
    if (opened.has(data) || !module.load) look();
    else if (module.showsPerson) void session.confirm();
    opened.add(data);
  });
  useEffect(() => open(), []);

  const mayEndSession = (words: string) => {
    lastWords.current = words;
    session.mayEnd(true);
  };
  useEffect(
    () => () => {
      session.mayEnd(false);
      const words = lastWords.current;
      // The page is left before the session has ended.
      setTimeout(() => words !== null && session.state.get().is === 'signed-out' && showToast(words));
    },
    [session],
  );

  const undone = async (postId: string | undefined, restoreFocus: (() => void) | undefined) => {
    if (postId !== undefined) await showAgain(store, postId, user!.id);
    await refresh();
    restoreFocus?.();
  };

  const send = async (fields: FormFields, isQuiet: boolean) => {
    const keyFor = () => fields['nonce'] ?? '';
    const context = {
      ...contextOf({ href, user, settings, knownPost: (id) => store.post(id) }),
      params,
      keyFor,
      mayEndSession,
    };
    const opener = isLayer && openedLayer.get()?.opener;
    const restoreFocus = opener ? focusAfter(opener) : undefined;
    // The post that the page is about, if there is one.
    const postId = 'id' in params ? String(params.id) : (query.get('of') ?? '');
    const takeOut = takingOut(store, postId, leaveDeleted);
    const flag = readSignInFlag();
    const outcome = await runAct(module, context as PageContext, fields).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'UNAUTHORIZED') {
        if (isLayer) {
          closeLayer();
          perform({ kind: 'layer', href });
        } else if (isOpen) perform({ kind: 'visit', path: href });
      }
      throw error;
    });
    const { message, to = href, kept: next, user: changed, isSignedIn, isOtherPerson, isSignedOut, refused } = outcome;
    // `navigator.cookieEnabled` is true in a browser that blocks cookies for some sites only.
    if (isSignedIn && !(await isFlagChanged(flag))) throw new ApiError('OPERATION_EXPIRED', notStored, 400);
    if (isSignedIn || isOtherPerson) {
      if (isLayer) forgetStep();
      else removeStored('sessionStorage', storageKey(href));
      loadAnew(to, !isLayer);
      // The form is busy until the page is left.
      return new Promise<never>(() => {});
    }
    const { changedPost, gonePostId, deletedPostId, restoredPost, decision, link, isShownBelow, newPost, isHeld } =
      outcome;
    const onUndone = decision?.isFinal ? undefined : () => void undone(decision?.postId, restoreFocus);
    if (changed) session.changeUser(changed);
    if (changedPost) showChanged(store, changedPost);
    if (restoredPost) showRestored(store, restoredPost.id, user!.id, restoredPost);
    if (isQuiet) return;
    if (deletedPostId !== undefined) offerUndo(deletedPostId, message!);
    else if (decision) showDecision(decision.id, message!, onUndone, link);
    else if (restoredPost) showToast(message!, { href: addresses.post.href(restoredPost), text: 'Открыть' });
    else if (message !== undefined) showToast(message, link);
    if (newPost) await showNew(store, newPost);
    // With the first post the feed asks for the name.
    if (newPost && user?.name_question) session.changeUser({ name_question: 'due' });
    if (isHeld) noteHeld();
    if (isSignedOut) return session.endByChoice();
    if (gonePostId !== undefined || deletedPostId !== undefined) takeOut();
    const refreshBelow = () => {
      if (!isLayer || isShownBelow || new URL(to, location.origin).pathname !== location.pathname) return;
      void refresh().then(restoreFocus);
    };
    // The layer may have been closed meanwhile, and another one opened.
    if (!isHere.current) return refreshBelow();
    if (refused) handed.set(to, { fields: refused.fields, refused: { ...refused, failed: true, refused: true } });
    if (isLayer) {
      if (refused) return openLayer(to);
      if (next && message === undefined) {
        handed.set(to, { fields: next });
        return openStep(to, next);
      }
      closeLayer();
      return refreshBelow();
    }
    if (to === href) {
      setOwn(next ?? {});
      return refresh();
    }
    const isStep = message === undefined && !refused;
    // A reload returns to a step. What is shown once, such as a new token, is not stored.
    if (next && isStep) writeStored('sessionStorage', storageKey(to), JSON.stringify(next));
    else if (next) handed.set(to, { fields: next });
    if (!isStep) removeStored('sessionStorage', storageKey(href));
    // Without the Navigation API the next page is loaded whole.
    if (handed.has(to) && !('navigation' in window))
      writeStored('sessionStorage', onceKey, JSON.stringify([[to, handed.get(to)]]));
    // A form that is done and an earlier step are not returned to.
    location.replace(to);
  };

  const host = {
    action: href,
    hidden: person?.hidden ?? {},
    sent: before?.refused ?? first?.sent ?? null,
    mail: (data as Pick<FormHost, 'mail'>).mail,
    send,
    close: isLayer ? closeLayer : undefined,
  };
  const View = module.View as (props: OpenView) => React.ReactNode;
  const done = first?.sent?.failed === false && first.sent.message;
  return (
    <FormHostContext value={host}>
      {done && (
        <p role="status" className={formStyles.done}>
          {done}
        </p>
      )}
      {user?.warning !== undefined && <Warning text={user.warning} />}
      <View {...data} {...(list !== undefined && { list })} user={user} query={query} handed={kept} />
    </FormHostContext>
  );
}

/** With scripts a dialog shows it. React never renders the content of <noscript> in the browser. */
const Warning = ({ text }: { text: string }) => (
  <noscript>
    {import.meta.env.SSR && (
      <section aria-label="Предупреждение" className={formStyles.done}>
        <p>Вас предупреждают те, кто ведёт стену:</p>
        <p>{text}</p>
        <Form act={warningAct} submit="Понятно" />
      </section>
    )}
  </noscript>
);
