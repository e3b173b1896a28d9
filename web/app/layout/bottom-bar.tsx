import { addresses } from '#contract/addresses.ts';
import { usePerform } from '../../features/session/actions.ts';
import { Icon } from '../../ui/icon.tsx';
import { LinkForm } from '../../ui/link-form.tsx';
import styles from './bottom-bar.module.css';
import { SectionLink } from './section-link.tsx';
import { useScrolledDown } from './use-scrolled-down.ts';

export function BottomBar({ activePath }: { activePath: string }) {
  const perform = usePerform();
  const away = useScrolledDown();
  const item = { className: styles.item!, activePath };
  return (
    <nav className={styles.bar} aria-label="Нижняя панель" data-away={away}>
      <SectionLink section="feed" {...item} />
      <LinkForm to={addresses.newPost.href()}>
        <button
          type="submit"
          className={styles.create}
          aria-keyshortcuts="N"
          onClick={() => perform({ kind: 'new-post' })}
        >
          <Icon name="pencil" />
          <span>Новая запись</span>
        </button>
      </LinkForm>
      <SectionLink section="bell" {...item} />
      <SectionLink section="settings" {...item} />
    </nav>
  );
}
