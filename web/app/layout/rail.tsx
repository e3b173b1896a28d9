import { addresses } from '#contract/addresses.ts';
import { usePerform } from '../../features/session/actions.ts';
import { ThemeToggle } from '../../theme/theme-toggle.tsx';
import { BrickMark } from '../../ui/brick-mark.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LinkForm } from '../../ui/link-form.tsx';
import styles from './rail.module.css';
import { WallTextLinks } from '../../features/wall-texts/wall-text-links.tsx';
import { SectionLink } from './section-link.tsx';

export function Rail({ appName, activePath }: { appName: string; activePath: string }) {
  const perform = usePerform();
  const item = { className: styles.item!, activePath };
  return (
    <nav className={styles.rail} aria-label="Разделы">
      <a href={addresses.feed.href()} className={styles.home}>
        <BrickMark />
        <span className={styles.appName}>{appName}</span>
      </a>
      <SectionLink section="feed" {...item} />
      <LinkForm to={addresses.newPost.href()}>
        <button
          type="submit"
          className={styles.create}
          aria-keyshortcuts="N"
          onClick={() => perform({ kind: 'new-post' })}
        >
          <Icon name="pencil" />
          Новая запись
        </button>
      </LinkForm>
      <SectionLink section="search" {...item} />
      <SectionLink section="bell" {...item} />
      <div className={styles.theme}>
        <ThemeToggle place="rail" />
      </div>
      <WallTextLinks />
    </nav>
  );
}
