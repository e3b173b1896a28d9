import { type ReactNode, useEffect } from 'react';
import type { Post } from '#contract/posts.ts';
import { useObservable } from '../../../lib/observable.ts';
import { usePerform } from '../../session/actions.ts';
import { inlineReply } from '../compose/inline-reply.ts';
import { ReplyForm } from '../compose/reply-form.tsx';
import { PostCard } from '../card/post-card.tsx';
import type { PostListId } from '../store/post-store.ts';
import { usePost, usePostList } from '../store/use-posts.ts';
import { rootIdOf } from '../card/root-id.ts';
import { PostCardSkeleton } from '../card/post-card-skeleton.tsx';
import { Ancestors, AncestorsPreview } from './ancestors.tsx';
import styles from './thread.module.css';
import { NoReplies, RepliesHeading, Thread } from './thread.tsx';
import visuallyHidden from '../../../ui/visually-hidden.module.css';

/** A post, the way to it from the root of its discussion, and the replies. */
export function Discussion({ post, list }: { post: Post; list: PostListId }) {
  const { ancestors, skipped, nodes } = usePostList(list).thread!;
  const answered = useObservable(inlineReply)?.postId;
  const perform = usePerform();

  useEffect(() => () => inlineReply.set(null), [post.id]);

  useEffect(() => {
    if (answered === undefined || nodes.has(answered)) return;
    // The answered post has gone: the dialog says so and shows the text.
    inlineReply.set(null);
    perform({ kind: 'reply', postId: answered });
  }, [answered, nodes, perform]);

  return (
    <>
      <Ancestors post={post} ids={ancestors} skipped={skipped} />
      <PostCard post={post} place="page" />
      <DiscussionRule post={post} />
      {answered === post.id && <ReplyForm />}
      <Thread list={list} />
    </>
  );
}

/**
 * Shows what the store has of a discussion while it is loading. Everything is where it will be. `failure` is shown when the
 * replies could not be loaded.
 */
export function DiscussionPreview({ post, failure }: { post: Post; failure?: ReactNode }) {
  return (
    <div aria-busy={failure === undefined}>
      {failure === undefined && <span className={visuallyHidden.always}>Загрузка</span>}
      <AncestorsPreview post={post} />
      <PostCard post={post} place="page" />
      <DiscussionRule post={post} />
      <RepliesHeading />
      {failure ?? <RepliesPreview post={post} />}
    </div>
  );
}

/** Under the post: whether and how often one may reply. */
function DiscussionRule({ post }: { post: Post }) {
  const rule = usePost(rootIdOf(post))?.actions.rule;
  return rule && <p className={styles.rule}>{rule}</p>;
}

function RepliesPreview({ post: { id, actions } }: { post: Post }) {
  if ((actions.thread_count ?? actions.replies_count) === 0) return <NoReplies postId={id} />;
  return (
    <>
      <PostCardSkeleton />
      <PostCardSkeleton />
      <PostCardSkeleton />
    </>
  );
}
