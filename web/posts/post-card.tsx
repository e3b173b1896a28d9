import { useId, useRef, type KeyboardEvent, type MouseEvent } from 'react';
import type { Post } from '#contract/posts.ts';
import { useMutes, useStanding } from '../mutes/mutes-context.ts';
import { Button } from '../ui/button.tsx';
import hidden from '../ui/hidden.module.css';
import nameLink from '../ui/name-link.module.css';
import { PostActions } from './post-actions.tsx';
import styles from './post-card.module.css';
import { PostMenuButton } from './post-menu-button.tsx';
import { PostText } from './post-text.tsx';
import { PostTime } from './post-time.tsx';
import { QuotedPost } from './quoted-post.tsx';

/**
 * Where in lists: `thread` is under the post it answers, where quoting that post again would say nothing; `author` among
 * their own posts, where one has asked for them though they are muted.
 */
export type ListedPlace = 'list' | 'thread' | 'author';

interface PostCardProps {
  post: Post;
  place: ListedPlace | 'page';
  position?: number;
  setSize?: number;
  /** Marked as not seen before. */
  isNew?: boolean;
}

export function PostCard({ post, place, position, setSize, isNew = false }: PostCardProps) {
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const listed = place !== 'page';
  const mutes = useMutes();
  const standing = useStanding(post);
  const mayBeQuiet = place === 'list' || place === 'thread';
  const isQuiet = mayBeQuiet && standing === 'quiet';
  const { replied_post_id: answeredId, replied_post: answered } = post.actions;

  const permalink = () => card.current?.querySelector<HTMLAnchorElement>('[data-permalink]');
  const open = () => permalink()?.click();
  // Browsers choose by the button and the keys of the click whether the tab comes to the front.
  const openTab = () => window.open(permalink()?.href, '_blank', 'noopener');
  const showHere = () => {
    mutes.open(post);
    // The button goes.
    card.current?.focus();
  };
  const openByClick = (event: MouseEvent<HTMLElement>) => {
    // The second click of a double one is meant for what stood here before, or for a word.
    if (event.detail > 1 || event.shiftKey || event.altKey) return;
    if (leadsElsewhere(event.target) || getSelection()?.isCollapsed === false) return;
    if (event.ctrlKey || event.metaKey) openTab();
    else open();
  };
  const openByMiddleButton = (event: MouseEvent<HTMLElement>) => {
    if (event.button === 1 && !leadsElsewhere(event.target)) openTab();
  };
  // As on a link: the middle button does not begin to scroll.
  const keepFromScrolling = (event: MouseEvent<HTMLElement>) => {
    if (event.button === 1) event.preventDefault();
  };
  const openByKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter' && event.target === event.currentTarget) open();
  };

  return (
    <article
      ref={card}
      className={styles.card}
      data-place={place}
      data-author={mayBeQuiet ? post.owner.id : undefined}
      data-quiet={isQuiet || undefined}
      aria-labelledby={isNew ? `${id}new ${id}author` : `${id}author`}
      aria-describedby={`${id}text`}
      aria-posinset={position}
      aria-setsize={setSize}
      {...(listed && {
        tabIndex: 0,
        onClick: openByClick,
        onAuxClick: openByMiddleButton,
        onMouseDown: keepFromScrolling,
        onKeyDown: openByKey,
      })}
    >
      <div className={styles.byline}>
        {isNew && (
          <span className={styles.new} id={`${id}new`}>
            <span className={hidden.always}>Новый ответ</span>
          </span>
        )}
        <bdi className={nameLink.name} id={`${id}author`}>
          <a href={`/users/${post.owner.username}`}>{post.owner.username}</a>
        </bdi>
        {(isQuiet || (!listed && standing !== 'plain')) && (
          <span id={isQuiet ? `${id}text` : undefined} className={styles.muted}>
            автор скрыт
          </span>
        )}
        {listed && <PostTime post={post} />}
        {isQuiet && (
          <span className={styles.show}>
            <Button variant="plain" aria-describedby={`${id}author`} onClick={showHere}>
              Показать
            </Button>
          </span>
        )}
        <div className={styles.menu}>
          <PostMenuButton post={post} />
        </div>
      </div>
      {!isQuiet && (
        <>
          {answeredId !== null && place !== 'thread' && <QuotedPost post={answered} />}
          <PostText id={`${id}text`} text={post.text} />
          {!listed && <PostTime post={post} exact />}
          <PostActions post={post} labelled={!listed} />
        </>
      )}
    </article>
  );
}

function leadsElsewhere(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, [popover]') !== null;
}
