import { PostCardSkeleton } from '../posts/post-card-skeleton.tsx';

/** Stands in the place of posts that take their time. */
export function LoadingPage() {
  return (
    <div aria-busy="true">
      {Array.from({ length: 8 }, (_, index) => (
        <PostCardSkeleton key={index} />
      ))}
    </div>
  );
}
