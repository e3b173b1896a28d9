import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type DeletedPost, listRemoved, type PendingPost } from '#contract/posts.ts';
import { call } from '../../../lib/api.ts';
import { useNow } from '../../../lib/clock.tsx';
import { useObservable } from '../../../lib/observable.ts';
import { Button } from '../../../ui/button.tsx';
import { useOwnList } from '../../session/use-loaded.ts';
import { ShortText } from '../card/short-text.tsx';
import { usePostStore } from '../store/use-posts.ts';
import { heldPosts } from './held-posts.ts';
import { PendingPosts } from './pending-posts.tsx';
import styles from './deleted-posts.module.css';
import { undo } from './undo-deletion.tsx';

const read = async (signal: AbortSignal): Promise<Array<DeletedPost | PendingPost>> => {
  const { deleted, pending } = await call(listRemoved, { signal });
  return [...deleted, ...pending];
};

const isPending = (post: DeletedPost | PendingPost): post is PendingPost => 'expires_at' in post;

/** Above a person's own list: what waits for a moderator, and what was deleted in the last minutes, with a button that restores it. */
export function DeletedPosts({ which }: { which: (post: Pick<DeletedPost, 'replied_post_id'>) => boolean }) {
  const store = usePostStore();
  const now = useNow();
  const { state, change } = useOwnList(read);
  const [returning, setReturning] = useState<string | null>(null);

  const reload = () => change((posts) => posts);
  const onDeletion = useEffectEvent(reload);
  const held = useObservable(heldPosts);
  const deletions = useObservable(store.content, () => store.posts.deleted.size) + held;
  const loadedAfter = useRef(deletions);
  useEffect(() => {
    if (deletions === loadedAfter.current) return;
    loadedAfter.current = deletions;
    onDeletion();
  }, [deletions]);

  const takeBack = async (id: string) => {
    setReturning(id);
    await undo(store, id);
    setReturning(null);
    reload();
  };

  const posts = (state.is === 'here' ? state.items : []).filter(which);
  const offered = posts.filter(
    (post): post is DeletedPost => !isPending(post) && now <= post.restorable_until && !store.post(post.id),
  );
  return (
    <>
      <PendingPosts posts={posts.filter(isPending)} onDeleted={reload} />
      {offered.length > 0 && (
        <ul className={styles.list} aria-label="Удалённое">
          {offered.map(({ id, text }) => (
            <li key={id} className={styles.post}>
              <p className={styles.text} id={`deleted-${id}`} dir="auto">
                Удалено: <ShortText text={text} />
              </p>
              <Button busy={returning === id} aria-describedby={`deleted-${id}`} onClick={() => void takeBack(id)}>
                Вернуть
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
