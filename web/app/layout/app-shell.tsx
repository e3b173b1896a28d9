import type { ReactNode } from 'react';
import { addresses } from '#contract/addresses.ts';
import { authorsOf, type Line, useShownLines } from '../../features/posts/list/shown-lines.ts';
import { PinnedPost } from '../../features/posts/pinned/pinned-post.tsx';
import { usePostStore } from '../../features/posts/store/use-posts.ts';
import { useSessionState } from '../../features/session/session.ts';
import { pressShortcut } from '../../features/shortcuts/press-shortcut.ts';
import { nameOf, useClientSettings } from '../../lib/client-settings.ts';
import { newOnes, plural, replyForms } from '../../lib/counts.ts';
import { type Observable, useObservable } from '../../lib/observable.ts';
import { namedOnDemand, useOnDemand } from '../../lib/on-demand.ts';
import { serverIsSilent } from '../../lib/server-silence.ts';
import { listen } from '../../lib/watch.ts';
import { feedViewAt, feedViews } from '../../pages/feed-tabs.tsx';
import { Waiting } from '../../pages/waiting-parts.tsx';
import { LiveRegion } from '../../ui/live-region.tsx';
import offlineLineStyles from '../../ui/offline-line.module.css';
import { Scripted } from '../../ui/scripted.tsx';
import { WallMark, WallSign } from '../../ui/wall-sign.tsx';
import styles from './app-shell.module.css';
import asideStyles from './aside.module.css';
import { Header } from './header.tsx';
import { BottomBar, Rail } from './section-link.tsx';

const online: Observable<boolean> = {
  get: () => navigator.onLine,
  initial: true,
  subscribe: (listener) => listen(window, ['online', 'offline'], listener),
};

/**
 * Says whether the reader's own network or the server is away. The region is always there, empty while both work: screen
 * readers only announce changes inside a known region.
 */
function OfflineLine({ appName }: { appName: string }) {
  const isOnline = useObservable(online);
  const isSilent = useObservable(serverIsSilent);
  return (
    <div role="status" className={offlineLineStyles.line}>
      {!isOnline ? 'Нет соединения' : isSilent && `${appName} не отвечает`}
    </div>
  );
}

const askBeside = namedOnDemand(() => import('./ask-beside.tsx'), 'AskBeside');

/** The right column. A loaded list of the feed replaces its content. Only on the feed it has the pinned post and the newcomers' posts. */
function Aside({ isFeed }: { isFeed: boolean }) {
  const { aside, pinned } = useObservable(usePostStore().content, ({ beside }) => beside());
  const { thing: AskBeside } = useOnDemand(askBeside, !aside);
  const shown = useShownLines();
  const settings = useClientSettings();
  const isSignedIn = useSessionState().is === 'authorized';
  if (!aside) return AskBeside && <AskBeside />;

  const section = <Item extends Line>(title: string, all: readonly Item[], count: (line: Item) => ReactNode) => {
    const lines = shown(all);
    return (
      lines.length > 0 && (
        <section>
          <h2>{title}</h2>
          <ul>
            {lines.map((line) => (
              <li key={line.id}>
                <a href={addresses.post.href(line)} data-author={authorsOf(line).join(' ')}>
                  <span dir="auto">{line.text}</span> <small>{count(line)}</small>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )
    );
  };
  return (
    <aside className={asideStyles.aside} aria-label="Что ещё на стене">
      {isFeed && pinned && <PinnedPost post={pinned} />}
      {section('Сейчас обсуждают', aside.discussed, (line) => plural(line.thread_count, replyForms))}
      {isSignedIn && section('Слежу', aside.following, (line) => <b>+{plural(line.new_count, newOnes)}</b>)}
      {(aside.about || nameOf(settings)) && (
        <section>
          <h2>О стене</h2>
          {aside.about && aside.about !== settings.line && <p data-feed={isFeed || undefined}>{aside.about}</p>}
          <p>
            <a href={addresses.wallText.href({ name: 'rules' })}>Правила</a>
            {settings.contact && ' · '}
            {settings.contact && <a href={settings.contact}>Кому писать</a>}
          </p>
        </section>
      )}
      {aside.discussed.length > 0 && (
        <Scripted>
          <p>
            <a href={addresses.best.href()}>Лучшее недели</a>
          </p>
        </Scripted>
      )}
      {/* The newcomers' posts are loaded later. They are last, so they move nothing. */}
      {isFeed && <Waiting isBeside />}
    </aside>
  );
}

/** The pages that people share by a link. */
const shared = [addresses.post, addresses.user, addresses.userReplies];
/** The pages besides the feed that have its right column. */
const withColumn = [...shared, addresses.search, addresses.best, addresses.bestOf];

/** Says on a visitor's phone whose wall a shared page belongs to. Styles hide it from members, and where there is a rail. */
function SharedFrom() {
  const settings = useClientSettings();
  return (
    nameOf(settings) && (
      <a href={addresses.feed.href()} className={styles.from}>
        <WallMark />
        <WallSign />
      </a>
    )
  );
}

interface AppShellProps {
  /** The page's first heading. */
  title: string;
  appName: string;
  activePath: string;
  /** The page itself asks to sign in, so the header does not. */
  isEntrance: boolean;
  onBack: () => void;
  children: ReactNode;
}

export function AppShell(props: AppShellProps) {
  const { title, appName, activePath, isEntrance, onBack, children } = props;
  const isFeed = feedViewAt(activePath) === feedViews.feed;
  return (
    <div className={styles.shell}>
      <a href="#main" className={styles.skip}>
        К содержанию
      </a>
      <Scripted>
        <button type="button" className={styles.skip} aria-keyshortcuts="?" onClick={() => pressShortcut('?')}>
          Клавиши
        </button>
      </Scripted>
      <Rail appName={appName} activePath={activePath} />
      <div className={styles.column}>
        <Header title={title} path={activePath} isEntrance={isEntrance} onBack={onBack} />
        <OfflineLine appName={appName} />
        {shared.some((page) => page.match(activePath)) && <SharedFrom />}
        <main id="main" className={styles.main} tabIndex={-1}>
          {children}
        </main>
      </div>
      {(isFeed || withColumn.some((page) => page.match(activePath))) && <Aside isFeed={isFeed} />}
      <BottomBar activePath={activePath} />
      <LiveRegion />
    </div>
  );
}
