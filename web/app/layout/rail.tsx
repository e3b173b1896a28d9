import { addresses } from '#contract/addresses.ts';
import { ThemeToggle } from '../../theme/theme-toggle.tsx';
import { BrickMark } from '../../ui/brick-mark.tsx';
import styles from './rail.module.css';
import { WallTextLinks } from '../../features/wall-texts/wall-text-links.tsx';
import { NewPostButton } from './new-post-button.tsx';
import { SectionLink } from './section-link.tsx';
import { useSessionState } from '../../features/session/session.ts';
import { Face } from '../../ui/face.tsx';

export function Rail({ appName, activePath }: { appName: string; activePath: string }) {
  const item = { className: styles.item!, activePath };
  return (
    <nav className={styles.rail} aria-label="Разделы">
      <a href={addresses.feed.href()} className={styles.home} aria-label={appName}>
        <BrickMark />
      </a>
      <SectionLink section="feed" {...item} />
      <NewPostButton className={styles.create}>Новая запись</NewPostButton>
      <SectionLink section="search" {...item} />
      <SectionLink section="bell" {...item} />
      <SectionLink section="bookmark" {...item} />
      <OwnPageLink {...item} />
      <div className={styles.theme}>
        <ThemeToggle place="rail" />
      </div>
      <WallTextLinks />
    </nav>
  );
}

/** One's own face. It leads to what others see of one. */
function OwnPageLink({ className, activePath }: { className: string; activePath: string }) {
  const session = useSessionState();
  if (session.is !== 'authorized') return null;
  const path = addresses.user.href(session.user);
  return (
    <a href={path} className={className} aria-current={activePath === path ? 'page' : undefined}>
      <Face id={session.user.id} />
      <span>Моя страница</span>
    </a>
  );
}
