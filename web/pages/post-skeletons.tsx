import type { ReactNode } from 'react';
import { PostCardSkeleton } from '../features/posts/card/post-card-skeleton.tsx';
import hidden from '../ui/visually-hidden.module.css';

/** The skeleton of a list of posts. The children are the skeleton of what is above the list. */
export function PostSkeletons({ children }: { children?: ReactNode }) {
  return (
    <div aria-busy="true">
      <span className={hidden.always}>Загрузка</span>
      {children}
      {Array.from({ length: 8 }, (_, index) => (
        <PostCardSkeleton key={index} />
      ))}
    </div>
  );
}
