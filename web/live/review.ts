import { limits } from '#contract/limits.ts';
import { getPost, type Post } from '#contract/posts.ts';
import { ApiError } from '../lib/api-error.ts';
import { call } from '../lib/api.ts';
import { fetchPostPage, limitFor } from '../posts/fetch-post-page.ts';
import type { PostListId, PostStore } from '../posts/post-store.ts';

interface ReviewOptions {
  store: PostStore;
  /** The list on screen. */
  shownList: () => PostListId | null;
  isBusy: (postId: string) => boolean;
}

/** Reads anew, quietly, what is on screen and may have become untrue unheard. */
export function createReview({ store, shownList, isBusy }: ReviewOptions) {
  let running = false;
  let rest: ReturnType<typeof setTimeout> | undefined;

  async function review(): Promise<void> {
    const id = shownList();
    if (running || rest !== undefined || id === null || !store.list(id)?.stale) return;
    running = true;
    try {
      await readAnew(id);
    } catch {
      store.doubt(id);
      rest = setTimeout(reviewNow, limits.pollMs);
    }
    running = false;
    // By now it may be doubted once more, or another may be on screen.
    await review();
  }

  /** Also where the last attempt failed just now. */
  function reviewNow(): void {
    clearTimeout(rest);
    rest = undefined;
    void review();
  }

  async function readAnew(id: PostListId): Promise<void> {
    const before = store.beginReview(id, isBusy);
    const { source, ids } = store.list(id)!;
    const signal = AbortSignal.timeout(limits.requestTimeoutMs);
    const page = await fetchPostPage(source, { page: 1, cursor: null, limit: limitFor(ids.length), signal });
    if (source.kind === 'replies') {
      // After its replies: those of a post that is gone seem to be none.
      const post = await readPost(source.postId, signal);
      if (post === null) return store.removePost(source.postId);
      store.reviewPost(post, before);
    }
    store.reviewList(id, page, before);
  }

  return { review: (): void => void review(), reviewNow };
}

async function readPost(id: string, signal: AbortSignal): Promise<Post | null> {
  try {
    return await call(getPost, { params: { id }, signal });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
