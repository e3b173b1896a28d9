import type { ReactNode } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { Post } from '#contract/posts.ts';
import { nameInLine } from '#contract/username.ts';
import { namedOnDemand, useOnDemand } from '../../../lib/on-demand.ts';
import { Face } from '../../../ui/face.tsx';
import visuallyHidden from '../../../ui/visually-hidden.module.css';
import { useHides } from '../../mutes/mutes.ts';
import { PostCardSkeleton } from '../card/post-card-skeleton.tsx';
import { PostCard } from '../card/post-card.tsx';
import { ShortText } from '../card/post-text.tsx';
import { wasChangedAfter } from '../card/post-time.tsx';
import { WriteField } from '../card/write-field.tsx';
import { rootIdOf } from '../store/thread-tree.ts';
import type { PostListId } from '../store/post-store.ts';
import { usePost, usePostList } from '../store/use-posts.ts';
import ancestorsStyles from './ancestors.module.css';
import styles from './thread.module.css';
import { NoReplies, RepliesHeading, Thread } from './thread.tsx';

interface AncestorsProps {
  post: Post;
  /** The posts from the root down to the one that the post replies to. */
  ids: readonly string[];
  /** The number of posts left out after the root. */
  skipped: number;
}

const gone = 'Запись удалена';

/** The posts from the root of the discussion to the post. Each of them is one line, so that the post itself is seen first. */
function Ancestors({ post, ids, skipped }: AncestorsProps) {
  const { replied_post_id: repliedId } = post.actions;
  if (repliedId === null) return null;
  // The post that this one replies to is deleted.
  const isCut = ids.at(-1) !== repliedId;
  const [root, ...rest] = ids;
  const last = isCut ? undefined : rest.pop();
  const folded = rest.length + skipped;
  return (
    <div className={ancestorsStyles.chain} role="group" aria-label="Начало обсуждения">
      {root !== undefined && <Ancestor reply={post} id={root} missing={gone} />}
      {folded > 0 && (
        <details className={ancestorsStyles.folded}>
          <summary className={ancestorsStyles.summary}>
            <span>Ещё {folded}</span>
            <span>Свернуть</span>
          </summary>
          {skipped > 0 && rest[0] !== undefined && (
            <a className={ancestorsStyles.step} href={addresses.post.href({ id: rest[0] })}>
              Пропущено: {skipped}
            </a>
          )}
          {rest.map((id) => (
            <Ancestor key={id} reply={post} id={id} missing={gone} />
          ))}
        </details>
      )}
      {last !== undefined && <Ancestor reply={post} id={last} missing={gone} />}
      {isCut && <p className={ancestorsStyles.step}>{gone}</p>}
    </div>
  );
}

/** The ancestors before they are loaded: unknown lines are empty. */
function AncestorsPreview({ post }: { post: Post }) {
  const { parent_post_id: root, replied_post_id: repliedId, replied_post: replied } = post.actions;
  if (root === null || repliedId === null) return null;
  const isRoot = repliedId === root;
  const isBelowRoot = replied?.actions.replied_post_id === root;
  return (
    <div className={ancestorsStyles.chain}>
      <Ancestor reply={post} id={root} missing="" />
      {!isRoot && !isBelowRoot && <p className={ancestorsStyles.step}>Ещё</p>}
      {!isRoot && <Ancestor reply={post} id={repliedId} missing="" />}
    </div>
  );
}

interface AncestorProps {
  id: string;
  /** Shown if the store does not have the post. */
  missing: string;
  /** The post of the page. */
  reply: Post;
}

function Ancestor({ id, missing, reply }: AncestorProps) {
  const post = usePost(id);
  if (!post) return <p className={ancestorsStyles.step}>{missing}</p>;
  return <AncestorLine post={post} isChanged={reply.actions.replied_post_id === id && wasChangedAfter(post, reply)} />;
}

function AncestorLine({ post, isChanged }: { post: Post; isChanged: boolean }) {
  const why = useHides()(post);
  return (
    <a href={addresses.post.href(post)} className={ancestorsStyles.step} data-author={post.owner.id}>
      <Face of={post.owner} />
      <bdi className={ancestorsStyles.author}>{nameInLine(post.owner)}</bdi>
      <span className={ancestorsStyles.text} dir="auto">
        {why ?? <ShortText {...post} />}
      </span>
      {isChanged && <span className={ancestorsStyles.changed}>изменено после ответа</span>}
    </a>
  );
}

const nextDiscussion = namedOnDemand(() => import('./next-discussion.tsx'), 'NextDiscussion');

/** A post with its ancestors and replies. */
export function Discussion({ post, list }: { post: Post; list: PostListId }) {
  const { thread, next } = usePostList(list);
  const { ancestors, skipped } = thread!;
  const rootId = rootIdOf(post);
  const isClosed = usePost(rootId)?.actions.is_closed === true;
  const isAtEnd = next === null;
  const { thing: NextDiscussion } = useOnDemand(nextDiscussion, isAtEnd);
  return (
    <>
      <Ancestors post={post} ids={ancestors} skipped={skipped} />
      <PostCard post={post} kind="page" />
      <DiscussionRule post={post} />
      <Thread list={list} />
      {thread!.rows.length > 0 && !isClosed && (
        <WriteField href={addresses.postReply.href(post)} isAtFoot>
          Ответить…
        </WriteField>
      )}
      {NextDiscussion && isAtEnd && <NextDiscussion rootId={rootId} />}
    </>
  );
}

/** Shows the stored posts of a discussion, at their final positions, while the rest is loading. `failure` stands for the replies. */
export function DiscussionPreview({ post, failure }: { post: Post; failure?: ReactNode }) {
  return (
    <div aria-busy={failure === undefined}>
      {failure === undefined && <span className={visuallyHidden.always}>Загрузка</span>}
      <AncestorsPreview post={post} />
      <PostCard post={post} kind="page" />
      <DiscussionRule post={post} />
      <RepliesHeading />
      {failure ?? <RepliesPreview post={post} />}
    </div>
  );
}

/** Says under the post whether and how often one may reply. */
function DiscussionRule({ post }: { post: Post }) {
  const rule = usePost(rootIdOf(post))?.actions.rule;
  return rule && <p className={styles.rule}>{rule}</p>;
}

function RepliesPreview({ post: { actions } }: { post: Post }) {
  if ((actions.thread_count ?? actions.replies_count) === 0) return <NoReplies />;
  return (
    <div className={styles.preview}>
      <PostCardSkeleton />
      <PostCardSkeleton />
      <PostCardSkeleton />
    </div>
  );
}
