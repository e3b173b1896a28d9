import type { PostListId } from '../store/post-store.ts';
import { FreshPosts } from './fresh-posts.tsx';
import { NewerPosts } from './newer-posts.tsx';
import { Pills } from './new-pill.tsx';
import { StopPill } from './stop-pill.tsx';

interface ListPillsProps {
  list: PostListId;
  /** Called when the newest posts are shown. */
  onShown: () => void;
}

/** The buttons that a list offers beside the posts it shows. */
export function ListPills({ list, onShown }: ListPillsProps) {
  return (
    <Pills>
      <StopPill list={list} />
      <NewerPosts list={list} />
      <FreshPosts list={list} onShown={onShown} />
    </Pills>
  );
}
