import { use, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { FormFields } from '#contract/page-data.ts';
import type { PostListId } from '../features/posts/store/post-store.ts';
import { usePostStore } from '../features/posts/store/use-posts.ts';
import { clientToken } from '../features/session/client-token.ts';
import { warningAct } from '../features/session/read-warning.ts';
import { useSession, useSessionState } from '../features/session/session.ts';
import { type FormHost, FormHostContext } from '../forms/form-host.ts';
import formStyles from '../forms/form.module.css';
import { Form } from '../forms/form.tsx';
import type { OpenContext, OpenView, PageModule } from '../forms/page-module.ts';
import { call } from '../lib/api.ts';
import { useClientSettings } from '../lib/client-settings.ts';
import { closeLayer, openLinksInLayers } from '../lib/layers.ts';
import { useMounted } from '../lib/observable.ts';
import { serverNow } from '../lib/server-clock.ts';
import { showToast } from '../lib/toasts.ts';
import { listen } from '../lib/watch.ts';
import type { Found, OwnData, OwnRequest } from '../router/page.ts';
import { forgetHanded, handedTo } from './handed-steps.ts';
import { FirstPageContext, LayerContext, useRefresh } from './page-contexts.ts';
import { settingsSkeleton } from './settings-skeleton.tsx';
import { useSend } from './use-send.ts';

/** The input of a page's `load` and acts in the browser. */
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

/** The data of screens that were shown before. The data may be outdated when Back shows such a screen again. */
const shownBefore = new WeakSet<object>();

interface PageHostProps {
  module: PageModule;
  /** The page is also made for visitors. */
  isForVisitors: boolean;
  own: OwnData;
  /** The list of posts that the page shows. Live updates keep it current, so the page is not loaded again. */
  list: PostListId | undefined;
  params: object;
}

/** Shows a page of the person or visitor, carries out its acts, and keeps its data current. */
export function PageHost({ isForVisitors, ...props }: PageHostProps) {
  const state = useSessionState();
  const current = state.is === 'authorized' ? state.user : null;
  const [last, setLast] = useState(current);
  if (current && current !== last) setLast(current);
  // After a block the page stays, so that an unsent text can be copied. A page for visitors stays after every end of the session.
  const user = current ?? (state.is === 'signed-out' && state.blocked !== undefined ? last : null);
  return user || isForVisitors ? (
    <PageOf key={last?.id} {...props} isForVisitors={isForVisitors} user={user} />
  ) : (
    settingsSkeleton
  );
}

function PageOf({
  module,
  isForVisitors,
  own: { href, data },
  list,
  params,
  user,
}: PageHostProps & Pick<OpenView, 'user'>) {
  const query = useMemo(() => new URLSearchParams(href.split('?')[1]), [href]);
  const session = useSession();
  const store = usePostStore();
  const settings = useClientSettings();
  const refresh = useRefresh();
  const isLayer = use(LayerContext);
  const { content, person } = use(FirstPageContext);
  const first = (content as Found | undefined)?.own?.data === data ? person : undefined;
  const [given] = useState(() => first?.sent?.fields ?? {});
  const [own, setOwn] = useState<FormFields | null>(null);
  const mounted = useMounted();
  const before = mounted ? handedTo(href, isLayer) : undefined;
  const handed = own ?? before?.fields ?? given;
  const lastWords = useRef<string | null>(null);
  const mayEndSession = (words: string) => {
    lastWords.current = words;
    session.mayEnd(true);
  };
  const newContext = () => ({
    ...contextOf({ href, user, settings, knownPost: (id) => store.post(id) }),
    params,
    mayEndSession,
  });
  const send = useSend({ module, href, user, newContext, isForVisitors, setHanded: setOwn });

  const look = useEffectEvent(() => {
    if (document.hidden || isLayer || list !== undefined) return;
    if (module.load) void refresh();
    if (!module.load || module.showsPerson) void session.confirm();
  });
  useEffect(() => {
    const stops = [listen(document, ['visibilitychange'], look), listen(window, ['online'], look), openLinksInLayers()];
    return () => {
      forgetHanded(href);
      stops.forEach((stop) => stop());
    };
  }, [href]);
  const open = useEffectEvent(() => {
    if (shownBefore.has(data) || !module.load) look();
    else if (module.showsPerson) void session.confirm();
    shownBefore.add(data);
  });
  useEffect(() => open(), []);

  useEffect(
    () => () => {
      session.mayEnd(false);
      const words = lastWords.current;
      // After a task, because the page is left before the session has ended.
      setTimeout(() => words !== null && session.state.get().is === 'signed-out' && showToast(words));
    },
    [session],
  );

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
      <View {...data} {...(list !== undefined && { list })} user={user} query={query} handed={handed} />
    </FormHostContext>
  );
}

/**
 * The warning for a person without scripts; with scripts a dialog shows it. Only the server renders this, because React never renders the
 * content of <noscript> in the browser.
 */
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
