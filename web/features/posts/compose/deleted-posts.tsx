import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type DeletedPost, listRemoved } from '#contract/posts.ts';
import { call } from '../../../lib/api.ts';
import { useNow } from '../../../lib/clock.tsx';
import { useObservable } from '../../../lib/observable.ts';
import { Button } from '../../../ui/button.tsx';
import { useOwnList } from '../../session/use-own-list.ts';
import { ShortText } from '../card/short-text.tsx';
import { usePostStore } from '../store/use-posts.ts';
import styles from './deleted-posts.module.css';
import { undo } from './undo-deletion.tsx';

const read = async (signal: AbortSignal) => (await call(listRemoved, { signal })).deleted;

/** Posts the person has deleted in the last minutes, above their own list, each with a button that restores it. */
export function DeletedPosts({ which }: { which: (post: DeletedPost) => boolean }) {
  const store = usePostStore();
  const now = useNow();
  const { state, change } = useOwnList(read);
  const [returning, setReturning] = useState<string | null>(null);

  const reload = () => change((posts) => posts);
  const onDeletion = useEffectEvent(reload);
  const deletions = useObservable(store.content, () => store.posts.deleted.size);
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

  const posts = state.is === 'here' ? state.items : [];
  const offered = posts.filter((post) => now <= post.restorable_until && which(post) && !store.post(post.id));
  if (offered.length === 0) return null;
  return (
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
  );
}
