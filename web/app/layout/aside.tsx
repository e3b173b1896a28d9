import type { ReactNode } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { Aside as Content } from '#contract/posts.ts';
import { useMutedAuthors } from '../../features/mutes/mutes.ts';
import { PinnedPost } from '../../features/posts/pinned/pinned-post.tsx';
import { usePostStore } from '../../features/posts/store/use-posts.ts';
import { useSessionState } from '../../features/session/session.ts';
import { Waiting } from '../../pages/waiting.tsx';
import { useObservable } from '../../lib/observable.ts';
import styles from './aside.module.css';

type Line = Content['discussed' | 'following'][number];

/** The right column of the feed. It changes when a list of the feed is loaded. */
export function Aside() {
  const { content, posts } = usePostStore();
  const { aside, pinned } = useObservable(content, ({ beside }) => beside());
  const muted = useMutedAuthors();
  const isSignedIn = useSessionState().is === 'authorized';
  // The lines of deleted posts leave at once.
  useObservable(content, () => posts.deleted.size);
  if (!aside) return null;

  const section = <Item extends Line>(title: string, all: readonly Item[], count: (line: Item) => ReactNode) => {
    const isShown = (line: Item) =>
      !posts.deleted.has(line.id) && !muted.has(line.owner_id) && !('lifted_by' in line && muted.has(line.lifted_by));
    const lines = all.filter(isShown);
    return (
      lines.length > 0 && (
        <section>
          <h2>{title}</h2>
          <ul>
            {lines.map((line) => (
              <li key={line.id}>
                <a
                  href={addresses.post.href(line)}
                  data-author={'lifted_by' in line ? `${line.owner_id} ${line.lifted_by}` : line.owner_id}
                >
                  <span dir="auto">{line.text}</span>
                </a>
                {count(line)}
              </li>
            ))}
          </ul>
        </section>
      )
    );
  };
  return (
    <aside className={styles.aside}>
      {pinned && <PinnedPost post={pinned} />}
      {section('Сейчас обсуждают', aside.discussed, (line) => line.thread_count)}
      <Waiting isBeside />
      {isSignedIn && section('Слежу', aside.following, (line) => <b>+{line.new_count}</b>)}
      {aside.about && (
        <section>
          <h2>О стене</h2>
          <p>{aside.about}</p>
          <a href={addresses.wallText.href({ name: 'rules' })}>Правила</a>
        </section>
      )}
    </aside>
  );
}
