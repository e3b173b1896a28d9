import { useEffect, useEffectEvent, useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import { listReported, type ReportedPost } from '#contract/moderation.ts';
import { call } from '../../../lib/api.ts';
import { FormError } from '../../../ui/form-error.tsx';
import { PersonNames } from '../../../ui/person-names.tsx';
import { ShortText } from '../../posts/card/short-text.tsx';
import { useRequest } from '../../session/use-request.ts';
import desk from './desk.module.css';
import styles from './queue.module.css';

const results: Record<ReportedPost['state'], string> = {
  visible: 'оставлена',
  changed: 'оставлена',
  removed: 'убрана со стены',
  deleted: 'удалена автором',
};

/** The posts whose reports are settled, in one line until somebody wants to see them. */
export function Settled({ count }: { count: number }) {
  const [isOpen, setIsOpen] = useState(false);
  const [posts, setPosts] = useState<readonly ReportedPost[]>([]);
  const { busy, error, send } = useRequest();
  const load = useEffectEvent(() =>
    send(async () => {
      const query = { state: 'settled', limit: String(limits.pageSizeMax) } as const;
      setPosts((await call(listReported, { query })).reports);
    }),
  );
  // Again after each decision.
  useEffect(() => {
    if (isOpen && count > 0) void load();
  }, [isOpen, count]);

  if (count === 0) return null;
  return (
    <details className={styles.settled} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className={styles.summary}>Рассмотрено: {count === 1_000 ? 'больше 1000' : count}</summary>
      <FormError>{error}</FormError>
      {busy && posts.length === 0 && <p>Загрузка…</p>}
      <ul className={desk.list} aria-label="Рассмотренные">
        {posts.map(({ post_id: id, author, text, state }) => (
          <li key={id} className={styles.post}>
            <PersonNames {...author} /> · {results[state]}
            <p dir="auto">
              <ShortText text={text} />
            </p>
          </li>
        ))}
      </ul>
      <p>
        Отменить решение можно в{' '}
        <a href={addresses.moderationSection.href({ section: 'journal' })} className={styles.link}>
          журнале
        </a>
        .
      </p>
    </details>
  );
}
