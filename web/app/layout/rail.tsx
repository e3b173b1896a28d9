import { addresses } from '#contract/addresses.ts';
import { ThemeToggle } from '../../theme/theme-toggle.tsx';
import { BrickMark } from '../../ui/brick-mark.tsx';
import styles from './rail.module.css';
import { WallTextLinks } from '../../features/wall-texts/wall-text-links.tsx';
import { NewPostButton } from './new-post-button.tsx';
import { SignedInLinks } from './signed-in-links.tsx';
import { SectionLink } from './section-link.tsx';

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
      <SignedInLinks {...item} withOwnPage />
      <div className={styles.theme}>
        <ThemeToggle place="rail" />
      </div>
      <WallTextLinks />
    </nav>
  );
}
