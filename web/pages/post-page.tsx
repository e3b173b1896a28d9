import { PostCard } from '../posts/post-card.tsx';
import { PostList } from '../posts/post-list.tsx';
import type { PostListId } from '../posts/post-store.ts';
import { usePost } from '../posts/use-post.ts';
import { PostNotFoundPage } from './post-not-found-page.tsx';
import { RepliesHeading } from './replies-heading.tsx';

interface PostPageProps {
  id: string;
  replies: PostListId;
}

export function PostPage({ id, replies }: PostPageProps) {
  const post = usePost(id);
  if (!post) return <PostNotFoundPage id={id} />;
  return (
    <>
      <PostCard post={post} place="page" />
      <RepliesHeading />
      <PostList list={replies} label="Ответы" />
    </>
  );
}
