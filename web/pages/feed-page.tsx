import { NameOfferPlace } from '../account/name-offer-place.tsx';
import { PostList } from '../posts/post-list.tsx';
import type { PostListId } from '../posts/post-store.ts';

export function FeedPage({ list }: { list: PostListId }) {
  return (
    <>
      <NameOfferPlace />
      <PostList list={list} label="Записи" />
    </>
  );
}
