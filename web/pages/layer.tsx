import { type ReactNode, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useSession } from '../features/session/session.ts';
import { usePostStore } from '../features/posts/store/use-posts.ts';
import { useClientSettings } from '../lib/client-settings.ts';
import { closeLayer, openedLayer } from '../lib/layers.ts';
import { useObservable } from '../lib/observable.ts';
import { calmMs, loadScreen } from '../router/load-screen.ts';
import type { Screen } from '../router/screen.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FailedNotice } from '../ui/notice.tsx';
import { WallMark } from '../ui/wall-sign.tsx';
import { LayerContext } from './page-contexts.ts';
import { matchPage } from './pages.ts';

/** A page of forms in a dialog over the page on the screen. */
export function Layer() {
  const href = useObservable(openedLayer)?.href ?? null;
  const session = useSession();
  const settings = useClientSettings();
  const store = usePostStore();
  /** The content of the dialog: a page, or its skeleton if it loads slowly. */
  const [opened, setOpened] = useState<{ href: string; screen?: Screen } | null>(null);
  const screen = opened?.screen;
  const isLoaded = opened?.href === href && screen !== undefined;

  // A closed layer forgets its page, which is loaded anew when it is opened again.
  if (href === null && opened !== null) setOpened(null);

  useEffect(
    () =>
      session.onEnd((_byChoice, { blocked }) => {
        // After a block the layer stays open, so that the person can copy an unsent text.
        if (blocked === undefined) closeLayer();
      }),
    [session],
  );
  useEffect(() => {
    if (href === null || isLoaded) return undefined;
    const abort = new AbortController();
    const { signal } = abort;
    const options = { matchPage, store, session, settings, signal };
    // Renders synchronously, because phones show their keyboard only for a focus that directly follows a tap.
    const show = (found?: Screen) =>
      signal.aborted || flushSync(() => setOpened({ href, ...(found && { screen: found }) }));
    void loadScreen(new URL(href, location.origin), options).then(show);
    const late = setTimeout(show, calmMs);
    return () => {
      abort.abort();
      clearTimeout(late);
    };
  }, [href, isLoaded, session, settings, store]);

  const matched = opened && matchPage(new URL(opened.href, location.origin).pathname);
  const shown = screen?.is === 'ready' ? screen.shown : null;
  const entrance = matched?.page.isEntrance && {
    label: `Войти — ${settings.appName}`,
    title: (
      <>
        <WallMark /> {settings.appName}
      </>
    ),
  };
  return (
    <Dialog
      open={matched !== null}
      title={(screen ?? matched)?.page.describe(matched!.params, shown, store).heading}
      {...entrance}
      part={screen && `${opened.href} ${screen.is}`}
      onClose={closeLayer}
    >
      {matched && (
        <Content screen={screen} skeleton={matched.page.skeleton} onRetry={() => setOpened({ href: opened.href })} />
      )}
    </Dialog>
  );
}

interface ContentProps {
  screen: Screen | undefined;
  skeleton: ReactNode;
  onRetry: () => void;
}

function Content({ screen, skeleton, onRetry }: ContentProps) {
  if (screen?.is === 'failed') return <FailedNotice message={screen.message} onRetry={onRetry} />;
  if (screen?.is !== 'ready') return skeleton;
  return (
    <LayerContext value>
      <screen.page.Component {...screen.shown} params={screen.params} />
    </LayerContext>
  );
}
