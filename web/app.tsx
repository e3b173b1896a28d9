import type { ClientSettings } from '#contract/page.ts';
import { AppScreen } from './app-screen.tsx';
import type { Session } from './auth/session.ts';
import { SessionProvider } from './auth/session-context.ts';
import { ClockProvider } from './lib/clock.tsx';
import { MutesProvider } from './mutes/mutes-context.ts';
import type { Mutes } from './mutes/mutes.ts';
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
  mutes: Mutes;
  likes: Likes;
}

export function App({ settings, madeAt, store, router, session, mutes, likes }: AppProps) {
  return (
    <ClockProvider startAt={madeAt}>
      <PostStoreProvider value={store}>
        <SessionProvider value={session}>
          <MutesProvider value={mutes}>
            <AppScreen settings={settings} router={router} likes={likes} />
          </MutesProvider>
        </SessionProvider>
      </PostStoreProvider>
    </ClockProvider>
  );
}
