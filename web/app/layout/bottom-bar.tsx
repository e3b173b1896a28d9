import styles from './bottom-bar.module.css';
import { NewPostButton } from './new-post-button.tsx';
import { SignedInLinks } from './signed-in-links.tsx';
import { SectionLink } from './section-link.tsx';
import { useScrolledDown } from './use-scrolled-down.ts';

export function BottomBar({ activePath }: { activePath: string }) {
  const away = useScrolledDown();
  const item = { className: styles.item!, activePath };
  return (
    <nav className={styles.bar} aria-label="Нижняя панель" data-away={away}>
      <SectionLink section="feed" {...item} />
      <NewPostButton className={styles.create}>
        <span>Новая запись</span>
      </NewPostButton>
      <SectionLink section="bell" {...item} />
      <SectionLink section="settings" {...item} />
      <SignedInLinks {...item} />
    </nav>
  );
}
