import type { ReactNode } from 'react';
import { pressShortcut } from '../../features/shortcuts/press-shortcut.ts';
import { LiveRegion } from '../../ui/live-region.tsx';
import { OfflineLine } from '../../ui/offline-line.tsx';
import { feedViewAt, feedViews } from '../../pages/feed-views.ts';
import styles from './app-shell.module.css';
import { Aside } from './aside.tsx';
import { BottomBar } from './bottom-bar.tsx';
import failedStart from './failed-start.module.css';
import { Header } from './header.tsx';
import { Rail } from './rail.tsx';

interface AppShellProps {
  /** The page's first heading. */
  title: string;
  appName: string;
  activePath: string;
  /** The page itself asks to sign in. */
  isAsked: boolean;
  onBack: () => void;
  children: ReactNode;
}

export function AppShell(props: AppShellProps) {
  const { title, appName, activePath, isAsked, onBack, children } = props;
  return (
    <div className={styles.shell}>
      <a href="#main" className={styles.skip}>
        К содержанию
      </a>
      <button type="button" className={styles.skip} aria-keyshortcuts="?" onClick={() => pressShortcut('?')}>
        Клавиши
      </button>
      <Rail appName={appName} activePath={activePath} />
      <div className={styles.column}>
        <Header title={title} path={activePath} isAsked={isAsked} onBack={onBack} />
        <OfflineLine appName={appName} />
        <main id="main" className={styles.main} tabIndex={-1}>
          {children}
        </main>
      </div>
      {feedViewAt(activePath) === feedViews.feed && <Aside />}
      <FailedStart />
      <BottomBar activePath={activePath} />
      <LiveRegion />
    </div>
  );
}

/** Leads to the page itself, with its query. */
const sameAddress = '';

/** In the HTML of every page; shown when the browser could not load the app. */
function FailedStart() {
  return (
    <p role="alert" className={failedStart.line}>
      Страница загрузилась не полностью: часть кнопок не работает. <a href={sameAddress}>Загрузить ещё раз</a>
    </p>
  );
}
