import { memo } from 'react';
import { PostCard } from './post-card.tsx';
import { usePost } from './use-post.ts';

interface PostListItemProps {
  id: string;
  position: number;
  setSize: number;
  place: 'list' | 'thread';
}

export const PostListItem = memo(function PostListItem(props: PostListItemProps) {
  const { id, position, setSize, place } = props;
  const post = usePost(id);
  if (!post) return null;
  return <PostCard post={post} place={place} position={position} setSize={setSize} />;
});
