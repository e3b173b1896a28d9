import type { ClientSettings } from '#contract/page.ts';
import { AppScreen } from './app-screen.tsx';
import { type Session, SessionProvider } from '../features/session/session.ts';
import { ClockProvider } from '../lib/clock.tsx';
import { type Mutes, MutesProvider } from '../features/mutes/mutes.ts';
import type { Likes } from '../features/posts/store/likes.ts';
import { PostStoreProvider } from '../features/posts/store/use-posts.ts';
import type { PostStore } from '../features/posts/store/post-store.ts';
import type { Router } from '../router/router.ts';

interface AppProps {
  settings: ClientSettings;
  /** When the first page was made, unix seconds on the server's clock. */
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
