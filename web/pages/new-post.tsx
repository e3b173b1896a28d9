import { useEffect, useEffectEvent } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { Page } from '../router/page.ts';
import { keepShared } from '../features/posts/compose/keep-shared.ts';
import type { PostListId } from '../features/posts/store/post-store.ts';
import { usePerform } from '../features/session/actions.ts';
import { feed } from './feed.tsx';

/** Opens the composer and becomes the feed, so that neither Back nor a reload opens it again. */
export const newPost: Page<object, { list: PostListId }> = {
  ...feed,
  address: addresses.newPost,
  Component(shown) {
    const perform = usePerform();
    const open = useEffectEvent(() => perform({ kind: 'new-post' }));
    useEffect(() => {
      if (location.pathname !== addresses.newPost.path) return;
      if (location.search) keepShared(location.search);
      history.replaceState(history.state, '', addresses.feed.href());
      open();
    }, []);
    return <feed.Component {...shown} />;
  },
};
