import { createContext, type KeyboardEvent, type MouseEvent, type ReactNode, useContext, useId, useRef } from 'react';
import { addresses } from '#contract/addresses.ts';
import { shortened } from '#contract/text-parts.ts';
import { limits } from '#contract/limits.ts';
import type { LastReply, Post } from '#contract/posts.ts';
import { shownName } from '#contract/username.ts';
import { useNow } from '../../../lib/clock.tsx';
import { newOnes, plural, replyForms, shortCount } from '../../../lib/counts.ts';
import { createObservable, useObservable } from '../../../lib/observable.ts';
import { machineTime, relativeTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/button.tsx';
import { Face } from '../../../ui/face.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { LinkForm } from '../../../ui/link-form.tsx';
import nameLink from '../../../ui/name-link.module.css';
import { Handle, ShownName } from '../../../ui/person-names.tsx';
import visuallyHidden from '../../../ui/visually-hidden.module.css';
import { useHides, useMutes, useOpened } from '../../mutes/mutes.ts';
import { usePerform } from '../../session/actions.ts';
import type { PostMarks } from '../store/post-list-state.ts';
import postActionsStyles from './post-actions.module.css';
import styles from './post-card.module.css';
import { PostMenuButton } from './post-menu-button.tsx';
import textStyles from './post-text.module.css';
import { PostText, type ShowPart } from './post-text.tsx';
import { PostTime } from './post-time.tsx';
import { QuotedPost } from './quoted-post.tsx';

/** A note at the foot of the post that the person has just written on this page. The code that sets it is loaded with the form of a post. */
export const noteBelow = createObservable<{ postId: string; note: ReactNode } | null>(null);

interface PostActionsProps {
  post: Post;
  labelled: boolean;
  /** The post stands in a discussion, with its replies below. */
  compact: boolean;
  children?: ReactNode;
}

function PostActions({ post, labelled, compact, children }: PostActionsProps) {
  const perform = usePerform();
  const { id, actions } = post;
  return (
    <div className={postActionsStyles.actions} data-compact={compact || undefined}>
      <PostAction
        icon="heart"
        name="Нравится"
        shortcut="L"
        count={actions.likes_count}
        pressed={actions.is_liked}
        labelled={labelled}
        to={addresses.postActions.href({ id })}
        onClick={() => perform({ kind: 'like', postId: id })}
      />
      <PostAction
        icon={compact ? undefined : 'reply'}
        name="Ответить"
        shortcut="R"
        count={compact ? 0 : (actions.thread_count ?? actions.replies_count)}
        labelled={labelled || compact || (actions.thread_count ?? actions.replies_count) === 0}
        to={addresses.postReply.href({ id })}
        onClick={() => perform({ kind: 'layer', href: addresses.postReply.href({ id }) })}
      />
      {children}
    </div>
  );
}

interface PostActionProps {
  icon: IconName | undefined;
  name: string;
  /** The key that clicks the button. */
  shortcut: 'L' | 'R';
  count: number;
  pressed?: boolean;
  /** Whether the name is visible beside the icon. */
  labelled: boolean;
  /** The page with the same action. */
  to: string;
  onClick: () => void;
}

/** Shows no count of zero. The title contains the full count if it is shortened. */
function PostAction({ icon, name, shortcut, count, pressed, labelled, to, onClick }: PostActionProps) {
  const short = count > 0 ? shortCount(count) : '';
  return (
    <LinkForm to={to}>
      <button
        type="submit"
        className={postActionsStyles.action}
        aria-pressed={pressed}
        aria-keyshortcuts={shortcut}
        title={short.includes(' ') ? `${name}: ${count}` : undefined}
        onClick={({ currentTarget }) => {
          currentTarget.toggleAttribute('data-pressed', pressed === false);
          onClick();
        }}
      >
        {icon && <Icon name={icon} />}
        <span className={labelled ? undefined : visuallyHidden.always}>{name}</span>
        {short !== '' && (
          <>
            {' '}
            <span className={postActionsStyles.count}>{short}</span>
          </>
        )}
      </button>
    </LinkForm>
  );
}

/** The posts of a list whose authors have a chip at another post above. */
export const RepeatedNewcomersContext = createContext<ReadonlySet<string>>(new Set());

/** The chip beside a newcomer's name in lists of many authors. It is a component of its own, so that a tick of the clock renders only it. */
function NewHere({ postId, until }: { postId: string; until: number }) {
  const isRepeated = useContext(RepeatedNewcomersContext).has(postId);
  if (useNow() >= until || isRepeated) return null;
  return (
    <>
      {' '}
      <span className={styles.chip} data-new>
        недавно здесь
      </span>{' '}
    </>
  );
}

/** The beginning of the last reply of an active discussion. It leads to the reply. */
function LastReplyLine({ reply, others }: { reply: LastReply; others: number }) {
  const { owner, text, created_at: at } = reply;
  const now = useNow();
  const why = useHides()(reply);
  if (now - at > limits.lastReplySeconds) return null;
  return (
    <a href={addresses.post.href(reply)} className={styles.lastReply} data-author={owner.id}>
      <Face of={owner} />
      <span className={styles.lastNames}>
        <bdi>{shownName(owner)}</bdi>{' '}
        <span>
          <time dateTime={machineTime(at)}>{relativeTime(at, now)}</time>
          {others > 0 && ` · ещё ${plural(others, replyForms)}`}
        </span>
      </span>{' '}
      <span className={styles.lastText} dir="auto">
        {why ?? text}
      </span>
    </a>
  );
}

/**
 * The kind of list. `thread`: replies below the post they reply to, which they do not quote. `author`: the posts of one
 * author, which are shown in full even if the author is muted.
 */
export type ListKind = 'list' | 'thread' | 'author';

/** The place of a reply in the tree of its discussion. */
interface BranchProps {
  depth: number;
  /** The colour of the line beside the reply. */
  line?: number;
  /** The level and whom the reply is to, for screen readers. */
  label: string | undefined;
  replied: ReactNode;
  fold: ReactNode;
  /** Whether the author of the reply has written the root of the discussion. */
  isByAuthor?: boolean;
  /** Whether replies to this reply are shown below it. */
  goesOn?: boolean;
  /** Whether the time of the reply leads to the reply in its discussion. */
  opensInside?: boolean;
}

export const PostMarksContext = createContext<PostMarks>({});

interface PostCardProps {
  post: Post;
  kind: ListKind | 'page';
  position?: number;
  setSize?: number;
  /** Shows a dot for a new post. Screen readers say the given words, or «Новый ответ» for `true`. */
  isNew?: boolean | string;
  showText?: ShowPart | undefined;
  /** The post is also pinned above the list. Its card in the list is invisible until the reader closes the pinned one. */
  isPinned?: boolean;
  branch?: BranchProps;
}

export function PostCard(props: PostCardProps) {
  const { post, kind, position, setSize, isNew = false, showText, isPinned = false, branch } = props;
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const listed = kind !== 'page';
  const mutes = useMutes();
  const { news = 0 } = useContext(PostMarksContext)[post.id] ?? {};
  const why = useHides()(post);
  const isOpened = useOpened(post.id);
  const isQuiet = kind === 'thread' && Boolean(why) && !isOpened;
  const { newcomer_until: newUntil, username, display_name: ownName, is_namesake: isNamesake } = post.owner;
  const beginning = listed ? shortened(post.text) : null;
  const { replied_post_id: repliedId, replied_post: replied } = post.actions;
  const others = (post.actions.thread_count ?? 0) - 1;
  const lastReply = (kind === 'list' || kind === 'author') && post.last_reply;
  const note = useObservable(noteBelow, (below) => below?.postId === post.id && below.note);

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
  const preventScrolling = (event: MouseEvent<HTMLElement>) => {
    if (event.button === 1) event.preventDefault();
  };
  const openByKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter' && event.target === event.currentTarget) open();
  };

  return (
    <article
      ref={card}
      className={styles.card}
      data-in={kind}
      data-author={listed ? post.owner.id : undefined}
      data-quiet={isQuiet || undefined}
      data-pinned={isPinned ? post.id : undefined}
      data-depth={branch?.depth}
      data-line={branch?.line}
      data-goes-on={branch?.goesOn || undefined}
      aria-labelledby={[isNew && `${id}new`, `${id}author`, branch?.label && `${id}level`].filter(Boolean).join(' ')}
      aria-describedby={`${id}text`}
      aria-posinset={position}
      aria-setsize={setSize}
      {...(listed && {
        tabIndex: 0,
        onClick: openByClick,
        onAuxClick: openByMiddleButton,
        onMouseDown: preventScrolling,
        onKeyDown: openByKey,
      })}
    >
      <div className={styles.body} data-answered={lastReply ? '' : undefined}>
        <div className={styles.byline}>
          {isNew && (
            <span className={styles.new} id={`${id}new`}>
              <span className={visuallyHidden.always}>{isNew === true ? 'Новый ответ' : isNew}</span>
            </span>
          )}{' '}
          <bdi className={`${nameLink.name} ${styles.name}`} id={`${id}author`}>
            <a href={addresses.user.href(post.owner)}>
              <Face of={post.owner} />
              <ShownName {...post.owner} />
            </a>
          </bdi>{' '}
          {branch?.label && (
            <span hidden id={`${id}level`}>
              {branch.label}
            </span>
          )}
          {listed && <PostTime post={post} opensInside={branch?.opensInside} />}{' '}
          {why && (isQuiet || !listed) && (
            <span id={isQuiet ? `${id}text` : undefined} className={styles.muted}>
              <span>{why[0]}</span>
              {why[1]}
            </span>
          )}
          {isQuiet && (
            <span className={styles.show}>
              <LinkForm to={addresses.post.href(post)}>
                <Button
                  type="submit"
                  variant="plain"
                  aria-describedby={`${id}author`}
                  // `showHere` removes the form of the button, so the browser would not send it.
                  onClick={(event) => {
                    event.preventDefault();
                    showHere();
                  }}
                >
                  Показать
                </Button>
              </LinkForm>
            </span>
          )}
          {kind === 'list' && !isQuiet && newUntil !== undefined && <NewHere postId={post.id} until={newUntil} />}
          {branch?.isByAuthor && <span className={styles.chip}>автор</span>}{' '}
          {!isQuiet && (
            <span className={styles.rest}>
              <span>
                {listed && post.is_modified && <span>изменено</span>}{' '}
                {kind !== 'author' && ownName !== null && !isNamesake && <Handle username={username} />}
              </span>
            </span>
          )}
        </div>
        <div className={styles.menu}>
          <PostMenuButton post={post} />
        </div>
        {!isQuiet && (
          <>
            {branch?.replied}
            {repliedId !== null && listed && kind !== 'thread' && (
              <QuotedPost post={replied} repliedAt={post.created_at} />
            )}
            <PostText id={`${id}text`} text={beginning ?? post.text} mentions={post.mentions} show={showText} />
            {beginning !== null && (
              <a className={textStyles.whole} href={addresses.post.href(post)}>
                Показать целиком
              </a>
            )}
            {!listed && <PostTime post={post} exact />}
            <PostActions post={post} labelled={!listed} compact={kind === 'thread'}>
              {branch?.fold}
              {news > 0 && <span className={styles.news}>+{plural(news, newOnes)}</span>}
            </PostActions>
          </>
        )}
      </div>
      {lastReply && <LastReplyLine reply={lastReply} others={others} />}
      {!isQuiet && note}
    </article>
  );
}

function leadsElsewhere(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, form, [popover]') !== null;
}
