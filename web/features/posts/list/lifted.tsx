import { useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { Aside } from '#contract/posts.ts';
import { plural } from '../../../lib/counts.ts';
import { useObservable } from '../../../lib/observable.ts';
import { useMutedAuthors } from '../../mutes/mutes.ts';
import { usePostStore } from '../store/use-posts.ts';
import styles from './lifted.module.css';

const replies = ['ответ', 'ответа', 'ответов'] as const;

export type Line = Aside['discussed' | 'following'][number];

export const authorsOf = (line: Line): string[] =>
  'lifted_by' in line ? [line.owner_id, line.lifted_by] : [line.owner_id];

/** Chooses lines of the right column. Those of deleted posts and of muted authors leave at once. */
export function useShownLines(): <Item extends Line>(all: readonly Item[]) => Item[] {
  const { content, posts } = usePostStore();
  const muted = useMutedAuthors();
  useObservable(content, () => posts.deleted.size);
  return (all) => all.filter((line) => !posts.deleted.has(line.id) && !authorsOf(line).some((id) => muted.has(id)));
}

/** Among the cards of a feed whose newest posts have no reply: the discussion that was lifted last. It belongs to no list. */
export function Lifted() {
  const { content } = usePostStore();
  // What arrives later would move the cards below.
  const [aside] = useState(() => content.get().beside().aside);
  const [line] = useShownLines()(aside?.is_silent ? aside.discussed : []);
  return (
    line && (
      <article className={styles.lifted}>
        <a href={addresses.post.href(line)} data-author={authorsOf(line).join(' ')}>
          <b>Обсуждают · {plural(line.thread_count, replies)}</b>
          <span dir="auto">{line.text}</span>
        </a>
      </article>
    )
  );
}
