import { memo } from 'react';
import { type ListedPlace, PostCard } from '../card/post-card.tsx';
import type { ShowPart } from '../card/post-text.tsx';
import { usePost } from '../store/use-posts.ts';

export interface PostListItemProps {
  id: string;
  position: number;
  setSize: number;
  place: ListedPlace;
  isNew?: boolean;
  showText?: ShowPart | undefined;
}

export const PostListItem = memo(function PostListItem(props: PostListItemProps) {
  const { id, ...shown } = props;
  const post = usePost(id);
  if (!post) return null;
  return <PostCard post={post} {...shown} />;
});
