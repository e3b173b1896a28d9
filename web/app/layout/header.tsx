import { addresses } from '#contract/addresses.ts';
import { shownName } from '#contract/username.ts';
import { usePerform } from '../../features/session/actions.ts';
import { useSessionState } from '../../features/session/session.ts';
import { nameOf, useClientSettings } from '../../lib/client-settings.ts';
import { namedOnDemand, useOnDemand } from '../../lib/on-demand.ts';
import { feedViewAt } from '../../pages/feed-tabs.tsx';
import { ThemeToggle } from '../../theme/theme-toggle.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Button } from '../../ui/button.tsx';
import { Face } from '../../ui/face.tsx';
import iconButton from '../../ui/icon-button.module.css';
import { LinkForm } from '../../ui/link-form.tsx';
import { Scripted } from '../../ui/scripted.tsx';
import { WallMark } from '../../ui/wall-sign.tsx';
import accountCornerStyles from './account-corner.module.css';
import styles from './header.module.css';
import { BellLink } from './section-link.tsx';

/**
 * The sign-in button, or the reader's name with a link to the settings. While the session is unknown the markup is the
 * same for everyone: it has the button and a skeleton of the name. CSS shows one of them by the flag that the last sign-in stored.
 */
function AccountCorner({ path, isEntrance }: { path: string; isEntrance: boolean }) {
  const session = useSessionState();
  const perform = usePerform();

  if (session.is === 'authorized') {
    return (
      <a href={addresses.settings.href()} className={accountCornerStyles.profile}>
        <Face of={session.user} />
        <bdi className={accountCornerStyles.name}>{shownName(session.user)}</bdi>
      </a>
    );
  }
  if (isEntrance) return null;
  return (
    <div className={accountCornerStyles.corner} data-undecided={session.is === 'authorizing'}>
      <div className={accountCornerStyles.signIn}>
        <LinkForm to={addresses.signIn.href()} next={path}>
          <Button type="submit" variant="primary" onClick={() => perform({ kind: 'visit' })}>
            Войти
          </Button>
        </LinkForm>
      </div>
      <span className={accountCornerStyles.skeleton} aria-hidden="true" />
      {/* Public pages are the same for everybody, so without scripts they cannot say who is signed in. */}
      <noscript>
        <a href={addresses.ownPosts.href()}>Моя страница</a>
      </noscript>
    </div>
  );
}

interface HeaderProps {
  title: string;
  path: string;
  /** The page is the sign-in itself, such as an invitation or the closed door, so the corner offers none. */
  isEntrance: boolean;
  onBack: () => void;
}

/** The list of views, which only scripts can open. Its code is loaded on demand, because reading does not need it. */
const viewSwitcher = namedOnDemand(() => import('./view-switcher.tsx'), 'ViewSwitcher');

/** The header of a page. The views of the feed are the top level and have no Back button. Where the rail is not wide they name the wall for members. */
export function Header({ title, path, isEntrance, onBack }: HeaderProps) {
  const view = feedViewAt(path);
  const name = nameOf(useClientSettings());
  const { thing: ViewSwitcher } = useOnDemand(viewSwitcher, view !== undefined);
  return (
    <header className={styles.header}>
      {view ? (
        <span className={styles.mark}>
          <WallMark />
        </span>
      ) : (
        <span className={styles.back}>
          <Scripted>
            <button type="button" className={iconButton.button} aria-label="Назад" onClick={onBack}>
              <Icon name="back" />
            </button>
          </Scripted>
        </span>
      )}
      <div className={styles.names} data-named={view && name ? '' : undefined}>
        {view && name && (
          <b className={styles.wall} dir="auto">
            {name}
          </b>
        )}
        <div className={styles.name}>
          {title !== '' && (
            <h1 className={styles.title} data-long={/\S{13}/.test(title) || undefined}>
              {title}
            </h1>
          )}
          {view && <div className={styles.switcher}>{ViewSwitcher && <ViewSwitcher key={path} current={view} />}</div>}
        </div>
      </div>
      <div className={styles.tools}>
        <a href={addresses.search.href()} className={`${iconButton.button} ${styles.search}`} aria-label="Поиск">
          <Icon name="search" />
        </a>{' '}
        <BellLink activePath={path} />
        <AccountCorner path={path} isEntrance={isEntrance} />
        <span className={styles.theme}>
          <Scripted>
            <ThemeToggle shownIn="header" />
          </Scripted>
        </span>
      </div>
    </header>
  );
}
