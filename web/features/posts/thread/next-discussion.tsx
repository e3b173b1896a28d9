import { addresses } from '#contract/addresses.ts';
import { useShownLines } from '../list/shown-lines.ts';
import { useBeside } from '../store/beside.ts';
import styles from './next-discussion.module.css';

/** A link to the next discussion. They are ordered by their latest replies, newest first; after the last one comes the first. */
export function NextDiscussion({ rootId }: { rootId: string }) {
  const shown = useShownLines();
  const all = useBeside(true).aside?.discussed ?? [];
  const index = all.findIndex(({ id }) => id === rootId);
  const [next] = shown([...all.slice(index + 1), ...all.slice(0, index + 1)].filter(({ id }) => id !== rootId));
  return (
    next && (
      <a href={addresses.post.href(next)} className={styles.next}>
        Следующее обсуждение: <span dir="auto">{next.text}</span>
      </a>
    )
  );
}
