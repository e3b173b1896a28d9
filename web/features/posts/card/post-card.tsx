import { createContext, useContext, useId, useRef, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import { addresses } from '#contract/addresses.ts';
import { folded } from '#contract/excerpt.ts';
import type { Post } from '#contract/posts.ts';
import { newOnes, plural } from '../../../lib/plural.ts';
import { useMuted, useMutes, usePostDisplay } from '../../mutes/mutes.ts';
import { Button } from '../../../ui/button.tsx';
import { Face } from '../../../ui/face.tsx';
import { PersonNames } from '../../../ui/person-names.tsx';
import visuallyHidden from '../../../ui/visually-hidden.module.css';
import nameLink from '../../../ui/name-link.module.css';
import type { PostMarks } from '../store/post-list-state.ts';
import { LastReplyLine } from './last-reply.tsx';
import { PostActions } from './post-actions.tsx';
import styles from './post-card.module.css';
import { PostMenuButton } from './post-menu-button.tsx';
import { PostText, type ShowPart } from './post-text.tsx';
import textStyles from './post-text.module.css';
import { PostTime } from './post-time.tsx';
import { QuotedPost } from './quoted-post.tsx';

/**
 * The kind of list. `thread`: replies below the post they reply to, which they do not quote. `author`: the posts of one
 * author, which are shown in full even if the author is muted.
 */
export type ListedPlace = 'list' | 'thread' | 'author';

/** The place of a reply in the tree of its discussion. */
interface BranchProps {
  depth: number;
  /** The colour of its line. */
  line?: number;
  /** The level and whom the reply is to, for screen readers. */
  label: string | undefined;
  replied: ReactNode;
  fold: ReactNode;
}

export const PostMarksContext = createContext<PostMarks>({});

interface PostCardProps {
  post: Post;
  place: ListedPlace | 'page';
  position?: number;
  setSize?: number;
  /** Shows a dot for a post that is new, with other words for screen readers if it is not a reply. */
  isNew?: boolean | string;
  showText?: ShowPart | undefined;
  /** Not painted, unless the reader has closed the pinned post above the list. */
  isPinned?: boolean;
  branch?: BranchProps;
}

export function PostCard(props: PostCardProps) {
  const { post, place, position, setSize, isNew = false, showText, isPinned = false, branch } = props;
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const listed = place !== 'page';
  const mutes = useMutes();
  const { news = 0, liftedBy } = useContext(PostMarksContext)[post.id] ?? {};
  const display = usePostDisplay(post, liftedBy);
  const isAuthorMuted = useMuted(post.owner.id);
  const mayBeQuiet = place === 'list' || place === 'thread';
  const isQuiet = mayBeQuiet && display === 'quiet';
  const beginning = listed ? folded(post.text) : null;
  const { replied_post_id: repliedId, replied_post: replied } = post.actions;

  const permalink = () => card.current?.querySelector<HTMLAnchorElement>('[data-permalink]');
  const open = () => permalink()?.click();
  // The browser decides by the mouse button and modifier keys whether the tab comes to the front.
  const openTab = () => window.open(permalink()?.href, '_blank', 'noopener');
  const showHere = () => {
    mutes.open(post);
    // The button with the focus is removed.
    card.current?.focus();
  };
  const openByClick = (event: MouseEvent<HTMLElement>) => {
    // The second click of a double click was meant for the previous content, or selects a word.
    if (event.detail > 1 || event.shiftKey || event.altKey) return;
    if (leadsElsewhere(event.target) || getSelection()?.isCollapsed === false) return;
    if (event.ctrlKey || event.metaKey) openTab();
    else open();
  };
  const openByMiddleButton = (event: MouseEvent<HTMLElement>) => {
    if (event.button === 1 && !leadsElsewhere(event.target)) openTab();
  };
  // As on a link: the middle button does not start autoscroll.
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
      data-author={mayBeQuiet ? [post.owner.id, liftedBy].join(' ').trim() : undefined}
      data-quiet={isQuiet || undefined}
      data-pinned={isPinned ? post.id : undefined}
      data-depth={branch?.depth}
      data-line={branch?.line}
      aria-labelledby={[isNew && `${id}new`, `${id}author`, branch?.label && `${id}level`].filter(Boolean).join(' ')}
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
            <span className={visuallyHidden.always}>{isNew === true ? 'Новый ответ' : isNew}</span>
          </span>
        )}
        <Face id={post.owner.id} />
        <bdi className={nameLink.name} id={`${id}author`}>
          <a href={addresses.user.href(post.owner)}>
            <PersonNames {...post.owner} />
          </a>
        </bdi>
        {branch?.label && (
          <span hidden id={`${id}level`}>
            {branch.label}
          </span>
        )}
        {(isQuiet || (!listed && display !== 'full')) && (
          <span id={isQuiet ? `${id}text` : undefined} className={styles.muted}>
            {isAuthorMuted ? 'автор скрыт' : 'поднял скрытый автор'}
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
          {branch?.replied}
          {repliedId !== null && listed && place !== 'thread' && (
            <QuotedPost post={replied} repliedAt={post.created_at} />
          )}
          <PostText id={`${id}text`} text={beginning ?? post.text} show={showText} />
          {beginning !== null && (
            <a className={textStyles.whole} href={addresses.post.href(post)}>
              Показать целиком
            </a>
          )}
          {!listed && <PostTime post={post} exact />}
          <PostActions post={post} labelled={!listed} compact={place === 'thread'}>
            {branch?.fold}
            {news > 0 && <span className={styles.news}>+{plural(news, newOnes)}</span>}
          </PostActions>
          {post.last_reply && (place === 'list' || place === 'author') && <LastReplyLine reply={post.last_reply} />}
        </>
      )}
    </article>
  );
}

function leadsElsewhere(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, [popover]') !== null;
}
