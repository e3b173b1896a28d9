import { useEffect, useEffectEvent, useRef } from 'react';
import { shortCount } from '../lib/counts.ts';
import { announce } from '../ui/announce.ts';
import { Button } from '../ui/button.tsx';
import styles from './fresh-posts.module.css';
import type { ListedPlace } from './post-card.tsx';
import type { PostListId } from './post-store.ts';
import { useFreshPosts } from './use-fresh-posts.ts';

interface FreshPostsProps {
  list: PostListId;
  place: ListedPlace;
  onShown: () => void;
}

/** The first is announced soon, more of them not before so long. */
const announceSoonMs = 1_000;
const announceAgainMs = 30_000;

/**
 * Says over the list that new posts wait, and shows them when asked to. It takes no room: nothing moves when it comes. In
 * an empty list there is nothing to move, and they appear by themselves.
 */
export function FreshPosts({ list, place, onShown }: FreshPostsProps) {
  const { count, isEmpty, state, show } = useFreshPosts(list);
  const isThere = count > 0;
  const label = `Показать новые: ${shortCount(count)}`;

  const told = useRef('');
  const tell = useEffectEvent(() => {
    if (told.current === label) return;
    told.current = label;
    announce(label);
  });
  useEffect(() => {
    if (!isThere) return undefined;
    told.current = '';
    const soon = setTimeout(() => tell(), announceSoonMs);
    const again = setInterval(() => tell(), announceAgainMs);
    return () => {
      clearTimeout(soon);
      clearInterval(again);
    };
  }, [isThere]);

  const appear = useEffectEvent(async () => {
    if (await show()) announce(`Появились новые: ${shortCount(count)}`);
  });
  const appears = isThere && isEmpty;
  useEffect(() => {
    if (appears) void appear();
  }, [appears, count]);

  if (!isThere || (isEmpty && state !== 'failed')) return null;

  const showThem = async () => {
    if (await show()) onShown();
  };
  return (
    <div className={styles.place} data-place={place}>
      <div className={styles.pill}>
        <Button variant="primary" busy={state === 'busy'} onClick={() => void showThem()}>
          {state === 'failed' ? 'Не удалось. Повторить' : label}
        </Button>
      </div>
    </div>
  );
}
