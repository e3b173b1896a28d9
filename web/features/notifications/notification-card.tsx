import { memo } from 'react';
import type { Post } from '#contract/posts.ts';
import { PostCard } from '../posts/card/post-card.tsx';
import { QuotedPost } from '../posts/card/quoted-post.tsx';
import { usePost } from '../posts/store/use-posts.ts';
import { wasChangedAfter } from '../posts/thread/was-changed-after.ts';
import styles from './notification-card.module.css';
import { kindOf } from '../posts/store/fetch-notifications.ts';
import { useRoot } from './use-groups.ts';

interface NotificationCardProps {
  id: string;
  position: number;
  setSize: number;
  isNew: boolean;
  /** Whether it replies to another post than the one above it. */
  turns: boolean;
}

/** A post in a group: who wrote what, and why the person is notified. */
export const NotificationCard = memo(function NotificationCard({ id, turns, isNew, ...shown }: NotificationCardProps) {
  const post = usePost(id);
  return post && <Card post={post} turns={turns} isNew={isNew} {...shown} />;
});

function Card({ post, turns, isNew, ...shown }: Omit<NotificationCardProps, 'id'> & { post: Post }) {
  const { parent_post_id: rootId, replied_post_id: repliedId, replied_post: replied } = post.actions;
  const root = useRoot(rootId ?? '');
  // The head of the group says what is common to it.
  const kind = rootId !== null && kindOf(post.id) === 'mention' ? 'упоминает вас' : undefined;
  const toRoot = repliedId === rootId;
  const isStale = toRoot && wasChangedAfter(root, post);
  const notes = [kind, toRoot && turns && 'на саму запись', isStale && 'запись изменена после ответа'];
  const words = notes.filter((note) => typeof note === 'string').join(' · ');
  const branch = {
    depth: 0,
    label: kind,
    replied: (
      <>
        {words && <p className={styles.notes}>{words}</p>}
        {turns && !toRoot && <QuotedPost post={replied} repliedAt={post.created_at} />}
      </>
    ),
    fold: null,
  };
  const news = isNew && (rootId === null ? 'Новая запись' : true);
  return <PostCard post={post} place="thread" isNew={news} branch={branch} {...shown} />;
}
