import type { ClientSettings } from '#contract/page.ts';
import { AppScreen } from './app-screen.tsx';
import type { Session } from './auth/session.ts';
import { SessionProvider } from './auth/session-context.ts';
import { ClockProvider } from './lib/clock.tsx';
import type { Likes } from './posts/likes.ts';
import { PostStoreProvider } from './posts/post-store-context.ts';
import type { PostStore } from './posts/post-store.ts';
import type { Router } from './router/router.ts';

interface AppProps {
  settings: ClientSettings;
  /** The moment the first page was made, on the server's clock. */
  madeAt: number;
  store: PostStore;
  router: Router;
  session: Session;
  likes: Likes;
}

export function App({ settings, madeAt, store, router, session, likes }: AppProps) {
  return (
    <ClockProvider startAt={madeAt}>
      <PostStoreProvider value={store}>
        <SessionProvider value={session}>
          <AppScreen settings={settings} router={router} likes={likes} />
        </SessionProvider>
      </PostStoreProvider>
    </ClockProvider>
  );
}
