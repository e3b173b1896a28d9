import { type MouseEvent, type ReactNode, useEffect, useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import { unreadNotifications, waitingAtDesk } from '../../features/posts/store/viewer-counts.ts';
import { usePerform } from '../../features/session/actions.ts';
import { useSessionState, useSignedInPart } from '../../features/session/session.ts';
import { WallTextLinks } from '../../features/wall-texts/wall-text-links.tsx';
import { listen } from '../../lib/watch.ts';
import { useObservable } from '../../lib/observable.ts';
import { namedOnDemand } from '../../lib/on-demand.ts';
import { ThemeToggle } from '../../theme/theme-toggle.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import iconButton from '../../ui/icon-button.module.css';
import { LinkForm } from '../../ui/link-form.tsx';
import { Scripted } from '../../ui/scripted.tsx';
import visuallyHidden from '../../ui/visually-hidden.module.css';
import { WallMark, WallSign } from '../../ui/wall-sign.tsx';
import type { LinksProps } from '../signed-in/links.tsx';
import bottomBarStyles from './bottom-bar.module.css';
import railStyles from './rail.module.css';
import styles from './section-link.module.css';

export function Rail({ appName, activePath }: { appName: string; activePath: string }) {
  // Visitors have the sign above the feed.
  const isFeed = feedTabs.includes(activePath);
  const item = { className: railStyles.item!, activePath };
  return (
    <nav className={railStyles.rail} aria-label="Разделы">
      <div className={railStyles.home} data-feed={isFeed || undefined}>
        <a href={addresses.feed.href()} aria-label={appName}>
          <WallMark />
        </a>
        <WallSign />
      </div>
      <ul className={styles.list}>
        <SectionLink section="feed" {...item} />
        <NewPostButton className={railStyles.create}>Новая запись</NewPostButton>
        <SectionLink section="search" {...item} />
        <SectionLink section="bell" {...item} />
        <SectionLink section="bookmark" {...item} />
        <SignedInLinks {...item} />
      </ul>
      <div className={railStyles.theme}>
        <Scripted>
          <ThemeToggle shownIn="rail" />
        </Scripted>
      </div>
      <WallTextLinks />
    </nav>
  );
}

/** Movements shorter than this do not count, px. */
const threshold = 12;

/** Whether the page was last scrolled down rather than up. Near its top it never counts as scrolled. */
function useScrolledDown(): boolean {
  const [down, setDown] = useState(false);

  useEffect(() => {
    const page = document.documentElement;
    let turnedAt = scrollY;
    let last = scrollY;
    let height = page.scrollHeight;
    // When content above the window grows, the page is scrolled by as much to hold the rest still. That is no scrolling by a person.
    const noteGrowth = () => {
      const [moved, growth] = [scrollY - last, page.scrollHeight - height];
      if (Math.abs(moved - growth) < 1) turnedAt += moved;
      height += growth;
    };
    const look = () => {
      noteGrowth();
      last = scrollY;
      const end = page.scrollHeight - innerHeight;
      // Rubber-band scrolling leaves the page's bounds and returns by itself.
      const y = Math.max(0, Math.min(scrollY, end));
      if (y < threshold) setDown(false);
      else if (Math.abs(y - turnedAt) < threshold) return;
      else setDown(y > turnedAt);
      turnedAt = y;
    };
    const grown = new ResizeObserver(noteGrowth);
    grown.observe(page);
    const stop = listen(window, ['scroll'], look);
    return () => {
      grown.disconnect();
      stop();
    };
  }, []);

  return down;
}

export function BottomBar({ activePath }: { activePath: string }) {
  const away = useScrolledDown();
  const item = { className: bottomBarStyles.item!, activePath };
  return (
    <nav className={bottomBarStyles.bar} aria-label="Нижняя панель" data-away={away}>
      <ul className={styles.list}>
        <SectionLink section="feed" {...item} />
        <NewPostButton className={bottomBarStyles.create}>
          <span className={visuallyHidden.always}>Новая запись</span>
        </NewPostButton>
        <SectionLink section="settings" {...item} />
      </ul>
    </nav>
  );
}

const links = namedOnDemand(() => import('../signed-in/links.tsx'), 'Links');

/** The links of the rail that only signed-in people have. */
function SignedInLinks(props: LinksProps) {
  const { thing: Links } = useSignedInPart(links);
  return Links && <Links {...props} />;
}

function NewPostButton({ className, children }: { className: string | undefined; children: ReactNode }) {
  const perform = usePerform();
  return (
    <li>
      <LinkForm to={addresses.newPost.href()}>
        <button
          type="submit"
          className={className}
          aria-keyshortcuts="N"
          onClick={() => perform({ kind: 'layer', href: addresses.newPost.href() })}
        >
          <Icon name="pencil" />
          {children}
        </button>
      </LinkForm>
    </li>
  );
}

const sections = {
  feed: { name: 'Лента', path: addresses.feed.path },
  search: { name: 'Поиск', path: addresses.search.path },
  bell: { name: 'Уведомления', path: addresses.notifications.path },
  bookmark: { name: 'Сохранённое', path: addresses.saved.path },
  settings: { name: 'Настройки', path: addresses.settings.path },
} satisfies Partial<Record<IconName, object>>;

const feedTabs = [addresses.feed, addresses.discussed, addresses.following].map(({ path }) => path);

const shownAtMost = 99;

interface SectionLinkProps {
  section: keyof typeof sections;
  className: string;
  activePath: string;
}

/** The bell in the header of a member, where there is no rail. */
export const BellLink = ({ activePath }: { activePath: string }) => (
  <span className={styles.bell}>
    <SectionAnchor section="bell" className={iconButton.button!} activePath={activePath} />
  </span>
);

const SectionLink = (props: SectionLinkProps) => (
  <li>
    <SectionAnchor {...props} />
  </li>
);

/** A link of the rail, the bottom bar or the header. Visitors sign in first, except for the feed and the search. */
function SectionAnchor({ section, className, activePath }: SectionLinkProps) {
  const perform = usePerform();
  const session = useSessionState().is;
  const unread = useObservable(unreadNotifications);
  const { name, path } = sections[section];
  const isSecured = section !== 'feed' && section !== 'search';
  const waiting = useObservable(waitingAtDesk);
  const counts = { bell: unread, settings: waiting };
  const count = session === 'authorized' && (section === 'bell' || section === 'settings') ? counts[section] : 0;

  const isActive = section === 'feed' ? feedTabs.includes(activePath) : activePath.startsWith(path);

  const askFirst = (event: MouseEvent) => {
    event.preventDefault();
    perform({ kind: 'visit', path });
  };
  return (
    <a
      href={path}
      className={className}
      aria-label={count > 0 ? `${name}, ${section === 'bell' ? 'непрочитанных' : 'ждут вас'}: ${count}` : undefined}
      aria-current={isActive ? 'page' : undefined}
      aria-keyshortcuts={section === 'search' ? '/' : undefined}
      onClick={session === 'signed-out' && isSecured ? askFirst : undefined}
    >
      <span className={styles.icon}>
        <Icon name={section} />
        {count > 0 && <span className={styles.count} data-count={count > shownAtMost ? `${shownAtMost}+` : count} />}
      </span>
      <span className={styles.label}>{name}</span>
    </a>
  );
}
