import { useId, useRef, type KeyboardEvent, type MouseEvent } from 'react';
import type { Post } from '#contract/posts.ts';
import hidden from '../ui/hidden.module.css';
import { PostActions } from './post-actions.tsx';
import styles from './post-card.module.css';
import { PostMenuButton } from './post-menu-button.tsx';
import { PostText } from './post-text.tsx';
import { PostTime } from './post-time.tsx';
import { QuotedPost } from './quoted-post.tsx';

interface PostCardProps {
  post: Post;
  /** `thread`: in the list under the post it answers, where quoting that post again would say nothing. */
  place: 'list' | 'thread' | 'page';
  position?: number;
  setSize?: number;
  /** Marked as not seen before. */
  isNew?: boolean;
}

export function PostCard({ post, place, position, setSize, isNew = false }: PostCardProps) {
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const listed = place !== 'page';
  const { replied_post_id: answeredId, replied_post: answered } = post.actions;

  const open = () => card.current?.querySelector<HTMLElement>('[data-permalink]')?.click();
  const openByClick = (event: MouseEvent<HTMLElement>) => {
    const plain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (plain && !leadsElsewhere(event.target) && getSelection()?.isCollapsed !== false) open();
  };
  const openByKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter' && event.target === event.currentTarget) open();
  };

  return (
    <article
      ref={card}
      className={styles.card}
      data-place={place}
      aria-labelledby={isNew ? `${id}new ${id}author` : `${id}author`}
      aria-describedby={`${id}text`}
      aria-posinset={position}
      aria-setsize={setSize}
      {...(listed && { tabIndex: 0, onClick: openByClick, onKeyDown: openByKey })}
    >
      <div className={styles.byline}>
        {isNew && (
          <span className={styles.new} id={`${id}new`}>
            <span className={hidden.always}>Новый ответ</span>
          </span>
        )}
        <bdi className={styles.author} id={`${id}author`}>
          <a href={`/users/${post.owner.username}`}>{post.owner.username}</a>
        </bdi>
        {listed && <PostTime post={post} />}
        <span className={styles.menu}>
          <PostMenuButton post={post} />
        </span>
      </div>
      {answeredId !== null && place !== 'thread' && <QuotedPost post={answered} />}
      <PostText id={`${id}text`} text={post.text} />
      {!listed && <PostTime post={post} exact />}
      <PostActions post={post} labelled={!listed} />
    </article>
  );
}

function leadsElsewhere(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, [popover]') !== null;
}
