import { useEffect, useEffectEvent, useRef } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { PendingPost, WithdrawnPosts } from '#contract/posts.ts';
import { call } from '../../../lib/api.ts';
import { useNow } from '../../../lib/clock.tsx';
import { openLinksInLayers } from '../../../lib/layers.ts';
import { listen } from '../../../lib/watch.ts';
import { useObservable } from '../../../lib/observable.ts';
import button from '../../../ui/button.module.css';
import { useLoaded } from '../../session/use-loaded.ts';
import { PostText } from '../card/post-text.tsx';
import { usePostStore } from '../store/use-posts.ts';
import styles from './deleted-posts.module.css';
import { heldPosts } from '../store/viewer-counts.ts';

/** A line at the foot of a person's own list. It leads to the posts that they deleted in the last minutes. */
export function DeletedLine({ first }: { first: WithdrawnPosts | undefined }) {
  const { deleted } = useWithdrawn(first);
  if (deleted.length === 0) return null;
  return (
    <p className={styles.foot}>
      <a href={addresses.deleted.href()}>Удалённые: {deleted.length}</a>
    </p>
  );
}

let asked: Promise<WithdrawnPosts> | undefined;

/** The lists of waiting and of deleted posts on one page share a request. */
const read = (): Promise<WithdrawnPosts> =>
  (asked ??= call('GET /posts/removed', {}).finally(() => (asked = undefined)));

/** The person's posts that wait for a moderator, and those deleted in the last minutes, which can be restored. */
export function useWithdrawn(first?: WithdrawnPosts) {
  const store = usePostStore();
  const now = useNow();
  const { loaded, load } = useLoaded(read, first);

  const look = useEffectEvent(() => {
    if (!document.hidden) void load();
  });
  useEffect(() => {
    const stops = [listen(document, ['visibilitychange'], look), listen(window, ['online'], look)];
    return () => stops.forEach((stop) => stop());
  }, []);

  const held = useObservable(heldPosts);
  const deletions = useObservable(store.content, () => store.posts.deleted.size) + held;
  const loadedAfter = useRef(deletions);
  useEffect(() => {
    if (deletions === loadedAfter.current) return;
    loadedAfter.current = deletions;
    look();
  }, [deletions]);

  const { pending, deleted } = loaded.is === 'here' ? loaded.value : { pending: [], deleted: [] };
  return {
    pending: pending.filter(({ id }) => !store.posts.deleted.has(id)),
    deleted: deleted.filter(({ id, restorable_until: until }) => now <= until && !store.post(id)),
  };
}

const hours = ({ created_at: from, expires_at: until }: PendingPost): number => Math.round((until - from) / 3_600);

/** The words for the author of a post that waits. */
const pendingText = (post: PendingPost): string =>
  `Ждёт проверки. Появится, когда её посмотрят, самое позднее через ${hours(post)} ч.`;

interface PendingPostsProps {
  /** Whether a waiting post belongs above this list. */
  which: (post: PendingPost) => boolean;
  first?: WithdrawnPosts | undefined;
}

/** A newcomer's posts that wait for a moderator, above the person's own list. */
export function PendingPosts({ which, first }: PendingPostsProps) {
  const { pending } = useWithdrawn(first);
  const posts = pending.filter(which);
  useEffect(openLinksInLayers, []);
  if (posts.length === 0) return null;
  return (
    <ul className={styles.list} aria-label="Ждёт проверки">
      {posts.map((post) => (
        <li key={post.id} className={styles.post}>
          <PostText id={`pending-${post.id}`} text={post.text} />
          <p className={styles.quiet}>{pendingText(post)}</p>
          <a
            href={addresses.postDeletion.href(post)}
            className={button.button}
            data-variant="quiet"
            data-layer
            aria-describedby={`pending-${post.id}`}
          >
            Удалить
          </a>
        </li>
      ))}
    </ul>
  );
}
